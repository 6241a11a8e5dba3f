"""What a text or a context allows: its facts by value, and which of them a reading restates."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Date, Fact, Kind, Reading, Value, describe
from redpen.guards.facts.quantities.calendar import weekday_of
from redpen.guards.facts.respelt import short_names
from redpen.guards.facts.severities import LOOSE
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


_NEAREST = 3
_VERSION = lazy_pattern(r"v(\d{1,6}(?:\.\d{1,6})?)")
_ID_UNITS = ("", "incident", "code")
_YEAR = Fraction(365 * 86400)
_MONTHS = Fraction(12 * 30 * 86400)


def restated(reading: Reading, fact: Fact, knowledge: Knowledge) -> list[Known]:
    """Return the allowed facts that a reading restates.

    Args:
        reading: one reading of the fact.
        fact: a fact of a revision.
        knowledge: what is allowed.
    """
    value = reading.value
    match reading.kind:
        case _ if value is None:
            found = knowledge.find_key("residue", fact.text.lower())
        case "number" if isinstance(value, Fraction) and not reading.unit:
            found = knowledge.find_number(value)
        case "date" if isinstance(value, tuple) and reading.unit:
            found = _on_weekday(value, reading.unit, knowledge) or knowledge.find(reading)
        case "time" if isinstance(value, Fraction) and not reading.unit:
            found = knowledge.find(reading) or _any_zone(value, knowledge) or _plain(fact, knowledge)
        case "severity" | "date" | "time" if isinstance(value, str):
            units = ("", LOOSE, MENTIONED)
            found = [known for unit in units for known in knowledge.find_key(reading.kind, value, unit)]
        case "multiplier" | "duration" if isinstance(value, Fraction):
            near = _graded if reading.kind == "multiplier" else _calendar
            found = knowledge.find(reading) or near(value, knowledge)
        case "quantifier":
            found = _quantified(reading, fact, knowledge)
        case "identifier" if isinstance(value, str):
            found = _identified(value, reading.unit, knowledge)
        case "residue":
            found = knowledge.find(reading) or _versioned(str(value), knowledge)
        case _:
            found = knowledge.find(reading)
    return found


def _hits(known: Known) -> bool:
    """Whether a quantifier says of somebody that he is hit, and is not merely mentioned."""
    return known.fact.readings[0].unit != MENTIONED


def _on_weekday(value: Date, weekday: str, knowledge: Knowledge) -> list[Known]:
    return [known for known in knowledge.find_key("date", value) if _weekday_fits(known.fact, weekday)]


def _versioned(text: str, knowledge: Knowledge) -> list[Known]:
    """Return the code that a text is a part of, or the number of a version (v2 for 2)."""
    version = _VERSION.fullmatch(text)
    found = knowledge.find_key("identifier", text, SHORT)
    return found or (knowledge.find_number(Fraction(version[1])) if version else [])


def _plain(fact: Fact, knowledge: Knowledge) -> list[Known]:
    """Return the bare numbers that digits read as an hour may be ("at 7" for "point 7")."""
    if not fact.text.isdecimal():
        return []
    return [it for it in knowledge.find_number(Fraction(fact.text)) if it.fact.kind == "number"]


def _quantified(reading: Reading, fact: Fact, knowledge: Knowledge) -> list[Known]:
    heads = (fact.head, "")
    same = (*knowledge.find(reading), *knowledge.find_key("quantifier", reading.value, MENTIONED))
    return [known for known in same if known.fact.head in heads or (not fact.head and _hits(known))]


def _identified(value: str, unit: str, knowledge: Knowledge) -> list[Known]:
    units = _ID_UNITS if unit == "code" else (*_ID_UNITS, SHORT)
    found = [known for one in units for known in knowledge.find_key("identifier", value, one)]
    if not found and "_" in value:
        found = knowledge.find_key("identifier", value.replace("_", ""), SHORT)
    return found


def _calendar(value: Fraction, knowledge: Knowledge) -> list[Known]:
    """Return the durations in months that years restate, or the other way round: a year has 12 months."""
    for own, other in ((_YEAR, _MONTHS), (_MONTHS, _YEAR)):
        if value and value % own == 0:
            return list(knowledge.find_key("duration", value / own * other))
    return []


def _graded(value: Fraction, knowledge: Knowledge) -> list[Known]:
    """Return the shares of a speed, price or the like: what runs at half of it is half as fast."""
    if value >= 1:
        return []
    return [it for it in knowledge.find_key("share", value) if not vocab.graded.isdisjoint(it.fact.subject)]


def _weekday_fits(fact: Fact, weekday: str) -> bool:
    return any(
        reading.unit == weekday or (isinstance(reading.value, tuple) and weekday_of(reading.value) == weekday)
        for reading in fact.readings
    )


def _any_zone(value: Fraction, knowledge: Knowledge) -> list[Known]:
    near = knowledge.nearest("time", value, _NEAREST)
    return [known for distance, known in near if distance == 0 and known.fact.readings[0].value == value]


SHORT = "short"
"""Unit of another name of an identifier: its parts in one piece, its number alone."""

_KEPT_PER_VALUE = 24
_ROUNDED_TO = 6
_LEAST_OF_PRICE = 100
_LEAST_OF_ROUNDED = 8
_HALF = Fraction(1, 2)


class Known(NamedTuple):
    """An allowed fact and the JSON path it stands at, or ``original``."""

    fact: Fact
    path: str

    def describe(self) -> str:
        """Return the fact in words: ``45 = duration 2700 s``."""
        return describe(self.fact)


Key = tuple[int, int] | str | Date | None
"""What a value is found by."""
Entries = dict[tuple[Key, str], list[Known]]
"""Allowed facts of one kind by value and unit."""


class Knowledge:
    """Allowed facts, indexed kind by kind when one is first asked for, and only read afterwards.

    Args:
        facts: the facts with their paths.
        words: returns the words of the texts that they come from, in lower case.
    """

    def __init__(self, facts: Iterable[Known], words: Callable[[], Iterable[str]]) -> None:
        self.facts = tuple(facts)
        self._list_words = words
        self._by_kind: dict[Kind, Entries] = {}
        self._among: dict[tuple[Kind, ...], tuple[Fact, ...]] = {}

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the texts that the facts come from, in lower case."""
        return frozenset(self._list_words())

    @cached_property
    def subjects(self) -> Mapping[Kind, frozenset[str]]:
        """Stems of the words around what the shares and the counts are of, by kind."""
        return {
            kind: frozenset(stem for known in self.of_kind(kind) for stem in known.fact.subject)
            for kind in ("share", "count")
        }

    @cached_property
    def heads(self) -> Mapping[Kind, frozenset[str]]:
        """Stems of the nouns that the shares and the counts are of, by kind."""
        return {
            kind: frozenset(known.fact.head for known in self.of_kind(kind) if known.fact.head)
            for kind in ("share", "count")
        }

    @cached_property
    def _read_as(self) -> Mapping[Kind, list[Known]]:
        """The facts by the kinds as which they are found: those of their readings, and others that fit."""
        found: dict[Kind, list[Known]] = {}
        for known in self.facts:
            readings = known.fact.readings
            first = readings[0]
            kinds = {first.kind} if len(readings) == 1 else {reading.kind for reading in readings}
            if "number" in kinds and any(it.kind == "number" and not it.unit for it in readings):
                kinds.add("count")
            if first.value is None:
                kinds.add("residue")
            for kind in kinds:
                found.setdefault(kind, []).append(known)
        return found

    @cached_property
    def _kinds(self) -> Mapping[Kind, list[Known]]:
        """The facts by their likeliest kind."""
        found: dict[Kind, list[Known]] = {}
        for known in self.facts:
            found.setdefault(known.fact.kind, []).append(known)
        return found

    @cached_property
    def _numbers(self) -> dict[Key, list[Known]]:
        """The facts by the bare number that they are written with."""
        numbers: dict[Key, list[Known]] = {}
        for known in self.facts:
            for value in _numbers_of(known.fact):
                _add(numbers.setdefault(value.as_integer_ratio(), []), known)
        return numbers

    @cached_property
    def _ordered(self) -> Mapping[Kind, list[tuple[Fraction, int]]]:
        ordered: dict[Kind, list[tuple[Fraction, int]]] = {}
        for place, known in enumerate(self.facts):
            value = known.fact.readings[0].value
            if type(value) is Fraction:
                ordered.setdefault(known.fact.kind, []).append((value, place))
        return {kind: sorted(values) for kind, values in ordered.items()}

    def of_kind(self, kind: Kind) -> Iterator[Known]:
        """Yield the allowed facts of a kind, in their order."""
        return iter(self._kinds.get(kind, ()))

    def among(self, kinds: tuple[Kind, ...]) -> tuple[Fact, ...]:
        """Return the allowed facts of some kinds, in their order."""
        found = self._among.get(kinds)
        if found is None:
            found = tuple(known.fact for known in self.facts if known.fact.kind in kinds)
            self._among[kinds] = found
        return found

    def _entries(self, kind: Kind) -> Entries:
        entries = self._by_kind.get(kind)
        if entries is None:
            entries = {}
            for known in self._read_as.get(kind, ()):
                for value, unit in _keys_of(known.fact, kind):
                    _add(entries.setdefault((_key(value), unit), []), known)
            # Other threads may use the same knowledge: they see all of it or build their own.
            self._by_kind[kind] = entries
        return entries

    def find(self, reading: Reading) -> list[Known]:
        """Return the allowed facts with this very kind, value and unit."""
        return self._entries(reading.kind).get((_key(reading.value), reading.unit), [])

    def find_key(self, kind: Kind, value: Value, unit: str = "") -> list[Known]:
        """Return the allowed facts of a kind with a value."""
        return self._entries(kind).get((_key(value), unit), [])

    def find_number(self, value: Fraction) -> list[Known]:
        """Return the allowed facts that are written with this number, whatever their unit."""
        return self._numbers.get(value.as_integer_ratio(), [])

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


