"""What the detector looks at in a clause: its words, how its sentence goes on, how it stands to what is
known.

Each feature is one short text, a group and what it names: ``w:resolved`` a word, ``b:is fixed`` a pair,
``new:``
a word of content that nothing known has, ``lost:not`` what the nearest known clause has and this one has not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import FUNCTION_WORDS, content_of
from redpen.guards.claims.polarity import DENYING, OPENING
from redpen.guards.words import classes_of, is_past, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.claims.clauses import Known, Sentence

BIAS = "bias"
"""The feature that every clause has."""
_ALIGNED = 0.5
"""Least share of what a clause speaks of that the nearest known clause has."""
_NEAR = 4
"""Clauses on either side of a clause that are looked at."""
_FINISHING = frozenset("have has had been is are was were finished completed done now already".split())
"""Words of which a clause has one that tells as done what a known one tells as under way."""
_LEADING = FUNCTION_WORDS | DENYING | OPENING


def clause_features(sentence: Sentence, place: int, before: Sentence | None, known: Known) -> list[str]:
    """Return the features of a clause.

    Args:
        sentence: its sentence.
        place: which of its clauses, from 0.
        before: the sentence before, if there is one.
        known: what the reader knows.
    """
    return [*_own(sentence, place), *_around(before), *_beside(sentence.clauses[place].words, known)]


@lru_cache(maxsize=1024)
def _own(sentence: Sentence, place: int) -> tuple[str, ...]:
    words = sentence.clauses[place].words
    stems = content_of(words)
    count = len(sentence.clauses)
    found = [BIAS, f"len:{min(8, len(stems))}", f"n:{min(15, len(words)) // 3}", f"pl:{min(place, 2)}"]
    found.append(f"cl:{min(count, 3)}")
    if sentence.asks:
        found.append("q")
    if sentence.is_label:
        found.append("label")
        found += ["lw:" + word for word in set(words)]
    row = ("^", *words, "$")
    found += ["w:" + word for word in set(words)]
    found += ["s:" + word for word in stems]
    found += [f"b:{a} {b}" for a, b in pairwise(row)]
    rooted = ("^", *map(stem, words), "$")
    gapped, wider = zip(rooted, rooted[2:], strict=False), zip(rooted, rooted[3:], strict=False)
    found += [f"k:{a} {b}" for a, b in chain(gapped, wider)]
    mood = mood_of(words)
    if mood:
        found.append("mood:" + mood)
        found += [f"{mood}:{word}" for word in stems]
    if count > 1:
        clauses = sentence.clauses
        near_by = (
            ("pb", clauses[max(0, place - _NEAR) : place]),
            ("pa", clauses[place + 1 : place + 1 + _NEAR]),
        )
        for group, near in near_by:
            around = set(chain.from_iterable(clause.words for clause in near))
            found += [f"{group}:{word}" if word in _LEADING else "ps:" + stem(word) for word in around]
    return tuple(found)


def _shapes(words: tuple[str, ...], known: Known) -> Iterator[str]:
    """Yield how a clause is built: its function words, and of all others class, ending and whether they are
    known."""
    row = ["^"]
    for word in words:
        shape = _shape(word)
        if shape.isupper():
            shape += "k" if stem(word) in known.stems else "n"
            if shape[:-1] == row[-1][:-1]:
                # Names of several words are one thing; known, if their last word is.
                row[-1] = shape
                continue
        row.append(shape)
    row.append("$")
    yield from (f"d:{a} {b}" for a, b in pairwise(row))
    yield from (f"d:{a} {b} {c}" for a, b, c in zip(row, row[1:], row[2:], strict=False))


@lru_cache(maxsize=8192)
def _shape(word: str) -> str:
    """Return a function word as it stands, and any other by its class and ending, in capitals."""
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
    """Return ``N`` for a clause that denies, ``O`` for one that leaves open, ``NO`` for both."""
    return ("" if DENYING.isdisjoint(words) else "N") + ("" if OPENING.isdisjoint(words) else "O")


@lru_cache(maxsize=256)
def _around(before: Sentence | None) -> tuple[str, ...]:
    """Return what the sentence before adds: a question that this one may answer, a label that it stands
    under."""
    if before is None:
        return ("first",)
    if not (before.asks or before.is_label):
        return ()
    group = "aq" if before.asks else "al"
    words = chain.from_iterable(clause.words for clause in before.clauses)
    return (group, *(f"{group}:{stem(word)}" for word in set(words) if word not in FUNCTION_WORDS))


def _beside(words: tuple[str, ...], known: Known) -> list[str]:
    here, stems = frozenset(words), content_of(words)
    new = stems - known.stems
    found = [f"news:{min(4, len(new))}", f"newo:{min(4, len(stems - known.stems_of_original))}"]
    if stems:
        found.append(f"newr:{5 * len(new) // len(stems)}")
    found += ["new:" + word for word in new]
    found += _shapes(words, known)
    for word in here:
        mark = "k" if word in known.words or stem(word) in known.stems else "n"
        found += (f"c{mark}:{name}" for name in classes_of(word))
    found += ["nw:" + word for word in here - known.words]
    share, likeness, piece = known.nearest(here, stems)
    step = int(10 * share)
    found.append(f"kn:{step}")
    if known.inherit:
        found += ("inh", f"kni:{step}")
    if piece is None or share < _ALIGNED:
        found.append("unaligned")
        return found
    found += (f"same:{int(10 * likeness)}", "kind:" + piece.source)
    found += ["lost:" + word if word in _LEADING else "lst:" + stem(word) for word in piece.vocabulary - here]
    found += ["put:" + word for word in here - piece.vocabulary]
    if not _FINISHING.isdisjoint(here):
        under_way = {stem(word) for word in piece.vocabulary if word.endswith("ing")}
        finished = [stem(word) for word in here if not word.endswith("ing")]
        done = [word for word in finished if word in under_way]
        if done:
            found += ("done", *("done:" + word for word in done))
    was, is_now = mood_of(piece.words), mood_of(words)
    if was != is_now:
        found.append(f"turn:{was}>{is_now}")
    return found
