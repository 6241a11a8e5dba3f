"""Paths to values inside a result."""

from __future__ import annotations

import pytest

from redpen_evals.checks.paths import MISSING, is_path, value_at

VALUE = {"a": {"b-c": [10, {"d": None}]}, "x y": 1, "list": [[1, 2], [3]]}

FOUND = {
    "a": VALUE["a"],
    "a.b-c[0]": 10,
    "a.b-c[1].d": None,
    "a.b-c[-1].d": None,
    "a.b-c[-2]": 10,
    "x y": 1,
    "list[1][0]": 3,
    "list[-1][-1]": 3,
}


@pytest.mark.parametrize(("path", "value"), FOUND.items(), ids=list(FOUND))
def test_path_gives_its_value(path, value):
    assert is_path(path)
    assert value_at(VALUE, path) == value


@pytest.mark.parametrize(
    "path", ["b", "a.d", "a[0]", "a.b-c[2]", "a.b-c[-3]", "a.b-c.d", "list.0", "x y.z", "a.b-c[1].d.e"]
)
def test_path_to_missing_value_gives_missing(path):
    assert is_path(path)
    assert value_at(VALUE, path) is MISSING
    assert repr(MISSING) == "nothing"


@pytest.mark.parametrize("text", ["", "a[", "a[x]", "a..b", "[]", "a[1", "a]", "a.", "a[1.5]", "."])
def test_invalid_path_is_refused(text):
    assert not is_path(text)
    if text:
        with pytest.raises(ValueError, match="is not a path"):
            value_at({"a": {"b": [[1]]}}, text)