def _key(value: Value) -> Key:
    # Two whole numbers are looked up in a tenth of the time that their fraction takes.
    return value if value is None or isinstance(value, (str, tuple)) else value.as_integer_ratio()


def _add(entries: list[Known], known: Known) -> None:
    if len(entries) < _KEPT_PER_VALUE:
        entries.append(known)


def _keys_of(fact: Fact, kind: Kind) -> list[tuple[Value, str]]:
    """Return the values and units by which a fact is found among those of a kind."""
    keys: list[tuple[Value, str]] = []
    for reading in fact.readings:
        if reading.kind == kind:
            value, unit = reading.value, reading.unit
            keys.append((value, unit))
            if kind == "identifier" and isinstance(value, str):
                keys += ((name, SHORT) for name in short_names(value))
            elif kind == "date" and isinstance(value, tuple):
                keys += [(unit, "")] if unit else []
                keys += ((shorter, "") for shorter in _shorter_dates(value) if shorter != value or unit)
            elif kind in vocab.numeric and type(value) is Fraction:
                keys += ((rounded, unit) for rounded, _ in _roundings(value, kind, fact.raw))
        elif kind == "count" and reading.kind == "number" and not reading.unit:
            keys.append((reading.value, ""))
    if kind == "residue" and (fact.kind == "residue" or fact.readings[0].value is None):
        keys.append((fact.text.lower(), ""))
    return keys


