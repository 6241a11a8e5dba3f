"""Validates a proposed plan as a whole, before any of its actions is executed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from redpen.errors import Stop
from redpen.text.json_values import copy_json, copy_object
from redpen.types import JsonObject

MAX_ARGS_SIZE = 50_000
"""Maximum size of an action's arguments, in the unit of ``redpen.text.json_values.MAX_SIZE``; the gate has to
check them within the run's time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action of a plan: its id, the tool to call, and the arguments."""

    id: str
    tool: str
    args: JsonObject

    def with_args(self, args: JsonObject) -> Self:
        """Return the same action with other arguments."""
        return replace(self, args=args)

    def to_dict(self) -> JsonObject:
        """Return the action as a JSON object; the arguments are a deep copy."""
        return {"id": self.id, "tool": self.tool, "args": copy_json(self.args)}


def read_plan(plan: object, *, max_actions: int) -> tuple[Action, ...]:
    """Validate and copy a plan.

    Args:
        plan: the planner's answer, ``{"actions": [{"id", "tool", "args"}]}``; other keys of an action are
            dropped.
        max_actions: maximum number of actions.

    Returns:
        The actions in order, ids and tools trimmed, arguments copied.

    Raises:
        Stop: ``invalid_plan:*`` or ``invalid_action:*``, phase ``plan``.
    """
    actions = plan.get("actions") if isinstance(plan, Mapping) else None
    if not isinstance(actions, list | tuple) or not actions:
        raise _invalid("plan:actions")
    if len(actions) > max_actions:
        raise _invalid("plan:too_many_actions")
    read = tuple(read_action(action) for action in actions)
    if len({action.id for action in read}) < len(read):
        raise _invalid("plan:duplicate_action_id")
    return read


def read_action(action: object) -> Action:
    """Validate and copy one action; raises ``Stop`` with ``invalid_action:*``, phase ``plan``."""
    if not isinstance(action, Mapping):
        raise _invalid("action:not_object")
    return Action(
        id=_parse_name(action.get("id"), fault="action:id"),
        tool=_parse_name(action.get("tool"), fault="action:tool"),
        args=_parse_args(action.get("args")),
    )


def _parse_name(value: object, *, fault: str) -> str:
    # A planner may return a subclass of str or lone surrogates; the copy is a plain, encodable string.
    try:
        name = str(copy_json(value)).strip() if isinstance(value, str) else ""
    except ValueError:
        name = ""
    if not name:
        raise _invalid(fault)
    return name


def _parse_args(value: object) -> JsonObject:
    try:
        return copy_object(value, max_size=MAX_ARGS_SIZE)
    except ValueError as error:
        raise _invalid("action:args") from error


def _invalid(fault: str) -> Stop:
    return Stop(f"invalid_{fault}", phase="plan")
