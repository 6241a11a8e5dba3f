"""Words and rows of policy data, in files beside this one; each is read when it is first asked for.

``words.json`` holds the word tables by room and name: ``words`` is a set (one string a line; the items are
parted by
blanks, or by ``|``, which ends the
line too, where one holds a blank), ``rows`` a map (what the words stand for, then the words), ``texts`` a map
of single texts; ``about`` says what a table is.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from io import FileIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def data_path(name: str) -> Path:
    """Return where a data file lies."""
    from pathlib import Path

    return Path(__path__[0], name)


def _bytes(name: str) -> bytes:
    # Without pathlib, which would be a tenth of what it takes to import the guards.
    with FileIO(f"{__path__[0]}/{name}") as file:
        return file.read()


def read_words(name: str) -> list[str]:
    """Return the rows of ``name.txt``: one a line, without blank lines and lines that begin with ``#``."""
    lines = (line.strip() for line in _bytes(f"{name}.txt").decode().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = json.loads(_bytes("words.json"))
    return tables


def _items(given: list[str]) -> list[str]:
    return [item for line in given for item in (line[:-1].split("|") if line[-1] == "|" else line.split())]


def word_set(room: str, name: str) -> frozenset[str]:
    """Return a set of words of ``words.json``."""
    return frozenset(_items(_tables()[room][name]["words"]))


def lines(room: str, name: str) -> list[str]:
    """Return the lines of a set of words of ``words.json`` as they stand."""
    found: list[str] = _tables()[room][name]["words"]
    return found


def word_map(room: str, name: str) -> dict[str, str]:
    """Return what words stand for, by word, in the order of ``words.json``."""
    return {word: row[0] for row in _tables()[room][name]["rows"] for word in _items(row[1:])}


def count_map(room: str, name: str) -> dict[str, int]:
    """Return the whole numbers that words stand for."""
    return {word: int(value) for word, value in word_map(room, name).items()}


def number_map(room: str, name: str) -> dict[str, Fraction]:
    """Return the numbers that words stand for, exact."""
    return {word: Fraction(value) for word, value in word_map(room, name).items()}


def texts(room: str, name: str) -> dict[str, str]:
    """Return texts by name."""
    found: dict[str, str] = _tables()[room][name]["texts"]
    return found
