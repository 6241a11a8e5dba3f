"""Numbers that the checks read from texts and contexts."""

from __future__ import annotations

import pytest

from redpen_evals.checks.invariants import numbers_in, written_numbers

WRITTEN = {
    "27% of 1,200 payments": [("27", "27"), ("1,200", "1200")],
    "3.40 and 0.034": [("3.40", "3.4"), ("0.034", "0.034")],
    "12,345,678.50": [("12,345,678.50", "12345678.5")],
    "007": [("007", "7")],
    "about 1.2k users": [("1.2k", "1200")],
    "5K": [("5K", "5000")],
    "5km": [("5", "5")],
    "1,2,3 and 1.2.3": [],
    "2026-03-06": [("2026", "2026"), ("03", "3"), ("06", "6")],
    "no number": [],
}


@pytest.mark.parametrize(("text", "numbers"), WRITTEN.items(), ids=list(WRITTEN))
def test_numbers_are_read_from_digits(text, numbers):
    assert list(written_numbers(text)) == numbers


def test_numbers_of_context_are_found_at_any_depth():
    value = {"a": 27, "b": ["every 15 minutes", {"c": "1,240 zones"}], "9": None, "d": True, "e": -4}
    assert numbers_in(value) == {"27", "2700", "15", "1240", "4", "400"}


def test_share_is_also_read_as_percent_and_rounded():
    assert {"0.034", "3.4", "3"} <= numbers_in({"rate": 0.034})
    assert {"0.29", "29"} <= numbers_in(0.29)


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), -(10**309)])
def test_huge_and_non_finite_numbers_are_tolerated(value):
    assert isinstance(numbers_in({"a": value, "b": 7}), frozenset)
    assert "7" in numbers_in({"a": value, "b": 7})
