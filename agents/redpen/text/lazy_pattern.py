"""Patterns that are compiled at their first use: compiling them all is most of what an import costs."""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """Stands for a compiled pattern whose attributes it takes over, each when it is asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        # From now on it is found without this method.
        setattr(self, name, found)
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used.

    Args:
        pattern: a regular expression; a wrong one raises ``re.error`` at its first use.
        flags: as of ``re.compile``.
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
