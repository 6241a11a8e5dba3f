"""What context and original allow to claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Any

from redpen.guards.claims import tags as t
from redpen.guards.claims.about import same, thing
from redpen.guards.claims.approved import is_moved_by, is_told_by
from redpen.guards.claims.cause import find_causes
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.finding import UNREAD, find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.phrasing import KIND_OF, OF_ANY_KIND
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.talk_words import talk_stems

MAX_CONTEXT_STRINGS = 400
"""Most strings of a context that are read."""
MAX_CONTEXT_CHARS = 4_000
"""Longest piece of one context string that is read."""
_MAX_DEPTH = 40
_IT = frozenset(("=incident",))
_GIFT = frozenset(("gift",))
"""Kind of a commitment that says what is given and not how."""
_OF_THE_WRITER = frozenset(("liability", "guarantee"))
"""Families of claims that say how the writer stands, whatever they are about: such may be reworded."""
_REFERRING = frozenset(("it", "they", "this", "these", "that", "those"))
"""Words at the head of a sentence that stand for a thing of the sentence before."""
_AMOUNTS = frozenset(("extension", "discount", "gift"))
"""Kinds of commitments that an amount tells better than the verb."""
_CUES: Mapping[str, frozenset[str]] = {
    "guarantee": frozenset(
        "promise promises promised promising guarantee guarantees guaranteed guaranteeing certainly "
        "definitely surely assure assured assuring pledge pledged vow vowed swear vouch".split()
    ),
    "liability": frozenset(
        "fault blame responsible responsibility liable mistake mess negligent negligence oversight "
        "error".split()
    ),
}
"""Words that show, in whatever sentence they stand undenied, that such a claim is made there."""
_OWNERS = frozenset(("our", "ours", "us", "we", "my", "i"))
_NEAR = 3
_NEGATED_WITHIN = 4
_LEAST_WORDS = 1
_SAYS_NOTHING = frozenset(
    map(
        stem,
        "where fail failure lose lost cut problem trouble error fault delay slow mess make add bring turn "
        "show reveal discover notice spot detect find".split(),
    )
)
"""Words that say of a cause no more than that something went wrong."""
_OF_STATE = frozenset(("resolution", "guarantee", "reassurance"))
_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER
_TOO_EARLY = frozenset(("early", "premature", "soon"))
_DOERS = ("er", "ers", "or", "ors")
"""Endings of nouns that share a stem with a verb ("resolvers", "resolved")."""
_DENIALS = frozenset("not no never nobody nothing none neither nor".split())


def _as_prose(key: str, value: object) -> tuple[str, ...]:
    """Return what a context value says when it is read as prose."""
    name = key[:MAX_CONTEXT_CHARS].replace("_", " ")
    if isinstance(value, str):
        text = value[:MAX_CONTEXT_CHARS]
        return (f"{name}: {text}",)
    if value is True:
        return (name,)
    return (f"no {name}",) if value is False or value == 0 else ()


def context_prose(context: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what a context says in words.

    Args:
        context: the incident context, any JSON object.

    Returns:
        The approved actions; and every other value that can be read as prose, with its key.
    """
    actions: list[str] = []
    others: list[str] = []
    stack: list[tuple[Any, str, bool, int]] = [(context, "", False, 0)]
    while stack and len(actions) + len(others) < MAX_CONTEXT_STRINGS:
        value, key, approved, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        if isinstance(value, Mapping):
            for name, item in value.items():
                stack.append((item, str(name), approved or name == "approved_actions", depth + 1))
        elif isinstance(value, list | tuple):
            stack.extend((item, key, approved, depth + 1) for item in value)
        elif approved and isinstance(value, str):
            actions.append(value[:MAX_CONTEXT_CHARS])
        else:
            others.extend(_as_prose(key, value))
    return actions, others


@lru_cache(maxsize=1024)
def _words_given(text: str) -> frozenset[str]:
    """Return the stems of a text, without those that name a cause that it denies."""
    found: frozenset[str] = frozenset()
    for sentence in read_sentences(text):
        stems = content(sentence, 0, len(sentence.words))
        found |= stems if _DENIALS.isdisjoint(sentence.words) else stems - _cause_denied(sentence)
    return found


def _cause_denied(sentence: Sentence) -> frozenset[str]:
    kept = [at for at, word in enumerate(sentence.words) if word not in _DENIALS]
    affirmed = Sentence(
        [sentence.words[at] for at in kept],
        [sentence.tags[at] for at in kept],
        [sentence.at[at] for at in kept],
        False,
        sentence.mask,
        sentence.vocabulary - _DENIALS,
        sentence.tokens,
    )
    return frozenset().union(*(claim.key for claim in find_causes(affirmed)))


