"""Expectations beside an expected exception: calls, tools, and the turns before it."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED

_AGENT = """
from support.mailer import ask


class OrderNotFound(LookupError):
    pass


def turn(message):
    if message == "lost":
        raise OrderNotFound(message)
    if message == "email":
        return {"email": {"body": "Hello."}}
    answer = ask([{"role": "user", "content": message}], "small")
    if answer.get("tool_calls"):
        raise OrderNotFound(message)
    return answer["content"]
"""
_CALL = {"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]}


@pytest.fixture
def run(project):
    """Give a function that runs a conversation with the agent, and returns the session and the result."""
    project.write("support/lost.py", _AGENT)

    def run(*turns, replies=(), expect=None, **scenario):
        scenario = {
            "agent": "support.lost:turn",
            "turns": [turn if isinstance(turn, dict) else {"user": turn} for turn in turns],
            "replies": list(replies),
            "expect": {"raises": "OrderNotFound", **(expect or {})},
            **scenario,
        }
        project.scenario_library.add("mail/order", scenario)
        done = project.run("--record=missing")
        return done, project.results["mail/order", "", 1]

    return run


def test_calls_and_tools_are_checked_beside_the_exception(run):
    tools = {"calls": [{"name": "lookup_order", "args": {"id": 81}}]}
    _, result = run("Where?", replies=[_CALL], expect={"calls": 1}, tools=tools)
    assert result.outcome == "passed", result.text
    tools = {"calls": [{"name": "refund", "args": {}}]}
    done, result = run("Where?", replies=[_CALL], expect={"calls": 3}, tools=tools)
    assert (done.ret, result.broken) == (pytest.ExitCode.TESTS_FAILED, ("calls", "tools"))
    assert "calls: expected 3, got 1" in result.text
    assert "tools: call 1: expected refund({})" in result.text


def test_turns_before_the_exception_are_checked(run):
    replies = [{"content": "Which order?"}, _CALL]
    turn = {"user": "Where?", "expect": {"contains": ["Which order"], "calls": 1}}
    last = {"user": "81", "expect": {"calls": 1}, "tools": {"calls": _CALL["tool_calls"]}}
    _, result = run(turn, last, replies=replies)
    assert result.outcome == "passed", result.text
    turn = {"user": "Where?", "expect": {"contains": ["Good day"], "calls": 2}}
    last = {"user": "81", "expect": {"calls": 2}, "tools": {"calls": []}}
    _, result = run(turn, last, replies=replies)
    assert result.reasons == (
        "turn 1: contains: expected 'Good day' in 'Which order?'",
        "turn 1: calls: expected 2, got 1",
        "turn 2: calls: expected 2, got 1",
        'turn 2: tools: call 1: expected no further call, got lookup_order({"id": 81})',
    )


def test_text_that_is_not_at_its_path_fails_before_the_exception(run):
    _, result = run("email", "lost", publishes="email.bod")
    assert result.broken == ("turn 1",)
    assert "turn 1: publishes: email.bod leads to nothing (did you mean `email.body`?)" in result.text


def test_exception_before_the_last_turn_fails(run):
    done, result = run("lost", "Where?")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert result.reasons == (
        "raises: expected OrderNotFound in the last turn, but turn 1 of 2 raised it; leave out the rest",
    )


def test_other_exception_is_the_only_reason(run):
    _, result = run("lost", expect={"raises": "KeyError", "calls": 3})
    (reason,) = result.reasons
    assert reason.startswith("raises: expected KeyError, but the agent raised OrderNotFound")


@pytest.mark.parametrize(
    ("turn", "expect", "message"),
    [
        (
            {"user": "lost", "expect": {"raises": "OrderNotFound"}},
            {},
            "turns[0].expect.raises: is read only in the `expect` of the scenario: write it there",
        ),
        (
            {"user": "lost", "expect": {"contains": ["81"]}},
            {},
            "turns[0].expect: the last turn raises, so that it answers nothing: expect `calls` alone",
        ),
        ("lost", {"absent": ["answer"]}, "goes without `fields`, `contains`, `matches` and `absent`"),
    ],
)
def test_expectation_that_nothing_reads_is_refused(run, turn, expect, message):
    done, result = run(turn, expect=expect)
    assert done.ret == EXIT_ERRORED
    assert message in result.text
