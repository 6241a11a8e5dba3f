"""Words that say how many are hit without a number: most, the bulk, all, no, everyone, hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.places import PLACES
from redpen.guards.facts.quantifiers.amounts import (
    ADVERBS,
    ALONE,
    ENDS,
    HARDLY,
    HIT,
    LED,
    MANAGES,
    OWNERS,
    PARTS,
    PEOPLE,
    STRONG,
    TEAM,
    THEM,
    THINGS,
    UNCOUNTED,
    VERBS,
    VERBS_TOO,
    amount_at,
    any_noun_at,
    is_plural,
    noun_at,
)
from redpen.guards.facts.quantifiers.clauses import is_told_before, judged, made
from redpen.guards.facts.subjects import CLASSES, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

_SINGLY = frozenset({"every", "each"})
_THROUGHOUT = frozenset({"board", "exception"})
"""What closes a phrase that leaves nobody out: across the board, without exception."""
_OURS = frozenset({"we", "we're", "we've", "we'll", "our"})
_OWN_CLAUSE = 12
_SUFFERED = frozenset("see seeing have found lost missed with".split())
"""What we meet with at the things that we count."""
_TRIES = frozenset("open ask try load click check press".split())
_SERVED = frozenset("help helps helped assist assists answer answers happy glad welcome serve serves".split())
_CHOSEN = frozenset("way option method channel route number time day language form".split())
"""What is chosen and not tried: whichever number you call, we answer."""
_NOT_OWNED = frozenset("fault business guess idea choice mistake door doing".split())
_KEPT = word_set("quantifiers", "kept")
"""What nobody's is said to be harmed or seen, which is a reassurance too."""
_HARMED = frozenset("missing gone lost exposed stolen leaked deleted hands risk danger harmed".split())
"""What nobody's things may be said to be, which is a reassurance and no number."""
_HARMED_WITHIN = 8
_TO_WHOM = frozenset("to for with by from among".split())
_ADDING = frozenset({",", "(", "–", "—"})
_ADDED_TO = THEM | {"what", "all", "our"}
_WORKS = (MANAGES - {"can", "could", "see", "seeing", "get", "gets", "getting"}) | frozenset(
    "start started starts begin began finish finished complete completed open opened ran went came arrived "
    "worked loaded".split()
)
_TALKS = word_set("quantifiers", "talks")
"""What nobody can do or has, and is hit by none of it: no more than "we do not know"."""
_TALKS_WITHIN = 7


