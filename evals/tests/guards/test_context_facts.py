"""Facts of a context: the kind its keys tell, the path they stand at, any JSON at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.facts.fact import Kind, Value
from redpen.guards.known import known_context

KEYS: list[tuple[str, Any, Kind, Value, str]] = [
    ("affected_checkout_pct", 27, "share", Fraction(27, 100), ""),
    ("affectedLoginsPercent", 38, "share", Fraction(38, 100), ""),
    ("failed_payment_rate", 0.034, "share", Fraction(34, 1000), ""),
    ("bounce_share", 0.5, "share", Fraction(1, 2), ""),
    ("success_ratio", 0.925, "share", Fraction(925, 1000), ""),
    ("ttl_seconds", 300, "duration", Fraction(300), ""),
    ("eta_minutes", 45, "duration", Fraction(2700), ""),
    ("queue_hours", 2.5, "duration", Fraction(9000), ""),
    ("backlog_days", 2, "duration", Fraction(172800), ""),
    ("refund_usd", 18250.5, "money", Fraction(36501, 2), "usd"),
    ("largest_charge_eur", 95, "money", Fraction(95), "eur"),
    ("chargeback_alerts", 5, "count", Fraction(5), ""),
    ("errors_per_minute", 12, "count", Fraction(12), ""),
    ("letters_with_wrong_year", 310, "count", Fraction(310), ""),
    ("eta_minutes", "45", "duration", Fraction(2700), ""),
    ("report_date", "2026-03-06", "date", (2026, 3, 6), ""),
    ("region", "US", "region", "us", ""),
    ("severity", "P1", "severity", "p1", ""),
]

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(("key", "value", "kind", "read", "unit"), KEYS)
def test_key_determines_the_kind(key: str, value: Any, kind: Kind, read: Value, unit: str) -> None:
    knowledge = known_context({"incident": {key: value}}).facts
    assert knowledge.find_key(kind, read, unit)[0].path == f"incident.{key}"


def test_prose_at_any_depth_is_read() -> None:
    knowledge = known_context({"a": [{"b": ["update every 15 minutes"]}]}).facts
    (known,) = knowledge.find_key("duration", Fraction(900))
    assert (known.path, known.fact.role) == ("a[0].b[0]", "every")


def test_booleans_are_no_numbers() -> None:
    assert known_context({"flag": True}).facts.facts == ()


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**5000, "9" * 5000, {2: True}, {"a": object()}],
    ids=["nan", "inf", "long", "long text", "number as key", "no JSON"],
)
def test_unreadable_values_allow_nothing_and_raise_nothing(value: Any) -> None:
    assert not known_context({"x": value}).facts.find_key("count", Fraction(1))


def test_deeply_nested_context_is_read() -> None:
    context: dict[str, Any] = {"eta_minutes": 45}
    for _ in range(5000):
        context = {"a": context}
    assert known_context(context).facts.find_key("duration", Fraction(2700))


@given(st.dictionaries(st.text(max_size=12), JSON, max_size=4))
def test_any_json_can_be_read(context: dict[str, Any]) -> None:
    assert known_context(context).facts is not None