def _numbers_of(fact: Fact) -> Iterator[Fraction]:
    """Yield the bare numbers by which a fact is found."""
    for reading in fact.readings:
        value, kind = reading.value, reading.kind
        if kind in vocab.numeric and type(value) is Fraction:
            for rounded, written in _roundings(value, kind, fact.raw):
                yield written
                if kind == "share":
                    yield rounded
            if kind in ("share", "number", "count") and not reading.unit:
                yield value
    if fact.raw is not None:
        yield fact.raw


def _shorter_dates(date: Date) -> set[Date]:
    """Return the dates that say less than one: the month, the year, the day of the month."""
    year, month, day = date
    shorter = {date, (None, month, day), (year, month, None), (None, month, None), (year, None, None)}
    return (shorter | {(None, None, day)}) - {(None, None, None)}


def _roundings(value: Fraction, kind: Kind, raw: Fraction | None) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield what a value comes to when its decimals are rounded away, and the number that it is written with.

    That changes no fact; a share rounds in percent, the others in their own unit.
    """
    if not value.numerator:
        return
    if kind == "share":
        if value.numerator * 100 % value.denominator == 0:
            return
        written = value * 100
    elif raw is not None and raw.numerator and raw.denominator != 1:
        written = raw
    else:
        return
    # Cents of a price are no decimals that anybody rounds to tenths.
    for places in range(1 if kind == "money" else _ROUNDED_TO):
        scaled = written * 10**places
        if scaled.denominator == 1:
            break
        whole = scaled.numerator // scaled.denominator
        rest = scaled - whole
        for rounded in {whole + (rest >= _HALF), whole + (rest > _HALF)}:
            number = Fraction(rounded, 10**places)
            # An hour and a half is neither one hour nor two.
            if rounded and not (
                (kind in ("duration", "multiplier") and abs(number - written) * _LEAST_OF_ROUNDED > written)
                # A price is what it is: only the pence of a large sum are rounded away.
                or (kind == "money" and abs(number - written) * _LEAST_OF_PRICE > written)
            ):
                yield value * (number / written), number
