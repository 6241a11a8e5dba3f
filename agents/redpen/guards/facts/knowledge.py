"""Index the facts that a text or a context allows, and find those that a reading restates."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, partial
from heapq import nsmallest
from math import ceil, floor
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Date, Fact, Kind, Reading, Value
from redpen.guards.facts.quantities.calendar import weekday_of
from redpen.guards.facts.respelt import short_names
from redpen.guards.facts.severities import LOOSE
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

SHORT = "short"
"""Unit of another form of an identifier: its parts joined, or its number alone."""
ANY_ZONE = "any zone"
"""Unit of a time of day in any time zone."""
_ID_UNITS = ("", "incident", "code")
_VERSION = lazy_pattern(r"v(\d{1,6}(?:\.\d{1,6})?)")
_WORD = lazy_pattern(r"[^\W_]+(?:'[^\W_]+)*")
_CODE = lazy_pattern(r"\w+(?:-\w+)+")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_KEPT_PER_VALUE = 24
_ROUNDED_TO = 6
"""Maximum number of decimals to which numbers are rounded."""
_LEAST_PART: Mapping[Kind, int] = {"duration": 8, "multiplier": 8, "money": 100}
"""Largest part of a number that rounding may remove, as a divisor: 1.5 hours is neither 1 hour nor 2;
only large sums lose their pence."""
_HALF = Fraction(1, 2)


class Known(NamedTuple):
    """An allowed fact and its JSON path, or ``original``."""

    fact: Fact
    path: str


def restated(reading: Reading, fact: Fact, knowledge: Knowledge) -> list[Known]:
    """Return the allowed facts that one reading of a fact restates."""
    value = reading.value
    find = knowledge.find_key
    match reading.kind:
        case _ if value is None:
            found = find("residue", fact.text.lower())
        case "number" if isinstance(value, Fraction) and not reading.unit:
            found = knowledge.find_number(value)
        case "date" if isinstance(value, tuple) and reading.unit:
            same_day = find("date", value)
            found = [it for it in same_day if reading.unit in _weekdays_of(it.fact)] or knowledge.find(
                reading
            )
        case "time" if isinstance(value, Fraction):
            found = knowledge.find(reading) or _in_another_zone(reading, knowledge)
        case "severity" | "date" | "time" if isinstance(value, str):
            found = [known for unit in ("", LOOSE, MENTIONED) for known in find(reading.kind, value, unit)]
        case "multiplier" if isinstance(value, Fraction) and value < 1:
            found = knowledge.find(reading) or _graded(value, knowledge)
        case "quantifier":
            same = (*knowledge.find(reading), *find("quantifier", value, MENTIONED))
            found = list(filter(partial(_counts_the_same, fact), same))
        case "identifier" if isinstance(value, str):
            found = _identified(value, reading.unit, knowledge)
        case "residue":
            found = knowledge.find(reading) or _coded(str(value), knowledge) or _version(value, knowledge)
        case _:
            found = knowledge.find(reading)
    return found


def _weekdays_of(fact: Fact) -> set[str]:
    """Return the weekdays that the text gives for a date and those on which it falls."""
    return {weekday_of(it.value) for it in fact.readings if isinstance(it.value, tuple)} | {
        it.unit for it in fact.readings
    }


def _in_another_zone(reading: Reading, knowledge: Knowledge) -> list[Known]:
    """Return the times of day with another zone, or none, that a time restates."""
    if not reading.unit:
        return knowledge.find_key("time", reading.value, ANY_ZONE)
    # "02:26" below the heading "Timeline (UTC)".
    zones = {vocab.ZONES[word] for word in knowledge.words & vocab.ZONES.keys()}
    return knowledge.find_key("time", reading.value) if zones == {reading.unit} else []


def _graded(value: Fraction, knowledge: Knowledge) -> list[Known]:
    """Return the shares of a speed, price or the like, so that "half as fast" restates "at half speed"."""
    shares = knowledge.find_key("share", value)
    return [known for known in shares if not vocab.graded.isdisjoint(known.fact.subject)]


def _counts_the_same(fact: Fact, other: Known) -> bool:
    """Whether two quantifiers count the same things; one without a noun may count whatever is affected."""
    is_hit = other.fact.readings[0].unit != MENTIONED
    return other.fact.head in (fact.head, "") or (not fact.head and is_hit)


def _identified(value: str, unit: str, knowledge: Knowledge) -> list[Known]:
    """Return the identifiers with a name: in full, joined or, unless it is an error code, in part."""
    units = _ID_UNITS if unit == "code" else (*_ID_UNITS, SHORT)
    found = [known for one in units for known in knowledge.find_key("identifier", value, one)]
    return found or knowledge.find_key("identifier", value.replace("_", ""), SHORT if "_" in value else "")


def _coded(value: str, knowledge: Knowledge) -> list[Known]:
    """Return the codes that joined letters and digits restate: "code 1257L" for 1257L, the K4 for K4s."""
    units = (*_ID_UNITS, SHORT)
    found = [known for one in units for known in knowledge.find_key("identifier", value, one)]
    return found or (knowledge.find_key("residue", value.removesuffix("s")) if value.endswith("s") else [])


def _version(value: Value, knowledge: Knowledge) -> list[Known]:
    """Return the facts with the number of a version: 2 for v2."""
    version = _VERSION.fullmatch(str(value))
    return knowledge.find_number(Fraction(version[1])) if version else []


def words_in(text: str) -> set[str]:
    """Return the words of a text in lower case: in full, and the letters between their other characters.

    Codes with hyphens (``tr-25b``) are words too.
    """
    low = text.lower().replace("’", "'")
    found = {*_WORD.findall(low), *_CODE.findall(low)}
    return found.union(*(_LETTERS.findall(word) for word in found if not word.isalpha()))


Key = tuple[int, int] | str | Date | None
"""The form of a value in index keys."""


class Knowledge:
    """Allowed facts, read-only; each index is built on first use.

    Args:
        facts: the facts with their paths.
        words: returns the words of their texts in lower case.
    """

    def __init__(self, facts: Iterable[Known], words: Callable[[], Iterable[str]]) -> None:
        self.facts = tuple(facts)
        self._list_words = words

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the texts of the facts, in lower case."""
        return frozenset(self._list_words())

    @cached_property
    def subjects(self) -> Mapping[Kind, frozenset[str]]:
        """Stems of the subjects of shares and counts, by kind."""
        return {
            kind: frozenset(stem for known in self.of_kind(kind) for stem in known.fact.subject)
            for kind in ("share", "count")
        }

    @cached_property
    def heads(self) -> frozenset[str]:
        """Stems of the heads of shares and counts."""
        return frozenset(
            known.fact.head for kind in ("share", "count") for known in self.of_kind(kind) if known.fact.head
        )

    @cached_property
    def _kinds(self) -> Mapping[Kind, list[Known]]:
        """The facts by their likeliest kind."""
        found: dict[Kind, list[Known]] = {}
        for known in self.facts:
            found.setdefault(known.fact.kind, []).append(known)
        return found

    @cached_property
    def _by_value(self) -> Mapping[tuple[Kind, Key, str], list[Known]]:
        """The facts by every kind, value and unit that restates them."""
        return _grouped(
            ((kind, _key(value), unit), known)
            for known in self.facts
            for kind, value, unit in _keys_of(known.fact)
        )

    @cached_property
    def _numbers(self) -> Mapping[Key, list[Known]]:
        """The facts by the bare number with which they are written, which is rarely asked for."""
        return _grouped((_key(value), known) for known in self.facts for value in _numbers_of(known.fact))

    def of_kind(self, kind: Kind) -> Iterator[Known]:
        """Yield the allowed facts whose likeliest kind is this, in their order."""
        return iter(self._kinds.get(kind, ()))

    def find(self, reading: Reading) -> list[Known]:
        """Return the allowed facts with the kind, value and unit of a reading."""
        return self.find_key(reading.kind, reading.value, reading.unit)

    def find_key(self, kind: Kind, value: Value, unit: str = "") -> list[Known]:
        """Return the allowed facts of a kind with a value and a unit."""
        return self._by_value.get((kind, _key(value), unit), [])

    def find_number(self, value: Fraction) -> list[Known]:
        """Return the allowed facts that are written with this number in any unit."""
        return self._numbers.get(_key(value), [])

    def nearest(self, kind: Kind, value: Value, count: int) -> list[tuple[float, Known]]:
        """Return up to ``count`` allowed facts of a kind with their distance, closest first."""
        values = [(known.fact.readings[0].value, known) for known in self.of_kind(kind)]
        numbers = [(float(other), known) for other, known in values if isinstance(other, Fraction)]
        if not isinstance(value, Fraction) or not numbers:
            return [(place, known) for place, (_, known) in enumerate(values[:count])]
        sought = float(value)
        distances = ((abs(other - sought), known) for other, known in numbers)
        return nsmallest(count, distances, key=itemgetter(0))


