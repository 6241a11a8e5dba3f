"""The facts of a text, typed: quantities, identifiers, severities, places, contacts, parties, quantifiers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.identifiers import (
    ANNOUNCING,
    SCHEMES,
    addresses,
    codes,
    labelled,
    may_hold_address,
    may_hold_code,
    may_hold_phone,
    phones,
    severities,
)
from redpen.guards.parties import VENDOR_STARTS, parties
from redpen.guards.places import CLOUD_WORDS, PLACE_STARTS, flags, places
from redpen.guards.quantifier_words import AMOUNTS
from redpen.guards.quantifiers import quantifiers
from redpen.guards.quantities import STARTERS, read_quantities
from redpen.guards.quantities_lexer import Pieces
from redpen.guards.readings import Fact, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARGIN = 16
_MOST_HITS = 180
_LONGEST_PART = 6000
_MOST_FACTS = 240
_QUANTITY, _PLACE, _SCHEME, _LABEL, _AMOUNT, _NAME, _CLOUD, _DIGITS = (1 << bit for bit in range(8))
_NUMBER = _QUANTITY | _DIGITS


def _watched() -> dict[str, int]:
    """Return which rules begin at a word, so that one look at each word serves them all."""
    rules: dict[str, int] = {}
    for bit, words in (
        (_QUANTITY, STARTERS),
        (_PLACE, PLACE_STARTS),
        (_SCHEME, SCHEMES),
        (_LABEL, ANNOUNCING),
        (_AMOUNT, AMOUNTS),
        (_NAME, VENDOR_STARTS),
        (_CLOUD, CLOUD_WORDS),
    ):
        for word in words:
            rules[word] = rules.get(word, 0) | bit
    return rules


_WATCHED = _watched()
_CLOSED = frozenset(".!?")
_LIST_LINE = re.compile(r"\n[ \t]*(?:[-*•]|\d{1,2}[.)]) |\n[ \t]*\n")


# A sentence that plainly ends before another plainly begins; abbreviations are too short to match.
_BOUNDARY = re.compile(r"(?<=[a-z]{4}[.!?]) (?=[A-Z][a-z])|\n")


@lru_cache(maxsize=128)
def read_facts(text: str) -> tuple[Fact, ...]:
    """Return every fact of a text, in its order.

    Args:
        text: what a reader sees (``View.text``); any text will do.

    Returns:
        The facts. Reading the same text gives the same facts; the time is linear in its length. A text is
        read sentence by sentence, and a sentence once: a revision shares most of them with its original.
    """
    facts: list[Fact] = []
    begin = 0
    for end in _ends(text):
        if len(facts) >= _MOST_FACTS:
            facts.append(_unread(text, begin, len(text)))
            break
        stop = min(end, begin + _LONGEST_PART)
        found = _read_part(text[begin:stop])
        facts += [fact.moved(begin) for fact in found]
        if stop < end:
            facts.append(_unread(text, stop, end))
        begin = end
    return tuple(facts)


def _ends(text: str) -> Iterator[int]:
    """Yield where the parts end that can be read apart: after a line, between plain sentences."""
    for match in _BOUNDARY.finditer(text):
        if match.group() == " ":
            yield match.end()
        elif text[match.start() - 1 : match.start()] in _CLOSED or _LIST_LINE.match(text, match.start()):
            yield match.start()
    yield len(text)


@lru_cache(maxsize=1024)
def _read_part(text: str) -> tuple[Fact, ...]:
    pieces = Pieces(text)
    found, end = _hits(pieces)
    taken = bytearray(pieces.count + _MARGIN)
    taken[end : pieces.count] = b"\1" * (pieces.count - end)
    facts = _codes(pieces, taken, found)
    if end < pieces.count:
        facts.append(_unread(text, pieces.starts[end], len(text)))
    facts += read_quantities(pieces, taken, _at(found, _QUANTITY))
    facts += quantifiers(pieces, _at(found, _AMOUNT))
    for fact in facts:
        if fact.kind == "date":
            _mark(pieces, taken, fact)
    facts += parties(pieces, taken, set(_at(found, _NAME)))
    if not text.isascii():
        facts += _foreign_numbers(pieces)
    facts.sort(key=lambda fact: (fact.start, fact.end))
    return tuple(facts)


def _hits(pieces: Pieces) -> tuple[list[tuple[int, int]], int]:
    """Return where rules may begin, with the rules as bits, and the piece up to which the text is read."""
    watch = _WATCHED.get
    found = [
        (index, rules)
        for index, word in enumerate(pieces.low[: pieces.count])
        if (rules := _NUMBER if "0" <= word[0] <= "9" else watch(word, 0))
    ]
    if len(found) <= _MOST_HITS:
        return found, pieces.count
    return found[:_MOST_HITS], found[_MOST_HITS][0]


def _at(found: list[tuple[int, int]], rule: int) -> list[int]:
    return [index for index, rules in found if rules & rule]


def _codes(pieces: Pieces, taken: bytearray, found: list[tuple[int, int]]) -> list[Fact]:
    """Read what is written as one whole: addresses, places, identifiers, severities."""
    facts: list[Fact] = []
    text = pieces.text
    numbers = _at(found, _DIGITS)
    contacts = [*addresses(text)] if may_hold_address(text) else []
    if numbers and may_hold_phone(pieces, numbers):
        contacts += phones(text)
    if contacts:
        _take_spans(pieces, taken, contacts, facts)
    _take(taken, places(pieces, _at(found, _PLACE), _at(found, _CLOUD)), facts)
    if not text.isascii():
        _take(taken, flags(pieces), facts)
    if may_hold_code(pieces, numbers):
        _take_spans(pieces, taken, codes(text), facts)
    _take(taken, severities(pieces, taken, _at(found, _SCHEME)), facts)
    _take(taken, labelled(pieces, taken, _at(found, _LABEL)), facts)
    return facts


def _unread(text: str, start: int, end: int) -> Fact:
    """Return the rest of a text with more numbers than anybody writes: unread, a fact as a whole."""
    piece = text[start:end]
    return Fact(readings=(Reading(kind="residue", value=piece.lower()),), start=start, end=end, text=piece)


def _take(taken: bytearray, found: Iterable[tuple[Fact, int, int]], facts: list[Fact]) -> None:
    """Keep the facts none of whose pieces was read before, and mark them."""
    for fact, first, end in found:
        if not any(taken[first:end]):
            facts.append(fact)
            taken[first:end] = b"\1" * (end - first)


def _take_spans(pieces: Pieces, taken: bytearray, found: Iterable[Fact], facts: list[Fact]) -> None:
    """Keep the facts that overlap nothing read before, and mark their pieces."""
    ordered = sorted(found, key=lambda item: item.start)
    facts += (fact for fact in ordered if _mark(pieces, taken, fact))


def _mark(pieces: Pieces, taken: bytearray, fact: Fact) -> bool:
    first = _index_of(pieces, fact.start)
    end = first
    while end < pieces.count and pieces.starts[end] < fact.end:
        end += 1
    if any(taken[first:end]):
        return False
    taken[first:end] = b"\1" * (end - first)
    return True


def _index_of(pieces: Pieces, start: int) -> int:
    low, high = 0, pieces.count
    while low < high:
        middle = (low + high) // 2
        if pieces.ends[middle] <= start:
            low = middle + 1
        else:
            high = middle
    return low


def _foreign_numbers(pieces: Pieces) -> Iterator[Fact]:
    """Yield signs that are numbers in another script: nothing else reads them."""
    for index in range(pieces.count):
        raw = pieces.raw[index]
        if raw.isascii():
            continue
        for place, char in enumerate(raw):
            if not char.isascii() and unicodedata.numeric(char, None) is not None:
                start = pieces.starts[index] + place
                yield Fact(
                    readings=(Reading(kind="residue", value=char),), start=start, end=start + 1, text=char
                )
