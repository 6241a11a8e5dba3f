"""Calls a user-defined planner, approver or gate, within the time limit of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
"""Takes the safe action and the reason, returns ``{"approved", "action", "reason"}``."""

Gate = Callable[[JsonObject, JsonObject], Mapping[str, Any]]
"""Takes the action as it would run and its situation, returns ``{"decision", "code", "reason", "set"}``.

Only ``decision`` (``allow``, ``rewrite``, ``escalate``, ``deny``) is required."""


def ask_planner(
    planner: Planner, goal: str, request: JsonObject, *, max_actions: int, run: Run
) -> tuple[Action, ...]:
    """Return the validated plan of a planner.

    Args:
        planner: user-defined; it gets a copy of the request.
        goal: goal of the run.
        request: request of the run.
        max_actions: most actions of one plan.
        run: the current run, which limits the time.

    Raises:
        Stop: ``max_seconds`` if the planner does not answer in time, the reason of a failed model call of its
            own, ``planner_error`` for any other exception, or a stop of ``read_plan``.
    """

    journal = run.journal
    if journal is not None:
        request_parts: JsonObject = {"goal": goal, "request": request, "max_actions": max_actions}
        plan = journal.call(
            "planner",
            "planner",
            request_parts,
            lambda _key: [
                action.to_dict()
                for action in _ask_planner(planner, goal, request, max_actions=max_actions, run=run)
            ],
        )
        return read_plan({"actions": plan}, max_actions=max_actions)
    return _ask_planner(planner, goal, request, max_actions=max_actions, run=run)


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
        # A model call of the planner has to report its own timeout first.
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


def ask_approver(approver: Approver, action: JsonObject, reason: str, *, run: Run) -> JsonObject:
    """Return the decision of an approver; an exception or an invalid answer approves nothing.

    Args:
        approver: user-defined.
        action: a copy of the safe action, which the approver may change.
        reason: reason of the escalation.
        run: the current run, which limits the time.

    Returns:
        A copy of its answer, or an empty object.

    Raises:
        Stop: ``max_seconds`` if it does not answer in time.
    """
    try:
        return call_in_time(
            lambda: copy_object(approver(action, reason)),
            name=f"approver-{_name(approver)}",
            seconds=run.left_s(),
        )
    except CallTimedOut as error:
        raise Stop("max_seconds", phase="execute") from error
    except (CallFailed, TooManyHungCalls, RuntimeError):
        return {}


def ask_gate(gate: Gate, action: JsonObject, situation: JsonObject, *, run: Run) -> JsonObject | None:
    """Return a copy of a custom gate's answer; None if the gate raises or does not answer an object.

    Args:
        gate: user-defined.
        action: a copy of the action as it would run, which the gate may change.
        situation: the run's state, as JSON.
        run: the current run, which limits the time.

    Raises:
        Stop: ``max_seconds`` if it does not answer in time.
    """
    try:
        return call_in_time(
            lambda: copy_object(gate(action, situation)), name=f"gate-{_name(gate)}", seconds=run.left_s()
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
