"""Checks whether a user-defined agent answered as its scenario expects."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from redpen.screen import shown
from redpen_evals.checks.expectation import same, show
from redpen_evals.checks.invariants import PERSONAL, numbers_in, written_numbers
from redpen_evals.checks.paths import MISSING, value_at
from redpen_evals.scenario_library.fields import OwnInvariant
from redpen_evals.scenario_library.own_agent import (
    ArgumentMatch,
    ExpectedTool,
    OwnAgentScenario,
    OwnExpectation,
    ToolExpectation,
)
from redpen_evals.targets.run import TurnRun

_SHOWN_CHARS = 200

Made = tuple[str, Any]
"""Name and arguments of a tool call that was made."""


def check_tools(expect: ToolExpectation, made: Sequence[Made]) -> tuple[str, ...]:
    """Return what differs between the tool calls expected and those made, one line each.

    Args:
        expect: the expected calls, and how to compare them.
        made: name and arguments of each call, in order.
    """
    match expect.match:
        case "exact":
            return tuple(_in_order(expect, made))
        case "unordered":
            return (*_missing(expect, made), *_beyond(expect, made))
        case "subset":
            return tuple(_missing(expect, made))
        case "superset":
            return tuple(_beyond(expect, made))
        case _:
            assert_never(expect.match)


def _in_order(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    for at in range(max(len(expect.calls), len(made))):
        wanted = _expected(expect.calls[at]) if at < len(expect.calls) else "no further call"
        found = _made(made[at]) if at < len(made) else "none"
        if (
            at >= len(expect.calls)
            or at >= len(made)
            or not _fits(expect.calls[at], made[at], expect.arguments)
        ):
            yield f"call {at + 1}: expected {wanted}, got {found}"


def _missing(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    taken = _pairs(expect, made)
    for at, wanted in enumerate(expect.calls):
        if at not in taken:
            listed = ", ".join(map(_made, made)) or "none"
            yield f"expected {_expected(wanted)}, which was not called; made were: {listed}"


def _beyond(expect: ToolExpectation, made: Sequence[Made]) -> Iterator[str]:
    used = set(_pairs(expect, made).values())
    for at, call in enumerate(made):
        if at not in used:
            yield f"{_made(call)} was called and is not expected"


def _pairs(expect: ToolExpectation, made: Sequence[Made]) -> dict[int, int]:
    """Return a maximum matching of expected calls to calls made."""
    pairs: dict[int, int] = {}
    owners: dict[int, int] = {}

    def pair(at: int, seen: set[int]) -> bool:
        for other, call in enumerate(made):
            if other in seen or not _fits(expect.calls[at], call, expect.arguments):
                continue
            seen.add(other)
            if other not in owners or pair(owners[other], seen):
                owners[other], pairs[at] = at, other
                return True
        return False

    for at in range(len(expect.calls)):
        pair(at, set())
    return pairs


def _fits(wanted: ExpectedTool, made: Made, arguments: ArgumentMatch) -> bool:
    name, args = made
    if name != wanted.name:
        return False
    match arguments:
        case "ignore":
            return True
        case "exact":
            return same(args, wanted.args)
        case "subset":
            return isinstance(args, dict) and all(
                key in args and same(args[key], value) for key, value in wanted.args.items()
            )
        case _:
            assert_never(arguments)


def _expected(tool: ExpectedTool) -> str:
    return _made((tool.name, tool.args))


def _made(call: Made) -> str:
    name, args = call
    text = shown(f"{name}({json.dumps(args, ensure_ascii=False, default=str)})")
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEvidence:
    """The data that checks of user-defined agents use.

    Attributes:
        scenario: the scenario.
        turns: the answers, turn by turn.
        value: the agent's last return value, as JSON values.
        error: the exception it raised instead; None if it returned.
        raised: names of the exception's class and its base classes.
        problem: why the run failed in itself.
        context: the facts; None if there are none.
        findings: the guards' findings in the published texts, as JSON values.
        unread: sentences of the texts that are not mostly English, so that the guards did not judge them.
        breaches: violations of the policy pack in the texts, each with its place in the pack.
    """

    scenario: OwnAgentScenario
    turns: Sequence[TurnRun]
    value: Any
    error: Mapping[str, Any] | None
    raised: Sequence[str]
    problem: str | None
    context: Mapping[str, Any] | None
    findings: Sequence[Mapping[str, Any]]
    unread: Sequence[Mapping[str, Any]] = ()
    breaches: Sequence[tuple[Mapping[str, Any], str]] = ()

    @property
    def texts(self) -> list[str]:
        """All published texts."""
        return [text for turn in self.turns for text in turn.texts]


def check_own_agent(evidence: OwnEvidence) -> Iterator[str]:
    """Yield the failed expectations, one line each, beginning with their name."""
    yield from _check_end(evidence)
    for invariant in evidence.scenario.held_invariants:
        for breach in _breaches(invariant, evidence):
            yield f"{invariant}: {breach}"
    yield from (f"policy: {_finding(found)} ({shown(place)})" for found, place in evidence.breaches)
    for phrase in evidence.scenario.never_publishes:
        if any(phrase.casefold() in text.casefold() for text in evidence.texts):
            yield f"never_publishes: the answer holds {phrase!r}"
    if evidence.error is not None:
        return
    scenario = evidence.scenario
    last = evidence.turns[-1]
    yield from _check_answer(scenario.expect, evidence.value, last.texts, "")
    if scenario.expect.calls is not None and (made := sum(turn.calls for turn in evidence.turns)) != (
        wanted := scenario.expect.calls
    ):
        yield f"calls: expected {wanted}, got {made}"
    if scenario.tools is not None:
        made_tools = [tool for turn in evidence.turns for tool in turn.tool_calls]
        yield from (f"tools: {problem}" for problem in check_tools(scenario.tools, made_tools))
    for number, turn in enumerate(evidence.turns, start=1):
        if turn.user is not None:
            yield from _check_turn(number, turn)


def _check_end(evidence: OwnEvidence) -> Iterator[str]:
    wanted = evidence.scenario.expect.raises
    if wanted is None:
        if evidence.problem is not None:
            yield evidence.problem
    elif evidence.error is None:
        yield f"raises: expected {wanted}, but the agent answered"
    elif not _is_raised(wanted, evidence.raised):
        near = difflib.get_close_matches(wanted, evidence.raised, n=1)
        hint = f" (did you mean `{near[0]}`?)" if near else ""
        _, _, message = str(evidence.problem).partition(": ")
        yield f"raises: expected {wanted}{hint}, but {message}"


def _is_raised(wanted: str, names: Sequence[str]) -> bool:
    # A result does not say which module an exception class is from.
    return wanted.rpartition(".")[2] in names


def _check_turn(number: int, turn: TurnRun) -> Iterator[str]:
    where = f"turn {number}: "
    yield from _check_answer(turn.expect, turn.value, turn.texts, where)
    if turn.expect.calls is not None and turn.calls != turn.expect.calls:
        yield f"{where}calls: expected {turn.expect.calls}, got {turn.calls}"
    if turn.tools is not None:
        yield from (f"{where}tools: {problem}" for problem in check_tools(turn.tools, turn.tool_calls))


def _check_answer(expect: OwnExpectation, value: Any, texts: Sequence[str], where: str) -> Iterator[str]:
    for path, wanted in expect.fields.items():
        found = value_at(value, path)
        if not same(found, wanted):
            yield f"{where}{path}: expected {show(wanted)}, got {show(found)}"
    for path in expect.absent:
        if (found := value_at(value, path)) is not MISSING:
            yield f"{where}{path}: expected nothing, got {show(found)}"
    if (expect.contains or expect.matches) and not texts:
        yield f"{where}contains: nothing was published, the result is {show(value)}"
    elif texts:
        yield from _check_text(expect, "\n\n".join(texts), where)


def _check_text(expect: OwnExpectation, text: str, where: str) -> Iterator[str]:
    for wanted in expect.contains:
        if wanted not in text:
            yield f"{where}contains: expected {_quoted(wanted)} in {_quoted(text)}"
    for pattern in expect.matches:
        if re.search(pattern, text) is None:
            yield f"{where}matches: expected /{shown(pattern)}/ in {_quoted(text)}"


def _breaches(invariant: OwnInvariant, evidence: OwnEvidence) -> Iterator[str]:
    match invariant:
        case "grounded_in_context":
            yield from map(_finding, evidence.findings)
        case "no_personal_data":
            yield from _personal_data(evidence)
        case "calls_stay_bounded":
            made, most = sum(turn.calls for turn in evidence.turns), evidence.scenario.max_calls
            if made > most:
                yield f"{made} model calls, at most {most} are allowed"
        case "numbers_come_from_the_context":
            known = numbers_in(evidence.context or {})
            for text in evidence.texts:
                for written, number in written_numbers(text):
                    if number not in known:
                        yield f"the answer says {written}, which the context does not hold"
        case "in_english":
            yield from map(_finding, evidence.unread)
        case _:
            assert_never(invariant)


def _finding(found: Mapping[str, Any]) -> str:
    text = str(found["text"])
    # The reason of a restricted phrase ends with the suggested replacement.
    _, _, instead = (
        str(found["reason"]).partition("; ") if found["code"] == "restricted_phrase" else ("",) * 3
    )
    message = f"{found['code']}: {shown(str(found['reading']))}" + (f" in {_quoted(text)}" if text else "")
    return message + (f"; {shown(instead)}" if instead else "")


def _personal_data(evidence: OwnEvidence) -> Iterator[str]:
    known = {
        match[0] for match in PERSONAL.finditer(_all_text((evidence.context, evidence.scenario.original)))
    }
    for text in evidence.texts:
        for match in PERSONAL.finditer(text):
            if match[0] not in known:
                yield f"the answer holds {_quoted(match[0])}, which looks like personal data"


def _all_text(values: Iterable[Any]) -> str:
    return json.dumps(list(values), ensure_ascii=False, default=str)


def _quoted(text: str) -> str:
    cut = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
    return repr(shown(cut))
