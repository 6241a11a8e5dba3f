"""Named parties: companies and people that a text brings in by name."""

from __future__ import annotations

import re
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.places import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.facts.quantities.pieces import Pieces

VENDORS = word_set("parties", "vendors")
"""Companies that supply such services, in lower case."""

VENDOR_STARTS = frozenset(re.findall(r"[a-z]+|[0-9]+", name)[0] for name in VENDORS)
"""Words at which the name of one of them begins."""

_WORDS_TOO = word_set("parties", "words_too")
_WORDS_AT_START = word_set("parties", "words_at_start")
_FUNCTION_WORDS = word_set("clauses", "function_words")
_FIRST_SYMBOL, _LAST_SYMBOL = "\u2190", "\U0001faff"
"""Arrows, pictographs and the like, which end a sentence as stops do."""
_CUES = word_set("parties", "cues")
_MET = word_map("parties", "met")
"""What is done with a party that is brought in, as if it had told something."""

_PLACE_WORDS = frozenset(
    first for first, names in PLACES.items() if any(len(words) == 1 for words, _ in names)
)
_AT_WORK = word_set("parties", "at_work")
_ON_SITE = frozenset(("site", "work", "hand", "board"))
_EVERYDAY = ("s", "ing", "er", "ers", "one", "body", "ion", "ment", "ance", "ence", "ness", "ity", "ple")
"""Endings of ordinary nouns, which begin a sentence with a capital too."""
_ORDINARY_WORKERS = word_set("parties", "ordinary_workers")
_WHERE = frozenset("in across throughout around near neighbouring neighboring outside".split())
PLACE = "place"
"""Unit of a name that stands where places do."""
_SHORT = 2
_TITLES = frozenset({"dr", "mr", "ms", "mrs", "prof"})
_SAYS = word_set("parties", "says")
_NOUNS_TOO = frozenset(("reports", "states"))
_REPORTED = frozenset("that the a an no it its this these some its having".split())
"""What follows a verb of reporting; "hourly reports come" holds a noun."""
_ACTS = _SAYS | frozenset("has have had is was will can are were did does".split())
_CAN = frozenset("may might can could will would should must has".split())
_AFTER_NOUN = frozenset("to by of from in for on with about and or".split())
_COMPANY = frozenset("Inc Ltd LLC GmbH Corp PLC AG SA BV Pty Co Limited Incorporated".split())
_ORDINARY = word_set("parties", "ordinary")


_NO_NAMES = _ORDINARY - VENDOR_STARTS


def capitals(raw: list[str], low: list[str]) -> list[int]:
    """Return where words stand that a name may begin with: capitalised ones, except the most ordinary.

    Args:
        raw: the words as they stand.
        low: the same in lower case.
    """
    changed = compress(range(len(raw)), map(ne, raw, low))
    return [index for index in changed if low[index] not in _NO_NAMES]


def parties(pieces: Pieces, taken: bytearray, at: list[int]) -> Iterator[Fact]:
    """Yield the named parties of a text.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule has read it.
        at: where a name may begin: at one of ``capitals``, or of ``VENDORS`` in any case.

    Yields:
        Facts whose value is the name in lower case: known companies anywhere, other names where they stand
        capitalised inside a sentence and no heading explains the capital.
    """
    shouting: dict[int, bool] = {}
    done = 0
    low, raw = pieces.low, pieces.raw
    for index in at:
        if index < done or taken[index] or not pieces.is_word[index]:
            continue
        capital = raw[index][0].isupper()
        known = low[index] in VENDOR_STARTS and (capital or low[index] in VENDORS)
        end = _vendor(pieces, index) if known else 0
        if not end and capital:
            end = _name(pieces, index, taken, shouting)
        if end:
            yield _found(pieces, index, end, unit=PLACE if not known and _is_where(low, index) else "")
            done = end


def _is_where(low: list[str], index: int) -> bool:
    """Whether a name stands where places do: in Flanders, across the Algarve, around Swansea."""
    before = index - 1 - (low[index - 1] == "the")
    return before >= 0 and low[before] in _WHERE


def _found(pieces: Pieces, index: int, end: int, *, unit: str = "") -> Fact:
    start, last = pieces.starts[index], pieces.ends[end - 1]
    text = pieces.text[start:last]
    value = text.lower().removesuffix("'s")
    reading = Reading(kind="party", value=" ".join(value.split()), unit=unit)
    return Fact(readings=(reading,), start=start, end=last, text=text)


def _vendor(pieces: Pieces, index: int) -> int:
    """Return the index after a known company that begins here, or 0."""
    low, raw = pieces.low, pieces.raw
    for length in (4, 3, 2, 1):
        end = index + length
        if end > pieces.count:
            continue
        name = pieces.text[pieces.starts[index] : pieces.ends[end - 1]].lower().removesuffix("'s")
        if name not in VENDORS:
            continue
        if length == 1 and low[index] in _WORDS_TOO and not raw[index][0].isupper():
            continue
        if length == 1 and low[index] in _WORDS_AT_START and _opens(pieces, index) and low[end] not in _ACTS:
            continue
        if name == "box" and low[end] == "office":
            continue
        if length == 1 and not raw[index][0].isupper() and len(name) < 4 and name != "aws":
            continue
        return end
    return 0


