"""What a live model owes in a scenario, which its script alone does not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Self, assert_never

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from redpen.stop_reasons import STOP_REASONS, find_stop_reason
from redpen.text.suggestion import suggestion
from redpen.types import AgentName
from redpen_evals.scenario_library.fields import FileModel, Text, fault
from redpen_evals.scenario_library.review_script import ScriptedDecision

NOT_ASKED: Literal["no"] = "no"

_OF_WIRE_OR_FORM = (
    *("llm_", "invalid_draft:", "invalid_critique:", "invalid_review:", "invalid_revised:"),
    "invalid_judgement:",
)
_OF_PLAN_FORM = ("invalid_plan:", "invalid_action:", "planner_error", "guard_error")
_OF_LENGTH = frozenset({"invalid_draft:too_long", "invalid_draft:ungrounded", "invalid_revised:too_long"})
"""Stops of texts that any model may write, whatever their form."""


class LiveOwes(FileModel):
    """What a live model owes."""

    status: Literal["ok"] | None = Field(default=None, description="`ok`: the run has to publish.")
    may_stop: list[Text] = Field(
        default_factory=list,
        description="Stop reasons that are as good as publishing; those with an argument also without it.",
    )

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.status is None) == (not self.may_stop):
            raise ValueError("give either `status: ok` or `may_stop: [reason, …]`")
        return self

    def allows(self, stop_reason: str) -> bool:
        """Whether a run may stop for a reason."""
        return any(stop_reason == one or stop_reason.startswith(f"{one}:") for one in self.may_stop)


def _read(value: object) -> object:
    # YAML reads a bare `no` as false.
    return NOT_ASKED if value is False else value


Live = Annotated[Literal["no"] | LiveOwes, BeforeValidator(_read)]
"""The key ``live:`` of a scenario: what a live model owes, or ``no``: it is not asked."""

LiveField = Annotated[
    Live | None,
    WithJsonSchema(
        {
            "anyOf": [{"enum": ["no", False]}, LiveOwes.model_json_schema(), {"type": "null"}],
            "default": None,
        }
    ),
    Field(
        description="What a live model owes: `{status: ok}` (the default where the script ends ok), "
        "`{may_stop: [reason, …]}` (the default where it stops), or `no`, which is not asked of a live model "
        "(the default where the script is a fault of the wire or of the model's form)."
    ),
]


def owed_by_default(stop_reason: str, agent: AgentName) -> Literal["no"] | LiveOwes:
    """Return what a live model owes in a scenario whose script ends so.

    Args:
        stop_reason: that the script ends with; ``success`` where it publishes.
        agent: under test.
    """
    if stop_reason == "success":
        return LiveOwes(status="ok")
    if stop_reason.startswith((*_OF_WIRE_OR_FORM, *_OF_PLAN_FORM)) and stop_reason not in _OF_LENGTH:
        return NOT_ASKED
    row = find_stop_reason(agent, stop_reason)
    return LiveOwes(may_stop=[row.code if row is not None else stop_reason])


_PENDING = "pending_review"
_ENDS: Mapping[ScriptedDecision, str] = {"reject": "review_rejected", "expire": "review_expired"}


def owed_with_review(owed: LiveOwes, decisions: Sequence[ScriptedDecision], *, asks_once: bool) -> LiveOwes:
    """Return what a live model owes where a person decides.

    It writes otherwise than the script, and so may ask a person less or more often.

    Args:
        owed: without a person.
        decisions: of the scenario.
        asks_once: whether the agent asks a person once at most.
    """
    if asks_once and decisions and all(decision == "approve" for decision in decisions):
        return owed
    # An edit fits the text of the script alone, and is refused for another.
    ends = [_ENDS[one] for one in decisions if isinstance(one, str) and one in _ENDS]
    return LiveOwes(may_stop=list(dict.fromkeys([*owed.may_stop, *ends, _PENDING])))


def check_reasons(live: Literal["no"] | LiveOwes | None, agent: AgentName) -> None:
    """Raise a fault for a stop reason that the agent does not have."""
    reasons: Iterable[str] = live.may_stop if isinstance(live, LiveOwes) else ()
    for at, reason in enumerate(reasons):
        known = [row.code for row in STOP_REASONS if agent in row.agents]
        groups = {code.partition(":")[0] for code in known if ":" in code}
        if reason not in groups and reason not in known and find_stop_reason(agent, reason) is None:
            hint = suggestion(reason, known)
            raise fault("live", "may_stop", at, f"the {agent} agent has no stop reason {reason!r}{hint}")


def said(live: Literal["no"] | LiveOwes) -> str:
    """Return what is owed in words."""
    match live:
        case "no":
            return "nothing"
        case LiveOwes(may_stop=[]):
            return "a published text"
        case LiveOwes():
            return f"a published text, or the stop {' or '.join(live.may_stop)}"
        case _:
            assert_never(live)
