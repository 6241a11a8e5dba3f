"""Work in a forked child of this process, which has everything imported: a fault costs milliseconds."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

EXIT_RAISED = 97
NOBODY = 65_534


def can_fork() -> bool:
    """Whether this system forks at all."""
    return hasattr(os, "fork")


def in_child(work: Callable[[], None]) -> int:
    """Do some work in a child process and wait for it.

    Args:
        work: what the child does; its writes to files are all that is left of it.

    Returns:
        The child's exit code: 0, 97 if the work raised, or the negative number of the signal that ended it.
    """
    return wait_for(start_child(work))


def start_child(work: Callable[[], None]) -> int:
    """Start some work in a child process; returns its process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # The child goes on with one thread of its own and starts others itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if not process:
        _child(work)
    return process


def wait_for(process: int) -> int:
    """Wait for a child and return its exit code, as ``in_child`` does."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def as_nobody(work: Callable[[], None]) -> None:
    """Do some work without the rights of root, whom no folder is closed to."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    work()


def _child(work: Callable[[], None]) -> NoReturn:
    try:
        work()
    except BaseException:  # noqa: BLE001 - nothing of the child may run on in the parent's code
        os._exit(EXIT_RAISED)
    os._exit(0)
