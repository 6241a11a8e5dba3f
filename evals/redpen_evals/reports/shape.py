"""The shape of the JSON report: what other programs can rely on.

``redpen_report`` is its version, and grows when a field changes its meaning or goes.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from redpen_evals.outcome import Outcome
from redpen_evals.records import RecordedCall, RecordedPrompt, StaleCalls
from redpen_evals.records.model import LivePart, PolicyInForce
from redpen_evals.reports.subject import Verdict

REPORT_VERSION: Final = 1


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunFacts(_Part):
    """What was run, and with what.

    Attributes:
        id: of the run.
        number: of the run in its folder, from 1; 0 in older records.
        started: UTC, ISO 8601.
        model: whose recordings were used.
        scripted: whether that is no real model.
        record: mode of recording.
        samples: answers a scenario and variant.
        variants: labels; the empty one is the base.
        prompts: per variant label the hash of every prompt, by name.
        versions: of redpen and what shapes a recording.
        resumed: id of the killed run that this one went on with.
        ended: whether the run was not killed.
        exit_code: of the whole run; None of one that was killed.
        duration_s: wall time, in seconds; likewise.
        warnings: what a reader should know of the record.
    """

    id: str
    number: int
    started: str
    model: str
    scripted: bool
    record: Literal["none", "missing", "stale", "all"]
    samples: int
    variants: list[str]
    prompts: dict[str, dict[str, str]]
    versions: dict[str, str]
    resumed: str | None
    ended: bool
    exit_code: int | None
    duration_s: float | None
    warnings: list[str]


class Spent(_Part):
    """What runs took, as it was recorded; a replay takes nothing.

    Attributes:
        calls: model calls.
        prompt_tokens: of all requests.
        completion_tokens: of all answers.
        usd: cost as a decimal number; None without a price list, or where a model has no price.
        unpriced: models without a price.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: Decimal | None
    unpriced: list[str] = []


class LiveFacts(_Part):
    """What one agent came to over a live model; the fields mean what they mean in ``LiveFigures``."""

    agent: str
    applicable: int
    published: int
    stopped: dict[str, int]
    calls: int
    not_asked: int


class Summary(_Part):
    """The run in numbers.

    Attributes:
        verdict: the run in a word.
        headline: the run in a line.
        counts: results by outcome.
        agents: by agent, results by outcome.
        variants: by variant (the base is ``base``), results by outcome.
        live: what live models came to, by agent; empty where none was asked.
        against: what the results are compared with, in words; None where nothing was compared.
        changes: since then, by class, without the ones that stayed the same; likewise.
        gone: what is only on the side before.
        breaches: what the scorecard's gate holds against the guards.
        spent: by all results.
        judging: the part of it that asked models about revisions.
    """

    verdict: Verdict
    headline: str
    counts: dict[Outcome, int]
    agents: dict[str, dict[Outcome, int]]
    variants: dict[str, dict[Outcome, int]]
    live: list[LiveFacts]
    against: str | None
    changes: dict[str, int] | None
    gone: list[str]
    breaches: list[str]
    spent: Spent
    judging: Spent


class ScorecardFacts(_Part):
    """One table of the guard scorecard, as in the record."""

    name: str
    measured: list[dict[str, Any]]
    lines: list[str]
    breaches: list[str]
    notes: list[str] = []


class ChangeFacts(_Part):
    """How a result differs from the one before.

    Attributes:
        kind: the class of the change.
        aspect: of a ``changed`` one: behaviour, wording or cost.
        fields: that differ.
        before: the behaviour then; None for ``new``.
    """

    kind: str
    aspect: str | None
    fields: list[str]
    before: dict[str, Any] | None


class ResultFacts(_Part):
    """One result; the fields that a record has too mean the same as there.

    Attributes:
        display_id: scenario, variant and sample, for people.
        change: since the result before; None where nothing was compared.
        spent: by this run.
    """

    display_id: str
    scenario: str
    agent: str
    title: str
    context: str | None
    tags: list[str]
    variant: str
    sample: int
    outcome: Outcome
    reasons: list[str]
    broken: list[str]
    command: str | None
    status: Literal["ok", "stopped"] | None
    stop_reason: str | None
    phase: str | None
    result: str | None
    decision: str | None
    violations: list[str]
    answer: str | None
    refused: str | None
    calls: list[RecordedCall]
    stale: StaleCalls | None
    live: LivePart | None
    warnings: list[str]
    telemetry: dict[str, int]
    canned: list[str]
    policy: PolicyInForce | None
    detail: dict[str, Any]
    change: ChangeFacts | None
    spent: Spent


class ReportDocument(_Part):
    """The whole document.

    Attributes:
        redpen_report: version of this shape.
        run: what was run.
        summary: in numbers.
        prompts: every text that the run asked with.
        scorecards: tables of the guard scorecard.
        results: one a scenario, variant and sample.
    """

    redpen_report: Literal[1]
    run: RunFacts
    summary: Summary
    prompts: list[RecordedPrompt]
    scorecards: list[ScorecardFacts]
    results: list[ResultFacts]
