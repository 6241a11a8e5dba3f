"""The reasons of a failed scenario: the cause first, and hints for results without a text."""

from __future__ import annotations


def _scenario(project, **changes):
    project.scenario_library.add("mail/order", project.scenario(**changes))


def _failed(project):
    done = project.run()
    return next(line for line in done.stdout.lines if line.startswith("FAILED mail/order"))


def test_exception_comes_before_calls_that_were_not_made(project):
    project.record()
    source = (project.root / "support" / "mailer.py").read_text(encoding="utf-8")
    broken = source.replace("        messages.append(message)", '        raise OSError("the tool is down")')
    assert broken != source
    project.write("support/mailer.py", broken)
    assert _failed(project).startswith(
        "FAILED mail/order - raised: the agent raised OSError: the tool is down"
    )
    (result,) = project.results.values()
    assert result.broken == ("raised", "unplayed")


def test_worst_reason_comes_first(project):
    answer = "Mail ann@example.org: your order 82 is on its way."
    _scenario(
        project,
        replies=[{"content": answer}],
        never_publishes=["on its way"],
        expect={"contains": ["order 81"]},
        invariants=["grounded_in_context", "no_personal_data"],
        tools=None,
    )
    project.run("--record=missing")
    assert _failed(project).startswith("FAILED mail/order - never_publishes: ")
    (result,) = project.results.values()
    assert result.broken == ("never_publishes", "no_personal_data", "contains", "grounded_in_context")


def test_never_publishes_reads_as_a_customer_does(project):
    replies = [{"content": "Your **order\u00a081** is on\nits w\u00aday, don’t worry."}]
    phrases = ["is on its way", "order 81 is", "don't worry", "guarantee"]
    _scenario(project, replies=replies, never_publishes=phrases, expect={}, tools=None)
    project.run("--record=missing")
    (result,) = project.results.values()
    found = [reason for reason in result.reasons if reason.startswith("never_publishes")]
    assert found == [f"never_publishes: the answer contains {phrase!r}" for phrase in phrases[:3]]


def test_result_without_a_text_names_its_keys(project):
    _scenario(project, publishes=None, tools=None)
    project.run("--record=missing")
    expected = (
        "contains: no text, answer, final_output or output in the dict, which has email; pass publishes="
    )
    assert expected in _failed(project)
