"""Values inside a result, by a path such as ``trace[2].attempts_used``."""

from __future__ import annotations

import re
from typing import Any, Final

_STEP = re.compile(r"\.?([^.\[\]]+)|\[(-?[0-9]{1,6})\]")

_PATH = re.compile(rf"(?:{_STEP.pattern})+")


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = _Missing()
"""The value of a path that does not exist."""


def is_path(text: str) -> bool:
    """Return whether a text is a path: keys joined by dots, list positions in brackets."""
    return _PATH.fullmatch(text) is not None


def value_at(value: Any, path: str) -> Any:
    """Return the value at a path, or ``MISSING``.

    Args:
        value: JSON values.
        path: keys joined by dots, list positions in brackets; negative ones count from the end.

    Raises:
        ValueError: the text is not a path.
    """
    position = 0
    while position < len(path):
        step = _STEP.match(path, position)
        if step is None:
            raise ValueError(f"{path!r} is not a path: keys joined by dots, list positions in brackets")
        value = _descend(value, key=step[1], index=step[2])
        position = step.end()
    return value


def _descend(value: Any, *, key: str | None, index: str | None) -> Any:
    if key is not None:
        return value.get(key, MISSING) if isinstance(value, dict) else MISSING
    if not isinstance(value, list) or index is None:
        return MISSING
    position = int(index)
    return value[position] if -len(value) <= position < len(value) else MISSING
