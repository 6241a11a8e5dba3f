"""The quantity grammar: what is written, in any usual form, is read with its exact value."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.facts.fact import Fact, Kind, Value
from redpen.guards.facts.reading import read_facts
from redpen.guards.facts.vocab import SCALES, TENS, UNITS

HOUR = 3600

PHRASES: list[tuple[str, Kind, Value]] = [
    ("27%", "share", Fraction(27, 100)),
    ("27 %", "share", Fraction(27, 100)),
    ("27 per cent", "share", Fraction(27, 100)),
    ("27 pct", "share", Fraction(27, 100)),
    ("27 percentage points", "share", Fraction(27, 100)),
    ("twenty-seven percent", "share", Fraction(27, 100)),
    ("three point four percent", "share", Fraction(34, 1000)),
    ("34 per mille", "share", Fraction(34, 1000)),
    ("50 basis points", "share", Fraction(1, 200)),
    ("half a percent", "share", Fraction(1, 200)),
    ("half of them", "share", Fraction(1, 2)),
    ("a third of them", "share", Fraction(1, 3)),
    ("three quarters of them", "share", Fraction(3, 4)),
    ("two-thirds", "share", Fraction(2, 3)),
    ("one in four", "share", Fraction(1, 4)),
    ("one request in eight", "share", Fraction(1, 8)),
    ("3 out of every 10", "share", Fraction(3, 10)),
    ("3/4 of them", "share", Fraction(3, 4)),
    ("45 min", "duration", Fraction(2700)),
    ("45min", "duration", Fraction(2700)),
    ("a 45-minute wait", "duration", Fraction(2700)),
    ("three quarters of an hour", "duration", Fraction(2700)),
    ("three-quarters of an hour", "duration", Fraction(2700)),
    ("0.75 hours", "duration", Fraction(2700)),
    ("a quarter of an hour", "duration", Fraction(900)),
    ("an hour and a half", "duration", Fraction(5400)),
    ("one and a half hours", "duration", Fraction(5400)),
    ("two and a half hours", "duration", Fraction(9000)),
    ("1h30", "duration", Fraction(5400)),
    ("1h30m", "duration", Fraction(5400)),
    ("1 hour 30 minutes", "duration", Fraction(5400)),
    ("1 hour and 30 minutes", "duration", Fraction(5400)),
    ("1:30 h", "duration", Fraction(5400)),
    ("5 1/2 hours", "duration", Fraction(5 * HOUR + 1800)),
    ("half an hour", "duration", Fraction(1800)),
    ("half-hourly", "duration", Fraction(1800)),
    ("hourly", "duration", Fraction(HOUR)),
    ("within the hour", "duration", Fraction(HOUR)),
    ("a couple of hours", "duration", Fraction(2 * HOUR)),
    ("every other day", "duration", Fraction(2 * 86400)),
    ("2 more hours", "duration", Fraction(2 * HOUR)),
    ("500 ms", "duration", Fraction(1, 2)),
    ("90s", "duration", Fraction(90)),
    ("a dozen", "number", Fraction(12)),
    ("twelve hundred", "number", Fraction(1200)),
    ("1.2k", "number", Fraction(1200)),
    ("1 200", "number", Fraction(1200)),
    ("1,200", "number", Fraction(1200)),
    ("two thousand three hundred and five", "number", Fraction(2305)),
    ("a hundred", "number", Fraction(100)),
    ("1.2 million", "number", Fraction(1_200_000)),
    ("hundreds", "count", Fraction(100)),
    ("tens of thousands", "count", Fraction(10_000)),
    ("twice", "multiplier", Fraction(2)),
    ("doubled", "multiplier", Fraction(2)),
    ("2x", "multiplier", Fraction(2)),
    ("tenfold", "multiplier", Fraction(10)),
    ("halved", "multiplier", Fraction(1, 2)),
    ("three times higher", "multiplier", Fraction(3)),
    ("$1,200", "money", Fraction(1200)),
    ("US$1.2k", "money", Fraction(1200)),
    ("$5M", "money", Fraction(5_000_000)),
    ("5 million dollars", "money", Fraction(5_000_000)),
    ("50 cents", "money", Fraction(1, 2)),
    ("€ 100", "money", Fraction(100)),
    ("GBP 20", "money", Fraction(20)),
    ("March 6, 2026", "date", (2026, 3, 6)),
    ("6 March", "date", (None, 3, 6)),
    ("the 6th of March 2026", "date", (2026, 3, 6)),
    ("2026-03-06", "date", (2026, 3, 6)),
    ("03/06/2026", "date", (2026, 3, 6)),
    ("06.03.2026", "date", (2026, 6, 3)),
    ("in March 2026", "date", (2026, 3, None)),
    ("tomorrow", "date", "tomorrow"),
    ("by Friday", "date", "friday"),
    ("next week", "date", "next week"),
    ("14:30", "time", Fraction(870)),
    ("2:30 pm", "time", Fraction(870)),
    ("5pm", "time", Fraction(1020)),
    ("5 p.m.", "time", Fraction(1020)),
    ("half past two", "time", Fraction(150)),
    ("noon", "time", Fraction(720)),
    ("1430 UTC", "time", Fraction(870)),
    ("by end of day", "time", "eod"),
    ("tonight", "time", "tonight"),
    ("10^2", "residue", "10^2"),
    ("p95", "residue", "p95"),
    ("1234567890123456", "residue", None),
]

NOTHING = [
    "one of our teams",
    "first, next, last",
    "a few minutes",
    "1. Check\n2. Report",
    "Step 3: report",
    "100% certain",
    "zero impact",
    "a second update",
    "a third-party service",
    "please double-check",
    "we may write again",
    "some, many, several, a number of, soon, now",
    "your daily work",
]


def only(text: str) -> Fact:
    facts = read_facts(text)
    assert len(facts) == 1, facts
    return facts[0]


def test_phrases_are_read_exactly() -> None:
    wrong = []
    for text, kind, value in PHRASES:
        reading = only(text).readings[0]
        if (reading.kind, reading.value) != (kind, value):
            wrong.append((text, reading))
    assert wrong == []


def test_words_that_state_nothing() -> None:
    assert {text: found for text in NOTHING if (found := read_facts(text))} == {}


@pytest.mark.parametrize("text", ["30-45 minutes", "30 to 45 minutes", "between 30 and 45 minutes"])
def test_unit_applies_to_both_ends_of_a_range(text: str) -> None:
    assert [fact.readings[0].value for fact in read_facts(text)] == [Fraction(1800), Fraction(2700)]


def test_date_may_be_day_or_month_first() -> None:
    assert {reading.value for reading in only("03/06/2026").readings} == {(2026, 3, 6), (2026, 6, 3)}


def in_words(value: int) -> str:
    """Spell a number below a trillion."""
    small = {number: word for word, number in UNITS.items() if word not in ("nought", "nil")}
    tens = {number: word for word, number in TENS.items() if word != "fourty"}
    if value < 20:
        return small[value]
    if value < 100:
        return tens[value // 10 * 10] + (f"-{small[value % 10]}" if value % 10 else "")
    for word, scale in sorted(SCALES.items(), key=lambda item: -item[1]):
        if value >= scale and word not in ("lakh", "crore"):
            rest = f" {in_words(value % scale)}" if value % scale else ""
            return f"{in_words(value // scale)} {word}{rest}"
    raise AssertionError(value)


@given(st.integers(min_value=2, max_value=10**12 - 1))
def test_numbers_in_words(value: int) -> None:
    assert only(in_words(value)).readings[0].value == value


@given(st.integers(min_value=0, max_value=10**15 - 1))
def test_numbers_in_digits_with_and_without_separators(value: int) -> None:
    for text in (f"we saw {value} so far", f"we saw {value:,} so far"):
        assert value in [reading.value for reading in only(text).readings]


@given(
    st.integers(min_value=1, max_value=99999), st.sampled_from(["second", "minute", "hour", "day", "week"])
)
def test_durations(value: int, unit: str) -> None:
    seconds = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}[unit]
    for text in (f"({value} {unit}s)", f"a {value}-{unit} wait", f"({in_words(value)} {unit}s)"):
        assert only(text).readings[0].value == value * seconds


@given(st.decimals(min_value=0, max_value=100, places=2))
def test_shares(value: object) -> None:
    for text in (f"({value}%)", f"({value} percent)", f"({value} per cent)"):
        reading = only(text).readings[0]
        assert (reading.kind, reading.value) == ("share", Fraction(str(value)) / 100)


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2099, 12, 31)))
def test_dates(value: date) -> None:
    month = value.strftime("%B")
    for text in (
        value.isoformat(),
        f"on {month} {value.day}, {value.year}",
        f"on {value.day} {month} {value.year}",
        f"on {value.strftime('%a')}, {value.day} {month[:3]} {value.year}",
        f"({value.month:02d}/{value.day:02d}/{value.year})",
    ):
        assert (value.year, value.month, value.day) in [reading.value for reading in only(text).readings]


@given(st.times())
def test_times_of_day(value: object) -> None:
    hour, minute = int(str(value)[:2]), int(str(value)[3:5])
    half = "am" if hour < 12 else "pm"
    for text in (f"at {hour:02d}:{minute:02d}.", f"at {hour % 12 or 12}:{minute:02d} {half}."):
        assert Fraction(hour * 60 + minute) in [reading.value for reading in only(text).readings]


@given(st.integers(min_value=1, max_value=10**9))
def test_money(value: int) -> None:
    for text in (f"(${value:,})", f"({value} USD)", f"({value} dollars)", f"(US${value})"):
        reading = only(text).readings[0]
        assert (reading.kind, reading.value, reading.unit) == ("money", Fraction(value), "usd")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for fact in read_facts(text):
        assert 0 <= fact.start < fact.end <= len(text)
