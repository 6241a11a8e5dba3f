"""The report as one JSON document for other programs, with a stable schema.

``redpen_report`` is the version of the schema; it grows when a field changes its meaning or is removed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from redpen_evals.comparison import Change, Kind, display_id
from redpen_evals.exit_codes import Outcome
from redpen_evals.live_figures import LiveFigures
from redpen_evals.records import RecordedPrompt, RunStart, ScenarioResult, ScorecardResult
from redpen_evals.reports.subject import Spending, Subject, Verdict, count, grouped
from redpen_evals.reports.templating import variant_name

REPORT_VERSION: Final = 1

_ONLY_IN_RECORDS: Final = {
    "type",
    "test",
    "runs",
    "expected",
    "fingerprint",
    "redpen_record",
    "run_id",
    "selected",
    "events",
}
"""Fields of a record that only resuming a killed run needs."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunFacts(RunStart):
    """The options and versions of the run; the fields of the record's first line mean the same here.

    Attributes:
        scripted: whether its model is scripted, not a real one.
        ended: whether the run was not killed.
        exit_code: of the whole run; None if it was killed.
        duration_s: wall time, in seconds; likewise.
        warnings: on the record, for its reader.
    """

    scripted: bool
    ended: bool
    exit_code: int | None
    duration_s: float | None
    warnings: tuple[str, ...]


class Spent(_Part):
    """The recorded calls, tokens and cost of runs; a replay costs nothing.

    Attributes:
        calls: model calls.
        prompt_tokens: of all requests.
        completion_tokens: of all answers.
        usd: cost as a decimal number; None without a price list, or if a model has no price.
        unpriced: models without a price.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: Decimal | None
    unpriced: tuple[str, ...] = ()


class Summary(_Part):
    """The run in numbers.

    Attributes:
        verdict: the run in a word.
        headline: the run in a line.
        counts: results by outcome.
        agents: results by outcome, by agent.
        variants: results by outcome, by variant (the base is ``base``).
        live: figures of live models by agent; empty if none was asked.
        against: name of what the results are compared with; None if nothing was compared.
        changes: number of changes by class, without unchanged results; likewise.
        gone: results that only the side before has.
        breaches: thresholds of the scorecard that the guards miss.
        spent: by all results.
        judging: the part of ``spent`` for models that judge revisions.
    """

    verdict: Verdict
    headline: str
    counts: dict[Outcome, int]
    agents: dict[str, dict[Outcome, int]]
    variants: dict[str, dict[Outcome, int]]
    live: tuple[LiveFigures, ...]
    against: str | None
    changes: dict[Kind, int] | None
    gone: tuple[str, ...]
    breaches: tuple[str, ...]
    spent: Spent
    judging: Spent


class ChangeFacts(_Part):
    """How a result differs from the one before.

    Attributes:
        kind: the class of the change.
        aspect: of a ``changed`` result: behaviour, wording or cost.
        fields: that differ.
        before: the behaviour before; None for ``new``.
    """

    kind: str
    aspect: str | None
    fields: tuple[str, ...]
    before: dict[str, Any] | None


class ResultFacts(ScenarioResult):
    """One result; the fields of the record's line mean the same here.

    Attributes:
        display_id: scenario, variant and sample as one name.
        change: since the result before; None if nothing was compared.
        spent: by this run.
    """

    display_id: str
    change: ChangeFacts | None
    spent: Spent


class ReportDocument(_Part):
    """The whole document.

    Attributes:
        redpen_report: version of this schema.
        run: its options and versions.
        summary: the run in numbers.
        prompts: every prompt text that the run used.
        scorecards: tables of the guard scorecard.
        results: one per scenario, variant and sample.
    """

    redpen_report: Literal[1]
    run: RunFacts
    summary: Summary
    prompts: tuple[RecordedPrompt, ...]
    scorecards: tuple[ScorecardResult, ...]
    results: tuple[ResultFacts, ...]


def render_document(subject: Subject) -> Iterator[str]:
    """Yield a ``ReportDocument`` in pieces; joined, they are JSON in ASCII."""
    record = subject.record
    yield f'{{"redpen_report": {REPORT_VERSION},\n"run": {_text(_run(subject))},\n'
    yield f'"summary": {_text(_summary(subject).model_dump(mode="json"))},\n"prompts": ['
    yield ",\n".join(_text(prompt.model_dump()) for prompt in record.prompts.values())
    yield '],\n"scorecards": ['
    yield ",\n".join(_text(card.model_dump(exclude={"type"})) for card in record.scorecards)
    yield '],\n"results": ['
    for at, result in enumerate(subject.results):
        yield f"{',' if at else ''}\n{_text(_result(result, subject))}"
    yield "]}\n"


def _text(value: object) -> str:
    # In ASCII a lone surrogate is an escape. JSON has no number for infinity.
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _run(subject: Subject) -> dict[str, Any]:
    record = subject.record
    return {
        **record.start.model_dump(exclude=_ONLY_IN_RECORDS),
        "scripted": subject.scripted,
        "ended": record.end is not None,
        "exit_code": record.end.exit_code if record.end else None,
        "duration_s": record.end.duration_s if record.end else None,
        "warnings": record.warnings,
    }


def _summary(subject: Subject) -> Summary:
    agents, variants = grouped(subject.results, "agent"), grouped(subject.results, "variant")
    return Summary(
        verdict=subject.verdict,
        headline=subject.headline,
        counts=subject.counts,
        agents={name: count(agents[name]) for name in subject.agents},
        variants={variant_name(name): count(variants.get(name, [])) for name in subject.variants},
        live=subject.live,
        against=subject.against if subject.compared else None,
        changes=subject.kinds if subject.compared else None,
        gone=tuple(map(display_id, subject.gone())),
        breaches=subject.breaches,
        spent=_spent(subject.spending()),
        judging=_spent(subject.judging()),
    )


def _spent(spent: Spending) -> Spent:
    return Spent(
        calls=spent.calls,
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        usd=spent.usd,
        unpriced=spent.unpriced,
    )


def _result(result: ScenarioResult, subject: Subject) -> dict[str, Any]:
    return {
        "display_id": result.shown,
        **result.model_dump(exclude=_ONLY_IN_RECORDS),
        "change": _change(subject.changes.get(result.key)),
        "spent": _spent(subject.spending([result])).model_dump(mode="json"),
    }


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    before = None if change.before is None else asdict(change.before)
    return {"kind": change.kind, "aspect": change.aspect, "fields": change.fields, "before": before}
