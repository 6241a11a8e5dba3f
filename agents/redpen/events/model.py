"""The events of a run, a closed union of models."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

SCHEMA_VERSION: Final = 1
"""Version of the event format; increased when older releases cannot read new events."""

MAX_NAME_CHARS: Final = 200
"""Maximum length of a name or code in an event, in characters."""
MAX_CODES: Final = 50
"""Maximum number of codes in one event."""

Name: TypeAlias = Annotated[str, Field(max_length=MAX_NAME_CHARS)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Codes: TypeAlias = Annotated[tuple[Name, ...], Field(max_length=MAX_CODES)]


class _Event(BaseModel):
    """The fields that all events have.

    Attributes:
        schema_version: version of the event format.
        run_id: id of the run.
        seq: number of the event in its run, from 1; a gap means that an event was lost.
        time: time of the event, UTC, in ISO 8601.
        agent: name of the agent.
        policy_hash: digest of the run's policy.
        prompts_hash: digest of all prompts of the run.
        code: code of the decision, finding or stop that the event reports.
        texts: texts by name, e.g. prompts and replies; null in a log without texts. The other fields are only
            names, codes, numbers and hashes.
        cut: number of characters cut from the end of texts that were too long, by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: Name
    seq: Annotated[int, Field(ge=1)]
    time: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")]
    agent: Name
    policy_hash: Hash | None = None
    prompts_hash: Hash | None = None
    code: Name | None = None
    texts: dict[str, JsonValue] | None = None
    cut: dict[str, Count] = {}


class RunStarted(_Event):
    """A run started; ``scenario``, ``variant`` and ``sample`` are only set under the harness."""

    kind: Literal["run_started"] = "run_started"
    scenario: Name | None = None
    variant: Name | None = None
    sample: Count | None = None


class ModelAsked(_Event):
    """A model was called; ``phase`` is the purpose, ``prompt_hash`` the hash of the system message."""

    kind: Literal["model_asked"] = "model_asked"
    phase: Name
    model: Name | None = None
    prompt_hash: Hash | None = None
    chars: Count


class ModelAnswered(_Event):
    """A model call ended; if it failed, ``ok`` is false and ``code`` is the stop reason."""

    kind: Literal["model_answered"] = "model_answered"
    phase: Name
    ok: bool
    chars: Count


class Judged(_Event):
    """A draft or revision was judged; ``by`` is ``model`` or the judge's ``name@version``."""

    kind: Literal["judged"] = "judged"
    phase: Name
    by: Name
    decision: Name
    severity: Name | None = None
    findings: Count


class GuardFound(_Event):
    """Guards found something; one event for all findings with the same code and level in a text."""

    kind: Literal["guard_found"] = "guard_found"
    phase: Name
    level: Literal["violation", "concern", "ungrounded"]
    findings: Annotated[int, Field(ge=1)]


class GateDecided(_Event):
    """The gate decided on an action; ``rules`` are the codes of the rules that apply."""

    kind: Literal["gate_decided"] = "gate_decided"
    phase: Name
    action: Name
    tool: Name
    decision: Literal["allow", "rewrite", "escalate", "deny"]
    rules: Codes = ()
    risk: int | None = None


class ToolCalled(_Event):
    """A tool call ended; if it failed, ``ok`` is false and ``code`` is the stop reason."""

    kind: Literal["tool_called"] = "tool_called"
    phase: Name
    action: Name
    tool: Name
    ok: bool


class ReviewAsked(_Event):
    """A reviewer was asked for a decision."""

    kind: Literal["review_asked"] = "review_asked"
    phase: Name
    action: Name | None = None
    tool: Name | None = None


class Decided(_Event):
    """A reviewer or approver decided, or the review expired; ``codes`` are the codes of waived findings."""

    kind: Literal["decided"] = "decided"
    phase: Name
    by: Name
    decision: Literal["approve", "edit", "reject", "expire"]
    action: Name | None = None
    tool: Name | None = None
    codes: Codes = ()


class Resumed(_Event):
    """The run was resumed after the event with the number ``after``."""

    kind: Literal["resumed"] = "resumed"
    after: Count


class Published(_Event):
    """The run ended with a text to publish."""

    kind: Literal["published"] = "published"
    outcome: Name | None = None
    answer_hash: Hash | None = None
    chars: Count


class Stopped(_Event):
    """The run ended without a text to publish; ``code`` is its stop reason."""

    kind: Literal["stopped"] = "stopped"
    phase: Name | None = None


Event: TypeAlias = Annotated[
    RunStarted
    | ModelAsked
    | ModelAnswered
    | Judged
    | GuardFound
    | GateDecided
    | ToolCalled
    | ReviewAsked
    | Decided
    | Resumed
    | Published
    | Stopped,
    Field(discriminator="kind"),
]

EventKind = Literal[
    "run_started",
    "model_asked",
    "model_answered",
    "judged",
    "guard_found",
    "gate_decided",
    "tool_called",
    "review_asked",
    "decided",
    "resumed",
    "published",
    "stopped",
]

EVENT: Final[TypeAdapter[Event]] = TypeAdapter(Event)
"""Parses and validates events."""


_COMMON_FIELDS: Final = frozenset(_Event.model_fields) | {"kind"}


def specific_fields(event: Event) -> dict[str, Any]:
    """Return the fields that are specific to the kind of an event, as JSON values, without empty ones."""
    own = event.model_dump(mode="json", exclude=set(_COMMON_FIELDS))
    return {name: value for name, value in own.items() if value not in (None, [])}


def event_schema() -> dict[str, Any]:
    """Return the JSON Schema of an event."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **EVENT.json_schema()}
