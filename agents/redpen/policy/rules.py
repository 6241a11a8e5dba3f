"""Rules and risk of the action gate: what a pack adds to the built-in table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, WithJsonSchema, field_validator, model_validator

from redpen.policy.conditions import Conditions
from redpen.policy.model import Code, PolicyModel
from redpen.text.json_values import copy_json
from redpen.text.suggestion import suggestion

Outcome = Literal["allow", "rewrite", "escalate", "deny"]
"""The decisions of a gate, from the most permissive to the strictest."""

OUTCOMES: tuple[Outcome, ...] = ("allow", "rewrite", "escalate", "deny")

MOST_RULES: Final = 200
"""Most rules of one gate."""

PATHS: Final[Mapping[str, tuple[str, ...] | None]] = {
    "action": ("tool",),
    "args": None,
    "snapshot": None,
    "request": None,
    "clock": ("hour", "weekday", "zone"),
    "history": ("sends", "denied"),
}
"""Paths that a rule can use, by their first step; None means that any step may follow.

``clock.hour`` is 0 to 23 and ``clock.weekday`` 1 (Monday) to 7 in the zone of the policy; ``history``
counts the sends that this run has carried out and the actions that its gate has denied.
"""

_Json = Annotated[Any, AfterValidator(copy_json), WithJsonSchema({})]
Reason = Annotated[str, Field(min_length=1, max_length=120)]
_Points = Annotated[int, Field(ge=0, le=1_000_000)]
_Bound = Annotated[int, Field(ge=1, le=1_000_000_000)]


def check_set(outcome: Outcome, changes: Mapping[str, object]) -> None:
    """Raise ValueError unless a rewrite sets arguments and any other outcome sets none."""
    if outcome == "rewrite" and not changes:
        raise ValueError("rewrite needs arguments to set")
    if outcome != "rewrite" and changes:
        raise ValueError(f"set belongs to rewrite, not to {outcome}")


class Rule(PolicyModel):
    """One rule of the gate.

    Attributes:
        code: code of the decisions by this rule.
        when: conditions on the situation of an action (``PATHS``); if empty, the rule always applies.
        then: decision on the action; ``allow`` only adds the risk points of its code.
        reason: reason to show; by default the code.
        set: arguments that replace the action's; with ``rewrite`` only.
    """

    code: Code
    when: Conditions = Conditions({})
    then: Outcome
    reason: Reason = ""
    set: dict[str, _Json] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _explained(cls, given: object) -> object:
        if isinstance(given, Mapping) and "reason" not in given and isinstance(given.get("code"), str):
            return {**given, "reason": given["code"]}
        return given

    @field_validator("when")
    @classmethod
    def _known_paths(cls, when: Conditions) -> Conditions:
        for path in when.paths:
            root, _, rest = path.partition(".")
            if root not in PATHS:
                raise ValueError(f"{path}: no situation has {root!r}{suggestion(root, PATHS)}")
            if not rest:
                raise ValueError(f"{path}: names no {'argument' if root == 'args' else 'key'}")
            steps = PATHS[root]
            if steps is not None and rest not in steps:
                raise ValueError(f"{path}: {root} has {', '.join(steps)}{suggestion(rest, steps)}")
        return when

    @model_validator(mode="after")
    def _sets_in_rewrites(self) -> Self:
        check_set(self.then, self.set)
        return self

    def __hash__(self) -> int:
        """Return a hash of all but the arguments."""
        return hash((self.code, self.when, self.then, self.reason))


class GateAnswer(PolicyModel):
    """The answer of a custom gate.

    Attributes:
        decision: the decision on the action; ``allow`` keeps the decision made so far.
        code: code of the decision.
        reason: reason of the decision.
        set: arguments that replace the action's; with ``rewrite`` only.
    """

    decision: Outcome
    code: Code = "policy.gate"
    reason: Annotated[str, Field(min_length=1, max_length=1_000)] = "gate"
    set: dict[str, _Json] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sets_in_rewrites(self) -> Self:
        check_set(self.decision, self.set)
        return self


class Risk(PolicyModel):
    """Named points whose sum makes the gate stricter.

    Attributes:
        points: points by code: of a rule, of the built-in table, or ``concern`` (the guards have a concern
            about prose in the action).
        escalate_at: least sum at which a reviewer is asked.
        deny_at: least sum at which an action is denied.
    """

    points: dict[Code, _Points] = Field(default_factory=dict)
    escalate_at: _Bound | None = None
    deny_at: _Bound | None = None

    def __hash__(self) -> int:
        """Return a hash of points and bounds."""
        return hash((tuple(sorted(self.points.items())), self.escalate_at, self.deny_at))


class Clock(PolicyModel):
    """How a gate reads the time.

    Attributes:
        zone: name of a time zone, such as ``Europe/Berlin``.
    """

    zone: str = "UTC"

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        if zone != "UTC":
            try:
                ZoneInfo(zone)
            except (OSError, ValueError, LookupError) as error:
                raise ValueError(f"no time zone is called {zone!r}") from error
        return zone
