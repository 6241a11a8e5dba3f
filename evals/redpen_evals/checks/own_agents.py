"""Checks whether a user-defined agent answered as its scenario expects."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from redpen.screen import shortened, shown
from redpen.text.phrases import mentions
from redpen_evals.checks.expectation import check_values, same
from redpen_evals.checks.invariants import PERSONAL, unknown_numbers
from redpen_evals.scenario_library.fields import OwnInvariant
from redpen_evals.scenario_library.own_agent import (
    ArgumentMatch,
    ExpectedTool,
    OwnAgentScenario,
    OwnExpectation,
    ToolExpectation,
)
from redpen_evals.targets.run import TurnRun
from redpen_evals.targets.values import PUBLISHED_PLACES, unread_result

_SHOWN_CHARS = 200

MadeCall = tuple[str, Any]
"""Name and arguments of a tool call that was made."""


def check_tools(expect: ToolExpectation, made: Sequence[MadeCall]) -> tuple[str, ...]:
    """Return what differs between the tool calls expected and those made, one line each.

    Args:
        expect: the expected calls, and how to compare them.
        made: name and arguments of each call, in order.
    """
    match expect.match:
        case "exact":
            return tuple(_ordered_differences(expect, made))
        case "unordered":
            return (*_missing(expect, made), *_unexpected(expect, made))
        case "subset":
            return tuple(_missing(expect, made))
        case "superset":
            return tuple(_unexpected(expect, made))
        case _:
            assert_never(expect.match)


def _ordered_differences(expect: ToolExpectation, made: Sequence[MadeCall]) -> Iterator[str]:
    for index in range(max(len(expect.calls), len(made))):
        expected = _expected(expect.calls[index]) if index < len(expect.calls) else "no further call"
        actual = _made(made[index]) if index < len(made) else "none"
        if (
            index >= len(expect.calls)
            or index >= len(made)
            or not _matches(expect.calls[index], made[index], expect.arguments)
        ):
            yield f"call {index + 1}: expected {expected}, got {actual}"


def _missing(expect: ToolExpectation, made: Sequence[MadeCall]) -> Iterator[str]:
    matched = _pairs(expect, made)
    for index, tool in enumerate(expect.calls):
        if index not in matched:
            listed = ", ".join(map(_made, made)) or "none"
            yield f"expected {_expected(tool)}, which was not called; calls made: {listed}"


def _unexpected(expect: ToolExpectation, made: Sequence[MadeCall]) -> Iterator[str]:
    used = set(_pairs(expect, made).values())
    for index, call in enumerate(made):
        if index not in used:
            yield f"{_made(call)} was called, but not expected"


def _pairs(expect: ToolExpectation, made: Sequence[MadeCall]) -> dict[int, int]:
    """Return a maximum matching of expected calls to calls made."""
    pairs: dict[int, int] = {}
    owners: dict[int, int] = {}

    def pair(index: int, seen: set[int]) -> bool:
        for other, call in enumerate(made):
            if other in seen or not _matches(expect.calls[index], call, expect.arguments):
                continue
            seen.add(other)
            if other not in owners or pair(owners[other], seen):
                owners[other], pairs[index] = index, other
                return True
        return False

    for index in range(len(expect.calls)):
        pair(index, set())
    return pairs


def _matches(expected: ExpectedTool, made: MadeCall, arguments: ArgumentMatch) -> bool:
    name, args = made
    if name != expected.name:
        return False
    match arguments:
        case "ignore":
            return True
        case "exact":
            return same(args, expected.args)
        case "subset":
            return isinstance(args, dict) and all(
                key in args and same(args[key], value) for key, value in expected.args.items()
            )
        case _:
            assert_never(arguments)


def _expected(tool: ExpectedTool) -> str:
    return _made((tool.name, tool.args))


def _made(call: MadeCall) -> str:
    name, args = call
    return shortened(shown(f"{name}({json.dumps(args, ensure_ascii=False, default=str)})"), _SHOWN_CHARS)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEvidence:
    """The data that checks of user-defined agents use.

    Attributes:
        scenario: the scenario.
        turns: the answers, turn by turn.
        value: the agent's last return value, as JSON values.
        error: the exception it raised instead; None if it returned.
        raised: names of the exception's class and its base classes.
        problem: why the run itself failed.
        context: the facts; None if there are none.
        findings: the guards' findings in the published texts, as JSON values.
        unread: sentences of the texts that are not mostly English, so that the guards did not judge them.
        breaches: violations of the policy pack in the texts, each with the location of its rule.
        may_be_silent: whether the scenario expects that nothing is published.
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
    may_be_silent: bool = False

    @property
    def texts(self) -> list[str]:
        """All published texts."""
        return [text for turn in self.turns for text in turn.texts]

    @property
    def raises_too_early(self) -> bool:
        """Whether it raised before the last turn of the scenario."""
        return self.error is not None and len(self.turns) < len(self.scenario.turns)

    @property
    def ended_as_expected(self) -> bool:
        """Whether it answered, or raised the expected exception in the last turn."""
        if self.error is None:
            return True
        # Results do not contain the module of an exception class.
        expected = (self.scenario.expect.raises or "").rpartition(".")[2]
        return expected in self.raised and not self.raises_too_early