def _opens(pieces: Pieces, index: int) -> bool:
    """Whether the piece begins a sentence, a line, a quotation, a label or a list item."""
    if index == 0 or pieces.broken(index - 1) or _FIRST_SYMBOL <= pieces.low[index - 1][0] <= _LAST_SYMBOL:
        return True
    return pieces.low[index - 1] in (
        ".",
        "!",
        "?",
        ":",
        "-",
        "–",
        "—",
        "•",
        '"',
        "“",
        "(",
        "*",
        "#",
        "|",
        ";",
        "/",
        "[",
        "'",
        ">",
        "…",
    )


def _name(
    pieces: Pieces,
    index: int,
    taken: bytearray,
    shouting: dict[int, bool],
) -> int:
    low, raw = pieces.low, pieces.raw
    # "PUTs" are several of what has a short name.
    plural = raw[index].endswith("s") and raw[index][:-1].isupper() and len(raw[index]) > _SHORT
    if plural or not _unknown(low[index]) or low[index] in _FUNCTION_WORDS:
        return 0
    word = raw[index].removesuffix("'s")
    opens = _opens(pieces, index)
    camel = (
        len(word) > 3
        and word[1:] != low[index][1 : len(word)]
        and not word.isupper()
        and not word[:-1].isupper()
    )
    if word.isupper() and len(word) > 1:
        named = len(word) > _SHORT and (_introduced(low, index) or _reports(pieces, index))
        return index + 1 if named else 0
    company = raw[index + 1] in _COMPANY and pieces.low[index + 2] != "-"
    cued = index > 0 and low[index - 1] in _CUES
    cued = cued or _is_cued_after(low, index) or (index > 1 and low[index - 2] in _TITLES)
    if opens and not cued and not camel and not company and not _reports(pieces, index):
        if index and low[index - 1] == ";" and low[index + 1] in _CAN and not low[index].endswith(_EVERYDAY):
            return index + 1
        return 0
    if len(word) < 3 or not word.isascii() or _title(pieces, index, shouting):
        return 0
    end = index + 1
    while (
        end < pieces.count
        and end < index + 4
        and raw[end][0].isupper()
        and pieces.is_word[end]
        and not taken[end]
        and not pieces.broken(end - 1)
        and (_unknown(low[end]) or raw[end] in _COMPANY)
    ):
        end += 1
    return end


def _is_cued_after(low: list[str], index: int) -> bool:
    """Whether a word for a party follows a name, as in "Acme, our vendor, is looking"."""
    return low[index + 1] == "," and low[index + 2] in ("our", "the", "a") and low[index + 3] in _CUES


def _introduced(low: list[str], index: int) -> bool:
    """Whether a word for a party stands right before a name, as in "the regulator, the CFTC"."""
    place = index - 1
    while place > 0 and low[place] in ("the", ",", "(", "our"):
        place -= 1
    return (place < index - 1 and low[place] in _CUES) or low[place] in _MET


def _reports(pieces: Pieces, index: int) -> bool:
    low = pieces.low
    following = low[index + 1]
    if following in ("is", "are") and _acts(low, index + 2):
        return low[index] not in _ORDINARY_WORKERS and not low[index].endswith(_EVERYDAY)
    if following in {"has", "have"}:
        following = low[index + 2] if low[index + 2] != "been" else _MET.get(low[index + 3], "")
    elif following.endswith("s") and low[index + 2] in _AFTER_NOUN:
        # "Send reports to …" is an order with a noun, "Stripe reports that …" a name with a verb.
        return False
    if following in _NOUNS_TOO and low[index + 2] not in _REPORTED:
        return False
    return following in _SAYS and not low[index].endswith(("s", "ing", "er", "ers", "one", "body"))


def _acts(low: list[str], index: int) -> bool:
    """Whether what stands at a piece is said of somebody who works on the trouble ("looking into it")."""
    place = index + (low[index] in ("now", "still", "already", "also"))
    return low[place] in _AT_WORK or (low[place] in ("on", "at") and low[place + 1] in _ON_SITE)


def _unknown(word: str) -> bool:
    bare = word.removesuffix("'s")
    return (
        not (bare in _ORDINARY or bare.rstrip("s") in _ORDINARY or bare in _PLACE_WORDS) and "'" not in bare
    )


def _title(pieces: Pieces, index: int, seen: dict[int, bool]) -> bool:
    """Whether the line or sentence piece reads as a heading: most of its longer words are capitalised."""
    place = pieces.starts[index]
    begin = pieces.text.rfind("\n", max(0, place - 200), place) + 1
    if begin in seen:
        return seen[begin]
    stop = pieces.text.find("\n", place, place + 200)
    line = pieces.text[begin : stop if stop >= 0 else place + 200]
    words = [word for word in line.split() if len(word) > 3 and word[0].isalpha()]
    capital = sum(1 for word in words if word[0].isupper())
    closed = line.rstrip().endswith((".", "!", "?"))
    seen[begin] = len(words) > 1 and capital * 4 >= len(words) * 3 and not closed
    return seen[begin]
