"""The stored form of a review: the question and the reviewer's decision."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from redpen.types import LONGEST_EDIT, LONGEST_NAME, LONGEST_REASON, MOST_OVERRIDES

SCHEMA_VERSION: Final = 1
"""Increased when older readers could no longer read new reviews."""

ReviewKind = Literal["text", "action", "call"]
"""Content in question: a text to publish, an action to execute, or a tool call that may have been made."""
ReviewStatus = Literal["pending", "approved", "edited", "rejected", "expired"]
ResumeState = Literal["no", "running", "done"]
DecisionKind = Literal["approve", "edit", "reject", "expire"]
EntryKind = Literal["model", "judge", "tool", "planner", "gate", "clock", "step"]

STATUS_OF: Final[dict[DecisionKind, ReviewStatus]] = {
    "approve": "approved",
    "edit": "edited",
    "reject": "rejected",
    "expire": "expired",
}
"""Status of a review, by the kind of decision."""

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
Reason: TypeAlias = Annotated[str, Field(max_length=LONGEST_REASON)]
Time: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Count: TypeAlias = Annotated[int, Field(ge=0)]


def utc_now() -> datetime:
    """Return the current time, in UTC."""
    return datetime.now(UTC)


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Override(_Stored):
    """One kind of finding that a reviewer lets stand in what the reviewer wrote.

    Attributes:
        code: of a guard's finding, or of a rule, the risk or a gate of the team's.
        reason: why.
    """

    code: Name
    reason: Annotated[Reason, Field(min_length=1, pattern=r"\S")]


class Decision(_Stored):
    """What a person decided.

    Attributes:
        kind: ``approve`` what is shown, ``edit`` it, ``reject`` it; ``expire`` is what time decides.
        by: who.
        time: when, in UTC, ISO 8601; the queue fills it in.
        reason: why.
        text: the reviewer's own text, of an edit of a text.
        action: the reviewer's own action ``{id, tool, args}``, of an edit of an action.
        answer: the data that a tool answered, of an edit of a call: it was made.
        overrides: findings that are let stand in an edit, and no others.
    """

    kind: DecisionKind
    by: Name
    time: Time | None = None
    reason: Reason = ""
    text: Annotated[str, Field(max_length=LONGEST_EDIT)] | None = None
    action: dict[str, JsonValue] | None = None
    answer: dict[str, JsonValue] | None = None
    overrides: Annotated[tuple[Override, ...], Field(max_length=MOST_OVERRIDES)] = ()

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        contents = [name for name in ("text", "action", "answer") if getattr(self, name) is not None]
        if self.kind == "edit" and len(contents) != 1:
            raise ValueError("an edit has exactly one of text, action and answer")
        if self.kind != "edit" and (contents or self.overrides):
            raise ValueError(f"{self.kind}: only an edit has a text, an action, an answer or overrides")
        return self

    def same_as(self, other: Decision) -> bool:
        """Whether it is the same decision by the same person."""
        ours, theirs = (
            one.model_dump(include={"kind", "by", "text", "action", "answer", "overrides"})
            for one in (self, other)
        )
        return ours == theirs


class RunStart(_Stored):
    """What a run was started with, as far as it can be written down.

    Attributes:
        agent: whose run it is.
        given: goal, and the incident context or request.
        policy: that the run is held to, as plain values.
        policy_hash: digest of it.
        prompts: version and hash of each prompt, by name; null where no model is asked.
        prompts_hash: digest of all of them.
        judge: name, version and hash of the judge.
        model: name of the model.
        own: what of the caller's own code the run had, by what it is for: ``tools``, ``planner``, ``gate``.
    """

    agent: Name
    given: dict[str, JsonValue] = {}
    policy: dict[str, JsonValue] | None = None
    policy_hash: Hash | None = None
    prompts: dict[str, dict[str, str]] | None = None
    prompts_hash: Hash | None = None
    judge: dict[str, str] | None = None
    model: str | None = None
    own: tuple[str, ...] = ()


class Question(_Stored):
    """What a run asks a person.

    Attributes:
        phase: of the run.
        code: of the decision or finding for which it asks; empty for none.
        reason: why, in words.
        kind: what is shown.
        original: the draft, or the action as it was proposed.
        proposed: the revision, or the safe form of the action; null where the original itself is shown.
        findings: what guards, judges or the model found, each with ``code`` or ``type``, those of guards
            with ``span``.
        judgement: the critique or review of the model.
        context: the incident context, or what the gate knew: the facts.
        risk: ``total`` and ``terms`` of an action.
        rules: codes of the rules that apply to an action.
    """

    phase: str
    code: str = ""
    reason: str = ""
    kind: ReviewKind = "text"
    original: JsonValue = None
    proposed: JsonValue = None
    findings: tuple[dict[str, JsonValue], ...] = ()
    judgement: dict[str, JsonValue] | None = None
    context: dict[str, JsonValue] | None = None
    risk: dict[str, JsonValue] | None = None
    rules: tuple[str, ...] = ()

    @property
    def shown(self) -> Any:
        """The content to approve: the proposed one, or the original if there is none."""
        return self.original if self.proposed is None else self.proposed


class Review(Question):
    """A question as it is stored, with its run and what became of it.

    Attributes:
        schema_version: of this form.
        id: of the review, 32 hex digits; its beginning is enough where no other begins so.
        run_id: of the run.
        agent: whose run it is.
        step: number of the question among the run's answers from outside, from 1; of a call, the call's.
        attempt: how often the same has been asked, from 1.
        created: when it was asked.
        expires: when it counts as rejected; null for never.
        start: what the run was started with.
        events_after: number of the run's last event before it goes on.
        status: of the decision.
        resumed: whether the run has gone on.
        decision: what was decided; null while it is pending.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    run_id: Name
    agent: Name
    step: Annotated[int, Field(ge=1)]
    attempt: Annotated[int, Field(ge=1)] = 1
    created: Time
    expires: Time | None = None
    start: RunStart
    events_after: Count = 0
    status: ReviewStatus = "pending"
    resumed: ResumeState = "no"
    decision: Decision | None = None


class JournalEntry(_Stored):
    """One answer from outside that a run depends on.

    Attributes:
        number: in its run, from 1; questions to people are counted with them.
        kind: what was asked.
        name: which of its kind: phase of a model call, name of a tool.
        request: what was asked, as hashes and short texts, to say in words what has changed.
        request_hash: digest of all of it.
        state: ``started`` for a call that may have had its effect and whose answer was not kept.
        answer: what came back; any JSON value.
        failure: ``reason``, ``phase`` and ``details`` of the stop that came instead.
        efforts: statistics of model calls (``redpen.chat.budget.CallStats``), for the trace.
        attempts: how often it was started.
    """

    number: Annotated[int, Field(ge=1)]
    kind: EntryKind
    name: str
    request: dict[str, str] = {}
    request_hash: str
    state: Literal["started", "finished"] = "finished"
    answer: JsonValue = None
    failure: dict[str, JsonValue] | None = None
    efforts: tuple[dict[str, JsonValue], ...] = ()
    attempts: Annotated[int, Field(ge=1)] = 1


def review_schema() -> dict[str, Any]:
    """Return the JSON Schema of a review."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Review.model_json_schema()}
