"""The stored form of reviews, decisions and journal entries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from redpen.types import LONGEST_EDIT, LONGEST_NAME, LONGEST_REASON, MOST_OVERRIDES

SCHEMA_VERSION: Final = 1
"""Version of the review format; increased when older releases cannot read new reviews."""

ReviewKind = Literal["text", "action", "call"]
"""What is in question: a text to publish, an action to execute, or a tool call that may have been made."""
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
"""Status of a review, by the kind of its decision."""

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
    """A waiver of findings in content that the reviewer wrote.

    Attributes:
        code: code of the waived findings of a guard, or of a rule, the risk score or a custom gate.
        reason: reason of the waiver.
    """

    code: Name
    reason: Annotated[Reason, Field(min_length=1, pattern=r"\S")]


class Decision(_Stored):
    """A reviewer's decision.

    Attributes:
        kind: ``approve``, ``edit`` or ``reject`` the shown content; ``expire`` if nobody decided in time.
        by: name of the reviewer.
        time: time of the decision, UTC, in ISO 8601; the queue fills it in.
        reason: reason of the decision.
        text: the reviewer's text; only for an edit of a text.
        action: the reviewer's action ``{id, tool, args}``; only for an edit of an action.
        answer: the ``data`` that the tool returned; only for an edit of a call, which thereby counts as made.
        overrides: waivers of findings in the edited content.
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
            raise ValueError("an edit must have exactly one of text, action and answer")
        if self.kind != "edit" and (contents or self.overrides):
            raise ValueError(f"{self.kind}: only an edit can have a text, an action, an answer or overrides")
        return self

    def same_as(self, other: Decision) -> bool:
        """Whether another decision has the same content and reviewer."""
        ours, theirs = (
            one.model_dump(include={"kind", "by", "text", "action", "answer", "overrides"})
            for one in (self, other)
        )
        return ours == theirs


class RunStart(_Stored):
    """The inputs of a run that can be stored.

    Attributes:
        agent: name of the agent.
        given: goal, and the incident context or request.
        policy: policy of the run, as JSON.
        policy_hash: digest of the policy.
        prompts: version and hash of each prompt, by name; null if the run calls no model.
        prompts_hash: digest of all prompts.
        judge: name, version and hash of the judge.
        model: name of the model.
        own: names of the custom parts of the run, of ``tools``, ``planner`` and ``gate``.
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
    """A question of a run to a reviewer.

    Attributes:
        phase: phase of the run.
        code: code of the decision or finding that requires a review; empty if there is none.
        reason: reason of the review, in words.
        kind: kind of the content in question.
        original: the draft, or the proposed action ``{id, tool, args}``.
        proposed: the revision, or the safe form of the action; null if the original is in question.
        findings: findings of guards, judges or the model, each with ``code`` or ``type``; those of guards
            also with ``span``, the start and end of the finding in the text.
        judgement: the critique or review by the model.
        context: the known facts: the incident context, or request and snapshot.
        risk: the risk score of an action, ``total`` and ``terms``.
        rules: codes of the policy rules that apply to an action.
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
        """The content that an approval approves: the proposed one, or the original if there is none."""
        return self.original if self.proposed is None else self.proposed


class Review(Question):
    """A stored question, with its run and its decision.

    Attributes:
        schema_version: version of the review format.
        id: id of the review, 32 hex digits; commands accept a unique prefix.
        run_id: id of the run.
        agent: name of the agent.
        step: number of the question among the external calls of the run, from 1; for a question about a call,
            the number of the call.
        attempt: number of times this question was asked, including this one.
        created: time of the question, UTC, in ISO 8601.
        expires: time at which the review counts as rejected; null for never.
        start: inputs of the run.
        events_after: number of the run's last event before it was resumed.
        status: ``pending``, or the status that follows from the decision.
        resumed: whether the run has been resumed: ``no``, ``running`` or ``done``.
        decision: the decision; null while the review is pending.
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
    """One external call of a run, and its answer.

    Attributes:
        number: number of the call in its run, from 1; questions to reviewers are numbered with them.
        kind: kind of call.
        name: name of the callee: the phase of a model call, or the name of a tool.
        request: digests of the parts of the request, by name.
        request_hash: digest of the whole request.
        state: ``started`` if the call may have been made but its answer was not stored.
        answer: the answer, any JSON value.
        failure: ``reason``, ``phase`` and ``details`` of the stop that the call raised instead of answering.
        efforts: statistics of model calls (``redpen.chat.budget.CallStats``), for the trace.
        attempts: number of times the call was started.
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
