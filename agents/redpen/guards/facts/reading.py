"""Read the facts of a text: quantities, identifiers, severities, places, contacts, parties, quantifiers."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, fact_in
from redpen.guards.facts.identifiers import addresses, codes, labelled, may_hold_code, phones
from redpen.guards.facts.parties import capitals, parties
from redpen.guards.facts.places import PLACE_SECONDS, PLACE_STARTS, cloud_regions, flags, places
from redpen.guards.facts.quantifiers.reading import quantifiers
from redpen.guards.facts.quantities.grammar import NEXT, read_quantities
from redpen.guards.facts.quantities.pieces import Pieces, parts_of
from redpen.guards.facts.severities import severities
from redpen.guards.facts.unread_letters import unread_words
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MARGIN = 16
_BETWEEN = "  "
"""Separator of texts that are read together: no code or name contains two blanks."""
_LONGEST_BATCH = 500
_MOST_BEGINNINGS = 160
"""Maximum number of pieces at which facts may begin; the text after them is one unread fact."""

_NOT_ASCII = lazy_pattern(r"[^\x00-\x7f]")

Rule = Literal["quantity", "place", "scheme", "label", "amount", "name", "cloud", "digits"]
Beginnings = dict[Rule, list[int]]
"""The pieces at which each rule begins."""


def _watched() -> dict[str, tuple[tuple[Rule, frozenset[str] | None], ...]]:
    """Return the rules that begin at a word, each with the words that may follow; None for any word."""
    tables: tuple[tuple[Rule, Iterable[str], Mapping[str, frozenset[str]]], ...] = (
        ("quantity", vocab.starters - {"s", "r", "mx"}, NEXT),
        ("place", PLACE_STARTS, PLACE_SECONDS),
        ("scheme", vocab.schemes, {}),
        ("label", vocab.announcing, {}),
        ("amount", vocab.AMOUNTS, {}),
        ("name", vocab.vendors, {}),
        ("cloud", vocab.cloud_words, {}),
    )
    rules: dict[str, tuple[tuple[Rule, frozenset[str] | None], ...]] = {}
    for rule, words, following in tables:
        for word in words:
            rules[word] = (*rules.get(word, ()), (rule, following.get(word)))
    return rules


_WATCHED = _watched()
_NUMBER: tuple[tuple[Rule, None], ...] = (("quantity", None), ("digits", None))


@lru_cache(maxsize=64)
def read_facts(text: str) -> tuple[Fact, ...]:
    """Return every fact of a text, in its order, read-only; the time is linear in its length.

    Cached for the last few texts, because originals and contexts are read repeatedly.
    """
    return tuple(_read(Pieces(text)))


def read_facts_of_each(texts: Iterable[str]) -> list[list[Fact]]:
    """Return the facts of each of several texts. Short texts are read together, which is faster.

    The offsets of the facts refer to the texts that were read together.
    """
    found: list[list[Fact]] = []
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and chars + len(text) > _LONGEST_BATCH:
            found += _read_together(batch)
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    return found + _read_together(batch)


def _read_together(texts: list[str]) -> list[list[Fact]]:
    ends = list(accumulate(len(text) + len(_BETWEEN) for text in texts))
    found: list[list[Fact]] = [[] for _ in texts]
    for fact in _read(Pieces(_BETWEEN.join(texts), ends=ends)):
        found[bisect_right(ends, fact.start)].append(fact)
    return found


@lru_cache(maxsize=32)
def read_new_facts(text: str, known: str) -> tuple[Fact, ...]:
    """Return the facts of the parts of a text that another text does not contain, read-only."""
    return tuple(_read(Pieces(text, known=parts_of(known))))


def _read(pieces: Pieces) -> list[Fact]:
    text, low = pieces.text, pieces.low
    found, end = _beginnings(low, pieces.count)
    names = capitals(pieces.raw, low)
    if not (found or names or end < pieces.count or may_hold_code(text)):
        return []
    taken = bytearray(pieces.count + _MARGIN)
    taken[end : pieces.count] = b"\1" * (pieces.count - end)
    facts = _codes(pieces, taken, found)
    if end < pieces.count:
        # More candidates than realistic texts have: the rest is one fact.
        start = pieces.starts[end]
        facts.append(fact_in(text, start, len(text), "residue", text[start:].lower()))
    if "quantity" in found:
        facts += read_quantities(pieces, taken, found["quantity"])
    if "amount" in found:
        facts += quantifiers(pieces, found["amount"])
    for fact in facts:
        if fact.kind in ("date", "time", "money"):
            _mark(pieces, taken, fact)
    facts += parties(pieces, taken, sorted({*names, *found["name"]}) if "name" in found else names)
    if not text.isascii():
        facts += _foreign_numbers(text)
    return sorted(facts, key=_place)


def _beginnings(low: list[str], end: int) -> tuple[Beginnings, int]:
    """Return the pieces at which each rule begins, and the end of the text that is read."""
    at = [index for index, word in enumerate(low) if word in _WATCHED or "0" <= word < ":"]
    if len(at) > _MOST_BEGINNINGS:
        end = at[_MOST_BEGINNINGS]
        del at[_MOST_BEGINNINGS:]
    found: Beginnings = {}
    for index in at:
        for rule, following in _WATCHED.get(low[index], _NUMBER):
            if following is None or low[index + 1] in following:
                found.setdefault(rule, []).append(index)
    return found, end


def _place(fact: Fact) -> tuple[int, int]:
    return fact.start, fact.end


def _codes(pieces: Pieces, taken: bytearray, found: Beginnings) -> list[Fact]:
    """Read addresses, places, identifiers and severities, whose parts are not facts themselves."""
    facts: list[Fact] = []
    text = pieces.text
    numbers = "digits" in found
    contacts = [*addresses(text), *(phones(text) if numbers else ())]
    _take(pieces, taken, sorted(contacts, key=_place), facts)
    if "cloud" in found:
        _take(pieces, taken, cloud_regions(pieces, found["cloud"]), facts)
    if "place" in found:
        _take(pieces, taken, places(pieces, found["place"]), facts)
    if not text.isascii():
        _take(pieces, taken, flags(text), facts)
        facts += unread_words(text)
    if numbers or "_" in text:
        _take(pieces, taken, codes(text), facts)
    if "scheme" in found:
        _take(pieces, taken, severities(pieces, found["scheme"]), facts)
    if "label" in found:
        _take(pieces, taken, labelled(pieces, found["label"]), facts)
    return facts


def _take(pieces: Pieces, taken: bytearray, found: Iterable[Fact], facts: list[Fact]) -> None:
    """Keep the facts whose pieces were not read before, and mark their pieces."""
    facts += (fact for fact in found if _mark(pieces, taken, fact))


def _mark(pieces: Pieces, taken: bytearray, fact: Fact) -> bool:
    first = bisect_right(pieces.ends, fact.start, 0, pieces.count)
    end = bisect_left(pieces.starts, fact.end, 0, pieces.count)
    if any(taken[first:end]):
        return False
    taken[first:end] = b"\1" * (end - first)
    return True


def _foreign_numbers(text: str) -> Iterator[Fact]:
    """Yield the signs of other scripts that are numbers, which no rule reads."""
    for match in _NOT_ASCII.finditer(text):
        if unicodedata.numeric(match[0], None) is not None:
            yield fact_in(text, *match.span(), "residue", match[0])
