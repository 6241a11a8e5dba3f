"""The lines of a JSON text: where each value begins, and which keys stand twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Location: TypeAlias = tuple[str | int, ...]

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|\n|[^\s"\[\]{}:,]+')


@dataclass(slots=True, kw_only=True)
class _Open:
    """An object or array that is being read; ``part`` is the key or number of what comes next in it."""

    in_object: bool
    part: str | int | None


def json_places(text: str) -> Iterator[tuple[Location, int]]:
    """Yield the place of every value with its line, from 1, in the order of the text.

    A key that stands twice in its object is yielded twice.

    Args:
        text: valid JSON.
    """
    line, opened, wants_key = 1, list[_Open](), False
    for match in _MARK.finditer(text):
        mark = match[0]
        if mark == "\n":
            line += 1
        elif wants_key and mark.startswith('"'):
            opened[-1].part, wants_key = json.loads(mark), False
            yield _location(opened), line
        elif mark in "]}":
            opened.pop()
            wants_key = False
        elif mark == ",":
            wants_key = opened[-1].in_object
            if isinstance(at := opened[-1].part, int):
                opened[-1].part = at + 1
        elif mark != ":":
            # A value; that of a key has been told of with the key.
            if opened and not opened[-1].in_object:
                yield _location(opened), line
            if mark in "[{":
                wants_key = mark == "{"
                opened.append(_Open(in_object=wants_key, part=None if wants_key else 0))


def line_of(text: str, location: Location) -> int:
    """Return the line of a value, or of the nearest one around it.

    Args:
        text: valid JSON.
        location: keys and, from 0, numbers.
    """
    nearest, found = 0, 1
    for place, line in json_places(text):
        if len(place) > nearest and place == location[: len(place)]:
            nearest, found = len(place), line
            if nearest == len(location):
                break
    return found


def repeated_key(text: str) -> tuple[Location, int] | None:
    """Return the place and line of the first key that stands twice in its object, or None."""
    seen = set[Location]()
    for place, line in json_places(text):
        if place in seen:
            return place, line
        seen.add(place)
    return None


def shown_location(location: Location) -> str:
    """Return a location for people: ``accepted[3].calls``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _location(opened: list[_Open]) -> Location:
    return tuple(one.part for one in opened if one.part is not None)