class Allowance:
    """What may be claimed, given a context and an original; each of them is read when a claim asks for it.

    Args:
        context: the incident context, any JSON object.
        original: the original text as read.
        revised: the revised text as read.
        inherit: whether what context and original claim already may be claimed again; what an approved
            action says may be claimed in any case.
    """

    def __init__(self, context: Mapping[str, Any], original: str, revised: str, *, inherit: bool) -> None:
        self._context = context
        self._original = original
        self._revised = revised
        self._inherit = inherit

    @cached_property
    def _prose(self) -> tuple[list[str], list[str]]:
        return context_prose(self._context)

    @cached_property
    def _acted(self) -> tuple[Claim, ...]:
        """The claims of the approved actions."""
        return tuple(claim for text in self._prose[0] for claim in find_claims(text))

    @cached_property
    def _given(self) -> tuple[Claim, ...]:
        """The claims of the rest of the context and of the original."""
        return tuple(claim for text in (*self._prose[1], self._original) for claim in find_claims(text))

    @cached_property
    def _told(self) -> frozenset[str]:
        """The stems of the context."""
        actions, others = self._prose
        return frozenset().union(*map(_words_given, (*actions, *others)))

    @cached_property
    def _causes(self) -> frozenset[str]:
        """What context and, where that counts, original give as causes."""
        actions, others = self._prose
        texts = (*actions, *others, self._original) if self._inherit else (*actions, *others)
        return _keys((claim for text in texts for claim in find_claims(text)), "cause")

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words that a cause may be named with."""
        words = self._told | _words_given(self._original)
        if not self._inherit:
            words -= _keys(find_claims(self._original), "cause") - self._told
        return self._causes | words

    @cached_property
    def _remedies(self) -> frozenset[str]:
        return _keys((*self._acted, *self._given), "resolution")

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """The kinds of commitment that are spoken of."""
        words = self._told | _words_given(self._original)
        kinds = frozenset(KIND_OF[word] for word in words - OF_ANY_KIND if word in KIND_OF)
        return kinds | _keys((*self._acted, *self._given), "commitment")

    @cached_property
    def _claimed(self) -> tuple[Claim, ...]:
        return (*self._acted, *self._given) if self._inherit else self._acted

    @cached_property
    def _denied(self) -> tuple[frozenset[str], ...]:
        """What the clauses of context and original speak of that deny something."""
        return tuple(
            frozenset(map(thing, clause))
            for text in (*self._prose[1], self._original)
            for sentence in read_sentences(text)
            for clause in _clauses(sentence)
            if not _DENIALS.isdisjoint(clause)
        )

    @cached_property
    def _promises(self) -> tuple[Claim, ...]:
        """The commitments that may be made again."""
        return tuple(
            claim
            for claim in self._claimed
            if claim.family == "commitment" and (not claim.mention or claim in self._acted)
        )

    @cached_property
    def _promised(self) -> frozenset[str]:
        return _keys(self._promises, "commitment")

    @cached_property
    def _said(self) -> tuple[tuple[frozenset[str], bool, bool], ...]:
        """The sentences that may be said again: their stems, whether they deny something or leave it open."""
        actions, others = self._prose
        texts = (*actions, *others, self._original) if self._inherit else actions
        said: list[tuple[frozenset[str], bool, bool]] = []
        for text in texts:
            before: frozenset[str] = frozenset()
            for sentence in read_sentences(text):
                opened = bool(sentence.mask & _OPEN) or not _TOO_EARLY.isdisjoint(sentence.words)
                meant = frozenset() if _REFERRING.isdisjoint(sentence.words[:1]) else before
                denied = not _DENIALS.isdisjoint(sentence.words)
                said.append((meant | _names(sentence.words), denied, opened))
                clauses = [clause for clause in _clauses(sentence) if _DENIALS.isdisjoint(clause)]
                if denied and clauses:
                    said.append((meant.union(*map(_names, clauses)), False, opened))
                before = _names(takewhile(_affirms, sentence.words))
        return tuple(said)

    @cached_property
    def _cued(self) -> frozenset[str]:
        """The families that a word of context or original shows to be claimed, where that counts."""
        if not self._inherit:
            return frozenset()
        texts = (*self._prose[0], *self._prose[1], self._original)
        return frozenset(
            family
            for text in texts
            for sentence in read_sentences(text)
            for at, word in enumerate(sentence.words)
            for family, cues in _CUES.items()
            if word in cues
            and (family != "liability" or not _OWNERS.isdisjoint(sentence.words[max(0, at - _NEAR) : at]))
            and not any(map(_denies, sentence.words[max(0, at - _NEGATED_WITHIN) : at]))
        )

    def _repeats(self, claim: Claim) -> bool:
        """Whether one sentence that may be said again holds every word of a claim."""
        held = self._revised[claim.start : claim.end]
        for sentence in read_sentences(held):
            words = frozenset(
                word for word, tag in zip(sentence.words, sentence.tags, strict=True) if is_content(word, tag)
            )
            words = frozenset(map(thing if len(words) > 1 else _own, words))
            denies = not _DENIALS.isdisjoint(sentence.words)
            if len(words) < _LEAST_WORDS or not any(
                words <= stems and denies == denied and not (opened and claim.family in _OF_STATE)
                for stems, denied, opened in self._said
            ):
                return False
        return True

    def _knows(self, claim: Claim) -> bool:
        """Whether a commitment is about anything that context or original speak of, if it says about what."""
        named = frozenset(map(same, self._told | _words_given(self._original)))
        return claim.about <= talk_stems() or not claim.about.isdisjoint(named)

    def covers(self, claim: Claim) -> bool:
        """Whether a claim of the revised text is allowed."""
        if UNREAD in claim.key:
            return False
        if claim.family in self._cued or self._repeats(claim):
            return True
        if claim.family == "cause":
            return self._is_given_cause(claim) or is_told_by(claim, self._prose[0])
        if claim.family == "commitment":
            return (claim.mention and claim.key <= self._mentioned) or self._is_promised(claim)
        return bool(claim.key and claim.key <= self._remedies) or any(
            claim.family == given.family
            and _same_thing(claim, given)
            and not self._is_of_what_is_not(claim, given)
            for given in self._claimed
        )

    def _is_of_what_is_not(self, claim: Claim, given: Claim) -> bool:
        """Whether a claim is rather about what a clause denies ("the upload page has not been fixed")."""
        shared = len(claim.about & given.about)
        return claim.family == "resolution" and any(
            len(claim.about & denied) > shared for denied in self._denied
        )

    def _is_given_cause(self, claim: Claim) -> bool:
        """Whether a cause is named in words that may name one."""
        if self._inherit:
            return claim.key - _SAYS_NOTHING <= self._words
        return claim.key <= self._words and (not claim.head or claim.head in self._causes)

    def _is_promised(self, claim: Claim) -> bool:
        """Whether a commitment repeats one that may be made again."""
        if claim.key <= _AMOUNTS and is_moved_by(claim, self._prose[0]):
            return True
        if claim.key == _GIFT:
            return any(not claim.about.isdisjoint(given.about) for given in self._promises)
        if claim.key <= _AMOUNTS and self._is_approved_amount(claim):
            return True
        return claim.key <= self._promised and self._knows(claim)

    def _is_approved_amount(self, claim: Claim) -> bool:
        """Whether an approved action speaks of as much of the same ("14 days")."""
        words = _words_of(self._revised[claim.start : claim.end])
        numbers = frozenset(filter(str.isdigit, words))
        return bool(numbers) and any(
            numbers <= acted
            and _DENIALS.isdisjoint(acted)
            and not _stems(words - numbers).isdisjoint(_stems(acted))
            for acted in map(_words_of, self._prose[0])
        )


def _names(words: Iterable[str]) -> frozenset[str]:
    return frozenset(
        name for word in words if not word.endswith(_DOERS) for name in (thing(word), _own(word))
    )


def _affirms(word: str) -> bool:
    return word not in _DENIALS


def _clauses(sentence: Sentence) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in sentence.words:
        if word in CLAUSE_MARKS:
            yield clause
            clause = []
        else:
            clause.append(word)
    yield clause


def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for sentence in read_sentences(text) for word in sentence.words)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _own(word: str) -> str:
    """Return what stands for a word that has to be repeated itself, and not by a near synonym."""
    return f"~{stem(word)}"


def _denies(word: str) -> bool:
    return (
        word in _DENIALS
        or word.endswith("n't")
        or word in {"avoid", "cannot", "nobody", "nothing", "without"}
    )


def _same_thing(claim: Claim, given: Claim) -> bool:
    """Whether two claims of a family can speak of the same thing."""
    if given.offered and not claim.offered:
        # That a desk is open as usual allows nobody to say that the service is back.
        return False
    if claim.family in _OF_THE_WRITER or not given.about:
        return True
    return not claim.about or claim.about == _IT or not claim.about.isdisjoint(given.about)


def _keys(claims: Iterable[Claim], family: str) -> frozenset[str]:
    return frozenset(item for claim in claims if claim.family == family for item in claim.key)