def _key(value: Value) -> Key:
    # Hashing two integers takes a tenth of the time of hashing a fraction.
    return value if value is None or isinstance(value, (str, tuple)) else value.as_integer_ratio()


_K = TypeVar("_K")


def _grouped(keyed: Iterable[tuple[_K, Known]]) -> dict[_K, list[Known]]:
    """Return facts by key, up to ``_KEPT_PER_VALUE`` for each."""
    found: dict[_K, list[Known]] = {}
    for key, known in keyed:
        entries = found.setdefault(key, [])
        if len(entries) < _KEPT_PER_VALUE:
            entries.append(known)
    return found


def _keys_of(fact: Fact) -> Iterator[tuple[Kind, Value, str]]:
    """Yield the kinds, values and units by which a fact is found."""
    for reading in fact.readings:
        kind, value, unit = reading.kind, reading.value, reading.unit
        yield kind, value, unit
        if kind == "identifier" and isinstance(value, str):
            yield from ((kind, name, SHORT) for name in short_names(value))
        elif kind == "date" and isinstance(value, tuple):
            yield kind, unit, ""
            yield from ((kind, shorter, "") for shorter in _shorter_dates(value))
        elif kind == "date" and isinstance(value, str) and (day := value.partition(" ")[0]) in vocab.WEEKDAYS:
            yield kind, day, unit
        elif kind in vocab.numeric and isinstance(value, Fraction):
            yield from ((kind, rounded, unit) for rounded, _ in _roundings(value, kind, fact.raw))
        if kind == "number" and not unit:
            yield "count", value, ""
    first = fact.readings[0]
    if first.kind == "time":
        yield "time", first.value, ANY_ZONE
    if first.kind == "residue" or first.value is None:
        yield "residue", fact.text.lower(), ""


