"""Reports of own-agent runs: value, turns, tool calls, and findings marked in the text."""

from __future__ import annotations

import json

import pytest

TALK = """
def answer(messages):
    return {"answer": "You said: " + messages[-1]["content"], "count": len(messages)}
"""
INVENTED = "Your order 81 arrives with carrier Zephyr on 12 March at 09:40."


@pytest.fixture
def reported(project):
    """Return the reports of a run with an answer, a conversation and an answer with findings, by suffix."""
    project.write("support/talk.py", TALK)
    project.scenario_library.add(
        "talk/two",
        {
            "agent": "support.talk:answer",
            "turns": [{"user": "Good morning."}, {"user": "And good night."}],
            "expect": {"fields": {"count": 3}},
        },
    )
    replies = [project.scenario()["replies"][0], {"content": INVENTED}]
    project.scenario_library.add("mail/invented", project.scenario(replies=replies, expect={}))
    names = [f"report.{suffix}" for suffix in ("html", "md", "json")]
    options = [option for name in names for option in ("--report", str(project.root / name))]
    project.run("--record=missing", *options).assert_outcomes(passed=2, failed=1)
    return {name.rpartition(".")[2]: (project.root / name).read_text(encoding="utf-8") for name in names}


def test_json_report_has_value_turns_tool_calls_and_findings(reported):
    results = {item["scenario"]: item for item in json.loads(reported["json"])["results"]}
    order, talk, invented = (results[name] for name in ("mail/order", "talk/two", "mail/invented"))
    assert order["detail"]["value"] == {"email": {"body": "Your order 81 is on its way."}}
    assert order["detail"]["tool_calls"] == [{"name": "lookup_order", "args": {"id": 81}}]
    assert [turn["user"] for turn in talk["detail"]["turns"]] == ["Good morning.", "And good night."]
    assert talk["agent"] == "support.talk:answer"
    assert invented["outcome"] == "failed"
    assert invented["violations"]
    assert all(found["text"] in INVENTED for found in invented["detail"]["violations"])


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_html_and_markdown_reports_name_agents_and_findings(reported, suffix):
    page = reported[suffix]
    assert "support.talk:answer" in page
    assert "mailer" in page
    assert "mail/invented" in page
    assert "grounded_in_context" in page


def test_html_report_shows_answer_tool_calls_turns_and_marks(reported):
    page = reported["html"]
    assert "Your order 81 is on its way." in page
    assert "lookup_order" in page
    assert "And good night." in page
    assert "<mark" in page
