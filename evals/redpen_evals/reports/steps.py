"""The steps of a run: its trace, model calls and history, joined by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from redpen.screen import shortened
from redpen.text.json_values import objects
from redpen_evals.records import RecordedCall, ScenarioResult
from redpen_evals.reports.marking import Piece, compared, marked

_MAX_BLOCK_CHARS = 6_000
_MAX_FACT_CHARS = 300
_MAX_STEPS = 100

_TITLE_FIELDS = frozenset({"step", "phase", "action_id", "tool", "ok"})
# Texts are shown above the steps; the rest is in the trace.
_SHOWN_ELSEWHERE = frozenset({"step", "action", "draft", "revised_answer", "status", "changed", "policy"})
_HUMAN_REVIEW = "human_review"
_STEP_PHASES = {"shorten": "draft", "check": "revise", "judge": "revise"}


Block: TypeAlias = tuple[str, tuple[Piece, ...]]
"""The name of a longer value that belongs to a step, and its text or the changes of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: a phase, or an action and its tool.

    Attributes:
        ok: whether it succeeded; None if the trace does not say.
        facts: names and values from the trace.
        calls: number in the run, from 1, and the call.
        blocks: longer values from the history.
    """

    title: str
    ok: bool | None
    facts: tuple[tuple[str, str], ...] = ()
    calls: tuple[tuple[int, RecordedCall], ...] = ()
    blocks: tuple[Block, ...] = ()


def view_steps(result: ScenarioResult) -> tuple[Step, ...]:
    """Return the steps of a run in order, each call in one of them, then those of the user's agent.

    A call whose phase is not in the trace (the request for a plan, a phase that stopped the run) is a step of
    its own: before the others if it precedes all traced phases, else after them.
    """
    calls = list(enumerate(result.calls, start=1))
    history = {_key(entry.get("step")): entry for entry in objects(result.detail.get("history"))}
    entries = objects(result.detail.get("trace"))
    phases = {_phase(entry) for entry in entries}
    first = next((number for number, call in calls if _phase_of_call(call) in phases), len(calls) + 1)
    apart = [(number, call) for number, call in calls if _phase_of_call(call) not in phases]
    before = [pair for pair in apart if pair[0] < first and _phase_of_call(pair[1]) != result.phase]
    after = [pair for pair in apart if pair not in before]
    traced = list(_traced(entries, history, calls))
    at = next((at for at, entry in enumerate(entries) if _is_by_a_person(entry)), len(traced))
    refused = _refused_decisions(result.detail)
    steps = [*_untraced(before), *traced[:at], *refused, *traced[at:], *_untraced(after)]
    steps += _review_decisions(result.detail, is_traced=bool(entries))
    return (*steps[:_MAX_STEPS], *_own_steps(result.detail))


def _is_by_a_person(entry: Mapping[str, Any]) -> bool:
    return _phase(entry) == _HUMAN_REVIEW or entry.get("executed_from") == "human_approved"


def _refused_decisions(detail: Mapping[str, Any]) -> Iterator[Step]:
    """Yield the refused decisions of reviewers, which the trace does not contain."""
    for refused in objects(detail.get("refused_decisions")):
        facts = {"decision": refused.get("decision"), "refused": refused.get("stop_reason")}
        findings = refused.get("findings")
        yield Step(
            title=_HUMAN_REVIEW,
            ok=False,
            facts=_facts(facts),
            blocks=tuple(_blocks({"findings": findings})) if findings else (),
        )


def _review_decisions(detail: Mapping[str, Any], *, is_traced: bool) -> Iterator[Step]:
    """Yield the decisions of reviewers that the trace does not contain: those that ended the run."""
    for review in objects(detail.get("reviews")):
        lets_through = review.get("decision") in {"approve", "edit"}
        if is_traced and lets_through:
            continue
        facts = {name: value for name, value in review.items() if value and name != "time"}
        yield Step(title=_HUMAN_REVIEW, ok=lets_through, facts=_facts(facts))


def _facts(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", " "), _fact(value)) for name, value in values.items())


def _traced(
    entries: Iterable[Mapping[str, Any]],
    history: Mapping[str, Mapping[str, Any]],
    calls: Sequence[tuple[int, RecordedCall]],
) -> Iterator[Step]:
    shown_phases = set[str]()
    for entry in entries:
        phase = _phase(entry)
        ok = entry.get("ok")
        kept = history.get(_key(entry.get("step")), {})
        yield Step(
            title=" ".join(str(entry[key]) for key in ("phase", "action_id", "tool") if key in entry),
            ok=ok if isinstance(ok, bool) else None,
            facts=_facts({name: value for name, value in entry.items() if name not in _TITLE_FIELDS}),
            calls=tuple(pair for pair in calls if _phase_of_call(pair[1]) == phase)
            if phase not in shown_phases
            else (),
            blocks=tuple(_blocks(kept)),
        )
        shown_phases.add(phase)


def _untraced(calls: Sequence[tuple[int, RecordedCall]]) -> Iterator[Step]:
    for phase in dict.fromkeys(_phase_of_call(call) for _, call in calls):
        yield Step(
            title=phase, ok=None, calls=tuple(pair for pair in calls if _phase_of_call(pair[1]) == phase)
        )


def _phase(entry: Mapping[str, Any]) -> str:
    return str(entry.get("phase", ""))


def _phase_of_call(call: RecordedCall) -> str:
    return _STEP_PHASES.get(call.phase, call.phase)


def _key(step: object) -> str:
    return json.dumps(step, default=str)


def _fact(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return shortened(text, _MAX_FACT_CHARS)


def _blocks(entry: Mapping[str, Any]) -> Iterator[Block]:
    proposed, executed = entry.get("proposed_action"), entry.get("executed_action")
    rest = {name: value for name, value in entry.items() if name not in _SHOWN_ELSEWHERE}
    if proposed is not None and executed is not None:
        del rest["proposed_action"], rest["executed_action"]
        name = "proposed and executed action" if proposed == executed else "proposed → executed action"
        yield _block(name, executed, before=proposed)
    rest.pop("executed_from", None)
    yield from (_block(name.replace("_", " "), value) for name, value in rest.items())


def _block(name: str, value: object, before: object = None) -> Block:
    """Return a value, or with an earlier one its changes, as a block."""
    text = _pretty(value)
    if before is None:
        return name, marked(text, most=_MAX_BLOCK_CHARS)
    return name, compared(_pretty(before), text, most=_MAX_BLOCK_CHARS)


def _pretty(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


_MAX_TURNS = 100
_MAX_TOOL_CALLS = 100


def _own_steps(detail: Mapping[str, Any]) -> Iterator[Step]:
    """Yield the steps in the result of the user's own agent; none for a built-in one."""
    for number, turn in enumerate(objects(detail.get("turns"))[:_MAX_TURNS], start=1):
        facts = tuple((name, _fact(turn[name])) for name in ("user", "answer") if turn.get(name))
        yield Step(title=f"turn {number}", ok=None, facts=facts, blocks=tuple(_value(turn)))
    for call in objects(detail.get("tool_calls"))[:_MAX_TOOL_CALLS]:
        if "name" in call and "args" in call:
            yield Step(title=f"tool {call['name']}", ok=None, facts=(("arguments", _fact(call["args"])),))
    if not objects(detail.get("turns")) and (blocks := tuple(_value(detail))):
        yield Step(title="result", ok=None, blocks=blocks)


def _value(turn: Mapping[str, Any]) -> Iterator[Block]:
    value = turn.get("value")
    if value is None or isinstance(value, str):
        # A text is shown above the steps.
        return
    yield _block("value", json.dumps(value, ensure_ascii=False, indent=2, default=str))
