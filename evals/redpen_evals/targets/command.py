"""An agent that is a command: input as JSON on standard input, the answer as JSON or text on standard output.

Its model calls go through a proxy of Redpen; what that cannot see stands in ``redpen_evals.targets.proxy``.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from redpen.screen import shown
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TargetError
from redpen_evals.targets.answers import read_answer
from redpen_evals.targets.binding import CONTEXT, MESSAGE, MESSAGES
from redpen_evals.targets.calling import TIMED_OUT
from redpen_evals.targets.kinds import Call
from redpen_evals.targets.process import MAX_OUTPUT_BYTES, Ended, run_process
from redpen_evals.targets.proxy import ModelProxy
from redpen_evals.targets.run import Raised, Run
from redpen_evals.targets.turns import Conversation

_FIELD: Final = "command"
_MOST_LINES: Final = 12
_MOST_LINE_CHARS: Final = 300
_MOST_NAMES: Final = 10_000


def run_command(call: Call) -> Run:
    """Start the command, once or once a turn, and return what came of it; raises as ``run_own_agent``."""
    conversation = Conversation(call)
    ends = time.monotonic() + call.scenario.timeout_s
    errors: tuple[str, ...] = ()
    with ModelProxy(call.scope) as proxy:
        environment = {**os.environ, **proxy.environment}
        for user in conversation.questions():
            given = dict(call.arguments)
            if user is not None:
                given |= {MESSAGES: conversation.messages(user), MESSAGE: user}
            ended = _run(call, _as_input(given, call.context), environment, ends - time.monotonic())
            if ended.status is not None:
                proxy.settle(ends - time.monotonic())
            errors = _last_lines(ended.errors, call.root, proxy)
            conversation.answered(_answer(ended, call.scenario.timeout_s))
    return _with_errors(conversation.run(), errors)


def _run(call: Call, given: bytes, environment: Mapping[str, str], seconds: float) -> Ended:
    command = call.scenario.command or []
    try:
        return run_process(command, given=given, folder=call.root, environment=environment, seconds=seconds)
    except FileNotFoundError:
        raise TargetError(_FIELD, _not_found(command[0], call.root, environment.get("PATH", ""))) from None
    except (OSError, ValueError) as error:
        said = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise TargetError(_FIELD, f"{command[0]!r} cannot be started: {said}") from None


def _as_input(arguments: Mapping[str, Any], context: Mapping[str, Any] | None) -> bytes:
    given = dict(arguments)
    if context is not None:
        given.setdefault(CONTEXT, context)
    try:
        return f"{json.dumps(given, allow_nan=False)}\n".encode("ascii")
    except (TypeError, ValueError) as error:
        raise TargetError("input", f"cannot be given to a command as JSON: {error}") from None


def _answer(ended: Ended, timeout_s: float) -> Any:
    if ended.said_too_much:
        raise TargetError(_FIELD, f"it writes more than {MAX_OUTPUT_BYTES:,} bytes to standard output")
    if ended.status is None:
        said = f"it had not ended after {timeout_s:g} s"
        return Raised(stop_reason=TIMED_OUT, names=("TimeoutError",), message=said)
    if ended.status:
        reason = f"exited:{ended.status}"
        said = f"status {ended.status}" if ended.status > 0 else f"killed by signal {-ended.status}"
        return Raised(stop_reason=reason, names=(reason, "exited"), message=said)
    return read_answer(ended.output, "standard output")


def _with_errors(run: Run, errors: tuple[str, ...]) -> Run:
    """Return a run that failed with what the command said of it; any other as it is."""
    if not isinstance(run.returned, Raised):
        return run
    kind = run.returned.stop_reason.partition(":")[0]
    problem = "\n".join([f"{kind}: {run.returned.message}", *(f"  {line}" for line in errors)])
    result = {**run.result, "stderr": "\n".join(errors)} if errors else run.result
    return replace(run, problem=problem, result=result)


def _last_lines(errors: bytes, root: Path, proxy: ModelProxy) -> tuple[str, ...]:
    # Whose machine it was, and at which port, is no part of a result.
    text = proxy.without_addresses(errors.decode("utf-8", "replace").replace(f"{root}{os.sep}", ""))
    lines = [line.rstrip() for line in text.splitlines() if line.strip()][-_MOST_LINES:]
    return tuple(
        shown(line if len(line) <= _MOST_LINE_CHARS else f"{line[:_MOST_LINE_CHARS]}…") for line in lines
    )


def _not_found(program: str, root: Path, path: str) -> str:
    if "/" in program or os.sep in program:
        place = root / program
        if place.exists():
            return f"{program!r} cannot be started: the program that its first line names is not there"
        return f"there is no file {program!r} in the project{suggestion(place.name, _names([place.parent]))}"
    if shutil.which(program, path=path) is not None:
        return f"{program!r} cannot be started: the program that its first line names is not there"
    names = _names(Path(folder) for folder in path.split(os.pathsep) if folder)
    return f"there is no program {program!r} on PATH{suggestion(program, names)}"


def _names(folders: Iterable[Path]) -> list[str]:
    return sorted(set(_entries(folders)))[:_MOST_NAMES]


def _entries(folders: Iterable[Path]) -> Iterator[str]:
    for folder in folders:
        with contextlib.suppress(OSError):
            yield from (entry.name for entry in os.scandir(folder))
