"""Work in a forked child that may take only so long, and only so much memory."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

from redpen_evals.reliability.forked import start_child, wait_for

MAX_SECONDS = 10
MAX_EXTRA_BYTES = 768_000_000
"""Address space that the work may take on top of what the process has."""

_STATUS = Path("/proc/self/statm")


def in_bounds(work: Callable[[], str], *, note: Path) -> str | None:
    """Do some work in a child, and return what it says.

    Args:
        work: what the child does.
        note: a file through which the child tells; it is written anew.

    Returns:
        The text, or None if the child was killed or told nothing: it hung, took too much memory, or crashed.
    """
    note.unlink(missing_ok=True)
    code = wait_for(start_child(lambda: _tell(work, note)))
    return note.read_text(encoding="utf-8") if code == 0 else None


def _tell(work: Callable[[], str], note: Path) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(MAX_SECONDS)
    # A limit that the system does not know leaves the time, which is what a hang is noticed by.
    with contextlib.suppress(OSError, ValueError):
        size = int(_STATUS.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + MAX_EXTRA_BYTES,) * 2)
    note.write_text(work(), encoding="utf-8", errors="backslashreplace")
