"""Define facts: one or more readings of a piece of text, its subject and its place."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

MENTIONED = "mentioned"
"""Unit of a reading that can allow facts but is never a new one, because its clause asserts nothing."""

Kind = Literal[
    "share",
    "count",
    "duration",
    "date",
    "time",
    "money",
    "multiplier",
    "number",
    "quantifier",
    "identifier",
    "severity",
    "region",
    "contact",
    "party",
    "residue",
]

Date = tuple[int | None, int | None, int | None]
"""Year, month and day; None for parts that are not given."""
Value = Fraction | str | Date | None
Role = Literal["", "every", "until"]


@dataclass(slots=True, kw_only=True)
class Reading:
    """One way to read a piece of text.

    Attributes:
        kind: what sort of fact.
        value: exact: shares as parts of one, durations in seconds, times in minutes since midnight, money in
            the currency of ``unit``, dates as year, month, day (None if not given), names in their
            canonical form; None if it cannot be read, so that it equals no allowed value.
        unit: currency, time zone, weekday, ``plural`` (hundreds, thousands), ``rank`` (third) or
            ``MENTIONED``.
    """

    kind: Kind
    value: Value
    unit: str = ""


@dataclass(slots=True, kw_only=True)
class Fact:
    """A fact found in a text.

    Attributes:
        readings: the possible readings, the likeliest first; one allowed reading is enough.
        start: index of its first character in the text it was read from.
        end: index after its last character.
        text: that piece of text.
        raw: the bare number as written (27 for 27 %), for numbers without a unit.
        head: stem of the noun that it counts or is a share of; empty if the text names none.
        subject: stems of the words around that noun, ``head`` included.
        role: ``every`` for a repetition interval, ``until`` for the wait until a recovery.
    """

    readings: tuple[Reading, ...]
    start: int
    end: int
    text: str
    raw: Fraction | None = None
    head: str = ""
    subject: frozenset[str] = frozenset()
    role: Role = ""

    @property
    def kind(self) -> Kind:
        """The kind of the likeliest reading."""
        return self.readings[0].kind


def fact_in(text: str, start: int, end: int, kind: Kind, value: Value, *, unit: str = "") -> Fact:
    """Return the fact of a piece of a text with a single reading."""
    reading = Reading(kind=kind, value=value, unit=unit)
    return Fact(readings=(reading,), start=start, end=end, text=text[start:end])


def spell(value: Value) -> str:
    """Return a value in readable form: ``5400``, ``0.034``, ``1/3``, ``2026-03-06``, ``03-06``."""
    match value:
        case None:
            return "unreadable"
        case str():
            return value
        case tuple():
            year, month, day = value
            pieces = [
                f"{year:04d}" if year is not None else "",
                *(f"{p:02d}" if p else "" for p in (month, day)),
            ]
            return "-".join(piece for piece in pieces if piece)
        case _:
            if value.denominator == 1:
                return str(value.numerator)
            scaled = value * 10**9
            if scaled.denominator != 1:
                return f"{value.numerator}/{value.denominator}"
            return f"{float(value):.9f}".rstrip("0").rstrip(".")


def describe(fact: Fact) -> str:
    """Return a description of a fact: ``90 minutes = duration 5400 s``."""
    reading = fact.readings[0]
    value = spell(reading.value)
    match reading.kind:
        case "duration":
            value = f"{value} s"
        case "time" if isinstance(reading.value, Fraction) and 0 <= reading.value < 1440:
            value = (
                f"{int(reading.value) // 60:02d}:{int(reading.value) % 60:02d} {reading.unit.upper()}".strip()
            )
        case "money":
            value = f"{value} {reading.unit.upper()}".strip()
        case "count" | "number" if reading.unit:
            value = f"{value} ({reading.unit})"
        case _:
            pass
    text = " ".join(fact.text.split())
    return f"{text[:80]} = {reading.kind} {value}"
