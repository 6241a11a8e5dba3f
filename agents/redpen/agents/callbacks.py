"""Calls a user-defined planner, approver or gate, within the time limit of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from redpen.agents.planners import Planner
from redpen.agents.run import Run
from redpen.bounded_call import (
    CallFailed,
    CallTimedOut,
    TooManyHungCalls,
    call_in_time,
    class_names,
)
from redpen.chat.budget import GRACE_S
from redpen.chat.model_call import MODEL_REASONS, stop_of_call
from redpen.errors import Stop
from redpen.gateway.plan import Action, read_plan
from redpen.text.json_values import copy_object
from redpen.types import JsonObject

Approver = Callable[[JsonObject, str], Mapping[str, Any]]
"""Takes the safe form of the action and the reason; returns ``{"approved", "action", "reason"}``."""

Gate = Callable[[JsonObject, JsonObject], Mapping[str, Any]]
"""Takes the action in the form in which it would run, and its situation.

Returns ``{"decision", "code", "reason", "set"}``, of which only ``decision`` (``allow``, ``rewrite``,
``escalate`` or ``deny``) is required."""


def ask_planner(
    planner: Planner, goal: str, request: JsonObject, *, max_actions: int, run: Run
) -> tuple[Action, ...]:
    """Call a planner, and return its validated plan; a resumed run takes the plan from its journal.

    Args:
        planner: user-defined planner; it gets a copy of the request.
        goal: goal of the run.
        request: request of the run.
        max_actions: maximum number of actions of the plan.
        run: the current run, whose remaining time limits the call.

    Raises:
        Stop: ``max_seconds`` if the planner does not return in time; the stop reason of its own failed model
            call; ``planner_error`` for any other exception; or a stop of ``read_plan``.
    """
    ask = partial(_ask_planner, planner, goal, request, max_actions=max_actions, run=run)
    if run.journal is None:
        return ask()
    parts: JsonObject = {"goal": goal, "request": request, "max_actions": max_actions}
    plan = run.journal.call("planner", "planner", parts, lambda _key: [action.to_dict() for action in ask()])
    return read_plan({"actions": plan}, max_actions=max_actions)


def _ask_planner(
    planner: Planner, goal: str, request: JsonObject, *, max_actions: int, run: Run
) -> tuple[Action, ...]:
    def propose() -> tuple[Action, ...] | Stop:
        try:
            plan = planner(goal, copy_object(request))
        except Stop as stop:
            if stop.reason not in MODEL_REASONS:
                return _planner_error(stop)
            failed_call = stop_of_call(stop)
            failed_call.phase = "plan"
            return failed_call
        try:
            return read_plan(plan, max_actions=max_actions)
        except Stop as stop:
            return stop

    try:
        # A model call by the planner must be able to report its own timeout first.
        seconds = run.left_s() + 2 * GRACE_S
        plan = call_in_time(propose, name=f"planner-{_name(planner)}", seconds=seconds)
    except CallTimedOut as error:
        raise Stop("max_seconds", phase="plan") from error
    except CallFailed as error:
        raise _planner_error(error.error) from error
    except (TooManyHungCalls, RuntimeError) as error:
        raise _planner_error(error) from error
    if isinstance(plan, Stop):
        raise plan
    return plan


def call_in_run(kind: str, code: Approver | Gate, *arguments: Any, run: Run) -> JsonObject | None:
    """Call a user-defined approver or gate, and return a copy of its answer.

    Args:
        kind: ``approver`` or ``gate``.
        code: the approver or gate.
        arguments: its arguments; it may change them.
        run: the current run, whose remaining time limits the call.

    Returns:
        The answer; None if the call raises or does not return a JSON object.

    Raises:
        Stop: ``max_seconds`` if the call does not return in time.
    """
    try:
        return call_in_time(
            lambda: copy_object(code(*arguments)), name=f"{kind}-{_name(code)}", seconds=run.left_s()
        )
    except CallTimedOut as error:
        raise Stop("max_seconds", phase="execute") from error
    except (CallFailed, TooManyHungCalls, RuntimeError):
        return None


def _planner_error(error: BaseException) -> Stop:
    return Stop(f"planner_error:{class_names(error)[0]}", phase="plan")


def _name(code: object) -> str:
    name = getattr(code, "__qualname__", None)
    return name if isinstance(name, str) else type(code).__qualname__
