"""A process of somebody else's: started, fed, read within bounds, and gone when it is over."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

MAX_OUTPUT_BYTES: Final = 1_000_000
"""What a process may say on standard output."""

_MAX_ERROR_BYTES: Final = 64_000
_PIECE_BYTES: Final = 65_536
_GRACE_S: Final = 1.0
"""How long output is waited for that a process left in its pipes, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended.

    Attributes:
        status: exit status, below zero for the signal that ended it; None where its time was over or it said
            too much, and it was killed.
        output: what it said on standard output.
        errors: the last of what it said on standard error.
        said_too_much: whether it went over ``MAX_OUTPUT_BYTES``.
    """

    status: int | None
    output: bytes
    errors: bytes
    said_too_much: bool


def run_process(
    command: Sequence[str],
    *,
    given: bytes,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
) -> Ended:
    """Run a process to its end; nothing that it started in its process group is left running.

    Args:
        command: program and arguments.
        given: what it reads on standard input.
        folder: where it works.
        environment: its variables, all of them.
        seconds: how long it may take.

    Raises:
        OSError: it cannot be started.
        ValueError: an argument or a variable holds what none can.
    """
    process = subprocess.Popen(  # noqa: S603 - the user's own command, and no shell reads it
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=folder,
        env=dict(environment),
        start_new_session=True,
    )
    over = threading.Event()
    output = _Reader(process.stdout, most=MAX_OUTPUT_BYTES, over=over)
    errors = _Reader(process.stderr, most=_MAX_ERROR_BYTES)
    has_ended = threading.Event()

    def wait() -> None:
        _wait_for_exit(process)
        has_ended.set()
        over.set()

    threads = [
        threading.Thread(target=work, name="redpen-command", daemon=True)
        for work in (output.read, errors.read, lambda: _feed(process.stdin, given), wait)
    ]
    try:
        for thread in threads:
            thread.start()
        over.wait(max(seconds, 0))
        ended_by_itself = has_ended.is_set()
    finally:
        # What it has started is to end with it, also where it has ended well.
        _kill(process)
        process.wait()
        for thread in threads:
            if thread.ident is not None:
                # A process that has left the group may keep its end of a pipe open.
                thread.join(_GRACE_S)
    ended_in_time = ended_by_itself and not output.said_too_much
    return Ended(
        status=process.returncode if ended_in_time else None,
        output=output.content,
        errors=errors.content,
        said_too_much=output.said_too_much,
    )


class _Reader:
    """Reads a pipe to its end: of one with an event the beginning is kept, of any other the end."""

    def __init__(self, stream: Any, *, most: int, over: threading.Event | None = None) -> None:
        self._stream = stream
        self._most = most
        self._over = over
        self._content = bytearray()
        self.said_too_much = False

    @property
    def content(self) -> bytes:
        """What was kept."""
        return bytes(self._content)

    def read(self) -> None:
        """Read until everybody has closed the other end."""
        with self._stream, contextlib.suppress(OSError):
            while piece := self._stream.read(_PIECE_BYTES):
                if self.said_too_much and self._over is not None:
                    continue
                self._content += piece
                if len(self._content) <= self._most:
                    continue
                self.said_too_much = True
                if self._over is None:
                    del self._content[: -self._most]
                else:
                    self._over.set()


def _feed(stream: Any, given: bytes) -> None:
    # A program may end, or close its input, without having read it.
    with contextlib.suppress(OSError), stream:
        rest = memoryview(given)
        while rest:
            rest = rest[stream.write(rest) :]


def _wait_for_exit(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "waitid"):
        # It stays a child until its group is killed: the number of the group cannot be another's meanwhile.
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
