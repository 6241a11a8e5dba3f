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
_GROUPING = frozenset({"of", "among", "amongst"})
_ABOUT = word_set("subjects", "about")
_CLAUSE_ENDS = frozenset({".", ";", ":", "!", "?", "-", "–", "—", ",", "and", "but", "while", "that", "("})
_PREPOSITIONS = frozenset({"of", "in", "among", "for", "across", "from"})
_DETERMINERS = word_set("subjects", "determiners")
_LINKS = word_set("subjects", "links")
_VERBISH = lazy_pattern(r"\w{4,}(?:ing|ed)")
_RATE_SIGNS = frozenset({"percent", "pct", "per", "cent"})
_STANDS_ALONE = frozenset({"those", "these"})
_NO_DEED = frozenset("at the a an in on to of for from with last first next final same".split())
_SENTENCE = 24
_SENTENCE_ENDS = frozenset({".", "!", "?"})
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
    if low[index] == "of" and low[index + 1] == "them":
        head, subject = _antecedent(pieces, index)
        # A second plural may be meant as well: "users see calls drop, 11% of them".
        first = max(0, index - _SENTENCE)
        ends = (at for at in range(index, first, -1) if low[at] in _SENTENCE_ENDS)
        ahead = range(next(ends, first), index) if head else ()
        plurals = (
            stem(low[at]) for at in ahead if _is_plural(low[at]) and "of" not in low[max(0, at - 3) : at]
        )
        later = {word for word in plurals if word in CLASSES}
        return (head, subject) if later <= {head} else ("", subject | later)
    if low[index] == "of" and low[index + 1] in _STANDS_ALONE:
        head = _put_beside(pieces, index)
        if head:
            return head, frozenset({head})
    if low[index] in _PREPOSITIONS:
        head, subject, end = _noun_phrase(pieces, index + 1)
        return (head if low[index] == "of" else ""), subject | _doing(pieces, end)
    return "", noun_after(pieces, index)[1]


def _put_beside(pieces: Pieces, index: int) -> str:
    """Return the stem of the noun to which a share before a piece is added: "41 shops, 12% of those"."""
    low = pieces.low
    place = index - 1
    while place > index - _PHRASE and place > 0 and low[place] not in _CLAUSE_ENDS:
        if pieces.is_word[place] and low[place] not in _ABOUT and low[place] not in _RATE_SIGNS:
            return ""
        place -= 1
    noun = low[place - 1] if place else ""
    named = low[place] in (",", "(", "–", "—") and _is_plural(noun) and stem(noun) in CLASSES
    return stem(noun) if named else ""


def _antecedent(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what "them" at a piece stands for: the subject of the clause before in the sentence.

    "Matches go on, and 22% of them end early": the matches.
    """
    low = pieces.low
    start = index
    while start > 0 and index - start < _SENTENCE and low[start - 1] not in _SENTENCE_ENDS:
        start -= 1
    if low[start] == "," or start == index or low[start] in _PREPOSITIONS:
        return "", frozenset()
    head, subject, end = _noun_phrase(pieces, start)
    named = head and low[end] != "," and _is_plural_of(pieces, start, head)
    return (head, subject) if named else ("", frozenset())


def told_of_before(pieces: Pieces, index: int) -> frozenset[str]:
    """Return the stems of the subject before a colon that a share follows: "matches drop: 8% end"."""
    place = index
    while place and pieces.low[place - 1] in _ABOUT - {","}:
        place -= 1
    return _antecedent(pieces, place)[1] if place and pieces.low[place - 1] == ":" else frozenset()


def _is_plural_of(pieces: Pieces, start: int, head: str) -> bool:
    """Whether the noun of a stem stands in the plural within a few pieces."""
    return any(_is_plural(word) and stem(word) == head for word in pieces.low[start : start + _PHRASE])


def group_before(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what a share is of, where that stands before it: "of searches, 8% return nothing"."""
    low = pieces.low
    place = index - 1
    while place >= 0 and place > index - 5 and low[place] in _ABOUT:
        place -= 1
    for start in range(place, max(-1, place - _PHRASE - 3), -1):
        word = low[start]
        if word in _CLAUSE_ENDS and not (word == "," and start == place):
            break
        if word in _GROUPING and (start == 0 or low[start - 1] in _CLAUSE_ENDS or low[start - 1] == "out"):
            return noun_after(pieces, start + 1)
    return "", frozenset()


def label_before(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what a number counts, where a label says it: "Employers waiting: 112"."""
    if index < 2 or pieces.low[index - 1] not in (":", "="):
        return "", frozenset()
    place = index - 2
    words: list[str] = []
    while place >= 0 and pieces.is_word[place] and len(words) < _PHRASE and not pieces.broken(place):
        words.append(pieces.low[place])
        place -= 1
    stems = [stem(word) for word in words if word not in _EMPTY and word not in ENDS_NOUN_PHRASE]
    head = next((word for word in stems if word in CLASSES), "")
    return head, (frozenset(stems) if head else frozenset())


def labelled_share(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read what a share is of, where a label tells of things that have one: "Farms with alarms: 11%"."""
    low = pieces.low
    if index < 4 or low[index - 1] != ":":
        return "", frozenset()
    place = index - 2
    while place >= 0 and pieces.is_word[place] and place > index - 10:
        if low[place] in ("with", "without", "having"):
            return _noun_before(pieces, place)
        place -= 1
    return "", frozenset()


def _noun_before(pieces: Pieces, index: int) -> tuple[str, frozenset[str]]:
    """Read the noun right before a piece: its stem, alone and as a set."""
    word = pieces.low[index - 1] if index else ""
    known = stem(word) if word and pieces.is_word[index - 1] else ""
    return known, frozenset({known}) if known else frozenset()


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
