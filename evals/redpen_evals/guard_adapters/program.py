"""A guard that is a program: a text a line of JSON on its standard input, a verdict a line on its output."""

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
"""How long a program may take for one text, in seconds."""

_MAX_LINE_BYTES: Final = 1_000_000
_MAX_ERROR_CHARS: Final = 300


class CommandGuardError(Exception):
    """The program gave no verdict on a text; the message says why."""


class CommandGuard:
    """Judges texts by a program that is started once and asked line by line; started again where it ended.

    Each line that it reads is an object with ``original``, ``revised`` and ``context``; for each it has to
    write one line: a verdict in one of the forms that ``read_verdict`` knows, and flush it.

    Args:
        command: program and arguments, as a shell would split them; no shell reads it.
        folder: where it works.
        environment: its variables, all of them; None for those of this process.
        timeout_s: how long it may take for one text, in seconds.

    Raises:
        ConfigurationError: the command is empty or not closed, or cannot be started.
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
            raise ConfigurationError("--command: name a program, such as './guard --json'")
        self._folder = folder
        self._environment = environment
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: list[str] = []
        self._error_reader: threading.Thread | None = None
        self._start()

    def __call__(self, original: str, revised: str, context: Mapping[str, Any]) -> object:
        """Return the program's verdict on one text; raises CommandGuardError where it gives none."""
        process = (
            self._process if self._process is not None and self._process.poll() is None else self._start()
        )
        line = json.dumps({"original": original, "revised": revised, "context": dict(context)})
        # A program that has ended cannot be written to; what it did not answer tells.
        with contextlib.suppress(OSError):
            assert process.stdin is not None  # noqa: S101 - it was started with a pipe
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
            message = f": {self._errors[-1]}" if self._errors else ""
            raise CommandGuardError(f"it ended with status {status} instead of giving a verdict{message}")
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
            process = subprocess.Popen(  # noqa: S603 - the user's own command, and no shell reads it
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
            # A program that reads to the end of its input ends by itself.
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
    """Keep the last line that the program writes to its standard error."""
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
        message = shown(line[:80].decode("utf-8", "replace").strip())
        raise CommandGuardError(f"its line {message!r} is not valid JSON: {error}") from None