def expects_silence(scenario: OwnAgentScenario) -> bool:
    """Return whether an expectation says that a place of the published text is null, empty or absent."""
    places = scenario.published_paths or PUBLISHED_PLACES
    expectations = (scenario.expect, *(turn.expect for turn in scenario.turns))
    return any(
        place in expect.absent or (place in expect.fields and not str(expect.fields[place] or "").strip())
        for expect in expectations
        for place in places
    )


def check_own_agent(evidence: OwnEvidence) -> Iterator[str]:
    """Yield the failed expectations, one line each, beginning with their name."""
    yield from _check_end(evidence)
    for invariant in evidence.scenario.held_invariants:
        for breach in _breaches(invariant, evidence):
            yield f"{invariant}: {breach}"
    yield from (f"policy: {_finding(finding)} ({shown(rule)})" for finding, rule in evidence.breaches)
    for phrase in evidence.scenario.never_publishes:
        if any(mentions(text, phrase) for text in evidence.texts):
            yield f"never_publishes: the answer contains {phrase!r}"
    yield from _check_was_read(evidence)
    if evidence.ended_as_expected:
        # Otherwise what was not reached is a consequence.
        yield from _check_expected(evidence)


def _check_expected(evidence: OwnEvidence) -> Iterator[str]:
    if evidence.error is not None:
        yield from (turn.unpublished for turn in evidence.turns if turn.unpublished)
    scenario = evidence.scenario
    last_texts = evidence.turns[-1].texts if evidence.turns else ()
    yield from _check_answer(scenario.expect, evidence.value, last_texts, "")
    made, expected = sum(turn.calls for turn in evidence.turns), scenario.expect.calls
    if expected is not None and made != expected:
        yield f"calls: expected {expected}, got {made}"
    if scenario.tools is not None:
        made_tools = [tool for turn in evidence.turns for tool in turn.tool_calls]
        yield from (f"tools: {problem}" for problem in check_tools(scenario.tools, made_tools))
    for number, turn in enumerate(evidence.turns, start=1):
        if turn.user is not None:
            yield from _check_turn(number, turn)


def _check_end(evidence: OwnEvidence) -> Iterator[str]:
    expected = evidence.scenario.expect.raises
    if expected is None:
        if evidence.problem is not None:
            yield evidence.problem
    elif evidence.error is None:
        yield f"raises: expected {expected}, but the agent answered"
    elif expected.rpartition(".")[2] not in evidence.raised:
        near = difflib.get_close_matches(expected, evidence.raised, n=1)
        hint = f" (did you mean `{near[0]}`?)" if near else ""
        _, _, message = str(evidence.problem).partition(": ")
        yield f"raises: expected {expected}{hint}, but {message}"
    elif evidence.raises_too_early:
        place = f"turn {len(evidence.turns)} of {len(evidence.scenario.turns)}"
        yield f"raises: expected {expected} in the last turn, but {place} raised it; leave out the rest"


