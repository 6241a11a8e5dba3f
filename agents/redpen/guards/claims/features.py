"""Features of a clause for the detector: its words, its sentence, and its relation to the known statements.

A feature is a group and its values: ``w:resolved`` is a word, ``b:is fixed`` a pair of words, ``new:cache`` a
content word that no known statement has, ``lost:not`` a word that only the nearest known clause has. A clause
has about a hundred.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import FUNCTION_WORDS, content_of
from redpen.guards.claims.floor import families_of
from redpen.guards.claims.pairing import Pairing
from redpen.guards.claims.polarity import DENYING, OPENING, mood_of
from redpen.guards.words import classes_of, is_past, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.claims.clauses import Clause, Known, Sentence

Feature = tuple[str, ...]
"""The group of a feature, then its values; none if the group says it all."""
BIAS = "bias"
"""The feature that every clause has."""
ASKING = ("q",)
"""The feature of a clause of a question."""
TURNING = "turn"
"""Group of the feature of a clause that denies or leaves open what the nearest known clause does not, or the
other way round."""
_ALIGNED = 0.5
"""Least share of the content of a clause that the nearest known clause contains."""
_MOST_CLAIMING = 300
"""Known clauses whose claims are read, those of the original first."""
_NEAR = 4
"""Neighbouring clauses that are read, on either side."""
_FINISHING = frozenset("have has had been is are was were finished completed done now already".split())
"""Words of a clause that reports something as done."""
_LEADING = FUNCTION_WORDS | DENYING | OPENING


def feature_of(name: str) -> Feature:
    """Return the feature with a name."""
    return tuple(name.replace(":", " ").split(" "))


def name_of(feature: Feature) -> str:
    """Return the name of a feature."""
    group, *values = feature
    return f"{group}:{' '.join(values)}" if values else group


def clause_features(sentence: Sentence, place: int, before: Sentence | None, known: Known) -> list[Feature]:
    """Return the features of a clause, perhaps with repetitions.

    Args:
        sentence: its sentence.
        place: which of its clauses, from 0.
        before: the sentence before, if there is one.
        known: the statements of original and context.
    """
    clause = sentence.clauses[place]
    found = [*_own(sentence, place), *_around(before), *_beside(clause.words, known)]
    found += _paired((clause,), known, "p")
    if len(sentence.clauses) > 1:
        found += _paired(sentence.clauses, known, "P")
    return found


@lru_cache(maxsize=1024)
def _own(sentence: Sentence, place: int) -> tuple[Feature, ...]:
    words = sentence.clauses[place].words
    stems = content_of(words)
    count = len(sentence.clauses)
    named = [BIAS, f"len:{min(8, len(stems))}", f"n:{min(15, len(words)) // 3}", f"pl:{min(place, 2)}"]
    named.append(f"cl:{min(count, 3)}")
    row, rooted = ("^", *words, "$"), ("^", *map(stem, words), "$")
    found = [
        *_each("w", words),
        *_each("s", stems),
        *zip(repeat("b"), row, row[1:]),
        *zip(repeat("k"), rooted, rooted[2:]),
        *zip(repeat("k"), rooted, rooted[3:]),
    ]
    if sentence.asks:
        found.append(ASKING)
    if sentence.is_label:
        named.append("label")
        found += _each("lw", words)
    mood = mood_of(words)
    if mood:
        named.append("mood:" + mood)
        found += _each(mood, stems)
    if count > 1:
        clauses = sentence.clauses
        near_by = (
            ("pb", clauses[max(0, place - _NEAR) : place]),
            ("pa", clauses[place + 1 : place + 1 + _NEAR]),
        )
        for group, near in near_by:
            around = set(chain.from_iterable(clause.words for clause in near))
            found += _each(group, around & _LEADING)
            found += _each("ps", map(stem, around - _LEADING))
    return (*map(feature_of, named), *found)


def _each(group: str, values: Iterable[str]) -> Iterable[Feature]:
    return zip(repeat(group), values)


def _shapes(words: tuple[str, ...], known: Known) -> list[Feature]:
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
    return [*zip(repeat("d"), row, row[1:]), *zip(repeat("t"), row, row[1:], row[2:])]


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


@lru_cache(maxsize=256)
def _around(before: Sentence | None) -> tuple[Feature, ...]:
    """Return features of the previous sentence: a question or a label."""
    if before is None:
        return (("first",),)
    if not (before.asks or before.is_label):
        return ()
    group = "aq" if before.asks else "al"
    words = set(chain.from_iterable(clause.words for clause in before.clauses))
    return ((group,), *_each(group, map(stem, words - FUNCTION_WORDS)))


@lru_cache(maxsize=64)
def _pairing(known: Known) -> Pairing:
    return Pairing(known.pieces)


@lru_cache(maxsize=256)
def _paired(clauses: tuple[Clause, ...], known: Known, mark: str) -> tuple[Feature, ...]:
    """Return the features of ``Pairing`` for some clauses, each group with a mark before it."""
    return tuple((mark + group, *values) for group, *values in _pairing(known).features(clauses))


@lru_cache(maxsize=64)
def _told(known: Known) -> dict[str, frozenset[str]]:
    """Return the families of the known plain claims, each with the stems of the sentences that make them."""
    found: dict[str, frozenset[str]] = {}
    for piece in known.pieces[:_MOST_CLAIMING]:
        for family in families_of(piece):
            found[family] = found.get(family, frozenset()) | known.sentence_stems(piece)
    return found


def _beside(words: tuple[str, ...], known: Known) -> list[Feature]:
    here, stems = frozenset(words), content_of(words)
    new = stems - known.stems
    named = [f"news:{min(4, len(new))}", f"newo:{min(4, len(stems - known.stems_of_original))}"]
    if stems:
        named.append(f"newr:{5 * len(new) // len(stems)}")
    found = [*_each("new", new), *_each("nw", here - known.words), *_shapes(words, known)]
    for word in here:
        is_known = word in known.words or stem(word) in known.stems
        found += _each("ck" if is_known else "cn", classes_of(word))
    share, likeness, piece = known.nearest(here, stems)
    step = int(10 * share)
    named.append(f"kn:{step}")
    if known.inherit:
        named += ("inh", f"kni:{step}")
    for family, told in _told(known).items():
        about = f"{family} {4 * len(stems & told) // max(1, len(stems))}"
        named += (f"has:{about}", f"hasi:{about}") if known.inherit else (f"has:{about}",)
    if piece is None or share < _ALIGNED:
        named.append("unaligned")
    else:
        named += (f"same:{int(10 * likeness)}", "kind:" + piece.source)
        lost = piece.vocabulary - here
        found += _each("lost", lost & _LEADING)
        found += _each("lst", map(stem, lost - _LEADING))
        found += _each("put", here - piece.vocabulary)
        if not _FINISHING.isdisjoint(here):
            under_way = {stem(word) for word in piece.vocabulary if word.endswith("ing")}
            finished = {stem(word) for word in here if not word.endswith("ing")}
            done = finished & under_way
            if done:
                named.append("done")
                found += _each("done", done)
        was, is_now = mood_of(piece.words), mood_of(words)
        if was != is_now:
            named.append(f"{TURNING}:{was}>{is_now}")
    return [*map(feature_of, named), *found]
