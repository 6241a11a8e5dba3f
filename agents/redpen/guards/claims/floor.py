"""Phrases of the floor that a revision affirms and that nothing known allows."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from redpen.guards.claims.clauses import FUNCTION_WORDS, content_of
from redpen.guards.claims.phrases import Family, Hit, floor
from redpen.guards.claims.polarity import DENYING, affirms, is_disowned, is_surely_open
from redpen.guards.data import word_set
from redpen.guards.words import classes_of, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.claims.clauses import Clause, Known, Piece, Sentence

_GENERIC = frozenset(
    map(stem, "incident issue problem outage fault disruption service everything thing".split())
)
"""What any incident is called, which names no subject."""
_STEPS = word_set("floor", "steps")
"""What is done to one thing is a step; what is restored or works is what was hit."""
_TOLD_AGAIN = 0.75
_WHOLES = word_set("floor", "wholes")
_WORKING = word_set("floor", "working")
_INTRODUCING = frozenset(
    map(
        stem,
        "good news update status please note confirm happy glad pleased say report team now able".split(),
    )
)
_OF_OBJECTS: tuple[Family, ...] = ("cause", "commitment")
"""Families that claim something of what follows."""
_MOST_LISTED = 5
_ARTICLES = frozenset("the a an your our their all any".split())
_FINITE = word_set("floor", "finite")
_NEITHER = (("neither",), ("nor",))
"""How a clause begins that says the same of something else as the clause before."""
_LISTING = frozenset(("and", "or", "nor", "plus"))
_SAME_SUBJECT = 0.4
"""Least share of what a clause speaks of that a known clause has that allows its claim."""


_OF_THINGS: tuple[Family, ...] = ("resolution", "cause", "guarantee")
"""Families whose phrases are said of all sorts of things."""
_GUARANTEED = ("guaranteed",)
_REPAIRS = word_set("floor", "repairs")
_CLAIMING = frozenset(
    "remedy better well untouched fault cause sure staff time communicate courtesy pending inspect".split()
)
"""Classes of words that name no subject."""
_OF_TRADE = frozenset("service part asset worse ill fault harm".split())
"""Classes of words that a cause of an incident is given for, whether it is known of them or not."""
_MOST_SHARED = 4
"""A clause is of other things where at most one in so many of its words of content is known."""

_WELL: tuple[Family, ...] = ("resolution", "reassurance")


Verdict = Literal["new", "other", "perhaps", "known", "open"]
"""What becomes of a phrase: nothing allows it; likewise, but it names a subject that nothing known speaks of;
all that it speaks of is known; it is known itself; it is denied or left open."""


class Spoken(NamedTuple):
    """A phrase of the floor in a text.

    Attributes:
        sentence: number of its sentence.
        clause: number of the clause in that.
        hit: the phrase.
        affirmed: whether the clause affirms it; otherwise it denies it or leaves it open.
        disowned: whether it is what others say, who are wrong, or is left open beyond doubt.
    """

    sentence: int
    clause: int
    hit: Hit
    affirmed: bool
    disowned: bool


@lru_cache(maxsize=64)
def spoken(sentences: tuple[Sentence, ...]) -> tuple[Spoken, ...]:
    """Return the phrases of the floor in a text, in its order."""
    return tuple(_spoken(sentences))


def _spoken(sentences: tuple[Sentence, ...]) -> Iterator[Spoken]:
    find = floor().find
    for number, sentence in enumerate(sentences):
        for place, clause in enumerate(sentence.clauses):
            hits = find(clause.words)
            if hits:
                after = sentences[number + 1] if number + 1 < len(sentences) else None
                for hit in hits:
                    affirmed = affirms(sentence, place, hit, after)
                    wrong = not affirmed and (
                        is_surely_open(clause.words, hit) or is_disowned(sentence, place, hit, after)
                    )
                    yield Spoken(number, place, hit, affirmed, wrong)


def is_known(words: tuple[str, ...], hit: Hit, known: Known) -> Verdict:
    """Return whether what a phrase of a clause claims is known of the same subject in the same polarity.

    Args:
        words: the words of the clause.
        hit: the phrase in it.
        known: what the reader knows.

    Returns:
        ``known`` where it is; ``perhaps`` where all that it speaks of is, so that the detector has to say
        whether it is told otherwise; ``other`` where its clause is of things that what is known has nothing
        to do with, so that the detector has to say whether it is of the incident; ``new`` otherwise.
    """
    if all(_is_claimed(stems, known, hit) for stems in _conjuncts(words, hit)):
        verdict = _told_again(words, hit, known)
        if verdict == "known" or (verdict and not _is_turned(words, known)):
            return verdict
    return "other" if _is_of_other_things(words, hit, known) else "new"


def _told_again(words: tuple[str, ...], hit: Hit, known: Known) -> Literal["known", "perhaps"] | None:
    """Return whether something known allows what a phrase claims; None where nothing does."""
    part = _is_part(words, hit)
    family, again = hit.phrase.family, hit.phrase.again
    claimed = frozenset(
        stem(word) for word in words[hit.start : hit.end] if word not in FUNCTION_WORDS and word[0].isalpha()
    )
    about = content_of(words) - _GENERIC
    if family == "cause":
        # What is given as the cause has to be known, not what it has brought about.
        about = content_of(words[hit.end :]) or about
    spoken_of = family != "commitment" or claimed <= known.stems
    if again != "never" and spoken_of and len(about & known.stems) >= _TOLD_AGAIN * len(about):
        return "perhaps"
    if part or again == "scope":
        subject = content_of(words[: hit.start]) - _GENERIC
        if subject and any(_is_well(piece, subject) for piece in known.pieces):
            return "perhaps"
    if family == "cause":
        return None
    # A claim's own words name no subject.
    about = about - claimed or about
    either = known.inherit or part or again != "never"
    if any(_allows(piece, hit, about, claimed, either) for piece in known.pieces):
        return "known"
    return "perhaps" if either and _is_retold(words, hit, known) else None


def _allows(piece: Piece, hit: Hit, about: frozenset[str], claimed: frozenset[str], either: bool) -> bool:
    """Whether a known clause says of much the same what a phrase claims; an action that is approved need not
    claim it."""
    of_action = piece.source == "a"
    if not (of_action or either):
        return False
    enough = _SAME_SUBJECT * len(about) / (1 if hit.phrase.again == "never" else 2)
    if len(about & piece.stems) < enough:
        return False
    return _claims(piece, hit) or (
        of_action
        and bool(claimed)
        and claimed <= piece.stems
        and not (hit.phrase.family == "resolution" and _is_under_way(piece, claimed))
    )


def _is_turned(words: tuple[str, ...], known: Known) -> bool:
    """Whether a clause says of the same things what is known in the opposite polarity, or only asked."""
    stems = content_of(words)
    _, _, piece = known.nearest(frozenset(words), stems)
    if piece is None or piece.stems != stems:
        return False
    return piece.asks or DENYING.isdisjoint(words) != DENYING.isdisjoint(piece.vocabulary)


def _is_retold(words: tuple[str, ...], hit: Hit, known: Known) -> bool:
    """Whether all that a clause speaks of is known, and something known claims the same: it is arranged
    anew."""
    about = content_of(words)
    return len(about & known.stems) >= _TOLD_AGAIN * len(about) and any(
        _claims(piece, hit) for piece in known.pieces
    )


def _is_of_other_things(words: tuple[str, ...], hit: Hit, known: Known) -> bool:
    """Whether a clause tells something of things that what is known has nothing to do with: it may be news.

    A claim as a rule names no subject, or the whole; a promise is one whatever it is of, unless a thing is
    called so ("guaranteed payouts").
    """
    family = hit.phrase.family
    # Without an original, nothing tells what other things are.
    if family not in _OF_THINGS or not (known.stems_of_original and _WHOLES.isdisjoint(words)):
        return False
    if family == "guarantee" and (words[hit.start : hit.end] != _GUARANTEED or hit.end == len(words)):
        return False
    if not _REPAIRS.isdisjoint(words):
        return False
    told = words[: hit.start] if family == "cause" else words
    about = frozenset(
        stem(word)
        for word in told
        if word not in FUNCTION_WORDS and word[0].isalpha() and _CLAIMING.isdisjoint(classes_of(word))
    )
    about = about - _GENERIC - _INTRODUCING
    if family == "cause" and not all(_OF_TRADE.isdisjoint(classes_of(word)) for word in told):
        return False
    return bool(about) and _MOST_SHARED * len(about & known.stems) <= len(about)


def _conjuncts(words: tuple[str, ...], hit: Hit) -> Iterator[frozenset[str]]:
    """Yield what the parts of a list speak of that a phrase claims something of; nothing without a list."""
    follows = hit.phrase.family in _OF_OBJECTS
    side = words[hit.end :] if follows else words[: hit.start]
    joints = [at for at, word in enumerate(side) if word in _LISTING]
    if joints:
        for start, end in pairwise((-1, *joints, len(side))):
            yield content_of(side[start + 1 : end]) - _GENERIC


def _is_claimed(stems: frozenset[str], known: Known, hit: Hit) -> bool:
    """Whether something known claims the same of one part of a list."""
    return not stems or any(
        not stems.isdisjoint(piece.stems) and (piece.source == "a" or _claims(piece, hit))
        for piece in known.pieces
    )


def _is_part(words: tuple[str, ...], hit: Hit) -> bool:
    """Whether a clause tells of a step, or of a part of what is hit, and not that all is well."""
    if hit.phrase.family != "resolution":
        return False
    if not _STEPS.isdisjoint(words[hit.start : hit.end]):
        # "We" is who takes the step.
        about = content_of(tuple(word for word in words if word not in _STEPS)) - _INTRODUCING
        return _WHOLES.isdisjoint(set(words) - {"we"}) and bool(about - _GENERIC)
    return _WHOLES.isdisjoint(words) and len(_besides(words, hit)) > 1


def _besides(words: tuple[str, ...], hit: Hit) -> frozenset[str]:
    """Return what a clause speaks of besides its claim: one thing alone is what was hit, as a whole."""
    return content_of(words[: hit.start] + words[hit.end :]) - _INTRODUCING


def _is_under_way(piece: Piece, claimed: frozenset[str]) -> bool:
    """Whether a known clause tells of what is claimed as a thing that is being done."""
    return any(word.endswith("ing") and stem(word) in claimed for word in piece.vocabulary)


def _is_well(piece: Piece, subject: frozenset[str]) -> bool:
    """Whether a known clause speaks of a subject, and with a word of what works."""
    shared = len(subject & piece.stems)
    return shared > 0 and 2 * shared >= len(subject) and not _WORKING.isdisjoint(piece.vocabulary)


def _claims(piece: Piece, hit: Hit) -> bool:
    """Whether a known clause affirms a phrase of the same family, or says in other words that a part is
    well."""
    family = hit.phrase.family
    well = family == "reassurance" and hit.phrase.again == "scope"
    return not _families(piece).isdisjoint(_WELL if well else (family,))


@lru_cache(maxsize=1024)
def _families(piece: Piece) -> frozenset[str]:
    from redpen.guards.claims.clauses import Clause, Sentence

    sentence = Sentence((Clause(piece.words, ()),), piece.asks, False)
    return frozenset(
        hit.phrase.family for hit in floor().find(piece.words) if affirms(sentence, 0, hit, None)
    )


def judge_phrases(sentences: tuple[Sentence, ...], known: Known) -> Iterator[tuple[Spoken, Verdict]]:
    """Yield the phrases of the floor in a text, each with what becomes of it.

    Args:
        sentences: those of the text.
        known: what the reader knows. Where a claim may be inherited, a clause of the original makes none
        anew.
    """
    for item in spoken(sentences):
        if not item.affirmed:
            yield item, "open"
            continue
        clauses = sentences[item.sentence].clauses
        words, hit = clauses[item.clause].words, item.hit
        # A step, a part or a scope may be told again; that all is well may not.
        repeated = words in known.wordings and (
            known.inherit or hit.phrase.again != "never" or _is_part(words, hit)
        )
        also = _said_of_others(clauses[item.clause + 1 : item.clause + 2])
        if also and clauses[item.clause + 1].words not in known.wordings:
            repeated = False
            if hit.phrase.family in _OF_OBJECTS:
                words = (*words, "and", *also)
            else:
                hit = hit._replace(start=hit.start + len(also) + 1, end=hit.end + len(also) + 1)
                words = (*also, "and", *words)
        yield item, "known" if repeated else is_known(words, hit, known)


def _said_of_others(after: tuple[Clause, ...]) -> tuple[str, ...]:
    """Return what the clause after says the same of, if it does: "and neither are exports", "and the
    groceries"."""
    words = after[0].words if after else ()
    start = words[:1] in (("and",), ("but",))
    if words[start : start + 1] in _NEITHER:
        return words[start + 1 :]
    is_short = len(words) <= _MOST_LISTED and _FINITE.isdisjoint(words)
    return words[1:] if start and is_short and not _ARTICLES.isdisjoint(words[1:2]) else ()