def _check_was_read(evidence: OwnEvidence) -> Iterator[str]:
    """Yield a line if checks of the text are in force, and no answer of the agent has one."""
    has_raised = evidence.error is not None
    answers = evidence.turns[:-1] if has_raised else evidence.turns
    if not answers or evidence.may_be_silent or any(text.strip() for text in evidence.texts):
        return
    if any(turn.unpublished for turn in answers) or (evidence.ended_as_expected and _expects_text(evidence)):
        # A line of its own says so.
        return
    if checks := _checks_of_text(evidence.scenario):
        yield (
            f"publishes: {', '.join(checks)} read nothing: {unread_result(answers[-1].value)}; if nothing is "
            "published, expect that (`fields: {answer: null}`), or leave the checks out (`invariants: "
            "[calls_stay_bounded]`)"
        )


def _expects_text(evidence: OwnEvidence) -> bool:
    expectations = (evidence.scenario.expect, *(turn.expect for turn in evidence.turns))
    return any(expect.contains or expect.matches for expect in expectations)


def _checks_of_text(scenario: OwnAgentScenario) -> list[str]:
    """Return the names of a scenario's checks that hold for any text, and so for none."""
    names = [name for name in scenario.held_invariants if name != "calls_stay_bounded"]
    listed = {"policy": scenario.pack, "guards": scenario.guards, "never_publishes": scenario.never_publishes}
    return [*names, *(name for name, given in listed.items() if given)]


def _check_turn(number: int, turn: TurnRun) -> Iterator[str]:
    where = f"turn {number}: "
    yield from _check_answer(turn.expect, turn.value, turn.texts, where)
    if turn.expect.calls is not None and turn.calls != turn.expect.calls:
        yield f"{where}calls: expected {turn.expect.calls}, got {turn.calls}"
    if turn.tools is not None:
        yield from (f"{where}tools: {problem}" for problem in check_tools(turn.tools, turn.tool_calls))


def _check_answer(expect: OwnExpectation, value: Any, texts: Sequence[str], where: str) -> Iterator[str]:
    yield from (f"{where}{difference}" for difference in check_values(value, expect.fields, expect.absent))
    if (expect.contains or expect.matches) and not texts:
        yield f"{where}contains: {unread_result(value)}"
    elif texts:
        yield from _check_text(expect, "\n\n".join(texts), where)


def _check_text(expect: OwnExpectation, text: str, where: str) -> Iterator[str]:
    for phrase in expect.contains:
        if phrase not in text:
            yield f"{where}contains: expected {_quoted(phrase)} in {_quoted(text)}"
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
            made, limit = sum(turn.calls for turn in evidence.turns), evidence.scenario.max_calls
            if made > limit:
                yield f"{made} model calls, at most {limit} are allowed"
        case "numbers_come_from_the_context":
            for text in evidence.texts:
                yield from unknown_numbers(text, evidence.context)
        case "in_english":
            yield from map(_finding, evidence.unread)
        case _:
            assert_never(invariant)


def _finding(finding: Mapping[str, Any]) -> str:
    text = str(finding["text"])
    # The reason of a restricted phrase ends with the suggested replacement.
    is_phrase = finding["code"] == "restricted_phrase"
    replacement = str(finding["reason"]).partition("; ")[2] if is_phrase else ""
    where = f" in {_quoted(text)}" if text else ""
    message = f"{finding['code']}: {shown(str(finding['reading']))}{where}"
    return message + (f"; {shown(replacement)}" if replacement else "")


def _personal_data(evidence: OwnEvidence) -> Iterator[str]:
    given = json.dumps([evidence.context, evidence.scenario.original], ensure_ascii=False, default=str)
    known = {match[0] for match in PERSONAL.finditer(given)}
    for text in evidence.texts:
        for match in PERSONAL.finditer(text):
            if match[0] not in known:
                yield f"the answer contains {_quoted(match[0])}, which looks like personal data"


def _quoted(text: str) -> str:
    return repr(shown(shortened(text, _SHOWN_CHARS)))
