"""JSON values: strict parsing of text and copying of Python values."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.json_values import (
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    copy_json,
    copy_object,
    parse_json,
    printable,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "no json",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 1} and more',
        '```json\n{"a": 1}\n```',
        '{"a": 1, "a": 1}',
        '{"a": {"b": 1, "b": 2}}',
        '[{"b": 1, "b": 2}]',
        "[" * 100_000,
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        '{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
        "9" * (MAX_INTEGER_DIGITS + 1),
        "-" + "9" * (MAX_INTEGER_DIGITS + 1),
        '{"a": [' + "1" * 100_000 + "]}",
        r'"\ud800"',
        r'{"a": "x\udfffy"}',
        r'{"\ud83d": 1}',
    ],
    ids=lambda text: repr(text[:24]),
)
def test_invalid_or_oversized_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"draft": "ok"}', {"draft": "ok"}),
        (' [1, 2.5, null, true, "ж"] ', [1, 2.5, None, True, "ж"]),
        (r'"\ud83d\ude00"', "😀"),
        ("9" * MAX_INTEGER_DIGITS, int("9" * MAX_INTEGER_DIGITS)),
        ("1e999", math.inf),
    ],
    ids=lambda value: repr(value)[:20] if isinstance(value, str) else "value",
)
def test_valid_json_is_parsed(text: str, value: object) -> None:
    assert parse_json(text) == value


def test_deepest_allowed_value_is_parsed() -> None:
    assert json.dumps(parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)) == "[" * MAX_DEPTH + "]" * MAX_DEPTH


@given(JSON)
def test_json_value_round_trips(value: Any) -> None:
    assert parse_json(json.dumps(value)) == value
    assert copy_json(value) == value


def test_copy_shares_no_objects() -> None:
    given_value = {"a": [{"b": 1}]}
    copy = copy_object(given_value)
    given_value["a"][0]["b"] = 2
    assert copy == {"a": [{"b": 1}]}


def test_mappings_and_tuples_become_objects_and_lists() -> None:
    value = MappingProxyType({"a": (1, OrderedDict(b=2))})
    assert copy_object(value) == {"a": [1, {"b": 2}]}


def cycle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    "value",
    [
        {1: "a"},
        {"a": {1, 2}},
        {"a": b"x"},
        {"a": object()},
        {"a": "\ud800"},
        {"\ud800": 1},
        cycle(),
        {"a": 10**MAX_INTEGER_DIGITS},
        {"a": -(10**MAX_INTEGER_DIGITS)},
    ],
    ids=lambda value: next(iter(map(repr, value)))[:12],
)
def test_value_without_json_form_is_not_copied(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        copy_json(value)


@pytest.mark.parametrize("value", [None, [], "text", 1, [{"a": 1}]])
def test_copy_object_refuses_other_values(value: object) -> None:
    with pytest.raises(ValueError, match="object"):
        copy_object(value)


def test_printable_values_are_standard_json() -> None:
    value = printable({"a": [math.nan, math.inf, -math.inf, 1.5], "b": {"c": math.nan}})
    assert json.loads(json.dumps(value, allow_nan=False)) == {
        "a": ["nan", "inf", "-inf", 1.5],
        "b": {"c": "nan"},
    }
