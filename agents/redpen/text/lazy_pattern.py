"""Regular expressions compiled on first use, because compiling all of them dominates the import time."""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """Proxy of a compiled pattern; copies each attribute on first access."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        # Further accesses bypass this method.
        setattr(self, name, found)
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled on first use.

    Args:
        pattern: a regular expression; an invalid one raises ``re.error`` on first use.
        flags: as for ``re.compile``.
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
