"""What context and original allow to claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from redpen.guards.claims.about import thing
from redpen.guards.claims.approved import is_told_by
from redpen.guards.claims.benefits import is_given_by
from redpen.guards.claims.cause import find_causes
from redpen.guards.claims.content import content
from redpen.guards.claims.finding import UNREAD, find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.phrasing import KIND_OF, OF_ANY_KIND
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, own_sentences, read_sentences
from redpen.guards.claims.repeated import DENIALS, pieces, says_again

_IT = frozenset(("=incident",))
_OF_THE_WRITER = frozenset(("liability", "guarantee"))
"""Families of claims that say how the writer stands, whatever they are about: such may be reworded."""
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
_SAYS_NOTHING = frozenset(
    map(
        stem,
        "where fail failure lose lost cut problem trouble error fault delay slow mess make add bring turn "
        "show reveal discover notice spot detect find".split(),
    )
)
"""Words that say of a cause no more than that something went wrong."""
_OF_STATE = frozenset(("resolution", "guarantee", "reassurance"))


@lru_cache(maxsize=1024)
def _words_given(text: str) -> frozenset[str]:
    """Return the stems of a text, without those that name a cause that it denies."""
    return frozenset().union(*map(_words_of, own_sentences(text)))


@lru_cache(maxsize=1024)
def _words_of(sentence: Sentence) -> frozenset[str]:
    stems = content(sentence, 0, len(sentence.words))
    return stems if DENIALS.isdisjoint(sentence.vocabulary) else stems - _cause_denied(sentence)


def _cause_denied(sentence: Sentence) -> frozenset[str]:
    kept = [at for at, word in enumerate(sentence.words) if word not in DENIALS]
    affirmed = Sentence(
        [sentence.words[at] for at in kept],
        [sentence.tags[at] for at in kept],
        [sentence.at[at] for at in kept],
        False,
        sentence.mask,
        sentence.vocabulary - DENIALS,
        sentence.tokens,
        sentence.origin,
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
        """The words that a cause may be named with though none is given in them."""
        words = self._told | _words_given(self._original)
        if not self._inherit:
            words -= _keys(find_claims(self._original), "cause") - self._told
        return words

    @cached_property
    def _remedies(self) -> frozenset[str]:
        return _keys((*self._acted, *self._given), "resolution")

    def _mentions(self, kinds: frozenset[str]) -> bool:
        """Whether kinds of commitment are spoken of, by their words or, where that does not do, in claims."""
        words = self._told | _words_given(self._original)
        left = kinds - {KIND_OF[word] for word in words - OF_ANY_KIND if word in KIND_OF}
        return not left or left <= _keys((*self._acted, *self._given), "commitment")

    def _claimed(self) -> Iterator[Claim]:
        """Yield the claims that may be made again."""
        actions, others = self._prose
        for text in (self._original, *actions, *others) if self._inherit else actions:
            yield from find_claims(text)

    @cached_property
    def _denied(self) -> tuple[frozenset[str], ...]:
        """What the clauses of context and original speak of that deny something."""
        return tuple(
            frozenset(map(thing, clause))
            for text in (*self._prose[1], self._original)
            for sentence in read_sentences(text)
            for clause in pieces(sentence)
            if not DENIALS.isdisjoint(clause)
        )

    def _sayable(self) -> tuple[str, ...]:
        """Return the texts whose sentences may be said again."""
        actions, others = self._prose
        return (self._original, *actions, *others) if self._inherit else tuple(actions)

    def is_cued(self, family: Family) -> bool:
        """Whether a word of context or original shows that a family is claimed there, where that counts."""
        return self._inherit and family in _CUES and any(family in _cued_in(text) for text in self._sayable())

    def _repeats(self, claim: Claim) -> bool:
        """Whether one sentence that may be said again holds every word of a claim."""
        held = self._revised[claim.start : claim.end]
        return says_again(held, self._sayable(), of_state=claim.family in _OF_STATE)

    def covers(self, claim: Claim) -> bool:
        """Whether a claim of the revised text is allowed."""
        if UNREAD in claim.key:
            return False
        if self.is_cued(claim.family) or self._repeats(claim) or self.gives(claim):
            return True
        if claim.family == "cause":
            return self._is_given_cause(claim) or is_told_by(claim, self._prose[0])
        if claim.family == "commitment":
            return claim.mention and self._mentions(claim.key)
        return bool(claim.key and claim.key <= self._remedies) or any(
            claim.family == given.family
            and _same_thing(claim, given)
            and not self._is_of_what_is_not(claim, given)
            for given in self._claimed()
        )

    def gives(self, claim: Claim) -> bool:
        """Whether a claim only says what an approved action, or a promise that may be made again, gives."""
        return is_given_by(claim, self._revised, self._giving())

    def _giving(self) -> Iterator[str]:
        """Yield what gives something: approved actions, and sentences of the original that promise it."""
        yield from self._prose[0]
        if self._inherit:
            yield from self._promised

    @cached_property
    def _promised(self) -> tuple[str, ...]:
        promises = [
            claim
            for claim in find_claims(self._original)
            if claim.family == "commitment" and not claim.mention
        ]
        spans = [sentence.span(0, -1) for sentence in read_sentences(self._original)] if promises else []
        return tuple(
            self._original[start:end]
            for start, end in spans
            if any(start <= claim.start < end for claim in promises)
        )

    def _is_of_what_is_not(self, claim: Claim, given: Claim) -> bool:
        """Whether a claim is rather about what a clause denies ("the upload page has not been fixed")."""
        shared = len(claim.about & given.about)
        return claim.family == "resolution" and any(
            len(claim.about & denied) > shared for denied in self._denied
        )

    def _is_given_cause(self, claim: Claim) -> bool:
        """Whether a cause is named in words that may name one."""
        left = (claim.key - _SAYS_NOTHING if self._inherit else claim.key) - self._words
        if left and not left <= self._causes:
            return False
        return self._inherit or not claim.head or claim.head in self._causes


@lru_cache(maxsize=1024)
def _cued_in(text: str) -> frozenset[str]:
    """Return the families that a word of a text shows to be claimed in it."""
    return frozenset(
        family
        for sentence in own_sentences(text)
        for family, cues in _CUES.items()
        if not cues.isdisjoint(sentence.vocabulary)
        for at, word in enumerate(sentence.words)
        if word in cues
        and (family != "liability" or not _OWNERS.isdisjoint(sentence.words[max(0, at - _NEAR) : at]))
        and not any(map(_denies, sentence.words[max(0, at - _NEGATED_WITHIN) : at]))
    )


def _denies(word: str) -> bool:
    return (
        word in DENIALS or word.endswith("n't") or word in {"avoid", "cannot", "nobody", "nothing", "without"}
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
