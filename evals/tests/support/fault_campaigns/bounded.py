"""Functions called in forked children, each with a limit of time and memory."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

from fault_campaigns.forked import in_child

MAX_SECONDS = 10
"""Time limit of one function; generous, because the machine may be busy."""

MAX_EXTRA_BYTES = 768_000_000
"""Address space that the functions may take in addition to that of the process."""

_STATUS = Path("/proc/self/statm")


def in_bounds(
    works: Sequence[Callable[[], str]], *, note: Path, seconds: int = MAX_SECONDS
) -> list[str | None]:
    """Call functions one after another, and return their results.

    Args:
        works: the functions; only their changes of files last.
        note: a file for the results of the child; it is overwritten.
        seconds: time limit of one function.

    Returns:
        A text for each function; None for one that hung, took too much memory, raised or crashed.
    """
    reported: list[str | None] = []
    while len(reported) < len(works):
        note.write_bytes(b"")
        left = works[len(reported) :]
        in_child(lambda left=left: _call_each(left, note, seconds))  # type: ignore[misc]
        lines = note.read_text(encoding="ascii").splitlines()
        reported += map(json.loads, lines)
        # The function that ended its child has written nothing; the next child continues after it.
        reported += [None] * (len(lines) < len(left))
    return reported


def _call_each(works: Sequence[Callable[[], str]], note: Path, seconds: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # Where the system does not support this limit, the time limit still detects a hang.
    with contextlib.suppress(OSError, ValueError):
        size = int(_STATUS.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + MAX_EXTRA_BYTES,) * 2)
    with note.open("a", encoding="ascii") as file:
        for work in works:
            signal.alarm(seconds)
            file.write(json.dumps(work()) + "\n")
            file.flush()
