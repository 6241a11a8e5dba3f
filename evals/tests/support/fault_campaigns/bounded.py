"""Work in forked children, each piece of which may take only so long, and only so much memory."""

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
"""Time of one piece; on a machine that is busy it takes a multiple of its own."""

MAX_EXTRA_BYTES = 768_000_000
"""Address space that the work may take on top of what the process has."""

_STATUS = Path("/proc/self/statm")


def in_bounds(
    works: Sequence[Callable[[], str]], *, note: Path, seconds: int = MAX_SECONDS
) -> list[str | None]:
    """Do pieces of work one after another, and return what each says.

    Args:
        works: the pieces; what they change but files is lost.
        note: a file through which the child tells; it is written anew.
        seconds: time that a piece may take.

    Returns:
        A text for each piece; None for one that hung, took too much memory, raised or crashed.
    """
    reported: list[str | None] = []
    while len(reported) < len(works):
        note.write_bytes(b"")
        left = works[len(reported) :]
        in_child(lambda left=left: _tell(left, note, seconds))  # type: ignore[misc]
        lines = note.read_text(encoding="ascii").splitlines()
        reported += map(json.loads, lines)
        # The one that ended its child has told nothing; the next child goes on behind it.
        reported += [None] * (len(lines) < len(left))
    return reported


def _tell(works: Sequence[Callable[[], str]], note: Path, seconds: int) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # A limit that the system does not know leaves the time, which is what a hang is noticed by.
    with contextlib.suppress(OSError, ValueError):
        size = int(_STATUS.read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + MAX_EXTRA_BYTES,) * 2)
    with note.open("a", encoding="ascii") as file:
        for work in works:
            signal.alarm(seconds)
            file.write(json.dumps(work()) + "\n")
            file.flush()
