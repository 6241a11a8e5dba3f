"""Which of the allowed facts a reading restates."""

from __future__ import annotations

from fractions import Fraction

from redpen.guards.facts.fact import MENTIONED, Date, Fact, Reading
from redpen.guards.facts.knowledge import SHORT, Knowledge, Known
from redpen.guards.facts.quantities.calendar import weekday_of
from redpen.guards.facts.severities import LOOSE
from redpen.text.lazy_pattern import lazy_pattern

_NEAREST = 3
_VERSION = lazy_pattern(r"v(\d{1,6}(?:\.\d{1,6})?)")
_ID_UNITS = ("", "incident", "code")
_YEAR = Fraction(365 * 86400)
_MONTHS = Fraction(12 * 30 * 86400)
_GRADED = frozenset("speed pace rate normal usual capacity price fare cost fee length time size".split())
"""What may be "half as" much where it is said to be at half."""


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
    return [it for it in knowledge.find_key("share", value) if not _GRADED.isdisjoint(it.fact.subject)]


def _weekday_fits(fact: Fact, weekday: str) -> bool:
    return any(
        reading.unit == weekday or (isinstance(reading.value, tuple) and weekday_of(reading.value) == weekday)
        for reading in fact.readings
    )


def _any_zone(value: Fraction, knowledge: Knowledge) -> list[Known]:
    near = knowledge.nearest("time", value, _NEAREST)
    return [known for distance, known in near if distance == 0 and known.fact.readings[0].value == value]
