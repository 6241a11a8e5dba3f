"""Python before 3.11.5 keeps what a failed repetition of a possessive group matched: "10." for "10"."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import redpen.guards
import redpen.text

_PARSER = importlib.import_module("re._parser")
_SINGLE = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY")


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for package in (redpen.guards, redpen.text):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                if hasattr(value, "pattern") and hasattr(value, "finditer"):
                    yield f"{found.name}.{name}", value


def _possessive_groups(parsed: object) -> Iterator[object]:
    """Yield the possessive repetitions of more than one character in a parsed pattern."""
    if isinstance(parsed, (list, tuple, _PARSER.SubPattern)):
        for item in parsed:
            yield from _possessive_groups(item)
        if isinstance(parsed, tuple) and str(parsed[:1]) == "(POSSESSIVE_REPEAT,)":
            items = list(parsed[1][2])
            if len(items) != 1 or str(items[0][0]) not in _SINGLE:
                yield items


@pytest.mark.parametrize(
    ("pattern", "count"), [(r"\d++(?:[.,]\d++)*+", 1), (r"\d++(?>(?:[.,]\d++)*)", 0), (r"(?:a|b(?:cd)?+)", 1)]
)
def test_possessive_groups_are_recognised(pattern: str, count: int) -> None:
    assert len(list(_possessive_groups(_PARSER.parse(pattern)))) == count


def test_no_pattern_repeats_a_group_possessively() -> None:
    patterns = dict(_patterns())
    assert len(patterns) > 50
    assert not [
        name
        for name, pattern in patterns.items()
        if list(_possessive_groups(_PARSER.parse(pattern.pattern, pattern.flags)))
    ]
