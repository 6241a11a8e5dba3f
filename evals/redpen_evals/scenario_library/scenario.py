"""The models of scenario files: one situation for one agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from redpen.policy import GuardedPolicy, PolicyT, ReflectionPolicy, SelfCritiquePolicy, load_policy
from redpen.types import AgentName
from redpen_evals.endpoint.forms import CheckedJson, FileModel, check_json_value
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.scenario_library.fields import (
    NOT_ASKED,
    ActionInvariant,
    JsonMapping,
    LiveField,
    LiveRequirement,
    Name,
    Text,
    TextInvariant,
    check_paths,
    check_reason,
    check_reasons,
    default_live_requirement,
    fault,
    inside,
)
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.scenario_library.review_script import ReviewField, check_kind, decisions_of

PACK = "pack"
"""Key of a scenario's `policy` that names a policy pack."""


class Expectation(FileModel):
    """The exact result of a run over the scripted replies."""

    status: Literal["ok", "stopped"] = Field(description="Whether the run publishes or stops.")
    stop_reason: str = Field(default="success", description="The stop reason; `success` when ok.")
    phase: str | None = Field(default=None, description="The phase that stopped.")
    outcome: str | None = Field(default=None, description="The outcome of a run that did not stop.")
    answer: str | None = Field(default=None, description="The whole answer, word for word.")
    calls: int | None = Field(
        default=None, ge=0, description="Model calls made; by default as many as there are scripted replies."
    )
    trace: list[str] | None = Field(
        default=None,
        description="One word per trace entry: the phase, or `a1:deny` for an action and the decision.",
    )
    fields: dict[str, CheckedJson] = Field(
        default_factory=dict,
        description="Exact values in the result by path, e.g. `trace[2].attempts_used: 2`.",
    )
    absent: list[str] = Field(default_factory=list, description="Paths that the result must not have.")

    @model_validator(mode="after")
    def _fits_its_status(self) -> Self:
        if (self.status == "ok") != (self.stop_reason == "success"):
            raise ValueError(f"status {self.status} does not go with stop_reason {self.stop_reason!r}")
        if self.status == "ok" and self.phase is not None:
            raise ValueError("a run that is ok has no phase")
        if self.status == "stopped" and (self.answer is not None or self.outcome is not None):
            raise ValueError("a run that stopped has no answer and no outcome")
        return self

    @model_validator(mode="after")
    def _has_readable_paths(self) -> Self:
        check_paths("fields", self.fields)
        check_paths("absent", self.absent)
        return self


class _Scenario(FileModel):
    title: Annotated[str, Field(min_length=1, max_length=160, description="What the scenario shows.")]
    tags: list[Name] = Field(default_factory=list, description="Labels to select scenarios by.")
    goal: Text = Field(description="What the run is for; it reaches the model.")
    policy: JsonMapping = Field(
        default_factory=dict,
        description="Fields of the agent's policy that differ from the defaults, and `pack`: the name of a "
        "policy pack that judges the run.",
    )
    seconds_a_look: float = Field(
        default=0.0,
        ge=0,
        le=3600,
        description="Seconds that the run's clock advances each time it is read; 0 is the real clock.",
    )
    timeout_s: float = Field(
        default=5.0, gt=0, le=60, description="Time of one HTTP try while recording, in seconds."
    )
    expect: Expectation = Field(description="The result of the run with the scripted replies.")
    review: ReviewField = None
    live: LiveField = None
    never_publishes: list[Text] = Field(
        default_factory=list,
        description="Phrases that no answer of any model may contain; case, spaces and markup are ignored.",
    )

    @property
    def pack(self) -> str | None:
        """Name of the policy pack that judges the run; None if its tenant and role decide."""
        name = self.policy.get(PACK)
        return name if isinstance(name, str) else None

    @property
    def policy_fields(self) -> dict[str, Any]:
        """Fields of the agent's policy that the scenario sets itself."""
        return {name: value for name, value in self.policy.items() if name != PACK}


class TextScenario(_Scenario):
    """A situation for an agent that writes a text."""

    agent: Literal["self-critique", "reflection"]
    context: Name = Field(description="Name of a file in `contexts/`.")
    context_changes: JsonMapping = Field(
        default_factory=dict, description="JSON merge patch on that context; null removes a key."
    )
    judge: Annotated[str, Field(max_length=81)] | None = Field(
        default=None, description="Name of a judge that judges revisions, e.g. `promises`."
    )
    replies: list[ScriptedReply] = Field(
        min_length=1, description="What the scripted model answers, call by call."
    )
    invariants: list[TextInvariant] = Field(
        min_length=1, description="What must hold of the run for any model."
    )

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        _check(self, self._policy)
        check_kind(self.review, "text")
        return self

    @property
    def _policy(self) -> type[SelfCritiquePolicy] | type[ReflectionPolicy]:
        return SelfCritiquePolicy if self.agent == "self-critique" else ReflectionPolicy

    @property
    def limits(self) -> SelfCritiquePolicy | ReflectionPolicy:
        """The policy of the run."""
        return load_policy(self._policy, self.policy_fields)


class ToolScript(FileModel):
    """The behaviour of a tool in place of its canned one."""

    fault: (
        Literal["hang", "raise_timeout", "raise", "no_object", "failed_status", "no_data", "missing"] | None
    ) = Field(default=None, description="What goes wrong when the tool is called.")
    answer: CheckedJson = Field(default=None, description="What the tool answers instead.")


ApproverScript = Literal["builtin", "reject", "crash", "widen", "narrow", "mumble"]
"""``widen`` hands back the unsafe action, ``narrow`` a smaller one, ``mumble`` an invalid answer."""


