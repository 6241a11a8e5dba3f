"""Checks whether a run has exactly the result that its scenario expects for the scripted replies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redpen.screen import shown
from redpen_evals.checks.paths import MISSING, value_at
from redpen_evals.scenario_library.fields import NOT_ASKED, requirement_text
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.scenario import BuiltInScenario, Expectation, live_requirement

_SHOWN_CHARS = 300


def check_expectation(case: Case, result: Mapping[str, Any], calls: Sequence[str]) -> tuple[str, ...]:
    """Return the differences from the expectation, one line each; empty if it is met.

    Args:
        case: the scenario.
        result: the run's result as JSON values.
        calls: phases of the model calls that the run made, in order.
    """
    expect = case.built_in.expect
    return (
        *_check_fields(expect, result),
        *_check_trace(expect, result),
        *_check_calls(case, calls),
    )


def _check_fields(expect: Expectation, result: Mapping[str, Any]) -> Iterator[str]:
    wanted: dict[str, Any] = {"status": expect.status, "stop_reason": expect.stop_reason}
    if expect.phase is not None:
        wanted["phase"] = expect.phase
    if expect.outcome is not None:
        wanted["outcome"] = expect.outcome
    if expect.answer is not None:
        wanted["answer"] = expect.answer.strip()
    for path, value in {**wanted, **expect.fields}.items():
        found = value_at(dict(result), path)
        if not same(found, value):
            yield f"{path}: expected {show(value)}, got {show(found)}"
    for path in expect.absent:
        found = value_at(dict(result), path)
        if found is not MISSING:
            yield f"{path}: expected nothing, got {show(found)}"


def _check_trace(expect: Expectation, result: Mapping[str, Any]) -> Iterator[str]:
    if expect.trace is None:
        return
    found = [_word(entry) for entry in result["trace"]]
    if found != expect.trace:
        yield f"trace: expected {' → '.join(expect.trace) or 'nothing'}, got {' → '.join(found) or 'nothing'}"


def _check_calls(case: Case, calls: Sequence[str]) -> Iterator[str]:
    expect = case.built_in.expect
    wanted = case.scripted_calls if expect.calls is None else expect.calls
    if len(calls) != wanted:
        yield f"calls: expected {wanted}, got {len(calls)} ({', '.join(calls) or 'none'})"
    labels = [reply.phase for reply in case.scenario.replies for _ in range(reply.times)]
    for at, (label, phase) in enumerate(zip(labels, calls, strict=False), start=1):
        if label is not None and label != phase:
            yield f"call {at}: the script answers {label}, the agent asked for {phase}"


def _word(entry: Mapping[str, Any]) -> str:
    return str(entry["phase"]) if "phase" in entry else f"{entry['action_id']}:{entry['policy_decision']}"


def same(found: Any, wanted: Any) -> bool:
    """Return whether two JSON values are the same."""
    # In Python True equals 1, in JSON it does not; this holds at any depth.
    match wanted:
        case dict():
            return (
                isinstance(found, dict)
                and found.keys() == wanted.keys()
                and all(same(found[key], value) for key, value in wanted.items())
            )
        case list():
            return (
                isinstance(found, list)
                and len(found) == len(wanted)
                and all(same(one, other) for one, other in zip(found, wanted, strict=True))
            )
        case _:
            return bool(found == wanted) and isinstance(found, bool) == isinstance(wanted, bool)


def show(value: Any) -> str:
    """Return a JSON value as text for a message, shortened."""
    text = repr(value) if value is MISSING else shown(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"


def check_live(scenario: BuiltInScenario, result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements on live models that the run does not meet, one line each.

    Args:
        scenario: the scenario.
        result: of the run, as JSON values.
    """
    owed = live_requirement(scenario)
    if owed == NOT_ASKED:
        return
    if result.get("status") == "ok":
        answer = result.get("answer")
        if not (isinstance(answer, str) and answer.strip()):
            yield "live: the run is ok, but has published nothing"
        return
    stop_reason = str(result.get("stop_reason"))
    if not owed.allows(stop_reason):
        yield f"live: a live model owes {requirement_text(owed)}, got the stop {stop_reason}"
