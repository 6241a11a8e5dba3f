"""The events of a run: a closed union, each with who, when and under what policy and prompts."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

SCHEMA_VERSION: Final = 1
"""Increased when older readers could no longer read new events."""

LONGEST_NAME: Final = 200
"""Longest name or code in an event, in characters."""
MOST_CODES: Final = 50
"""Most codes in one event."""

Name: TypeAlias = Annotated[str, Field(max_length=LONGEST_NAME)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Codes: TypeAlias = Annotated[tuple[Name, ...], Field(max_length=MOST_CODES)]


class _Event(BaseModel):
    """What all events have.

    Attributes:
        schema_version: of this form.
        run_id: of the run.
        seq: number of the event in its run, from 1; a number that is missing is an event that was lost.
        time: when it happened, in UTC, ISO 8601.
        agent: whose run it is.
        policy_hash: digest of the policy that the run is held to.
        prompts_hash: digest of all prompts of the run.
        code: of the decision, finding or stop that it tells of.
        texts: what was written and read, by name; null in a stream without texts. All else of an event is
            names, codes, numbers and hashes.
        cut: how many characters are missing at the end of texts that were too long, by their names.
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
    """A run began; ``scenario``, ``variant`` and ``sample`` are of one under the harness."""

    kind: Literal["run_started"] = "run_started"
    scenario: Name | None = None
    variant: Name | None = None
    sample: Count | None = None


class ModelAsked(_Event):
    """A model was asked; ``phase`` is what for, ``prompt_hash`` is of the system message."""

    kind: Literal["model_asked"] = "model_asked"
    phase: Name
    model: Name | None = None
    prompt_hash: Hash | None = None
    chars: Count


class ModelAnswered(_Event):
    """It answered, or ``code`` says why not."""

    kind: Literal["model_answered"] = "model_answered"
    phase: Name
    ok: bool
    chars: Count


class Judged(_Event):
    """A draft or revision was judged: by the model of a phase, or by a judge (``by``)."""

    kind: Literal["judged"] = "judged"
    phase: Name
    by: Name
    decision: Name
    severity: Name | None = None
    findings: Count


class GuardFound(_Event):
    """Guards found something; one event for all findings of one code and level in one text."""

    kind: Literal["guard_found"] = "guard_found"
    phase: Name
    level: Literal["violation", "concern", "ungrounded"]
    findings: Annotated[int, Field(ge=1)]


class GateDecided(_Event):
    """The gate decided on an action; ``rules`` are the codes of all that applied."""

    kind: Literal["gate_decided"] = "gate_decided"
    phase: Name
    action: Name
    tool: Name
    decision: Literal["allow", "rewrite", "escalate", "deny"]
    rules: Codes = ()
    risk: int | None = None


class ToolCalled(_Event):
    """A tool was called; ``code`` says why a call failed."""

    kind: Literal["tool_called"] = "tool_called"
    phase: Name
    action: Name
    tool: Name
    ok: bool


class ReviewAsked(_Event):
    """A person has to decide."""

    kind: Literal["review_asked"] = "review_asked"
    phase: Name
    action: Name | None = None
    tool: Name | None = None


class Decided(_Event):
    """A person, or what stands for one, decided; ``codes`` are of findings that the person lets stand."""

    kind: Literal["decided"] = "decided"
    phase: Name
    by: Name
    decision: Literal["approve", "edit", "reject", "expire"]
    action: Name | None = None
    tool: Name | None = None
    codes: Codes = ()


class Resumed(_Event):
    """The run went on after its event ``after``."""

    kind: Literal["resumed"] = "resumed"
    after: Count


class Published(_Event):
    """The run ended with a text to publish."""

    kind: Literal["published"] = "published"
    outcome: Name | None = None
    answer_hash: Hash | None = None
    chars: Count


class Stopped(_Event):
    """The run ended without; ``code`` is its stop reason."""

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
"""Reads and checks an event."""


_COMMON_FIELDS: Final = frozenset(_Event.model_fields) | {"kind"}


def specific_fields(event: Event) -> dict[str, Any]:
    """Return the fields of an event that not all events have, as JSON values, without empty ones."""
    own = event.model_dump(mode="json", exclude=set(_COMMON_FIELDS))
    return {name: value for name, value in own.items() if value not in (None, [])}


def event_schema() -> dict[str, Any]:
    """Return the JSON Schema of an event."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **EVENT.json_schema()}
