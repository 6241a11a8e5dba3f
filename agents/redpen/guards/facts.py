"""The facts of a text, typed: quantities, identifiers, severities, places, contacts, parties, quantifiers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.identifiers import codes, contacts, labelled, severities
from redpen.guards.parties import parties
from redpen.guards.places import places
from redpen.guards.quantifiers import quantifiers
from redpen.guards.quantities import read_quantities
from redpen.guards.quantities_lexer import Pieces
from redpen.guards.readings import Fact, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARGIN = 16
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
        found = _read_part(text[begin:end])
        facts += [fact.moved(begin) for fact in found]
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
    taken = bytearray(pieces.count + _MARGIN)
    facts: list[Fact] = []
    _take_spans(pieces, taken, contacts(text), facts)
    _take_places(pieces, taken, facts)
    _take_spans(pieces, taken, codes(text), facts)
    for source in (severities, labelled):
        for fact, first, end in source(pieces, taken):
            if not any(taken[first:end]):
                facts.append(fact)
                taken[first:end] = b"\1" * (end - first)
    facts += read_quantities(pieces, taken)
    facts += quantifiers(pieces)
    for fact in facts:
        if fact.kind == "date":
            _mark(pieces, taken, fact)
    facts += parties(pieces, taken)
    if not text.isascii():
        facts += _foreign_numbers(pieces)
    facts.sort(key=lambda fact: (fact.start, fact.end))
    return tuple(facts)


def _take_places(pieces: Pieces, taken: bytearray, facts: list[Fact]) -> None:
    for fact, first, end in places(pieces):
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
