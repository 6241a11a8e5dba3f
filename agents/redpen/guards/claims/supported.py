"""Claims in clauses that say, in part in other words, what a clause of original or context says.

A rule reads a clause by a few of its words. Where most words of the clause stand together in one clause that
is known, and nothing in it turned (no denial, hedge, condition or trouble is gone, no word of change is put
in), the clause restates, and what the rule read in it is no news: "sorting came to a stop at our hub" for
"our hub stopped sorting". What certain words say by themselves (that something is promised, given, blamed or
caused) has to stand in the known clause too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

from redpen.guards.claims.blame_words import CARELESSLY, POORLY
from redpen.guards.claims.content import content
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, placed_sentences
from redpen.guards.claims.said import CHANGED, Said, clause_of, said_in, words_in
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import clauses

_TURNING = CHANGED - frozenset(("now", "since", "usual", "used", "always"))
"""Of these the words that alone tell of an end or a return."""
_DENYING = frozenset(("no",))
PLAIN = frozenset(
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


def is_supported(claim: Claim, revised: str, original: str, context: Mapping[str, Any]) -> bool:
    """Whether a clause of original or context says what the clause of a claim says.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.
    """
    found = clause_of(claim, revised)
    if found is None:
        return False
    sentence, start, end = found
    said = said_in(sentence, start, end)
    if len(said.stems) < _LEAST:
        return False
    inside = words_in(sentence, claim)
    if claim.family == "liability" and not sentence.vocabulary.isdisjoint(CARELESSLY | POORLY):
        return False
    if claim.family == "resolution" and not inside.isdisjoint(_TURNING):
        return False
    if any(_restates(said, known.said, claim, inside) for known in _near(said, original)):
        return True
    actions, others = context_prose(context)
    return any(
        _restates(said, known.said, claim, inside, approved=approved)
        for texts, approved in ((actions, True), (others, False))
        for text in texts
        for known in _near(said, text)
    )


def _near(said: Said, text: str) -> Iterator[_Known]:
    """Yield the clauses of a text that hold as many words of another as the least that is asked."""
    least = _SUPPORT * len(said.stems)
    return (known for known in _known(text) if len(said.stems & known.stems) >= least)


def _restates(
    said: Said, known: Said, claim: Claim, inside: frozenset[str], *, approved: bool = False
) -> bool:
    if not _says_most(said, known, inside, approved=approved) or _has_turned(said, known):
        return False
    if not (known.to_come - said.to_come).isdisjoint(map(stem, inside)):
        return False
    if approved:
        # What is given besides ("a free month" for "a free pass") was not approved, see ``benefits``; nor is
        # what is to be done sworn to by that.
        # Nor did it do the trick, or is anybody answerable for it, because it was approved.
        idle = bool(inside) and not claim.offered and known.stems.isdisjoint(map(stem, inside))
        told = claim.family not in ("resolution", "liability") or not idle
        sworn = claim.family == "guarantee" and is_plain(inside)
        return told and not sworn and claim.family != "commitment"
    if claim.family in known.families or is_plain(inside) or not claim.about.isdisjoint(_OF_ALL):
        return False
    return claim.family == "resolution" or frozenset(map(stem, inside)) - talk_stems() <= known.stems


def _says_most(said: Said, known: Said, inside: frozenset[str], *, approved: bool) -> bool:
    """Whether a known clause holds most of the words of another."""
    least = _SUPPORT if approved or frozenset(map(stem, inside)) <= known.stems else _MORE_SUPPORT
    return len(said.stems & known.stems) >= least * len(said.stems)


def _has_turned(said: Said, known: Said) -> bool:
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
    return any(stem(word) in PLAIN for word in words)


class _Known:
    """A clause that is known; how it is said is found out when it is asked for.

    Args:
        text: the text that it stands in.
        begin: index of the first character of its sentence there.
        sentence: its sentence.
        place: index of its first word, and after its last.

    Attributes:
        stems: the stems of its content words.
    """

    def __init__(self, text: str, begin: int, sentence: Sentence, place: tuple[int, int]) -> None:
        self.stems = content(sentence, *place)
        self._text = text
        self._begin = begin
        self._sentence = sentence
        self._place = place

    @cached_property
    def said(self) -> Said:
        """How it is said, and what it plainly claims."""
        sentence, (start, end), first = self._sentence, self._place, self._begin
        last = first + sentence.span(0, -1)[1]
        own = [claim.moved(-first) for claim in find_claims(self._text) if first <= claim.start < last]
        plain = [claim for claim in own if is_plain(words_in(sentence, claim))]
        begin, stop = sentence.span(start, end - 1) if plain else (0, 0)
        families = frozenset(item.family for item in plain if begin < item.end and item.start < stop)
        return said_in(sentence, start, end, families)


@lru_cache(maxsize=1024)
def _known(text: str) -> tuple[_Known, ...]:
    return tuple(
        [
            _Known(text, begin, sentence, place)
            for begin, sentence in placed_sentences(text)
            for place in clauses(sentence)
        ]
    )
