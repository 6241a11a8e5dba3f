"""Reading a small TOML file that somebody else may have written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.plain_file import read_plain_file

MAX_BYTES: Final = 200_000
MAX_LINE_CHARS: Final = 1_000
"""Longest line: a key with many dots stands on one, and takes time by the square of its parts."""

_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_SHOWN_CHARS: Final = 200


def read_toml(path: Path, *, parse_float: Callable[[str], Any] = float) -> tuple[str, dict[str, Any]]:
    """Read a TOML file.

    Args:
        path: a file of at most ``MAX_BYTES`` bytes, UTF-8.
        parse_float: makes a number of its text; raises ValueError for one that it cannot hold.

    Returns:
        The text and its tables.

    Raises:
        FileNotFoundError: there is none.
        ConfigurationError: it cannot be read, or is no TOML.
    """
    try:
        # Windows editors put a byte order mark in front.
        text = read_plain_file(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is no UTF-8 at byte {error.start}") from error
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE_CHARS:
            raise ConfigurationError(f"{path}:{number}: longer than {MAX_LINE_CHARS:,} characters")
    try:
        return text, tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line_number = (place and place[1]) or len(text.splitlines())
        problem = _PLACE.sub("", str(error))
        raise ConfigurationError(f"{path}:{line_number}: no TOML: {problem}") from error
    except (ValueError, RecursionError) as error:
        problem = "nested too deep" if isinstance(error, RecursionError) else str(error)[:_SHOWN_CHARS]
        raise ConfigurationError(f"{path}: no TOML that can be read: {problem}") from None
