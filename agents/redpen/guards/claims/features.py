"""Features of a clause for the detector: its words, its sentence, and its relation to the known statements.

A feature has a group and a value: ``w:resolved`` is a word, ``b:is fixed`` a pair of words, ``new:cache`` a
content word that no known statement has, ``lost:not`` a word that only the nearest known clause has. A clause
has about a hundred, so they are kept as groups with their words.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.claims.clauses import FUNCTION_WORDS, content_of
from redpen.guards.claims.pairing import Pairing
from redpen.guards.claims.polarity import DENYING, OPENING
from redpen.guards.words import classes_of, is_past, stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from redpen.guards.claims.clauses import Clause, Known, Sentence

BIAS = "bias"
"""The feature that every clause has."""
_IN_A_ROW = frozenset(("b", "k", "d", "t"))
_WORDED = frozenset("w s lw N O NO pb pa ps aq al new nw lost lst put done ck cn".split())
"""Groups whose values are single words; those of ``_IN_A_ROW`` are several words."""
_ALIGNED = 0.5
"""Least share of the content of a clause that the nearest known clause contains."""
_NEAR = 4
"""Neighbouring clauses that are read, on either side."""
_FINISHING = frozenset("have has had been is are was were finished completed done now already".split())
"""Words of a clause that reports something as done."""
_LEADING = FUNCTION_WORDS | DENYING | OPENING


Words = str | tuple[str, ...]
"""The value of a feature: a word, or several consecutive words."""


class Bag(NamedTuple):
    """Features of one group.

    Attributes:
        group: the group; empty for features whose value is the whole name.
        words: their values; can be iterated more than once.
    """

    group: str
    words: Collection[Words]


def names_in(bags: Iterable[Bag]) -> list[str]:
    """Return the names of all features of a clause, with repetitions."""
    return [
        f"{group}:{words if isinstance(words, str) else ' '.join(words)}" if group else str(words)
        for group, some in bags
        for words in some
    ]


def parts_of(name: str) -> tuple[str, Words]:
    """Return the group and the value of a feature."""
    group, _, words = name.partition(":")
    if group in _IN_A_ROW:
        return group, tuple(words.split(" "))
    return (group, words) if group in _WORDED and words else ("", name)


def bags_of(names: Iterable[str]) -> list[Bag]:
    """Return the features with some names."""
    return [Bag(group, (words,)) for group, words in map(parts_of, names)]


def clause_features(sentence: Sentence, place: int, before: Sentence | None, known: Known) -> list[Bag]:
    """Return the features of a clause.

    Args:
        sentence: its sentence.
        place: which of its clauses, from 0.
        before: the sentence before, if there is one.
        known: the statements of original and context.
    """
    clause = sentence.clauses[place]
    found = [*_own(sentence, place), *_around(before), *_beside(clause.words, known)]
    found.append(Bag("", _paired((clause,), known, "p")))
    if len(sentence.clauses) > 1:
        found.append(Bag("", _paired(sentence.clauses, known, "P")))
    return found


@lru_cache(maxsize=1024)
def _own(sentence: Sentence, place: int) -> tuple[Bag, ...]:
    words = sentence.clauses[place].words
    stems = tuple(content_of(words))
    count = len(sentence.clauses)
    named = [BIAS, f"len:{min(8, len(stems))}", f"n:{min(15, len(words)) // 3}", f"pl:{min(place, 2)}"]
    named.append(f"cl:{min(count, 3)}")
    if sentence.asks:
        named.append("q")
    row, rooted = ("^", *words, "$"), ("^", *map(stem, words), "$")
    found = [
        Bag("w", words),
        Bag("s", stems),
        Bag("b", tuple(pairwise(row))),
        Bag("k", (*zip(rooted, rooted[2:], strict=False), *zip(rooted, rooted[3:], strict=False))),
    ]
    if sentence.is_label:
        named.append("label")
        found.append(Bag("lw", words))
    mood = mood_of(words)
    if mood:
        named.append("mood:" + mood)
        found.append(Bag(mood, stems))
    if count > 1:
        clauses = sentence.clauses
        near_by = (
            ("pb", clauses[max(0, place - _NEAR) : place]),
            ("pa", clauses[place + 1 : place + 1 + _NEAR]),
        )
        for group, near in near_by:
            around = set(chain.from_iterable(clause.words for clause in near))
            found.append(Bag(group, tuple(around & _LEADING)))
            found.append(Bag("ps", tuple(map(stem, around - _LEADING))))
    return (Bag("", named), *found)


def _shapes(words: tuple[str, ...], known: Known) -> tuple[Bag, Bag]:
    """Return the shape of a clause as bigrams and trigrams: function words, and for all other words class,
    ending and whether they are known."""
    row = ["^"]
    for word in words:
        shape = _shape(word)
        if shape.isupper():
            shape += "k" if stem(word) in known.stems else "n"
            if shape[:-1] == row[-1][:-1]:
                # A compound counts once; it is known if its last word is.
                row[-1] = shape
                continue
        row.append(shape)
    row.append("$")
    return Bag("d", tuple(pairwise(row))), Bag("t", tuple(zip(row, row[1:], row[2:], strict=False)))


@lru_cache(maxsize=8192)
def _shape(word: str) -> str:
    """Return a function word unchanged, and any other word as its class and ending in capitals."""
    if word in _LEADING or not word[0].isalpha():
        return word
    classes = classes_of(word)
    if classes:
        named = classes[0].upper()
        return f"{named}-ED" if is_past(word) else f"{named}-ING" if word.endswith("ing") else named
    if is_past(word):
        return "ED"
    if word.endswith("ing"):
        return "ING"
    return "LY" if word.endswith("ly") else "N"


def mood_of(words: tuple[str, ...]) -> str:
    """Return ``N`` if words deny, ``O`` if they leave open, ``NO`` for both, else nothing."""
    return ("" if DENYING.isdisjoint(words) else "N") + ("" if OPENING.isdisjoint(words) else "O")


@lru_cache(maxsize=256)
def _around(before: Sentence | None) -> tuple[Bag, ...]:
    """Return features of the previous sentence: a question or a label."""
    if before is None:
        return (Bag("", ("first",)),)
    if not (before.asks or before.is_label):
        return ()
    group = "aq" if before.asks else "al"
    words = set(chain.from_iterable(clause.words for clause in before.clauses))
    return Bag("", (group,)), Bag(group, tuple(map(stem, words - FUNCTION_WORDS)))


@lru_cache(maxsize=64)
def _pairing(known: Known) -> Pairing:
    return Pairing(known.pieces)


@lru_cache(maxsize=256)
def _paired(clauses: tuple[Clause, ...], known: Known, mark: str) -> tuple[str, ...]:
    """Return the features of ``Pairing`` for some clauses, each name with a mark before it."""
    return tuple(mark + name for name in _pairing(known).features(clauses))


def _beside(words: tuple[str, ...], known: Known) -> list[Bag]:
    here, stems = frozenset(words), content_of(words)
    new = stems - known.stems
    named = [f"news:{min(4, len(new))}", f"newo:{min(4, len(stems - known.stems_of_original))}"]
    if stems:
        named.append(f"newr:{5 * len(new) // len(stems)}")
    found = [Bag("", named), Bag("new", tuple(new)), Bag("nw", tuple(here - known.words))]
    found += _shapes(words, known)
    ours = {word for word in here if word in known.words or stem(word) in known.stems}
    for group, some in (("ck", ours), ("cn", here - ours)):
        found.append(Bag(group, tuple(chain.from_iterable(map(classes_of, some)))))
    share, likeness, piece = known.nearest(here, stems)
    step = int(10 * share)
    named.append(f"kn:{step}")
    if known.inherit:
        named += ("inh", f"kni:{step}")
    if piece is None or share < _ALIGNED:
        named.append("unaligned")
        return found
    named += (f"same:{int(10 * likeness)}", "kind:" + piece.source)
    lost = piece.vocabulary - here
    found.append(Bag("lost", tuple(lost & _LEADING)))
    found.append(Bag("lst", tuple(map(stem, lost - _LEADING))))
    found.append(Bag("put", tuple(here - piece.vocabulary)))
    if not _FINISHING.isdisjoint(here):
        under_way = {stem(word) for word in piece.vocabulary if word.endswith("ing")}
        finished = [stem(word) for word in here if not word.endswith("ing")]
        done = [word for word in finished if word in under_way]
        if done:
            named.append("done")
            found.append(Bag("done", done))
    was, is_now = mood_of(piece.words), mood_of(words)
    if was != is_now:
        named.append(f"turn:{was}>{is_now}")
    return found