def quantifiers(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the quantifiers over who or what is hit; ``at`` is where one of ``AMOUNTS`` stands.

    A quantifier over whom the team tells, watches or thanks is none of these; nor is one that says that
    all is well, which is a claim. One whose clause says nothing of the kind has the unit ``MENTIONED``.
    """
    for index in at:
        found = _read(pieces, index)
        if found is not None:
            yield found


def _read(pieces: Pieces, index: int) -> Fact | None:
    low = pieces.low
    word, following = low[index], low[index + 1]
    amount, start = amount_at(low, index)
    if not amount or (word == "whole" and following == "of" and low[index + 2] in PLACES):
        return None
    if word == "than" or (word == "all" and following in HIT and low[index - 1] in VERBS):
        # "More lots than not", "buyers are all waiting": said of the subject before.
        return made(pieces, start, index + 1, amount, "")
    apart = _apart(pieces, index, start)
    if apart is not None:
        return _judged_apart(pieces, index, *apart, amount)
    if word == "whichever":
        return _tried(pieces, index, start, amount)
    anybody = word in PEOPLE or word in THINGS or (word == "no" and following == "one")
    rule = _owned if word in OWNERS else _anybody if anybody else _things
    return rule(pieces, index, start, amount)


def _judged_apart(pieces: Pieces, index: int, start: int, place: int, amount: str) -> Fact | None:
    """Read a quantifier that stands apart from what it counts."""
    low = pieces.low
    if low[index] in _THROUGHOUT and _follows_noun(low, start):
        return None if _is_ours(pieces, start) else made(pieces, start, place, amount, "")
    found = judged(pieces, start, place, amount, _noun_before(low, start, index))
    if found is not None and low[index] == "board":
        found.readings = (Reading(kind="quantifier", value=amount),)
    return found


def _tried(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read "whichever page you open": whatever is tried, it is the same with all of them."""
    low = pieces.low
    noun = stem(low[index + 1])
    you = index + 2 + (pieces.is_word[index + 2] and low[index + 2] != "you")
    tries = low[you] == "you" and low[you + 1] in _TRIES
    tries = tries and _SERVED.isdisjoint(low[you + 2 : you + _TALKS_WITHIN])
    return made(pieces, start, you + 1, amount, noun) if tries and noun not in _CHOSEN else None


def _owned(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read "everybody's" and "nobody's"; what is nobody's fault counts nobody."""
    if amount != "none":
        return judged(pieces, start, index, amount, "people")
    following = pieces.low[index + 1 : index + _HARMED_WITHIN]
    if following[0] in _NOT_OWNED or following[0] in _KEPT or not _HARMED.isdisjoint(following):
        return None
    # Of what is nobody's, the verb may be any: "nobody's card is read".
    return made(pieces, start, index, amount, "people")


def _apart(pieces: Pieces, index: int, start: int) -> tuple[int, int] | None:
    """Return where a quantifier begins and ends that stands apart from what it counts, if it does.

    Those are adverbs (mostly, for the most part, every time) and what is added (…, all of them).
    """
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word in ADVERBS:
        return start, index
    if word in PARTS and low[index - 3 : index - 1] == ["for", "the"]:
        return index - 3, index
    if (word == "most" and following == "part") or (
        word in _SINGLY and following == "time" and not pieces.is_word[index + 2]
    ):
        return start, index + 1
    begins = start - (start > 0 and low[start - 1] == ",")
    one = _one_after(low, index)
    of = (one or index) + 1
    if one and not pieces.is_word[of]:
        return begins, one
    if word not in LED and low[of] == "of" and low[of + 1] in THEM:
        return begins, of + 1
    return None


def _noun_before(low: list[str], begin: int, index: int) -> str:
    """Return the stem of the things to which "all of them" is added: the deadlines, all of them."""
    noun = low[begin - 1] if begin and low[begin] == "," and low[index + 1] == "of" else ""
    return stem(noun) if is_plural(noun) else ""


def _follows_noun(low: list[str], start: int) -> bool:
    """Whether what leaves nobody out is said of the noun before it: homes, without exception, have none."""
    noun = low[start - 1 - (low[start - 1] == ",")] if start > 1 else ""
    return is_plural(noun) and noun not in VERBS_TOO


def _is_ours(pieces: Pieces, start: int) -> bool:
    """Whether the clause before a piece says what we do, so that nobody is hit by it."""
    clause = pieces.low[max(0, start - _OWN_CLAUSE) : start]
    ends = (at for at in range(len(clause) - 1, -1, -1) if clause[at] in ENDS)
    return not _OURS.isdisjoint(clause[next(ends, -1) + 1 :])


def _one_after(low: list[str], index: int) -> int:
    """Return the place of the "one" of "every one" and "every last one", or 0."""
    place = index + 1 + (low[index + 1] in ("last", "single"))
    return place if low[index] in _SINGLY and low[place] == "one" else 0


def _anybody(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read "everyone", "nobody" and "everything"; everyone on the team is nobody who is hit."""
    low = pieces.low
    if low[index] in THINGS:
        return judged(pieces, start, index, amount, "thing")
    place = index + (low[index] == "no")
    following = low[place + 1]
    near = low[place + 2 : place + 5] if following in ("on", "in", "at", "from") else ()
    if following in ("here", "else", "outside") or any(stem(word) in TEAM for word in near):
        return None
    if amount == "none" and not _TALKS.isdisjoint(low[place + 1 : place + _TALKS_WITHIN]):
        return None
    if amount in STRONG and low[start - 1] in _TO_WHOM and start and not is_told_before(pieces, start):
        # "Stays blank for nearly everyone": whatever it is, it does so for them.
        return made(pieces, start, place, amount, "people")
    return judged(pieces, start, place, amount, "people")


def _things(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read a quantifier with the things that it counts."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    one = _one_after(low, index)
    if one and low[one + 1] == "of":
        index += 1
    elif word == "all" and following == "but":
        index += 3 if low[index + 2] in ("a", "an") else 2
    noun, place = noun_at(pieces, index, amount)
    if noun and low[place + 1] == "of" and any(stem(near) in TEAM for near in low[place + 2 : place + 5]):
        return None
    if not noun and (word in UNCOUNTED or word == "any"):
        return _uncounted(pieces, index, start, amount)
    if noun and amount in STRONG:
        return made(pieces, start, place, amount, noun)
    if word in ("majority", "minority") and not noun and following != "of":
        return made(pieces, start, index, amount, "")
    if amount == "most" and not noun and _is_added(pieces, index, start):
        return made(pieces, start, place, amount, "")
    alone = word in ALONE and following in VERBS
    return judged(pieces, start, place if noun else index, amount, noun) if noun or alone else None


def _is_added(pieces: Pieces, index: int, start: int) -> bool:
    """Whether "most of those" is added to what stands before it: "26 clusters, the bulk of those we run"."""
    low = pieces.low
    first = start - (low[start - 1] == "the")
    of = index + 1 + (low[index + 1] == "share")
    return first > 0 and low[first - 1] in _ADDING and low[of] == "of" and low[of + 1] in _ADDED_TO


def _uncounted(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read a quantifier over things that no table has."""
    word = pieces.low[index]
    noun, place = any_noun_at(pieces, index + (word in HARDLY), singly=word != "all")
    if not noun and word == "any" and CLASSES.get(stem(pieces.low[index + 1])) == "place":
        noun, place = stem(pieces.low[index + 1]), index + 1
    if not noun:
        return None
    if amount == "none":
        # That none of them is harmed is a claim; that none of them works is a number.
        works = not _WORKS.isdisjoint(pieces.low[place + 1 : place + (3 if word == "single" else 2)])
        works = works and "guarantee" not in pieces.low[place + 1 : place + 5]
        return made(pieces, start, place, amount, noun) if works else None
    nearly = amount in STRONG and word in _SINGLY and not is_told_before(pieces, start)
    nearly = nearly and not (
        _is_ours(pieces, start) and _SUFFERED.isdisjoint(pieces.low[max(0, start - _OWN_CLAUSE) : start])
    )
    if nearly or (word in HARDLY and noun in CLASSES):
        return made(pieces, start, place, amount, noun)
    return judged(pieces, start, place, amount, noun)
