"""A changed prompt of an own agent: stale with file and line, recorded again, compared with a baseline."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE

KEY = ("mail/order", "", 1)
RETRYING = """
import openai

def answer(ticket):
    client = openai.OpenAI(max_retries=1)
    def ask(text):
        messages = [{"role": "user", "content": text}]
        reply = client.chat.completions.create(model="small", messages=messages)
        return reply.choices[0].message.content
    return f"{ask(ticket)} {ask('second')}"
"""


def _redpen(*arguments):
    done = CliRunner().invoke(main, ["--baseline", "accepted", *arguments])
    return done.exit_code, done.output


def _change_prompt(project):
    path = project.root / "prompts" / "reply.md"
    path.write_text(path.read_text().replace("two short", "two friendly"))


def test_recorded_run_is_replayed(project):
    project.record()
    assert project.cassettes == ["scripted/mail/order.json"]
    project.run().assert_outcomes(passed=1)
    result = project.results[KEY]
    assert (result.outcome, result.agent, result.answer) == (
        "passed",
        "mailer",
        "Your order 81 is on its way.",
    )
    assert [call.state for call in result.calls] == ["replayed", "replayed"]


def test_changed_word_is_stale_with_word_file_and_line(project):
    project.record()
    _change_prompt(project)
    done = project.run()
    assert done.ret == EXIT_STALE
    shown = done.stdout.str()
    assert "changed in prompts/reply.md:2" in shown
    assert "friendly" in shown
    done.stdout.re_match_lines([r"  prompts/reply\.md:2 +1 call in 1 scenario +chat changed → chat 1"])
    done.stdout.fnmatch_lines(["*free: the replies are scripted"])
    (call, follower) = project.results[KEY].stale.calls
    assert (call.why, call.origin, follower.why) == ("changed", "prompts/reply.md:2", "follows")


def test_edited_request_is_not_blamed_on_unchanged_scenario(project):
    project.record()
    path = project.scenario_library.cassette("mail/order")
    path.write_text(path.read_text().replace("Where is", "Where was"))
    done = project.run()
    assert done.ret == EXIT_STALE
    done.stdout.re_match_lines([r".*\[-was-\] \{\+is\+\}"])
    done.stdout.re_match_lines([r"    changed in scenarios/mail/order\.\w+:\d+ or the cassette file"])


def test_edited_reply_is_named_before_the_requests_that_follow_from_it(project):
    project.record()
    path = project.scenario_library.cassette("mail/order")
    recording = json.loads(path.read_text())
    (tool_call,) = recording["calls"][0]["response"]["body"]["choices"][0]["message"]["tool_calls"]
    tool_call["function"]["arguments"]["$json"]["id"] += 1
    path.write_text(json.dumps(recording))
    assert project.run().ret == EXIT_STALE
    result = project.results[KEY]
    reply, request = result.reasons
    head, excerpt = reply.splitlines()
    assert head == "call 1 of 2 (chat): the scenario's reply or the cassette file has changed"
    assert "[-82-] {+81+}" in excerpt
    assert request.startswith("call 2 of 2 (chat): messages[")
    assert [call.position for call in result.stale.calls] == [1, 2]


def test_stale_scenario_is_recorded_again(project):
    project.record()
    _change_prompt(project)
    project.run("--record=stale").assert_outcomes(passed=1)
    assert [call.state for call in project.results[KEY].calls] == ["recorded", "recorded"]
    project.run().assert_outcomes(passed=1)


def test_changed_later_call_rerecords_only_from_there(project):
    project.record()
    replies = [project.scenario()["replies"][0], {"content": "Your order 81 has left."}]
    project.scenario_library.add("mail/order", project.scenario(replies=replies))
    assert project.run().ret == EXIT_STALE
    project.run("--record=stale").assert_outcomes(passed=1)
    assert [call.state for call in project.results[KEY].calls] == ["replayed", "recorded"]
    assert project.results[KEY].answer == "Your order 81 has left."


def test_replies_to_retried_attempts_count_as_used_when_a_later_call_is_recorded(project):
    project.write("support/retrying.py", RETRYING)
    scenario = {
        "agent": "support.retrying:answer",
        "input": {"ticket": "Hello"},
        "replies": [{"status": 429, "headers": {"retry-after-ms": "1"}}, {"content": "A"}, {"content": "B"}],
        "expect": {"contains": ["A B"]},
    }
    project.scenario_library.add("mail/order", scenario)
    project.record()
    project.write("support/retrying.py", RETRYING.replace("second", "other"))
    sys.modules.pop("support.retrying", None)
    project.run("--record=stale").assert_outcomes(passed=1)
    assert [call.state for call in project.results[KEY].calls] == ["replayed", "recorded"]


def test_only_stale_option_runs_only_stale_scenarios(project):
    project.scenario_library.add("mail/other", project.scenario(input={"ticket": "Where is my order 81?"}))
    project.record()
    project.scenario_library.cassette("mail/other").unlink()
    assert project.run().ret == EXIT_STALE
    done = project.run("--only=stale")
    done.assert_outcomes(deselected=1)
    assert list(project.results) == [("mail/other", "", 1)]


def test_killed_run_is_resumed(project):
    project.scenario_library.add("mail/other", project.scenario())
    project.record()
    path = project.runs.find("last")
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["type"] in {"start", "prompt"}]
    kept += [line for line in lines if json.loads(line).get("scenario") == "mail/order"]
    path.write_text("".join(kept))
    done = project.run("--resume")
    done.assert_outcomes(passed=1, deselected=1)
    assert set(project.results) == {KEY, ("mail/other", "", 1)}


def test_failure_after_accepted_baseline_is_a_regression(project, monkeypatch):
    project.record()
    monkeypatch.chdir(project.root)
    code, output = _redpen("baseline", "accept")
    assert code == 0, output
    replies = [project.scenario()["replies"][0], {"content": "It is on its way."}]
    project.scenario_library.add("mail/order", project.scenario(replies=replies))
    done = project.run("--record=stale", "--fail-on=regressed")
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*compared with the baseline*", "*regressed*mail/order*"])


def test_known_failure_passes_with_fail_on_regressed(project, monkeypatch):
    project.scenario_library.add("mail/known", project.scenario(expect={"contains": ["order 82"]}))
    assert project.run("--record=missing").ret == 1
    monkeypatch.chdir(project.root)
    assert _redpen("baseline", "accept")[0] == 0
    assert project.run().ret == 1
    assert project.run("--fail-on=regressed").ret == 0


@pytest.mark.parametrize(("pattern", "code"), [(r"\border 8[0-9]\b", 0), (r"\border 82\b", 1)])
def test_answer_has_to_match_each_pattern(project, pattern, code):
    project.scenario_library.add("mail/order", project.scenario(expect={"matches": ["order", pattern]}))
    done = project.run("--record=missing")
    assert done.ret == code
    if code:
        done.stdout.fnmatch_lines(["*matches: expected /*order 82*/ in*"])


@pytest.mark.parametrize("pattern", ["x*", "", "$", "order|", "^.{0,160}$", "(?!.*guarantee)"])
def test_pattern_that_an_empty_text_matches_is_refused(project, pattern):
    project.scenario_library.add("mail/order", project.scenario(expect={"matches": ["order", pattern]}))
    done = project.run("--record=missing")
    assert done.ret == EXIT_ERRORED
    if pattern:
        problem = f"{pattern!r} matches the empty text too: add what the text has to say"
        assert f"expect.matches: {problem}" in project.results["mail/order", "", 1].text


def test_each_sample_has_its_own_recording(project):
    project.record("--samples=2")
    assert project.cassettes == ["scripted/mail/order.json", "scripted/mail/order~2.json"]
    done = project.run("--samples=2")
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(["*2 samples a scenario*"])
