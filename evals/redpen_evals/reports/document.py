"""The report as one JSON document for other programs, with a stable schema.

``redpen_report`` is the version of the schema; it grows when a field changes its meaning or is removed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from redpen_evals.comparison.changes import Change
from redpen_evals.records import ScenarioResult
from redpen_evals.records.model import display_id
from redpen_evals.reports.subject import Spending, Subject, count
from redpen_evals.strict_json import change_leaves

REPORT_VERSION: Final = 1

_ONLY_IN_RECORDS: Final = set("type test runs expected fingerprint redpen_record run_id events".split())
"""Fields of a record that only resuming a killed run needs."""


def render_document(subject: Subject) -> Iterator[str]:
    """Yield the document in pieces; joined, they are JSON in ASCII.

    Its keys are ``redpen_report``, ``run``, ``summary``, ``prompts``, ``scorecards`` and ``results``. Fields
    that a record has too mean the same; the others:

    - ``run``: ``scripted`` (its model is no real one), ``ended`` (it was not killed), ``exit_code`` and
      ``duration_s`` (null if it was killed), ``warnings`` (on the record).
    - ``summary``: ``verdict`` (the run in a word), ``headline`` (in a line), ``counts`` (results by outcome),
      ``agents`` and ``variants`` (likewise, by name; the base is ``base``), ``live`` (figures of live models
      by agent), ``against`` (what it is compared with, else null), ``changes`` (by class, without unchanged
      results, else null), ``gone`` (results that only the side before has), ``breaches`` (thresholds that
      the guards miss), ``spent`` (by all results), ``judging`` (the part for models that judge revisions).
    - a result: ``display_id`` (scenario, variant and sample as one name), ``change`` (``kind``, ``aspect``,
      ``fields`` that differ and the behaviour ``before``; null if nothing was compared), ``spent``.
    - ``spent``: recorded ``calls``, ``prompt_tokens``, ``completion_tokens``, their cost ``usd`` as a decimal
      number (null without a price list, or if a model has no price), ``unpriced`` (models without a price).
      A replay costs nothing.
    """
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
    # In ASCII a lone surrogate is an escape. JSON has no number for infinity.
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(change_leaves(value, _finite), allow_nan=False)


def _finite(value: object) -> object:
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


def _summary(subject: Subject) -> dict[str, Any]:
    return {
        "verdict": subject.verdict,
        "headline": subject.headline,
        "counts": subject.counts,
        "agents": {name: count(results) for name, results in subject.groups("agent").items()},
        "variants": {name: count(results) for name, results in subject.groups("variant").items()},
        "live": [asdict(figures) for figures in subject.live],
        "against": subject.against if subject.compared else None,
        "changes": subject.kinds if subject.compared else None,
        "gone": list(map(display_id, subject.gone())),
        "breaches": subject.breaches,
        "spent": _spent(subject.spending()),
        "judging": _spent(subject.judging()),
    }


def _spent(spent: Spending) -> dict[str, Any]:
    values = asdict(spent)
    del values["priced"]
    return {**values, "usd": None if spent.usd is None else str(spent.usd)}


def _result(result: ScenarioResult, subject: Subject) -> dict[str, Any]:
    return {
        "display_id": result.shown,
        **result.model_dump(exclude=_ONLY_IN_RECORDS),
        "change": _change(subject.changes.get(result.key)),
        "spent": _spent(subject.spending([result])),
    }


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    before = change.before and asdict(change.before)
    return {"kind": change.kind, "aspect": change.aspect, "fields": change.fields, "before": before}
