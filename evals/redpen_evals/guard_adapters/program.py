"""A guard that is a program, with one line of JSON per text on its input, and per verdict on its output."""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from redpen.errors import ConfigurationError
from redpen.screen import shown
from redpen.text.json_values import parse_json

TIMEOUT_S: Final = 5.0
"""Time limit for one text, in seconds."""

_MAX_LINE_BYTES: Final = 1_000_000
_MAX_ERROR_CHARS: Final = 300


class CommandGuardError(Exception):
    """The program gave no verdict on a text; the message says why."""


class CommandGuard:
    """Judges texts with a program that runs until it is closed; it is restarted if it ends.

    Each line of its input is an object with ``original``, ``revised`` and ``context``; for each it has to
    write and flush one line with a verdict that ``read_verdict`` accepts.

    Args:
        command: program and arguments, split as in a shell, but run without one.
        folder: its working directory.
        environment: all of its environment variables; None for those of this process.
        timeout_s: time limit for one text, in seconds.

    Raises:
        ConfigurationError: the command is empty, has an open quote, or cannot be started.
    """

    def __init__(
        self,
        command: str,
        *,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ConfigurationError(f"--command {command!r}: {error}") from None
        if not self._command:
            raise ConfigurationError("--command: give a program, such as './guard --json'")
        self._folder = folder
        self._environment = environment
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: list[str] = []
        self._error_reader: threading.Thread | None = None
        self._start()

    def __call__(self, original: str, revised: str, context: Mapping[str, Any]) -> object:
        """Return the program's verdict on one text; raises CommandGuardError if it gives none."""
        process = (
            self._process if self._process is not None and self._process.poll() is None else self._start()
        )
        line = json.dumps({"original": original, "revised": revised, "context": dict(context)})
        # A write to a program that has ended fails; the missing answer is reported below.
        with contextlib.suppress(OSError):
            assert process.stdin is not None  # noqa: S101 - started with a pipe
            process.stdin.write(f"{line}\n".encode("ascii"))
            process.stdin.flush()
        try:
            answer = self._lines.get(timeout=self._timeout_s)
        except queue.Empty:
            self._end()
            raise CommandGuardError(f"it gave no verdict within {self._timeout_s:g} s") from None
        if answer is None:
            status = self._end()
            if self._error_reader is not None:
                # A child of the program may hold the pipe open, so the wait is bounded.
                self._error_reader.join(timeout=1)
            last_error = f": {self._errors[-1]}" if self._errors else ""
            raise CommandGuardError(f"it ended with status {status} instead of giving a verdict{last_error}")
        return _verdict(answer)

    def __enter__(self) -> Self:
        """Return the running guard."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the program."""
        self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        self._end()
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, run without a shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=None if self._environment is None else dict(self._environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            message = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ConfigurationError(
                f"--command: {self._command[0]!r} cannot be started: {message}"
            ) from None
        self._lines, self._errors = queue.SimpleQueue(), []
        threading.Thread(target=_read_output, args=(process, self._lines), daemon=True).start()
        self._error_reader = threading.Thread(target=_read_errors, args=(process, self._errors), daemon=True)
        self._error_reader.start()
        self._process = process
        return process

    def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            # Most programs end at the end of their input.
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _read_output(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    if process.stdout is None:
        return
    with process.stdout as stream:
        while line := stream.readline(_MAX_LINE_BYTES):
            if line.strip():
                lines.put(line)
    lines.put(None)


def _read_errors(process: subprocess.Popen[bytes], errors: list[str]) -> None:
    """Store the last line of the program's standard error."""
    if process.stderr is None:
        return
    with process.stderr as stream:
        for line in stream:
            if line.strip():
                errors[:] = [shown(line.decode("utf-8", "replace").strip()[:_MAX_ERROR_CHARS])]


def _verdict(line: bytes) -> object:
    try:
        return parse_json(line.decode("utf-8"))
    except ValueError as error:
        start = shown(line[:80].decode("utf-8", "replace").strip())
        raise CommandGuardError(f"its line {start!r} is not valid JSON: {error}") from None
