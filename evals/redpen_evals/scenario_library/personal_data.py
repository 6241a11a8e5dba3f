"""Warnings about real persons' data in a library, whose files are shared and sent to models."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

import yaml
from pydantic import TypeAdapter

from redpen.gateway.personal_data import shapes_in
from redpen.yaml_files.problem import FileError, Problem
from redpen.yaml_files.source import read_text
from redpen_evals.scenario_library.layout import Layout, library_files

_MAX_WARNINGS = 50
_AT = re.compile(r"\s?(?:@|%40|\[at\]|\(at\))\s?", re.IGNORECASE)
_MAY_CONTAIN = re.compile(r"[@\d\[(]")
_INVISIBLE = frozenset({"Cf", "Mn", "Me"})
_PHONE = "national phone number"
_LONG = frozenset({"card number", "bank account number"})
_SOCIAL_SECURITY = "social security number"
_SOCIAL_SECURITY_SHAPE = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")


_BARE: Final[Mapping[str, Callable[[str], str]]] = {
    "digits": lambda text: "".join(filter(str.isdecimal, text)),
    "domain": lambda text: _AT.split(text)[-1].lower(),
    "joined": lambda text: text.replace(" ", "").lower(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sort:
    """One sort of personal data; ``personal_data.yaml`` describes its fields."""

    name: str
    shapes: tuple[str, ...]
    bare: Literal["digits", "domain", "joined"]
    fictional: str
    instead: str

    def may_be_real(self, piece: str) -> bool:
        """Return whether a piece of a text is outside of the fictional ranges."""
        pattern = re.compile(self.fictional, re.VERBOSE | re.IGNORECASE)
        return pattern.search(_BARE[self.bare](piece)) is None


@cache
def _sorts() -> Mapping[str, _Sort]:
    """Return the sorts of personal data by their shapes."""
    text = resources.files("redpen_evals.scenario_library").joinpath("personal_data.yaml").read_text("utf-8")
    sorts = TypeAdapter(list[_Sort]).validate_python(yaml.safe_load(text))
    return {shape: sort for sort in sorts for shape in sort.shapes}


def personal_data_warnings(layout: Layout) -> tuple[Problem, ...]:
    """Return a warning for every line of the library that may contain real personal data.

    Warnings never contain the data itself. The checks of the library report unreadable files.
    """
    return tuple(
        warning
        for folder in ("contexts", "plans", *layout.folders(), "drafts")
        for path in library_files(layout.scenarios / folder)
        for warning in _warnings_of(layout, path)
    )


def real_ones_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece of a text that may be real personal data, with the name of its sort."""
    return ((piece, sort.name) for piece, sort in _real_data(text))


def _real_data(text: str) -> Iterator[tuple[str, _Sort]]:
    if not _MAY_CONTAIN.search(text):
        return
    sorts = _sorts()
    matches = [(sorts[name], match) for name, match in shapes_in(text) if name in sorts]
    matches += [(sorts[_SOCIAL_SECURITY], match) for match in _SOCIAL_SECURITY_SHAPE.finditer(text)]
    # The groups of a longer number may look like a phone number.
    longer = [match.span() for sort, match in matches if not _LONG.isdisjoint(sort.shapes)]
    for sort, match in matches:
        is_phone = sort is sorts[_PHONE]
        part = is_phone and any(match.start() < end and start < match.end() for start, end in longer)
        if not part and sort.may_be_real(match.group()):
            yield match.group(), sort


def _warnings_of(layout: Layout, path: Path) -> tuple[Problem, ...]:
    try:
        text = read_text(layout.check_place(path))
    except FileError:
        return ()
    lines_and_sorts: dict[tuple[int, _Sort], None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if _MAY_CONTAIN.search(line):
            visible = "".join(char for char in line if unicodedata.category(char) not in _INVISIBLE)
            found = _real_data(unicodedata.normalize("NFKC", visible))
            lines_and_sorts |= dict.fromkeys((number, sort) for _, sort in found)
    texts = [
        (number, f"warning: {sort.name}, maybe a real one; write {sort.instead}")
        for number, sort in lines_and_sorts
    ]
    return tuple(Problem(path=path, line=line, field="", text=text) for line, text in texts[:_MAX_WARNINGS])
