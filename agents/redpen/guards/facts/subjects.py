"""What a number is about: the noun that it counts or is a share of."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.quantities.numbers import ENDS_NOUN_PHRASE
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


CLASSES = word_map("subject_classes", "classes")
"""Groups of things that are counted; what is in one group is not what is in another."""


_SAME = word_map("subjects", "same")
_EMPTY = word_set("subjects", "empty")

GENERIC = word_set("subjects", "generic")
"""Stems that say what goes wrong, and not with what."""

_RATES = frozenset({"rate", "share", "percentage", "level", "ratio", "fraction", "proportion"})
_CLAUSE_ENDS = frozenset({".", ";", ":", "!", "?", "-", "–", "—", ",", "and", "but", "while", "that", "("})
_NO_DEED = frozenset("at the a an in on to of for from with last first next final same".split())
_PREPOSITIONS = frozenset({"of", "in", "among", "for", "across", "from"})
_DETERMINERS = word_set("subjects", "determiners")
_LINKS = word_set("subjects", "links")
_VERBISH = lazy_pattern(r"\w{4,}(?:ing|ed)")
_STANDS_ALONE = frozenset({"those", "these"})
_SHORTEST = 2
_WHEREVER = frozenset("worldwide globally nationwide countrywide nationally statewide citywide".split())
"""Where, and not what, a number counts: "880 worldwide so far"."""
_PHRASE = 5
_NAMING = word_set("subjects", "naming")
"""Plurals that stand before another noun: a sales team."""


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its plural, and variants of one word as one."""
    word = word.removesuffix("'s").removesuffix("s'")
    if word in _SAME:
        return _SAME[word]
    if word[-1:] != "s":
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _SAME.get(word, word)


def subject_stem(word: str) -> str:
    """Return the stem of a word that says what a number is about; empty for one that does not."""
    if word in _EMPTY or len(word) < _SHORTEST:
        return ""
    named = stem(word)
    return "" if named == "attempt" else named


def noun_after(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read the noun phrase that begins at a piece: stem of its head, stems of all of it."""
    return _noun_phrase(pieces, index)[:2]


def _noun_phrase(pieces: Pieces, index: int) -> tuple[str, frozenset[str], int]:
    """Read a noun phrase: stem of its head, stems of all of it, the index of the piece after."""
    words: list[str] = []
    low = pieces.low
    place = index
    verb = ""
    for _ in range(_PHRASE + 3):
        word = low[place]
        if word == "-" and pieces.glued_before(place) and pieces.glued(place) and words:
            place += 1
            continue
        # "Of those served by it": the noun stands before.
        pointing = word in _STANDS_ALONE and low[place + 1].endswith("ed")
        pointing = pointing or (word in _WHEREVER and not words)
        if not pieces.is_word[place] or len(words) >= _PHRASE or not word.isascii() or pointing:
            break
        if word in _DETERMINERS and not words:
            place += 1
            continue
        if word == "and" and words and not _is_plural(words[-1]) and pieces.is_word[place + 1]:
            place += 1
            continue
        if word in ENDS_NOUN_PHRASE or (words and _ends_after(words[-1], word)):
            break
        if pieces.breaks and place and _begins_entry(pieces, place, index):
            break
        if words and _is_plural(words[-1]) and not word.endswith("s") and words[-1] not in _NAMING:
            verb = stem(word)
            break
        words.append(word)
        place += 1
    meant = [word for word in words if stem(word) not in _EMPTY and len(word) > 1]
    if not meant:
        return "", frozenset(), place
    stems = frozenset(stem(word) for word in meant)
    return stem(meant[-1]), stems | {verb} if verb and verb not in _EMPTY else stems, place


def _begins_entry(pieces: Pieces, place: int, index: int) -> bool:
    """Whether a line break before a piece ends the phrase that began at ``index``.

    A wrapped line goes on in lower case; what begins with a capital is another entry.
    """
    return pieces.broken(place - 1) and (place > index or pieces.raw[place][:1].isupper())


def _is_plural(word: str) -> bool:
    return word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))


def _doing(pieces: Pieces, index: int) -> frozenset[str]:
    """Return the stems that say what the counted ones do: customers checking out, buyers at checkout."""
    low = pieces.low
    if low[index] != "at" and not (len(low[index]) > 5 and low[index].endswith("ing")):
        return frozenset()
    doing = itertools.takewhile(lambda word: word not in _CLAUSE_ENDS, low[index : index + 4])
    return frozenset(stem(word) for word in doing if word.isalpha() and word not in _NO_DEED)


def _ends_after(previous: str, word: str) -> bool:
    """Whether a participle begins the verb: "5 alerts received", but not "5 failed payments"."""
    return _VERBISH.fullmatch(word) is not None and stem(previous) in CLASSES


def share_noun(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what a share is of, from the piece after it: "of checkouts", "checkout failure rate".

    The head is given only after "of": a word right after a share may be a verb ("8% return nothing").
    """
    low = pieces.low
    if low[index] in _PREPOSITIONS:
        head, subject, end = _noun_phrase(pieces, index + 1)
        return (head if low[index] == "of" else ""), subject | _doing(pieces, end)
    return "", noun_after(pieces, index)[1]


def rate_before(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what stands before a share when it is put as a rate: "the failed payment rate is"."""
    low = pieces.low
    place = index - 1
    linked = named = False
    for _ in range(6):
        if place < 0 or low[place] not in _LINKS:
            break
        linked = True
        named = named or low[place] in _RATES
        place -= 1
    if not linked:
        return "", frozenset()
    words: list[str] = []
    for _ in range(4):
        if (
            place < 0
            or not pieces.is_word[place]
            or low[place] in ENDS_NOUN_PHRASE - {"fail", "fails", "failing"}
        ):
            break
        words.append(low[place])
        place -= 1
    found = [stem(word) for word in words if word not in _EMPTY]
    head = next((word for word in found if word not in GENERIC), "")
    return (head if named and head in CLASSES else ""), frozenset(found)
