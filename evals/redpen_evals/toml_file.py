"""Reading small TOML files, which may be hostile."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.plain_file import read_plain_file

MAX_BYTES: Final = 200_000
MAX_LINE_CHARS: Final = 1_000
"""A key with many dots takes time quadratic in their number, and has to be on one line."""

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_NAME: Final = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY: Final = re.compile(rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*[ \t]*=")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_SHOWN_CHARS: Final = 200


def read_toml(path: Path, *, parse_float: Callable[[str], Any] = float) -> tuple[str, dict[str, Any]]:
    """Read a TOML file.

    Args:
        path: a file of at most ``MAX_BYTES`` bytes, UTF-8.
        parse_float: parses a number; raises ValueError for one that is out of range.

    Returns:
        The text and its tables.

    Raises:
        FileNotFoundError: the file does not exist.
        ConfigurationError: it cannot be read, or is not valid TOML.
    """
    try:
        # Windows editors write a byte order mark.
        text = read_plain_file(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not valid UTF-8 at byte {error.start}") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE_CHARS:
            raise ConfigurationError(f"{path}:{number}: longer than {MAX_LINE_CHARS:,} characters")
    try:
        return text, tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line_number = (place and place[1]) or len(text.splitlines())
        problem = _PLACE.sub("", str(error))
        raise ConfigurationError(f"{path}:{line_number}: is not valid TOML: {problem}") from error
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)[:_SHOWN_CHARS]
        raise ConfigurationError(f"{path}: is not valid TOML: {problem}") from None


def line_of(text: str, where: Sequence[str]) -> int | None:
    """Return the line of a key in a TOML text, or of the nearest table around it, from 1; None for neither.

    Args:
        text: of the file.
        where: the names from the outermost table to the key.
    """
    lines = _lines(text)
    around = (tuple(where[:end]) for end in range(len(where), 0, -1))
    return next((lines[place] for place in around if place in lines), None)


def key_text(name: str) -> str:
    """Return a key in TOML syntax, quoted if necessary."""
    return name if _BARE_KEY.fullmatch(name) else _quoted(name)


# A file may have many faults.
@functools.lru_cache(maxsize=1)
def _lines(text: str) -> Mapping[tuple[str, ...], int]:
    """Return the lines of tables and keys by their names."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line.startswith("["):
            names = table = _names(line)
        elif match := _KEY.match(line):
            names = (*table, *_names(f"{match[0]}0"))
        else:
            continue
        for end in range(1, len(names) + 1):
            lines.setdefault(names[:end], number)
    return lines


def _names(line: str) -> tuple[str, ...]:
    """Return the names in a table's header, or in a key with a value."""
    names: list[str] = []
    # A line of a multi-line array may begin like a header.
    with contextlib.suppress(tomllib.TOMLDecodeError):
        value: object = tomllib.loads(line)
        while isinstance(value, dict) and value:
            name, value = next(iter(value.items()))
            names.append(name)
    return tuple(names)


def _quoted(name: str) -> str:
    # JSON's escapes are valid in TOML.
    return json.dumps(name, ensure_ascii=False)
