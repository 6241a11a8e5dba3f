"""Calls of a user-defined agent: in this process, as a command, or over HTTP."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from redpen_evals.errors import TargetError
from redpen_evals.targets.binding import MESSAGE, MESSAGES, MODEL, Call, bind_arguments, takes
from redpen_evals.targets.calling import call as call_in_time
from redpen_evals.targets.loading import load_callable
from redpen_evals.targets.run import Run
from redpen_evals.targets.turns import converse

_MIN_LEFT_S: Final = 0.01


def run_function(call: Call) -> Run:
    """Call the agent and return its run; raises as ``run_own_agent``."""
    started, timeout_s = time.monotonic(), call.scenario.timeout_s
    target = call.target
    if target is None:
        target = load_callable(call.scenario.agent or "", call.names, root=call.root, timeout_s=timeout_s)

    def ask(given: Mapping[str, Any]) -> Any:
        work = _bound(call, target, given)
        # The time limit applies to the whole run.
        left_s = max(timeout_s - (time.monotonic() - started), _MIN_LEFT_S)
        return call_in_time(work, timeout_s=left_s, root=call.root, total_s=timeout_s)

    if call.scenario.review is not None:
        # Imports the built-in agents.
        from redpen_evals.targets.reviewed import run_reviewed

        return run_reviewed(call, target, ask)
    return converse(call, ask)


def _bound(call: Call, target: Callable[..., Any], given: Mapping[str, Any]) -> Callable[[], Any]:
    arguments = {**call.arguments, **given}
    if MESSAGES in given:
        # An agent gets the conversation, the user's message, or both.
        if not takes(target, MESSAGES):
            del arguments[MESSAGES]
            if not takes(target, MESSAGE):
                raise TargetError("turns", f"the agent has neither a parameter {MESSAGES!r} nor {MESSAGE!r}")
        elif not takes(target, MESSAGE, by_name=True):
            del arguments[MESSAGE]
    if call.model is not None and takes(target, MODEL, by_name=True):
        arguments[MODEL] = call.model
    field = "input" if call.target is None else "arguments"
    bound = bind_arguments(target, arguments, context=call.context, field=field)
    return functools.partial(target, *bound.args, **bound.kwargs)


def run_own_agent(call: Call) -> Run:
    """Make a run.

    Raises:
        TargetError: the agent cannot be loaded, or not called with this input.
        UnshownResultError: its return value cannot be converted to JSON.
    """
    if call.scenario.command is not None:
        from redpen_evals.targets.command import run_command

        return run_command(call)
    if call.scenario.url is not None:
        from redpen_evals.targets.url import run_url

        return run_url(call)

    return run_function(call)
