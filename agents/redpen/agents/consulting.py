"""Asks a planner, an approver or a gate, anybody's code that it is, and comes back when the time is up."""

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
from redpen.chat.asking import MODEL_REASONS, stop_of_call
from redpen.chat.budget import GRACE_S
from redpen.errors import Stop
from redpen.gateway.plan import Action, read_plan
from redpen.text.json_values import copy_object
from redpen.types import JsonObject

Approver = Callable[[JsonObject, str], Mapping[str, Any]]
"""Takes the safe action and the reason, returns ``{"approved", "action", "reason"}``."""

Gate = Callable[[JsonObject, JsonObject], Mapping[str, Any]]
"""Takes the action as it would run and its situation, returns ``{"decision", "code", "reason", "set"}``; all
but ``decision`` (``allow``, ``rewrite``, ``escalate``, ``deny``) may be left out."""


def ask_planner(
    planner: Planner, goal: str, request: JsonObject, *, max_actions: int, run: Run
) -> tuple[Action, ...]:
    """Return the plan that a planner proposes, as it was read.

    Args:
        planner: of the user's own; it gets a copy of the request.
        goal: what the run is for.
        request: of the run.
        max_actions: most actions of one plan.
        run: whose time it is.

    Raises:
        Stop: ``max_seconds`` where it does not answer in time, a reason of a model call that it made,
            ``planner_error`` for all else that it raises, or what ``read_plan`` says.
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
            told = stop_of_call(stop)
            told.phase = "plan"
            return told
        try:
            return read_plan(plan, max_actions=max_actions)
        except Stop as stop:
            return stop

    try:
        # What it calls has to say first that the time is up.
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
    """Return what an approver decides; one that crashes or mumbles has approved nothing.

    Args:
        approver: of the user's own.
        action: the safe action, a copy that belongs to it.
        reason: why it is asked.
        run: whose time it is.

    Returns:
        A copy of its answer, or an empty object.

    Raises:
        Stop: ``max_seconds`` where it does not answer in time.
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
    """Return what a gate of the user's own decides, a copy; None for one that crashes or answers no object.

    Args:
        gate: of the user's own.
        action: the action as it would run, a copy that belongs to it.
        situation: what it can go by.
        run: whose time it is.

    Raises:
        Stop: ``max_seconds`` where it does not answer in time.
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
