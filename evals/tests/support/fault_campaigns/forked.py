"""Functions called in a forked child, which has everything imported, so that a fault costs milliseconds."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

EXIT_RAISED = 97
NOBODY = 65_534


def can_fork() -> bool:
    """Return whether this system can fork."""
    return hasattr(os, "fork")


def in_child(work: Callable[[], None]) -> int:
    """Call a function in a child process and wait for its end.

    Args:
        work: the function; only its writes to files last.

    Returns:
        The child's exit code: 0, 97 if the function raised, or the negative number of its last signal.
    """
    return wait_for(start_child(work))


def start_child(work: Callable[[], None]) -> int:
    """Call a function in a child process, and return the process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # The child continues with one thread, and starts others itself.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if not process:
        _child(work)
    return process


def wait_for(process: int) -> int:
    """Wait for a child and return its exit code, as ``in_child`` does."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def as_nobody(work: Callable[[], None]) -> None:
    """Call a function without the rights of root, who may read and write every folder."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    work()


def _child(work: Callable[[], None]) -> NoReturn:
    try:
        work()
    except BaseException:  # noqa: BLE001 - the child must not continue in the parent's code
        os._exit(EXIT_RAISED)
    os._exit(0)
