"""Checks whether a run has exactly the result that its scenario expects for the scripted replies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from redpen.screen import shortened, shown
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
    expected: dict[str, Any] = {"status": expect.status, "stop_reason": expect.stop_reason}
    if expect.phase is not None:
        expected["phase"] = expect.phase
    if expect.outcome is not None:
        expected["outcome"] = expect.outcome
    if expect.answer is not None:
        expected["answer"] = expect.answer.strip()
    yield from check_values(dict(result), {**expected, **expect.fields}, expect.absent)


def check_values(result: Any, fields: Mapping[str, Any], absent: Iterable[str]) -> Iterator[str]:
    """Yield a line for each value of a result that differs, and for each that should be absent."""
    for path, value in fields.items():
        actual = value_at(result, path)
        if not same(actual, value):
            yield f"{path}: expected {show(value)}, got {show(actual)}"
    for path in absent:
        if (actual := value_at(result, path)) is not MISSING:
            yield f"{path}: expected nothing, got {show(actual)}"


def _check_trace(expect: Expectation, result: Mapping[str, Any]) -> Iterator[str]:
    if expect.trace is None:
        return
    actual = [_word(entry) for entry in result["trace"]]
    if actual != expect.trace:
        expected, got = (" → ".join(words) or "nothing" for words in (expect.trace, actual))
        yield f"trace: expected {expected}, got {got}"


def _check_calls(case: Case, calls: Sequence[str]) -> Iterator[str]:
    expect = case.built_in.expect
    expected = case.scripted_calls if expect.calls is None else expect.calls
    if len(calls) != expected:
        yield f"calls: expected {expected}, got {len(calls)} ({', '.join(calls) or 'none'})"
    labels = [reply.phase for reply in case.scenario.replies for _ in range(reply.times)]
    for position, (label, phase) in enumerate(zip(labels, calls, strict=False), start=1):
        if label is not None and label != phase:
            yield f"call {position}: the script answers {label}, the agent called for {phase}"


def _word(entry: Mapping[str, Any]) -> str:
    return str(entry["phase"]) if "phase" in entry else f"{entry['action_id']}:{entry['policy_decision']}"


def same(actual: Any, expected: Any) -> bool:
    """Return whether two JSON values are equal."""
    # In Python True equals 1, in JSON it does not, at any depth.
    match expected:
        case dict():
            return (
                isinstance(actual, dict)
                and actual.keys() == expected.keys()
                and all(same(actual[key], value) for key, value in expected.items())
            )
        case list():
            return (
                isinstance(actual, list)
                and len(actual) == len(expected)
                and all(same(item, other) for item, other in zip(actual, expected, strict=True))
            )
        case _:
            return bool(actual == expected) and isinstance(actual, bool) == isinstance(expected, bool)


def show(value: Any) -> str:
    """Return a JSON value as text for a message, shortened."""
    text = repr(value) if value is MISSING else shown(json.dumps(value, ensure_ascii=False))
    return shortened(text, _SHOWN_CHARS)


def check_live(scenario: BuiltInScenario, result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements on live models that the run does not meet, one line each.

    Args:
        scenario: the scenario.
        result: the run's result as JSON values.
    """
    requirement = live_requirement(scenario)
    if requirement == NOT_ASKED:
        return
    if result.get("status") == "ok":
        answer = result.get("answer")
        if not (isinstance(answer, str) and answer.strip()):
            yield "live: the run is ok, but has published nothing"
        return
    stop_reason = str(result.get("stop_reason"))
    if not requirement.allows(stop_reason):
        yield f"live: a live model must give {requirement_text(requirement)}, got the stop {stop_reason}"
