"""Reading small TOML files, which may be hostile."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.plain_file import read_plain_file

MAX_BYTES: Final = 200_000
MAX_LINE_CHARS: Final = 1_000
"""A key with many dots takes time quadratic in their number, and has to be on one line."""

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
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
    """Return the line of a key in a TOML text, from 1; None if it is not found.

    Tables with a header are found, and keys of inline tables; the parser itself keeps no lines.

    Args:
        text: of the file.
        where: the names from the outermost table to the key.
    """
    lines, wanted = _lines(text), list(where)
    header = None
    for number, (line, table) in enumerate(lines, start=1):
        if line.startswith("["):
            if table[: len(wanted)] == wanted or table == wanted[:-1]:
                header = header or number
        elif table == wanted[:-1] and _starts_key(line, wanted[-1]):
            return number
    for number, (line, table) in enumerate(lines, start=1):
        if table and table == wanted[:-2] and _starts_key(line, wanted[-2]):
            return number
    return header


def key_text(name: str) -> str:
    """Return a key in TOML syntax, quoted if necessary."""
    return name if _BARE_KEY.fullmatch(name) else _quoted(name)


def _lines(text: str) -> list[tuple[str, list[str]]]:
    """Return the lines of a text, each with the name of its table."""
    table: list[str] = []
    lines = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            table = _header(line)
        lines.append((line, table))
    return lines


def _header(line: str) -> list[str]:
    name: list[str] = []
    try:
        value: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        # A line inside a multi-line array may begin like a header.
        return name
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        name.append(key)
    return name


def _starts_key(line: str, key: str) -> bool:
    return any(re.match(rf"{re.escape(form)}\s*=", line) for form in (key, _quoted(key), f"'{key}'"))


def _quoted(name: str) -> str:
    # JSON's escapes are valid in TOML.
    return json.dumps(name, ensure_ascii=False)
