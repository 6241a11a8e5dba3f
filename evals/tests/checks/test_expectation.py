"""Comparison of a scripted run's result with the expectation of its scenario."""

from __future__ import annotations

import pytest

from redpen_evals.checks.expectation import check_expectation

CALLS = ("draft", "critique")


@pytest.fixture
def differences(case_of, published):
    """Give a function that returns the differences between a result and an expectation."""

    def compare(expect, result=None, calls=CALLS, **scenario):
        case = case_of(expect={"status": "ok", **expect}, **scenario)
        return check_expectation(case, published() if result is None else result, calls)

    return compare


def test_met_expectation_has_no_difference(differences, published):
    expect = {
        "outcome": "approved_direct",
        "answer": published()["answer"] + "\n",
        "calls": 2,
        "trace": ["draft"],
        "fields": {"trace[0].ok": True, "trace[-1].attempts_used": 1, "history[0].action": "draft_once"},
        "absent": ["phase", "error", "trace[1]", "trace[0].draft"],
    }
    assert differences(expect) == ()


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"outcome": "revised_once"}, 'outcome: expected "revised_once", got "approved_direct"'),
        (
            {"answer": "Other."},
            'answer: expected "Other.", got "Checkout in the US is degraded for 27% of attempts."',
        ),
        ({"fields": {"trace[0].attempts_used": 2}}, "trace[0].attempts_used: expected 2, got 1"),
        ({"fields": {"trace[3].ok": True}}, "trace[3].ok: expected true, got nothing"),
        ({"fields": {"audit": None}}, "audit: expected null, got nothing"),
        (
            {"absent": ["answer"]},
            'answer: expected nothing, got "Checkout in the US is degraded for 27% of attempts."',
        ),
        ({"trace": ["draft", "critique"]}, "trace: expected draft → critique, got draft"),
        ({"trace": []}, "trace: expected nothing, got draft"),
        ({"calls": 3}, "calls: expected 3, got 2 (draft, critique)"),
    ],
)
def test_difference_is_one_line(differences, expect, difference):
    assert differences(expect) == (difference,)


def test_stopped_instead_of_ok_is_reported(differences, stopped):
    assert differences({}, stopped(), calls=()) == (
        'status: expected "ok", got "stopped"',
        'stop_reason: expected "success", got "llm_timeout"',
        "calls: expected 2, got 0 (none)",
    )


def test_stop_reason_and_phase_are_compared_exactly(case_of, stopped):
    expect = {"status": "stopped", "stop_reason": "llm_empty", "phase": "critique"}
    assert check_expectation(case_of(expect=expect), stopped(), CALLS) == (
        'stop_reason: expected "llm_empty", got "llm_timeout"',
        'phase: expected "critique", got "draft"',
    )


@pytest.mark.parametrize(
    ("found", "wanted", "same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (True, True, True),
        (True, 1, False),
        (1, True, False),
        (False, 0, False),
        (0, None, False),
        ("1", 1, False),
        ([True], [1], False),
        ([1], [True], False),
        ([[True]], [[True]], True),
        ([1, 2], [1], False),
        ([1], [1, 2], False),
        ([2, 1], [1, 2], False),
        ({"a": True}, {"a": 1}, False),
        ({"a": {"b": [0]}}, {"a": {"b": [False]}}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1, "b": None}, {"a": 1}, False),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({}, [], False),
        ("x", "x ", False),
    ],
)
def test_values_are_compared_by_json_type(differences, published, found, wanted, same):
    found_differences = differences({"fields": {"value": wanted}}, published(value=found))
    assert (found_differences == ()) is same


def test_trace_words_are_phases_and_decisions(case_of, published):
    trace = [
        {"step": 1, "action_id": "a1", "policy_decision": "allow"},
        {"step": 2, "action_id": "a2", "policy_decision": "deny"},
        {"step": 3, "phase": "finalize"},
    ]
    expect = {"status": "ok", "trace": ["a1:allow", "a2:deny", "finalize"]}
    case = case_of("guarded-policy", expect=expect)
    assert check_expectation(case, published(trace=trace), ("plan",)) == ()
    assert check_expectation(case, published(trace=trace[:2]), ("plan",)) == (
        "trace: expected a1:allow → a2:deny → finalize, got a1:allow → a2:deny",
    )


def test_reply_for_another_phase_is_a_difference(differences):
    assert differences({}, calls=("draft", "shorten")) == (
        "call 2: the script answers critique, the agent called for shorten",
    )


def test_reply_without_phase_matches_any_phase(differences):
    replies = [{"json": {}, "times": 2}, {"phase": "critique", "json": {}}]
    assert differences({}, calls=("draft", "shorten", "critique"), replies=replies) == ()
    assert differences({}, calls=("draft", "critique", "revise"), replies=replies) == (
        "call 3: the script answers critique, the agent called for revise",
    )


def test_unused_replies_are_a_difference_unless_calls_is_set(differences):
    assert differences({}, calls=("draft",)) == ("calls: expected 2, got 1 (draft)",)
    assert differences({"calls": 1}, calls=("draft",)) == ()


def test_control_characters_in_values_are_escaped(differences, published):
    (line,) = differences({"fields": {"value": "a"}}, published(value="\x1b[2J\u202eé"))
    assert line == 'value: expected "a", got "\\u001b[2J\\u202eé"'


def test_long_values_are_truncated(differences, published):
    (line,) = differences({"fields": {"value": "x" * 900}}, published(value="y" * 900))
    assert len(line) < 700
    assert line.count("…") == 2
