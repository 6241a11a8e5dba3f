"""Conditions of a policy: operators on paths of a JSON object."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from property_support.texts import any_json
from redpen.policy import Conditions

SITUATION: dict[str, Any] = {
    "severity": "P1",
    "eta": 120,
    "open": True,
    "none": None,
    "tags": ["slow", 3],
    "incident": {"severity": "P0", "region.name": "US", "alerts": [{"count": 4}]},
}


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ({}, True),
        ({"severity": "P1"}, True),
        ({"severity": "p1"}, False),
        ({"severity": ["P0", "P1"]}, True),
        ({"incident.severity": "P0", "eta": {"gt": 100}}, True),
        ({"incident.severity": "P0", "eta": {"gt": 120}}, False),
        ({"eta": {"ge": 120, "le": 120}}, True),
        ({"eta": {"lt": 121}}, True),
        ({"eta": 120.0}, True),
        ({"eta": {"outside": [8, 20]}}, True),
        ({"eta": {"outside": [120, 130]}}, False),
        ({"eta": {"inside": [120, 130]}}, True),
        ({"open": True}, True),
        ({"open": 1}, False),
        ({"none": None}, True),
        ({"none": {"exists": True}}, True),
        ({"tags": {"contains": "slow"}}, True),
        ({"tags": {"contains": "SLOW"}}, False),
        ({"severity": {"contains": "p"}}, True),
        ({"tags.1": 3}, True),
        ({"incident.region.name": "US"}, True),
        ({"incident.alerts.0.count": {"gt": 3}}, True),
        # A missing value satisfies only the negative operators.
        ({"gone": {"ne": 1}}, True),
        ({"gone": {"not_in": [1]}}, True),
        ({"gone": {"exists": False}}, True),
        ({"gone": {"exists": True}}, False),
        ({"gone": None}, False),
        ({"gone": {"lt": 5}}, False),
        ({"tags.7": 3}, False),
        # A value of a type that the operator cannot compare is not an error.
        ({"severity": {"gt": 1}}, False),
        ({"open": {"gt": 0}}, False),
        ({"eta": {"contains": "1"}}, False),
        ({"severity": {"ne": 3}}, True),
    ],
)
def test_condition_is_evaluated_at_its_path(when: Any, expected: bool) -> None:
    assert Conditions.model_validate(when).matches(SITUATION) is expected


def test_path_is_resolved_at_top_level_first_then_under_prefix() -> None:
    within = Conditions.model_validate({"alerts.0.count": 4})
    assert not within.matches(SITUATION)
    assert within.matches(SITUATION, within=("incident",))
    assert Conditions.model_validate({"severity": "P1"}).matches(SITUATION, within=("incident",))


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ({"eta": {}}, "has no operator"),
        ({"eta": {"gtt": 1}}, "eta.gtt"),
        ({"eta": {"gt": "1"}}, "eta.gt"),
        ({"eta": {"gt": True}}, "eta.gt"),
        ({"eta": {"gt": None}}, "has no value"),
        ({"eta": {"inside": [3, 1]}}, "greater than the second"),
        ({"eta": {"in": []}}, "eta.in"),
        ({"eta": {"eq": {"a": 1}}}, "must be a text, a number"),
        ({"": 1}, "at least 1 character"),
    ],
)
def test_invalid_operators_and_values_are_rejected(when: Any, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Conditions.model_validate(when)


@given(value=any_json(), wanted=st.none() | st.booleans() | st.integers() | st.text(max_size=5))
def test_any_value_is_evaluated_and_conditions_round_trip(value: Any, wanted: Any) -> None:
    when = Conditions.model_validate(
        {"a": {"eq": wanted, "not_in": [wanted], "contains": wanted, "gt": 1, "inside": [0, 1]}, "b": wanted}
    )
    assert when.matches({"a": value, "b": value}) is False
    assert Conditions.model_validate(when.model_dump()) == when
    assert Conditions.model_validate_json(when.model_dump_json()) == when
