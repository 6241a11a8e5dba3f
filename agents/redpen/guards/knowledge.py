"""What a text or a context allows: its facts, found again by value in constant time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.readings import Fact, Kind, Reading, Value, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEPT_PER_VALUE = 24
_ROUNDED_TO = 6
_NUMERIC: frozenset[Kind] = frozenset({"share", "count", "duration", "money", "number", "multiplier"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An allowed fact and the JSON path it stands at, or ``original``."""

    fact: Fact
    path: str

    def describe(self) -> str:
        """Return the fact in words: ``45 = duration 2700 s``."""
        return describe(self.fact)


Key = tuple[Kind, Value, str]


class Knowledge:
    """Allowed facts, indexed once and only read afterwards."""

    __slots__ = ("_by_key", "_numbers", "_ordered", "facts", "heads", "subjects", "words")

    def __init__(self, facts: Iterable[Known], words: Iterable[str]) -> None:
        self.facts = tuple(facts)
        self.words = frozenset(words)
        self.subjects: dict[Kind, set[str]] = {}
        self.heads: dict[Kind, set[str]] = {}
        self._by_key: dict[Key, list[Known]] = {}
        self._numbers: dict[Fraction, list[Known]] = {}
        ordered: dict[Kind, list[tuple[Fraction, int]]] = {}
        for place, known in enumerate(self.facts):
            self._enter(known)
            value = known.fact.readings[0].value
            if isinstance(value, Fraction):
                ordered.setdefault(known.fact.kind, []).append((value, place))
        self._ordered = {kind: sorted(values) for kind, values in ordered.items()}

    def _enter(self, known: Known) -> None:
        fact = known.fact
        for reading in fact.readings:
            self._add((reading.kind, reading.value, reading.unit), known)
            if isinstance(reading.value, tuple):
                self._add_dates(reading, known)
            elif isinstance(reading.value, Fraction) and reading.kind in _NUMERIC:
                self._add_rounded(reading, known)
                if reading.kind == "number" and not reading.unit:
                    self._add(("count", reading.value, ""), known)
                if reading.kind in ("share", "number", "count") and not reading.unit:
                    self._add_number(reading.value, known)
        if fact.raw is not None:
            self._add_number(fact.raw, known)
        if fact.kind == "residue" or fact.readings[0].value is None:
            self._add(("residue", fact.text.lower(), ""), known)
        if fact.kind in ("share", "count"):
            self.subjects.setdefault(fact.kind, set()).update(fact.subject)
            self.heads.setdefault(fact.kind, set()).update({fact.head} if fact.head else ())

    def _add(self, key: Key, known: Known) -> None:
        entries = self._by_key.setdefault(key, [])
        if len(entries) < _KEPT_PER_VALUE:
            entries.append(known)

    def _add_number(self, value: Fraction, known: Known) -> None:
        entries = self._numbers.setdefault(value, [])
        if len(entries) < _KEPT_PER_VALUE:
            entries.append(known)

    def _add_dates(self, reading: Reading, known: Known) -> None:
        """A date allows what says less of it: the month, the year, the day of the month."""
        if not isinstance(reading.value, tuple):
            return
        year, month, day = reading.value
        for value in {
            (year, month, day),
            (None, month, day),
            (year, month, None),
            (None, month, None),
            (year, None, None),
            (None, None, day),
        }:
            if value != (None, None, None) and (value != reading.value or reading.unit):
                self._add(("date", value, ""), known)

    def _add_rounded(self, reading: Reading, known: Known) -> None:
        """Rounding away decimals changes no fact; a share rounds in percent, the others in their own unit."""
        value = reading.value
        raw = known.fact.raw
        if not isinstance(value, Fraction) or not value:
            return
        if reading.kind == "share":
            written = value * 100
        elif raw is not None and raw != 0 and raw.denominator != 1:
            written = raw
        else:
            return
        # Cents of a price are no decimals that anybody rounds to tenths.
        for places in range(1 if reading.kind == "money" else _ROUNDED_TO):
            scaled = written * 10**places
            if scaled.denominator == 1:
                break
            whole = scaled.numerator // scaled.denominator
            rest = scaled - whole
            half = Fraction(1, 2)
            for rounded in {whole + (rest >= half), whole + (rest > half)}:
                if rounded:
                    fresh = value * (Fraction(rounded, 10**places) / written)
                    self._add((reading.kind, fresh, reading.unit), known)
                    self._add_number(Fraction(rounded, 10**places), known)

    def find(self, reading: Reading) -> list[Known]:
        """Return the allowed facts with this very kind, value and unit."""
        return self._by_key.get((reading.kind, reading.value, reading.unit), [])

    def find_key(self, kind: Kind, value: Value, unit: str = "") -> list[Known]:
        """Return the allowed facts of a kind with a value."""
        return self._by_key.get((kind, value, unit), [])

    def find_number(self, value: Fraction) -> list[Known]:
        """Return the allowed facts that are written with this number, whatever their unit."""
        return self._numbers.get(value, [])

    def nearest(self, kind: Kind, value: Value, count: int) -> list[tuple[Fraction, Known]]:
        """Return up to ``count`` allowed facts of a kind with their distance, closest first."""
        ordered = self._ordered.get(kind)
        if not isinstance(value, Fraction) or not ordered:
            same = (known for known in self.facts[:200] if known.fact.kind == kind)
            return [(Fraction(place), known) for place, known in zip(range(count), same, strict=False)]
        place = bisect_left(ordered, (value, 0))
        around = ordered[max(0, place - count) : place + count]
        found = sorted((abs(near - value), index) for near, index in around)
        return [(distance, self.facts[index]) for distance, index in found[:count]]
