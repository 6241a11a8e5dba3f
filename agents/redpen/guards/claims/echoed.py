"""Claims read in clauses that only echo one sentence of original or context.

A rule reads a clause by a few words, and a rewording brings such words in by chance: "the form goes back to
page one" for "the form sends you back to its first page". Where two thirds of what a clause speaks of stand
together in one sentence that is known, and no word in it claims anything by itself, it is a rewording.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.benefit_kinds import Benefit, benefits
from redpen.guards.claims.content import content
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.said import CHANGED, Said, clause_of, said_in, words_in
from redpen.guards.claims.supported import is_plain
from redpen.guards.claims.told import clauses

_STRONG = """
amend cure clear debug eliminate end finish flush heal mend overcome patch reconnect rectify reinstate
repair resume rebuild rebound stabilise tackle undo unblock unlock vanquish sort settle subside succeed
smooth sail fly breeze hum purr snap flawless faultless trouble-free hitch glide seamless properly prompt
punctual spick tidy tiptop shipshape quit rest gone history past dusted pledge vow oath swear bank bound
certainty undoubted without fail invariable inevitable bet stake ironclad watertight foolproof never always
whatever honour harm harmless unharmed hurt unhurt protect private privacy confidential intact untouched
unaffected undamaged unread untampered preserve panic fret worry concern alarm fear afraid anxious sleep
hygienic clean sterile accurate complete correct perfect sound wholesome unseen sight trust flaw flawed
defect defective wrong culprit blunder slip oversight neglect careless sloppy botch bungle mishandle ignore
lapse shortcoming mess clumsy hasty overlook rushed negligent inattentive amiss misjudge misconfigure
misconfigured worn damp rust permission bug leak burst burn overheat jam short money discount voucher gift
bonus refund cash goodwill reward complimentary gratis perk treat thank-you up back running positively
absolutely definitely surely sinister expense overload corrupt incompatible reason nothing none nobody once
badly poorly runaway
"""
"""Words that claim something by themselves, whatever stands beside them."""
_PLAIN_IN_NEWS = frozenset("again affected error errors".split())
"""Words that make a claim plain, but say nothing where the known sentence has them too."""
_RETURNS = frozenset(("back", "up"))
"""Words that tell by themselves of a return, and beside a verb where to ("goes back to page one")."""
_ONCE_MORE = frozenset("more longer".split())
_WILL = frozenset("will 'll shall".split())
_EVERYBODY = frozenset("everyone everybody anyone anybody".split())
"""Words that widen the circle of those who are given something."""
_FREE: frozenset[Benefit] = frozenset(("free",))
_OF_STATE = frozenset(("resolution", "reassurance"))
_SHORTEST = 3
_SUPPORT = 0.66
_TOLD_BESIDE = frozenset(("cause", "liability"))
_HALF = 0.5
"""Share of the words of a claim of these families that has to be known, in whatever clause they stand."""


@lru_cache(maxsize=1)
def _strong() -> frozenset[str]:
    return frozenset(map(stem, _STRONG.split()))


class _Asked(NamedTuple):
    """What a sentence has to hold to be echoed: words, stems, kinds of benefits."""

    words: frozenset[str]
    stems: frozenset[str]
    kinds: frozenset[Benefit]


class _Known:
    """A sentence that is known; what it says is found out when it is asked for.

    Args:
        text: the text that it stands in.
        sentence: the sentence, whose places count from the begin of the text.

    Attributes:
        words: its words.
        stems: the stems of its content words.
    """

    def __init__(self, text: str, sentence: Sentence) -> None:
        self.words = sentence.vocabulary
        self.stems = content(sentence, 0, len(sentence.words))
        self._text = text
        self._sentence = sentence

    @cached_property
    def claims(self) -> frozenset[str]:
        """The families that it claims itself."""
        first, last = self._sentence.span(0, -1)
        return frozenset(item.family for item in find_claims(self._text) if first <= item.start < last)

    @cached_property
    def kinds(self) -> frozenset[Benefit]:
        """The benefits that it gives itself."""
        return benefits(self._sentence.words, self._sentence.tags)

    @cached_property
    def every(self) -> frozenset[str]:
        """The stems of its words, words of grammar included."""
        return frozenset(map(stem, self.words))

    @cached_property
    def whole(self) -> Said:
        """How it is said as a whole."""
        return said_in(self._sentence, 0, len(self._sentence.words))

    @cached_property
    def pieces(self) -> tuple[Said, ...]:
        """How its clauses are said."""
        return tuple([said_in(self._sentence, start, end) for start, end in clauses(self._sentence)])


@lru_cache(maxsize=1024)
def _known(text: str) -> tuple[_Known, ...]:
    return tuple([_Known(text, sentence) for sentence in read_sentences(text)])


def is_echoed(
    claim: Claim, revised: str, original: str, context: Mapping[str, Any], *, inherit: bool = True
) -> bool:
    """Whether the clause of a claim echoes one sentence of original or context.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.
        inherit: whether a sentence may be echoed that makes such a claim itself and is no approved action.
    """
    found = clause_of(claim, revised)
    # What is open or available is no echo of anything but that, see ``carried``.
    if found is None or claim.offered:
        return False
    sentence, start, end = found
    said, words = said_in(sentence, start, end), words_in(sentence, claim)
    if len(said.stems) < _SHORTEST or is_plain(words - _PLAIN_IN_NEWS):
        return False
    first, last = sentence.places(claim.start, claim.end)
    if "again" in words and _is_so_again(sentence, first, last):
        return False
    asked = _asked_of_known(claim, sentence, said, words, (start, end))
    inside = frozenset(map(stem, words))
    actions, others = context_prose(context)
    # The cheapest questions first: for most sentences no other has to be asked.
    return any(
        len(said.stems & known.stems) >= _SUPPORT * len(said.stems)
        and asked.words <= known.words
        and asked.stems <= known.every
        and (claim.family not in _TOLD_BESIDE or len(inside & known.every) >= _HALF * len(inside))
        and asked.kinds <= known.kinds
        and (inherit or approved or claim.family not in known.claims)
        and not _has_turned(said, known, claim.family)
        for texts, approved in ((actions, True), ((original, *others), False))
        for text in texts
        for known in _known(text)
    )


def _asked_of_known(
    claim: Claim, sentence: Sentence, said: Said, words: frozenset[str], clause: tuple[int, int]
) -> _Asked:
    """Return what a sentence has to hold for a claim of the clause to echo it."""
    first, last = sentence.places(claim.start, claim.end)
    stems = frozenset(map(stem, sentence.words[first:last])) & _strong()
    if words - CHANGED:
        stems -= _RETURNS
    asked = (words & _PLAIN_IN_NEWS) | _EVERYBODY.intersection(sentence.words[slice(*clause)])
    if claim.family == "guarantee":
        # What has no promise in it promises nothing when it is said again.
        asked |= _WILL.intersection(sentence.words[first:last])
    kinds: frozenset[Benefit] = frozenset()
    if claim.family == "commitment" and not said.denied:
        # "We drop the fee" is no echo of a fee that stays.
        kinds = _FREE & benefits(sentence.words[slice(*clause)], sentence.tags[slice(*clause)])
    return _Asked(asked, stems, kinds)


def _is_so_again(sentence: Sentence, start: int, end: int) -> bool:
    """Whether words tell that something is so again, and not that something is done again."""
    tags = sentence.tags
    return any(
        tags[at] & t.BE and not any(tag & t.PAST for tag in tags[at + 1 : end]) for at in range(start, end)
    )


def _has_turned(said: Said, known: _Known, family: str) -> bool:
    """Whether a clause is said in another mood than the sentence that is known, or tells of a change."""
    whole = known.whole
    near = max(known.pieces, key=lambda piece: len(piece.stems & said.stems), default=whole)
    affirmed = not (said.denied or said.trouble)
    # "The gates accept passes" is no echo of "the gates reject passes".
    mended = near.trouble and family in _OF_STATE and not said.stems <= whole.stems
    if affirmed and (near.denied or mended):
        return True
    denied = said.denied and not (whole.denied or whole.trouble)
    if denied or (near.opened and not said.opened) or (said.done and not whole.done):
        return True
    return not said.changed & _ONCE_MORE <= whole.changed
