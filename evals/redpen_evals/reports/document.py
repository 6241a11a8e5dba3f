"""The report as one JSON document, for other programs; ``shape.ReportDocument`` describes it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from redpen_evals.comparison import display_id
from redpen_evals.records import ScenarioResult
from redpen_evals.reports.costs import Spending
from redpen_evals.reports.names import variant_name
from redpen_evals.reports.shape import REPORT_VERSION
from redpen_evals.reports.subject import Subject, count, grouped

_OF_THE_RUN = {"type", "test", "runs", "expected", "fingerprint", "run_id"}
"""Of a result, what only a run that goes on with a killed one has to know."""


def render_document(subject: Subject) -> Iterator[str]:
    """Yield the document piece by piece; joined, the pieces are JSON in ASCII."""
    record = subject.record
    yield f'{{"redpen_report": {REPORT_VERSION},\n"run": {_text(_run(subject))},\n'
    yield f'"summary": {_text(_summary(subject))},\n"prompts": ['
    yield ",\n".join(_text(prompt.model_dump()) for prompt in record.prompts.values())
    yield '],\n"scorecards": ['
    yield ",\n".join(_text(card.model_dump(exclude={"type"})) for card in record.scorecards)
    yield '],\n"results": ['
    for at, result in enumerate(subject.results):
        yield f"{',' if at else ''}\n{_text(_result(result, subject))}"
    yield "]}\n"


def _text(value: object) -> str:
    # ASCII holds a lone surrogate as its escape. JSON has no number for infinity.
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _run(subject: Subject) -> dict[str, Any]:
    record = subject.record
    return {
        **record.start.model_dump(exclude={"type", "redpen_record", "selected", "events"}),
        "scripted": subject.scripted,
        "ended": record.end is not None,
        "exit_code": record.end.exit_code if record.end else None,
        "duration_s": record.end.duration_s if record.end else None,
        "warnings": list(record.warnings),
    }


def _summary(subject: Subject) -> dict[str, Any]:
    agents, variants = grouped(subject.results, "agent"), grouped(subject.results, "variant")
    return {
        "verdict": subject.verdict,
        "headline": subject.headline,
        "counts": subject.counts,
        "agents": {name: count(agents[name]) for name in subject.agents},
        "variants": {variant_name(name): count(variants.get(name, [])) for name in subject.variants},
        "live": [{**asdict(one), "stopped": dict(one.stopped)} for one in subject.live],
        "against": subject.against if subject.compared else None,
        "changes": dict(subject.kinds) if subject.compared else None,
        "gone": [display_id(key) for key in subject.gone()],
        "breaches": list(subject.breaches),
        "spent": _spent(subject.spending()),
        "judging": _spent(subject.judging()),
    }


def _spent(spent: Spending) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "usd": None if spent.usd is None else str(spent.usd),
        "unpriced": list(spent.unpriced),
    }


def _result(result: ScenarioResult, subject: Subject) -> dict[str, Any]:
    change = subject.changes.get(result.key)
    told = None
    if change is not None:
        before = change.before
        told = {
            "kind": change.kind,
            "aspect": change.aspect,
            "fields": list(change.fields),
            "before": None if before is None else asdict(before),
        }
    return {
        "display_id": result.shown,
        **result.model_dump(exclude=_OF_THE_RUN),
        "change": told,
        "spent": _spent(subject.spending([result])),
    }
