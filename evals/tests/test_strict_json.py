"""Strict JSON: ambiguous, invalid or oversized documents are refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.strict_json import MAX_DEPTH, MAX_DIGITS, check_texts, parse_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda children: st.lists(children) | st.dictionaries(TEXTS, children),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_json_written_by_python_round_trips(value, ascii_only):
    assert repr(parse_json(json.dumps(value, ensure_ascii=ascii_only))) == repr(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value"),
        ("{", "Expecting property name"),
        ("[1,]", "Expecting value|trailing comma"),
        ('{"a": 1, "a": 1}', "the key 'a' appears twice in one object"),
        ('{"b": {"a": 1, "a": 1}}', "the key 'a' appears twice in one object"),
        ("NaN", "NaN is not valid JSON"),
        ("[-Infinity]", "-Infinity is not valid JSON"),
        ("1e999", "1e999 is out of range"),
        ("9" * (MAX_DIGITS + 1), "99999999999999999999… is out of range"),
        (r'"\ud800"', "a lone surrogate"),
        (r'{"\udfff": 1}', "a lone surrogate"),
        (r'[[{"a": ["\ud83d"]}]]', "a lone surrogate"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested too deep"),
        ("[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ("[" + "1," * 1_000_000 + "1]", "more than 1,000,000 values"),
        ("[" + "[]," * 1_000_000 + "1]", "more than 1,000,000 values"),
    ],
)
def test_ambiguous_or_oversized_json_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_json(text)


def test_limits_are_inclusive():
    assert parse_json("9" * MAX_DIGITS) == 10**MAX_DIGITS - 1
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert parse_json("[[[]]]", max_depth=3) == [[[]]]
    with pytest.raises(ValueError, match="nested too deep"):
        parse_json("[[[]]]", max_depth=2)
    assert parse_json("[1, 2]", max_values=2) == [1, 2]
    with pytest.raises(ValueError, match="more than 1 values"):
        parse_json("[1, 2]", max_values=1)


def test_surrogate_pair_is_one_character():
    assert parse_json(r'"\ud83d\ude42"') == "🙂"


@pytest.mark.parametrize("value", ["é", {"ж": ["🙂", {"a": 1}]}, [None, 1.5, True], {}])
def test_valid_unicode_texts_pass_check(value):
    check_texts(value)
