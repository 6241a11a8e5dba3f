"""Line numbers of values in a JSON text."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.baseline import json_places, line_of, repeated_key, shown_location

TEXTS = st.text(alphabet='ab"\\\n{}[]:,é', max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def _locations(value, location=()):
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in parts:
        yield (*location, part)
        yield from _locations(item, (*location, part))


@given(VALUES)
def test_every_value_is_listed_once_in_text_order(value):
    for indent in (None, 1):
        text = json.dumps(value, indent=indent, ensure_ascii=False)
        assert [place for place, _ in json_places(text)] == list(_locations(value))
        assert repeated_key(text) is None


@given(VALUES)
def test_line_is_where_value_begins(value):
    text = json.dumps(value, indent=1)
    lines = text.split("\n")
    for place, line in json_places(text):
        begins = json.dumps(place[-1]) + ":" if isinstance(place[-1], str) else ""
        assert lines[line - 1].strip().startswith(begins)
        assert line == line_of(text, place)
    found = [line for _, line in json_places(text)]
    assert found == sorted(found)


def test_line_of_missing_place_is_that_of_its_parent():
    text = '{\n "a": [\n  {\n   "b": 1}]}'
    assert line_of(text, ("a", 0, "c")) == 3
    assert line_of(text, ("x", "y")) == 1


def test_repeated_key_is_located_at_second_occurrence():
    assert repeated_key('{"a": {"b": 1},\n "c": {"b": 1,\n "b": 2}}') == (("c", "b"), 3)


def test_location_is_shown_as_code_path():
    assert shown_location(("accepted", 3, "calls")) == "accepted[3].calls"
    assert shown_location(()) == ""
