"""The import path of a project's own guards."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def importable(paths: Sequence[Path]) -> Iterator[None]:
    """Add folders to the import path in the block; guards may import modules when they are called."""
    before = sys.path[:]
    sys.path[:0] = [str(path) for path in paths if str(path) not in sys.path]
    try:
        yield
    finally:
        sys.path[:] = before