ToolFactory = Annotated[str, Field(pattern=r"^[\w.]+:[\w.]+$", max_length=200)]
Tools = Annotated[
    Annotated[dict[str, ToolScript], Tag("scripts")] | Annotated[ToolFactory, Tag("factory")],
    # Discriminated by type, so that a fault in one is not reported for the other too.
    Discriminator(lambda value: "factory" if isinstance(value, str) else "scripts"),
]


def _moment(text: str) -> str:
    try:
        zone = datetime.fromisoformat(text).tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise ValueError("has to be a time with its offset from UTC, such as 2026-03-06T22:30:00+00:00")
    return text


Moment = Annotated[str, Field(max_length=40), AfterValidator(_moment)]


class GuardedPolicyScenario(_Scenario):
    """A situation for the guarded-policy agent."""

    agent: Literal["guarded-policy"]
    request_changes: JsonMapping = Field(
        default_factory=dict, description="JSON merge patch on the example request."
    )
    planner: Literal["fixed", "model", "file"] = Field(
        default="model", description="What proposes: the fixed plan, the model, or a file in `plans/`."
    )
    plan: Name | None = Field(default=None, description="Name of a file in `plans/`, for planner `file`.")
    tools: Tools = Field(
        default_factory=dict,
        description="Tools with another behaviour, by name; or `module:factory`, which makes all tools in "
        "place of the canned ones.",
    )
    approver: ApproverScript = Field(default="builtin", description="How the person decides.")
    now: Moment = Field(
        default="2026-03-06T12:00:00+00:00",
        description="The time that rules of the policy read, with its offset from UTC.",
    )
    replies: list[ScriptedReply] = Field(
        default_factory=list, description="What the scripted model answers; only planner `model` calls it."
    )
    invariants: list[ActionInvariant] = Field(
        min_length=1, description="What must hold of the run for any model."
    )

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if (self.planner == "file") != (self.plan is not None):
            raise fault("plan", "goes with planner `file`, and only with it")
        if (self.planner == "model") != bool(self.replies):
            raise fault("replies", "go with planner `model`, and only with it")
        if self.review is not None and "approver" in self.model_fields_set:
            raise fault("approver", "does not go with `review`, which takes its place")
        check_kind(self.review, "action")
        _check(self, GuardedPolicy)
        return self

    @property
    def limits(self) -> GuardedPolicy:
        """The policy of the run."""
        return load_policy(GuardedPolicy, self.policy_fields)


BUILT_IN_AGENTS: tuple[str, ...] = get_args(AgentName)
_OWN = "own"


def _kind(value: Any) -> str:
    # Every agent that is not built in is the user's own.
    agent = value.get("agent") if isinstance(value, Mapping) else getattr(value, "agent", None)
    if agent not in BUILT_IN_AGENTS:
        return _OWN
    return "guarded-policy" if agent == "guarded-policy" else "text"


BuiltInScenario = TextScenario | GuardedPolicyScenario


_REVIEW_ENDS: Final = {"reject": "review_rejected", "expire": "review_expired"}


def live_requirement(scenario: BuiltInScenario) -> Literal["no"] | LiveRequirement:
    """Return the requirement of a live model in a scenario: from its file, else from its script."""
    if scenario.live is not None:
        return scenario.live
    requirement = default_live_requirement(scenario.expect.stop_reason, scenario.agent)
    if scenario.review is None or requirement == NOT_ASKED:
        return requirement
    # A live model writes other texts than the script, and so may ask a person less or more often. The agents
    # that write texts ask once at most.
    decisions = decisions_of(scenario.review)
    is_approved = bool(decisions) and all(decision == "approve" for decision in decisions)
    if is_approved and scenario.agent != "guarded-policy":
        return requirement
    # An edit fits only the script's text, and is refused for another.
    ends = [_REVIEW_ENDS[word] for word in decisions if isinstance(word, str) and word in _REVIEW_ENDS]
    return LiveRequirement(may_stop=list(dict.fromkeys([*requirement.may_stop, *ends, "pending_review"])))


AnyScenario = BuiltInScenario | OwnAgentScenario
Scenario = Annotated[
    Annotated[TextScenario, Tag("text")]
    | Annotated[GuardedPolicyScenario, Tag("guarded-policy")]
    | Annotated[OwnAgentScenario, Tag(_OWN)],
    Discriminator(_kind),
]
SCENARIO: TypeAdapter[AnyScenario] = TypeAdapter(Scenario)
BUILT_IN_SCENARIO: TypeAdapter[BuiltInScenario] = TypeAdapter(
    Annotated[BuiltInScenario, Field(discriminator="agent")]
)


class PlanFile(FileModel):
    """A plan of actions, sound or hostile, for the guarded-policy agent."""

    title: Annotated[str, Field(min_length=1, max_length=160, description="What the plan tries.")]
    actions: Annotated[Any, BeforeValidator(check_json_value)] = Field(
        description="The `actions` of the plan, as a planner would return them."
    )


PLAN: TypeAdapter[PlanFile] = TypeAdapter(PlanFile)


def _check(scenario: BuiltInScenario, policy: type[PolicyT]) -> None:
    if scenario.policy.get(PACK) is not None and scenario.pack is None:
        raise fault("policy", PACK, "has to be the name of a policy pack")
    try:
        policy.model_validate(scenario.policy_fields)
    except ValidationError as error:
        raise inside("policy", error) from error
    check_reasons(scenario.live, scenario.agent)
    check_reason(scenario.agent, scenario.expect.stop_reason, "expect", "stop_reason")
