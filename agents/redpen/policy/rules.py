"""Rules and risk scores of the action gate, in addition to the built-in table."""

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

MAX_RULES: Final = 200
"""Maximum number of rules of a gate."""

PATHS: Final[Mapping[str, tuple[str, ...] | None]] = {
    "action": ("tool",),
    "args": None,
    "snapshot": None,
    "request": None,
    "clock": ("hour", "weekday", "zone"),
    "history": ("sends", "denied"),
}
"""Paths that a rule can use: the second step by the first; None means that any step may follow.

``clock.hour`` is 0 to 23 and ``clock.weekday`` 1 (Monday) to 7, in the time zone of the policy;
``history.sends`` is the number of status updates that this run has sent, ``history.denied`` the number of
actions that the gate has denied.
"""

_Json = Annotated[Any, AfterValidator(copy_json), WithJsonSchema({})]
Reason = Annotated[str, Field(min_length=1, max_length=120)]
_Points = Annotated[int, Field(ge=0, le=1_000_000)]
_Threshold = Annotated[int, Field(ge=1, le=1_000_000_000)]


def check_set(outcome: Outcome, changes: Mapping[str, object]) -> None:
    """Raise ValueError for a rewrite that sets no arguments, and for another outcome that sets some."""
    if outcome == "rewrite" and not changes:
        raise ValueError("rewrite needs arguments in `set`")
    if outcome != "rewrite" and changes:
        raise ValueError(f"`set` can only be used with rewrite, not with {outcome}")


class Rule(PolicyModel):
    """One rule of the gate.

    Attributes:
        code: code of the decisions by this rule.
        when: conditions on the situation of an action (``PATHS``); without any, the rule always applies.
        then: decision on the action; ``allow`` has no effect except for the risk points of its code.
        reason: the reason as traces show it; by default the code.
        set: arguments that replace the action's, by name; only with ``rewrite``.
    """

    code: Code
    when: Conditions = Conditions({})
    then: Outcome
    reason: Reason = ""
    set: dict[str, _Json] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _add_default_reason(cls, given: object) -> object:
        if isinstance(given, Mapping) and "reason" not in given and isinstance(given.get("code"), str):
            return {**given, "reason": given["code"]}
        return given

    @field_validator("when")
    @classmethod
    def _check_paths(cls, when: Conditions) -> Conditions:
        for path in when.paths:
            root, _, rest = path.partition(".")
            if root not in PATHS:
                raise ValueError(f"{path}: there is no {root!r} in a situation{suggestion(root, PATHS)}")
            if not rest:
                raise ValueError(
                    f"{path}: the path ends before {'an argument' if root == 'args' else 'a key'}"
                )
            steps = PATHS[root]
            if steps is not None and rest not in steps:
                raise ValueError(f"{path}: {root} has {', '.join(steps)}{suggestion(rest, steps)}")
        return when

    @model_validator(mode="after")
    def _check_set(self) -> Self:
        check_set(self.then, self.set)
        return self

    def __hash__(self) -> int:
        """Return a hash of all fields except ``set``."""
        return hash((self.code, self.when, self.then, self.reason))


class GateAnswer(PolicyModel):
    """The answer of a custom gate.

    Attributes:
        decision: the decision on the action; ``allow`` keeps the decision so far.
        code: code of the decision.
        reason: reason of the decision.
        set: arguments that replace the action's, by name; only with ``rewrite``.
    """

    decision: Outcome
    code: Code = "policy.gate"
    reason: Annotated[str, Field(min_length=1, max_length=1_000)] = "gate"
    set: dict[str, _Json] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_set(self) -> Self:
        check_set(self.decision, self.set)
        return self


class Risk(PolicyModel):
    """Risk points, whose total can make the decision of the gate stricter.

    Attributes:
        points: points by code: of a rule, of the built-in table, or ``concern`` (prose in the action that
            request and snapshot do not support).
        escalate_at: minimum total at which the action is escalated to a reviewer.
        deny_at: minimum total at which the action is denied.
    """

    points: dict[Code, _Points] = Field(default_factory=dict)
    escalate_at: _Threshold | None = None
    deny_at: _Threshold | None = None

    def __hash__(self) -> int:
        """Return a hash of points and thresholds."""
        return hash((tuple(sorted(self.points.items())), self.escalate_at, self.deny_at))


class Clock(PolicyModel):
    """The time zone of the rules.

    Attributes:
        zone: IANA name of the time zone, such as ``Europe/Berlin``.
    """

    zone: str = "UTC"

    @field_validator("zone")
    @classmethod
    def _check_zone(cls, zone: str) -> str:
        if zone != "UTC":
            try:
                ZoneInfo(zone)
            except (OSError, ValueError, LookupError) as error:
                raise ValueError(f"there is no time zone {zone!r}") from error
        return zone
