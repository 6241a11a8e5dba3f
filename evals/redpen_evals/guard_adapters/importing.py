"""Where the modules of a project's own guards are found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def importable(paths: Sequence[Path]) -> Iterator[None]:
    """Let modules be imported from some folders for as long; guards may import more when they are called."""
    before = sys.path[:]
    sys.path[:0] = [str(path) for path in paths if str(path) not in sys.path]
    try:
        yield
    finally:
        sys.path[:] = before