def _numbers_of(fact: Fact) -> Iterator[Fraction]:
    """Yield the bare numbers by which a fact is found."""
    for reading in fact.readings:
        value, kind = reading.value, reading.kind
        if kind in vocab.numeric and isinstance(value, Fraction):
            for rounded, written in _roundings(value, kind, fact.raw):
                yield written
                if kind == "share":
                    yield rounded
            if kind in ("share", "number", "count") and not reading.unit:
                yield value
    if fact.raw is not None:
        yield fact.raw


def _shorter_dates(date: Date) -> set[Date]:
    """Return a date and its less precise forms: the month, the year, the day of the month."""
    year, month, day = date
    by_month = {(None, month, day), (year, month, None), (None, month, None)}
    return {date, *by_month, (year, None, None), (None, None, day)}


def _roundings(value: Fraction, kind: Kind, raw: Fraction | None) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the values that rounding the decimals of a value gives, each with the number as written.

    Rounding decimals keeps a fact the same. Shares are rounded in percent; halves are rounded either way.
    """
    of, whole = (value, 100) if kind == "share" else (raw, 1)
    if not value or not of or whole % of.denominator == 0:
        return
    written = of * whole
    # Prices are not rounded to tenths.
    for places in range(1 if kind == "money" else _ROUNDED_TO):
        scaled = written * 10**places
        if scaled.denominator == 1:
            break
        for rounded in {floor(scaled + _HALF), ceil(scaled - _HALF)}:
            number = Fraction(rounded, 10**places)
            if rounded and abs(number - written) * _LEAST_PART.get(kind, 0) <= written:
                yield value * (number / written), number
