"""Claims in clauses that say, in part in other words, what a clause of original or context says.

A rule reads a clause by a few of its words. Where most words of the clause stand together in one clause that
is known, and nothing in it turned (no denial, hedge, condition or trouble is gone, no word of change is put
in), the clause restates, and what the rule read in it is no news: "sorting came to a stop at our hub" for
"our hub stopped sorting". What certain words say by themselves (that something is promised, given, blamed or
caused) has to stand in the known clause too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, placed_sentences, read_sentences
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import clauses, in_trouble, mask_of

_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.OPENER
_DENIED = t.NOT | t.NO
_CHANGED = frozenset(
    "again back now already since finally fully no more once longer always usual used".split()
)
_TURNING = _CHANGED - frozenset(("now", "since", "usual", "used", "always"))
"""Of these the words that alone tell of an end or a return."""
_WITHOUT = frozenset("without lacking lack lacks unable".split())
_DENYING = frozenset(("no",))
_PLAIN = frozenset(
    map(
        stem,
        "resolve resolved fix fixed restore restored recover recovered recovery closed over behind normal "
        "normally operational mitigated stable working works guarantee guaranteed promise definitely "
        "certainly assured word certain lost loss exposed safe secure impact caused due because root "
        "triggered stems refund reimburse compensate compensation credit waive waived free fault liable "
        "responsibility responsible negligence negligent healthy deployed again affected liability blame "
        "guilty accountable mistake error".split(),
    )
)
"""Stems by which a claim is plain; what is read from other words alone may be misread."""
_OF_ALL = frozenset(("=incident", "=everything"))
_SUPPORT = 0.6
_MORE_SUPPORT = 0.7
"""Share of its words that a clause needs where the words that make the claim are other ones."""
_LEAST = 2


class _Said(NamedTuple):
    """A clause: its stems, the families plainly claimed in it, and how it is said."""

    stems: frozenset[str]
    families: frozenset[str]
    denied: bool
    opened: bool
    trouble: bool
    done: bool
    to_come: frozenset[str]
    changed: frozenset[str]


def is_supported(claim: Claim, revised: str, original: str, context: Mapping[str, Any]) -> bool:
    """Whether a clause of original or context says what the clause of a claim says.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.
    """
    found = _clause_of(claim, revised)
    if found is None:
        return False
    sentence, start, end = found
    said = _said(sentence, start, end)
    if len(said.stems) < _LEAST:
        return False
    inside = _inside(sentence, claim)
    if claim.family == "resolution" and not inside.isdisjoint(_TURNING):
        return False
    if any(_restates(said, known, claim, inside) for known in _known(original)):
        return True
    actions, others = context_prose(context)
    return any(
        _restates(said, known, claim, inside, approved=approved)
        for texts, approved in ((actions, True), (others, False))
        for text in texts
        for known in _known(text)
    )


def _restates(
    said: _Said, known: _Said, claim: Claim, inside: frozenset[str], *, approved: bool = False
) -> bool:
    if not _says_most(said, known, inside, approved=approved) or _has_turned(said, known):
        return False
    if not (known.to_come - said.to_come).isdisjoint(map(stem, inside)):
        return False
    if approved:
        # What is given besides ("a free month" for "a free pass") was not approved, see ``benefits``.
        return claim.family != "commitment"
    if claim.family in known.families or is_plain(inside) or not claim.about.isdisjoint(_OF_ALL):
        return False
    return claim.family == "resolution" or frozenset(map(stem, inside)) - talk_stems() <= known.stems


def _says_most(said: _Said, known: _Said, inside: frozenset[str], *, approved: bool) -> bool:
    """Whether a known clause holds most of the words of another."""
    least = _SUPPORT if approved or frozenset(map(stem, inside)) <= known.stems else _MORE_SUPPORT
    return len(said.stems & known.stems) >= least * len(said.stems)


def _has_turned(said: _Said, known: _Said) -> bool:
    """Whether a clause is said in another mood, or tells of a change or an end that a known one does not."""
    if known.opened and not said.opened:
        return True
    # "Cannot load" says what "fails to load" says, "no failure" does not.
    if (known.denied or known.trouble) and not (said.denied or said.trouble):
        return True
    if said.denied and not known.denied and (said.trouble or not known.trouble):
        return True
    if said.done and not known.done:
        return True
    # Where both deny, "no" says no more than "not".
    return not said.changed - _DENYING <= known.changed


def is_plain(words: Iterable[str]) -> bool:
    """Whether words name outright what is claimed, so that little is left to misread."""
    return any(stem(word) in _PLAIN for word in words)


def _clause_of(claim: Claim, text: str) -> tuple[Sentence, int, int] | None:
    """Return the clause that a claim begins in."""
    for sentence in read_sentences(text):
        first, last = sentence.span(0, -1)
        if not first <= claim.start < last:
            continue
        for start, end in clauses(sentence):
            begin, stop = sentence.span(start, end - 1)
            if begin < claim.end and claim.start < stop:
                return sentence, start, end
    return None


def _inside(sentence: Sentence, claim: Claim) -> frozenset[str]:
    words, tags = sentence.words, sentence.tags
    return frozenset(
        words[at]
        for at in sentence.within(claim.start, claim.end)
        if is_content(words[at], tags[at]) or words[at] in _CHANGED
    )


@lru_cache(maxsize=1024)
def _known(text: str) -> tuple[_Said, ...]:
    claims = find_claims(text)
    found = []
    for first, sentence in placed_sentences(text):
        last = first + sentence.span(0, -1)[1]
        own = [claim.moved(-first) for claim in claims if first <= claim.start < last]
        plain = [claim for claim in own if is_plain(_inside(sentence, claim))]
        for start, end in clauses(sentence):
            begin, stop = sentence.span(start, end - 1) if plain else (0, 0)
            families = frozenset(item.family for item in plain if begin < item.end and item.start < stop)
            said = _said(sentence, start, end)
            found.append(said._replace(families=families) if families else said)
    return tuple(found)


def _to_come(sentence: Sentence, start: int, end: int) -> frozenset[str]:
    """Return the stems of what a clause says is being done or to be done, and is not so yet."""
    words, tags = sentence.words, sentence.tags
    begun = (at for at in range(start, end - 1) if tags[at] & t.BEING or words[at] == "be")
    return frozenset(
        stem(next((words[k] for k in range(at + 1, end) if not tags[k] & t.ADVERB), "")) for at in begun
    )


@lru_cache(maxsize=1024)
def _said(sentence: Sentence, start: int, end: int) -> _Said:
    """Return what a clause says, the families claimed in it apart."""
    stems, mask = content(sentence, start, end), mask_of(sentence, start, end)
    denied = bool(mask & _DENIED) or not _WITHOUT.isdisjoint(sentence.words[start:end])
    return _Said(
        stems=stems,
        families=frozenset(),
        denied=denied,
        opened=bool(mask & _OPEN),
        trouble=in_trouble(mask & ~_DENIED, stems),
        done=bool(mask & t.HAVE),
        to_come=_to_come(sentence, start, end),
        changed=_CHANGED.intersection(sentence.words[start:end]),
    )
