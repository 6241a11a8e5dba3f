"""Results without a text that a customer reads: a check of the text that read none is a failure."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED

_AGENTS = """
import typing

RESULTS = {
    "null": None,
    "number": 3,
    "bool": True,
    "blank": " ",
    "empty_list": [],
    "empty": {},
    "texts": ["We guarantee it."],
    "pair": ("We guarantee it.", 3),
    "below": {"answer": {"body": "We guarantee it."}},
    "email": {"subject": "Yes", "body": "We guarantee it."},
    "silent": {"answer": None, "sent": False},
    "stopped": {"status": "stopped"},
    "spam": {"label": "spam"},
    "text": "Hello.",
}

def result(name):
    return RESULTS[name]

def pieces():
    yield "We guarantee it."
    yield 3

def turn(message):
    if message == "stop":
        raise LookupError("stopped")
    return RESULTS[message]

def chat(messages=None):
    call = {"role": "assistant", "content": "Let me look.", "tool_calls": []}
    parts = [{"type": "text", "text": "Your order"}, {"type": "text", "text": " is lost."}]
    return [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "We guarantee it."},
        {"role": "user", "content": "Where is it?"},
        call,
        {"role": "tool", "content": "no order"},
        {"role": "assistant", "content": parts},
        {"role": "assistant", "content": None},
    ]
"""


@pytest.fixture
def run(project):
    """Give a function that runs a scenario of one of the agents, and returns the session and the result."""
    project.write("support/results.py", _AGENTS)

    def run(agent, *, name=None, **scenario):
        given = {} if name is None else {"input": {"name": name}}
        scenario = {"agent": f"support.results:{agent}", **given, **scenario}
        if "command" in scenario:
            del scenario["agent"]
        project.scenario_library.add("mail/order", scenario)
        done = project.run()
        return done, project.results["mail/order", "", 1]

    return run


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("null", "the result is None"),
        ("number", "the result is the number 3"),
        ("bool", "the result is True"),
        ("blank", "the text is empty"),
        ("empty_list", "the result is an empty list"),
        ("empty", "the result is an empty dict"),
        ("texts", "the result is a list of 1: str"),
        ("pair", "the result is a list of 2: str, int"),
        ("below", "answer in the dict is a dict, not a text"),
        ("email", "no text, answer, final_output or output in the dict, which has subject, body"),
        ("silent", "answer in the dict is None, not a text"),
    ],
)
def test_result_without_a_text_fails_the_default_checks(run, name, what):
    done, result = run("result", name=name)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert result.broken == ("publishes",)
    (reason,) = result.reasons
    assert reason.startswith(f"publishes: no_personal_data read nothing: {what}; pass publishes= ")
    assert "(in a scenario `publishes: PATH`)" in reason
    assert "`invariants: [calls_stay_bounded]`" in reason


def test_generator_of_mixed_items_fails(run):
    _, result = run("pieces")
    assert "publishes: no_personal_data read nothing: the result is a list of 2: str, int" in result.text


def test_command_that_prints_a_list_or_nothing_fails(run):
    _, result = run("", command=["sh", "-c", "echo '[\"We guarantee it.\"]'"])
    assert "read nothing: the result is a list of 1: str" in result.text
    _, result = run("", command=["true"])
    assert "read nothing: the text is empty" in result.text


@pytest.mark.parametrize(
    ("check", "name"),
    [
        ({"never_publishes": ["guarantee"]}, "never_publishes"),
        ({"guards": ["support.results:result"]}, "guards"),
        ({"context": "orders", "invariants": ["grounded_in_context"]}, "grounded_in_context"),
        ({"invariants": ["in_english"], "never_publishes": ["x"]}, "in_english, never_publishes"),
    ],
)
def test_each_check_of_the_text_is_named(run, check, name):
    done, result = run("result", name="email", **{"invariants": [], **check})
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert f"publishes: {name} read nothing: " in result.text


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("spam", {"invariants": [], "expect": {"fields": {"label": "spam"}}}),
        ("null", {"invariants": ["calls_stay_bounded"]}),
        ("silent", {"expect": {"fields": {"answer": None}}, "never_publishes": ["guarantee"]}),
        ("stopped", {"expect": {"fields": {"status": "stopped"}, "absent": ["answer"]}}),
        ("email", {"publishes": "body"}),
        ("below", {"publishes": "answer.body"}),
        ("texts", {"publishes": "[0]"}),
    ],
)
def test_scenario_that_publishes_nothing_or_says_where_passes(run, name, scenario):
    done, result = run("result", name=name, **scenario)
    assert (done.ret, result.outcome) == (0, "passed"), result.text


def test_conversation_needs_a_text_in_one_turn(run):
    _, result = run("turn", turns=[{"user": "null"}, {"user": "email"}])
    assert "read nothing: no text, answer, final_output or output in the dict" in result.text
    _, result = run("turn", turns=[{"user": "null"}, {"user": "text"}])
    assert result.outcome == "passed", result.text
    _, result = run("turn", turns=[{"user": "email"}, {"user": "stop"}], expect={"raises": "LookupError"})
    assert "read nothing: no text, answer, final_output or output in the dict" in result.text
    _, result = run("turn", turns=[{"user": "stop"}], expect={"raises": "LookupError"})
    assert result.outcome == "passed", result.text


def test_chat_messages_are_read_from_the_last_question_on(run):
    _, result = run("chat", never_publishes=["guarantee"], expect={"contains": ["order is lost"]})
    assert (result.outcome, result.answer) == ("passed", "Let me look.\n\nYour order is lost."), result.text
    _, result = run("chat", never_publishes=["order is lost"])
    assert result.broken == ("never_publishes",)


def test_empty_publishes_is_refused(run):
    done, result = run("result", name="text", publishes=[])
    assert done.ret == EXIT_ERRORED
    assert "publishes: is empty: name a path, or leave it out for the usual places" in result.text


def test_fixture_fails_without_a_text_to_check(project):
    source = """
    import pytest

    @pytest.mark.redpen(never_publishes=["guarantee"])
    def test_listed(redpen):
        redpen.run(lambda: {"email": "We guarantee it."})

    def test_check(redpen):
        redpen.run(lambda: ["We guarantee it."]).check()

    def test_no_path(redpen):
        redpen.run(lambda: "Hello.", publishes=[])

    def test_not_checked(redpen):
        answer = redpen.run(lambda: None)
        answer.check("calls_stay_bounded")
        assert not answer.text
    """
    project.pytester.makepyfile(test_mine=source)
    done = project.run("test_mine.py")
    done.assert_outcomes(failed=2, passed=1)
    output = done.stdout.str()
    assert "publishes: never_publishes read nothing: no text, answer, final_output or output in the" in output
    assert (
        "publishes: grounded_in_context, no_personal_data read nothing: the result is a list of 1: str"
        in output
    )
    assert "publishes: is empty: name a path" in output
