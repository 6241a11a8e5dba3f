"""The facts of a text, typed: quantities, identifiers, severities, places, contacts, parties, quantifiers."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, fact_in
from redpen.guards.facts.identifiers import (
    addresses,
    codes,
    labelled,
    may_hold_address,
    may_hold_snake,
    phones,
)
from redpen.guards.facts.parties import capitals, parties
from redpen.guards.facts.places import PLACE_SECONDS, PLACE_STARTS, cloud_regions, flags, places
from redpen.guards.facts.quantifiers.reading import quantifiers
from redpen.guards.facts.quantities.grammar import NEXT, read_quantities
from redpen.guards.facts.quantities.pieces import Pieces, read_tokens
from redpen.guards.facts.severities import severities
from redpen.guards.facts.unread_letters import unread_words
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MARGIN = 16
_MOST_HITS = 90
_LONGEST_PART = 6000
_MOST_FACTS = 90

Rule = Literal["quantity", "place", "scheme", "label", "amount", "name", "cloud", "digits"]
Hits = dict[Rule, list[int]]
_NUMBER: tuple[Rule, ...] = ("quantity", "digits")


def _watched() -> dict[str, tuple[Rule, ...]]:
    """Return which rules begin at a word, so that one look at each word serves them all."""
    tables: tuple[tuple[Rule, Iterable[str]], ...] = (
        ("quantity", vocab.starters - {"s", "r", "mx"}),
        ("place", PLACE_STARTS),
        ("scheme", vocab.schemes),
        ("label", vocab.announcing),
        ("amount", vocab.AMOUNTS),
        ("name", vocab.vendors),
        ("cloud", vocab.cloud_words),
    )
    rules: dict[str, tuple[Rule, ...]] = {}
    for rule, words in tables:
        for word in words:
            rules[word] = (*rules.get(word, ()), rule)
    return rules


def _only_before() -> dict[str, frozenset[str]]:
    """Return the words at which a rule begins only where certain others follow, with those."""
    ahead: dict[Rule, Mapping[str, frozenset[str]]] = {"quantity": NEXT, "place": PLACE_SECONDS}
    return {
        word: frozenset().union(*(ahead[rule][word] for rule in _WATCHED[word]))
        for word in (*NEXT, *PLACE_SECONDS)
        if all(word in ahead.get(rule, ()) for rule in _WATCHED.get(word, ()))
    }


_WATCHED = _watched()
_ONLY_BEFORE = _only_before()
_LIST_LINE = lazy_pattern(r"\n[ \t]*(?:[-*•]|\d{1,2}[.)]) |\n[ \t]*\n")


# A sentence that plainly ends before another plainly begins; abbreviations are too short to match.
_BOUNDARY = lazy_pattern(r"[.!?\n](?:(?<=[a-z]{4}[.!?]) (?=[A-Z][a-z])|(?<=\n))")


@lru_cache(maxsize=64)
def read_facts(text: str) -> tuple[Fact, ...]:
    """Return every fact of a text, in its order, only to be read; the time is linear in its length.

    Kept for the last few texts, since those of originals and contexts come again.
    """
    return tuple(_read(text, frozenset()))


@lru_cache(maxsize=32)
def read_new_facts(text: str, known: str) -> tuple[Fact, ...]:
    """Return the facts of those parts of a text that do not stand in another as they are, only to be read."""
    return tuple(_read(text, _parts_of(known)))


@lru_cache(maxsize=32)
def _parts_of(text: str) -> frozenset[str]:
    ends = (0, *_ends(text))
    return frozenset(text[begin:end].strip() for begin, end in pairwise(ends))


def _read(text: str, known: frozenset[str]) -> list[Fact]:
    """Read a text part by part; those of ``known`` are passed over."""
    facts: list[Fact] = []
    tokens = read_tokens(text)
    raw, low, starts = tokens.raw, tokens.folded, tokens.starts
    watched = [index for index, word in enumerate(low) if word in _WATCHED or "0" <= word < ":"]
    capitalised = capitals(raw, low)
    signed = not text.isascii() or may_hold_snake(text) or may_hold_address(text)
    last = 0
    for begin, end in pairwise((0, *_ends(text))):
        first, last = last, bisect_left(starts, end, last)
        part = text[begin:end]
        if part.strip() in known:
            continue
        if len(facts) >= _MOST_FACTS:
            facts.append(_unread(text, begin, len(text)))
            break
        stop = last
        if len(part) > _LONGEST_PART:
            part, stop = part[:_LONGEST_PART], bisect_left(starts, begin + _LONGEST_PART, first)
        at, names = (
            [index - first for index in places[bisect_left(places, first) : bisect_left(places, stop)]]
            for places in (watched, capitalised)
        )
        words = low[first:stop]
        found, unread = _hits(words, at)
        if found or names or signed or unread < len(words):
            pieces = Pieces(part, raw[first:stop], words, [start - begin for start in starts[first:stop]])
            of_part = _facts_of(pieces, found, unread, names, signed=signed)
            for fact in of_part:
                fact.start, fact.end = fact.start + begin, fact.end + begin
            facts += of_part
        if stop < last:
            facts.append(_unread(text, begin + _LONGEST_PART, end))
    return facts


def _ends(text: str) -> Iterator[int]:
    """Yield where the parts end that can be read apart: after a line, between plain sentences."""
    for match in _BOUNDARY.finditer(text):
        start, end = match.span()
        if end > start + 1:
            yield end
        elif text[start - 1 : start] in vocab.sentence_ends or _LIST_LINE.match(text, start):
            yield start
    yield len(text)


def _hits(low: list[str], at: list[int]) -> tuple[Hits, int]:
    """Return where rules begin, at some of ``at``, and the word up to which the part is read."""
    end = len(low)
    last = end - 1
    if len(at) > _MOST_HITS:
        end = at[_MOST_HITS]
        del at[_MOST_HITS:]
    found: Hits = {}
    for index in at:
        word = low[index]
        ahead = _ONLY_BEFORE.get(word)
        if ahead is not None and not (index < last and low[index + 1] in ahead):
            continue
        for rule in _WATCHED.get(word, _NUMBER):
            found.setdefault(rule, []).append(index)
    return found, end


def _facts_of(pieces: Pieces, found: Hits, end: int, names: list[int], *, signed: bool) -> list[Fact]:
    """Read the facts of a part up to the piece ``end``, in their order; the rest stays unread.

    ``signed``: whether the text has letters, addresses or identifiers beside what ``found`` shows.
    """
    text = pieces.text
    taken = bytearray(pieces.count + _MARGIN)
    taken[end : pieces.count] = b"\1" * (pieces.count - end)
    facts = _codes(pieces, taken, found, signed=signed)
    if end < pieces.count:
        facts.append(_unread(text, pieces.starts[end], len(text)))
    if "quantity" in found:
        facts += read_quantities(pieces, taken, found["quantity"])
    if "amount" in found:
        facts += quantifiers(pieces, found["amount"])
    for fact in facts:
        if fact.kind in ("date", "time", "money"):
            _mark(pieces, taken, fact)
    if "name" in found:
        names = sorted({*names, *found["name"]})
    facts += parties(pieces, taken, names)
    if not text.isascii():
        facts += _foreign_numbers(text)
    return sorted(facts, key=_place)


def _place(fact: Fact) -> tuple[int, int]:
    return fact.start, fact.end


def _codes(pieces: Pieces, taken: bytearray, found: Hits, *, signed: bool) -> list[Fact]:
    """Read what is written as one whole: addresses, places, identifiers, severities."""
    facts: list[Fact] = []
    text = pieces.text
    numbers = "digits" in found
    contacts = [*addresses(text)] if signed and may_hold_address(text) else []
    if numbers:
        contacts += phones(text)
    if contacts:
        _take(pieces, taken, sorted(contacts, key=_place), facts)
    if "cloud" in found:
        _take(pieces, taken, cloud_regions(pieces, found["cloud"]), facts)
    if "place" in found:
        _take(pieces, taken, places(pieces, found["place"]), facts)
    if not text.isascii():
        _take(pieces, taken, flags(text), facts)
        facts += unread_words(text)
    if numbers or signed:
        _take(pieces, taken, codes(text), facts)
    if "scheme" in found:
        _take(pieces, taken, severities(pieces, found["scheme"]), facts)
    if "label" in found:
        _take(pieces, taken, labelled(pieces, found["label"]), facts)
    return facts


def _unread(text: str, start: int, end: int) -> Fact:
    """Return the rest of a text with more numbers than anybody writes: unread, a fact as a whole."""
    return fact_in(text, start, end, "residue", text[start:end].lower())


def _take(pieces: Pieces, taken: bytearray, found: Iterable[Fact], facts: list[Fact]) -> None:
    """Keep the facts none of whose pieces was read before, and mark them."""
    facts += (fact for fact in found if _mark(pieces, taken, fact))


def _mark(pieces: Pieces, taken: bytearray, fact: Fact) -> bool:
    first = bisect_right(pieces.ends, fact.start, 0, pieces.count)
    end = bisect_left(pieces.starts, fact.end, 0, pieces.count)
    if any(taken[first:end]):
        return False
    taken[first:end] = b"\1" * (end - first)
    return True


def _foreign_numbers(text: str) -> Iterator[Fact]:
    """Yield signs that are numbers in another script: nothing else reads them."""
    for place, char in enumerate(text):
        if not char.isascii() and unicodedata.numeric(char, None) is not None:
            yield fact_in(text, place, place + 1, "residue", char)
