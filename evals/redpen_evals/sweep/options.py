"""Parsing of a sweep's command line options."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.sweep.judges import FIELDS


def pairs_of(values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return ``FIELD=COLUMN`` options as pairs.

    Raises:
        ConfigurationError: a value is not such a pair, names no field, or a field twice.
    """
    columns: dict[str, str] = {}
    for value in values:
        field, equals, column = value.partition("=")
        if not (equals and column):
            raise ConfigurationError(f"--map {value!r}: write FIELD=COLUMN, such as text=body")
        if field not in FIELDS:
            hint = suggestion(field, FIELDS)
            known = ", ".join(FIELDS)
            raise ConfigurationError(f"--map {value!r}: there is no field {field!r}{hint}: {known}")
        if field in columns:
            raise ConfigurationError(f"--map {value!r}: {field!r} is given twice")
        columns[field] = column
    return tuple(columns.items())


def interpreter_of(value: str) -> str:
    """Return the interpreter that ``redpen@PYTHON`` names.

    Raises:
        ConfigurationError: the value has another form, or there is no such interpreter.
    """
    name, at, path = value.partition("@")
    if name != "redpen" or not at:
        raise ConfigurationError(f"--against {value!r}: write redpen@PYTHON, such as redpen@old/bin/python")
    executable = shutil.which(path)
    if executable is None:
        raise ConfigurationError(f"--against {value!r}: there is no interpreter {path}")
    return executable
