"""Parses the command line options of a sweep."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.sweep.judges import FIELDS


def pairs_of(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return ``FIELD=COLUMN`` options as pairs.

    Raises:
        ConfigurationError: one is no such pair, names no field, or a field twice.
    """
    found: dict[str, str] = {}
    for one in given:
        field, equals, column = one.partition("=")
        if not (equals and column):
            raise ConfigurationError(f"--map {one!r}: write FIELD=COLUMN, such as text=body")
        if field not in FIELDS:
            hint = suggestion(field, FIELDS)
            raise ConfigurationError(f"--map {one!r}: there is no field {field!r}{hint}: {', '.join(FIELDS)}")
        if field in found:
            raise ConfigurationError(f"--map {one!r}: {field!r} is given twice")
        found[field] = column
    return tuple(found.items())


def interpreter_of(given: str) -> str:
    """Return the interpreter that ``redpen@PYTHON`` names.

    Raises:
        ConfigurationError: it is written otherwise, or cannot be run.
    """
    name, at, path = given.partition("@")
    if name != "redpen" or not at:
        raise ConfigurationError(f"--against {given!r}: write redpen@PYTHON, such as redpen@old/bin/python")
    found = shutil.which(path)
    if found is None:
        raise ConfigurationError(f"--against {given!r}: there is no interpreter {path}")
    return found
