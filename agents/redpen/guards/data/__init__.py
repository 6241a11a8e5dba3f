"""Words and rows of policy data, in files beside this one; each is read when it is first asked for."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def data_path(name: str) -> Path:
    """Return where a data file lies."""
    return _FOLDER / name


def read_words(name: str) -> list[str]:
    """Return the rows of ``name.txt``: one a line, without blank lines and lines that begin with ``#``."""
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return [row for line in text.splitlines() if (row := line.strip()) and not row.startswith("#")]
