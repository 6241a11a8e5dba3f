"""Agents that are commands: input as JSON on standard input, the answer as JSON or text on standard output.

Its model calls go through a proxy of Redpen; ``redpen_evals.targets.proxy`` describes its limits.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from redpen.screen import shortened, shown
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TargetError
from redpen_evals.targets.binding import CONTEXT, Call
from redpen_evals.targets.calling import timed_out
from redpen_evals.targets.proxy import ModelProxy
from redpen_evals.targets.run import Raised, Run
from redpen_evals.targets.turns import converse
from redpen_evals.targets.values import as_json, read_answer

_MAX_OUTPUT_BYTES: Final = 1_000_000
"""Maximum number of bytes that a process may write to standard output."""

_MAX_ERROR_BYTES: Final = 64_000
_PIECE_BYTES: Final = 65_536
_GRACE_S: Final = 1.0
"""Time to read the remaining output of an ended process, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """How a process ended; ``errors`` is the end of its standard error."""

    status: int | None
    """Exit status, negative for the signal that ended it; None if it was killed for its time or output."""
    output: bytes
    errors: bytes
    exceeded: bool


def _run_process(
    command: Sequence[str], *, given: bytes, folder: Path, environment: Mapping[str, str], seconds: float
) -> _Ended:
    """Run a process to its end; nothing that it started in its process group is left running."""
    process = subprocess.Popen(  # noqa: S603 - the user's own command, without a shell
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
    output = _Reader(process.stdout, max_bytes=_MAX_OUTPUT_BYTES, over=over)
    errors = _Reader(process.stderr, max_bytes=_MAX_ERROR_BYTES)
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
        # Processes that it started are ended too, even after a successful exit.
        _kill(process)
        process.wait()
        for thread in threads:
            if thread.ident is not None:
                # A process that has left the group may keep its end of a pipe open.
                thread.join(_GRACE_S)
    ended_in_time = ended_by_itself and not output.exceeded
    return _Ended(
        status=process.returncode if ended_in_time else None,
        output=output.content,
        errors=errors.content,
        exceeded=output.exceeded,
    )


class _Reader:
    """Reads a pipe to its end; keeps the beginning if there is an ``over`` event, else the end."""

    def __init__(self, stream: Any, *, max_bytes: int, over: threading.Event | None = None) -> None:
        self._stream = stream
        self._max_bytes = max_bytes
        self._over = over
        self.content = b""
        self.exceeded = False

    def read(self) -> None:
        """Read until all writers have closed the pipe."""
        with self._stream, contextlib.suppress(OSError):
            while piece := self._stream.read(_PIECE_BYTES):
                if self.exceeded and self._over is not None:
                    continue
                self.content += piece
                if len(self.content) <= self._max_bytes:
                    continue
                self.exceeded = True
                if self._over is None:
                    self.content = self.content[-self._max_bytes :]
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
        # Not reaped until its group is killed, so that the group id cannot be reused meanwhile.
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


_FIELD: Final = "command"
_MAX_LINES: Final = 12
_MAX_LINE_CHARS: Final = 300
_MAX_NAMES: Final = 10_000


def run_command(call: Call) -> Run:
    """Start the command, once or once per turn, and return its run; raises as ``run_own_agent``."""
    ends = time.monotonic() + call.scenario.timeout_s
    errors: tuple[str, ...] = ()
    with ModelProxy(call.scope) as proxy:
        environment = {**os.environ, **proxy.environment}

        def ask(given: Mapping[str, Any]) -> Any:
            nonlocal errors
            arguments = {**call.arguments, **given}
            if call.context is not None:
                arguments.setdefault(CONTEXT, call.context)
            sent = f"{as_json(arguments, 'given to a command as JSON')}\n"
            ended = _run(call, sent.encode("ascii"), environment, ends - time.monotonic())
            if ended.status is not None:
                proxy.settle(ends - time.monotonic())
            errors = _last_lines(ended.errors, call.root, proxy)
            return _answer(ended, call.scenario.timeout_s)

        run = converse(call, ask)
    return _with_errors(run, errors)


def _run(call: Call, given: bytes, environment: Mapping[str, str], seconds: float) -> _Ended:
    command = call.scenario.command or []
    try:
        return _run_process(command, given=given, folder=call.root, environment=environment, seconds=seconds)
    except FileNotFoundError:
        raise TargetError(_FIELD, _not_found(command[0], call.root, environment.get("PATH", ""))) from None
    except (OSError, ValueError) as error:
        message = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise TargetError(_FIELD, f"{command[0]!r} cannot be started: {message}") from None


def _answer(ended: _Ended, timeout_s: float) -> Any:
    if ended.exceeded:
        raise TargetError(_FIELD, f"it writes more than {_MAX_OUTPUT_BYTES:,} bytes to standard output")
    if ended.status is None:
        return timed_out("ended", timeout_s)
    if ended.status:
        reason = f"exited:{ended.status}"
        message = f"status {ended.status}" if ended.status > 0 else f"killed by signal {-ended.status}"
        return Raised(stop_reason=reason, names=(reason, "exited"), message=message)
    return read_answer(ended.output, "standard output")


def _with_errors(run: Run, errors: tuple[str, ...]) -> Run:
    """Add the end of the command's standard error to a failed run."""
    if not isinstance(run.returned, Raised):
        return run
    kind = run.returned.stop_reason.partition(":")[0]
    problem = "\n".join([f"{kind}: {run.returned.message}", *(f"  {line}" for line in errors)])
    result = {**run.result, "stderr": "\n".join(errors)} if errors else run.result
    return replace(run, problem=problem, result=result)


def _last_lines(errors: bytes, root: Path, proxy: ModelProxy) -> tuple[str, ...]:
    # Paths and ports of this machine must not be part of a result.
    text = proxy.without_addresses(errors.decode("utf-8", "replace").replace(f"{root}{os.sep}", ""))
    lines = [line.rstrip() for line in text.splitlines() if line.strip()][-_MAX_LINES:]
    return tuple(shown(shortened(line, _MAX_LINE_CHARS)) for line in lines)


def _not_found(program: str, root: Path, path: str) -> str:
    is_file, place = "/" in program or os.sep in program, root / program
    if place.exists() if is_file else shutil.which(program, path=path) is not None:
        return f"{program!r} cannot be started: the program in its first line does not exist"
    if is_file:
        return f"there is no file {program!r} in the project{suggestion(place.name, _names([place.parent]))}"
    names = _names(Path(folder) for folder in path.split(os.pathsep) if folder)
    return f"there is no program {program!r} on PATH{suggestion(program, names)}"


def _names(folders: Iterable[Path]) -> list[str]:
    names: set[str] = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            names.update(path.name for path in folder.iterdir())
    return sorted(names)[:_MAX_NAMES]
