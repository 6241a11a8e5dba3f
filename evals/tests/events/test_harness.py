"""Events of runs under the harness: library scenarios, own agents, options and commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest

from redpen.events import EventLog, event_schema
from redpen_evals.evaluation import Evaluator
from redpen_evals.evaluation.own import OwnSettings
from redpen_evals.run_events import open_project_events

CANARY = "canary-of-the-environment-0042"
SECRET_WORD = "incident"  # noqa: S105 - occurs in prompts, contexts, replies, names and codes
EVERY = 9
"""Every n-th scenario of the library is run, which gives each kind of event."""


@pytest.fixture
def library_results(run_library, kept):
    """Return the results of a sample of the library; the sink gets the events."""
    return run_library(EventLog(sink=kept), EVERY)


def test_events_of_library_match_schema_and_order(library_results, kept):
    assert {result.outcome for result in library_results} == {"passed"}
    validator = jsonschema.Draft202012Validator(event_schema())
    runs = {}
    for event in kept.events:
        validator.validate(event.model_dump(mode="json"))
        runs.setdefault(event.run_id, []).append(event)
    assert len(runs) == len(library_results)
    for result, events in zip(library_results, runs.values(), strict=True):
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert (events[0].kind, events[0].scenario) == ("run_started", result.scenario)
        assert events[-1].kind in {"published", "stopped"}
        assert events[-1].code == result.stop_reason
        asked = sum(event.kind == "model_asked" for event in events)
        assert asked == sum(event.kind == "model_answered" for event in events)
    assert {"judged", "guard_found", "gate_decided", "tool_called", "review_asked", "decided"} < {*kept.kinds}


def test_events_of_library_contain_no_secret(run_library, tmp_path, monkeypatch):
    monkeypatch.setenv("MAILER_API_KEY", SECRET_WORD)
    log = open_project_events("jsonl:events", texts="true", root=tmp_path)
    run_library(log, 3 * EVERY)
    log.close()
    written = (tmp_path / "events").read_text(encoding="utf-8")
    assert written.count("[key]") > 200
    assert SECRET_WORD not in written


_AGENT = """
import httpx2
def write_reply(ticket):
    url = "https://api.openai.com/v1/chat/completions"
    asked = {"model": "m", "messages": [{"role": "user", "content": ticket}]}
    return httpx2.post(url, json=asked).json()["choices"][0]["message"]["content"]
"""


def test_runs_of_own_agents_emit_traffic_events(library, kept):
    (library.root / "mailer_of_events.py").write_text(_AGENT, encoding="utf-8")
    scenario = {
        "agent": "mailer_of_events:write_reply",
        "input": {"ticket": "Where is order 81?"},
        "invariants": [],
        "replies": [{"content": "It is on its way."}],
    }
    name = library.add("mine/one", scenario)
    own = OwnSettings(paths=(library.root,))
    make = {"layout": library.layout, "root": library.root, "own": own, "events": EventLog(sink=kept)}
    try:
        recorded = Evaluator(**make, record="all").evaluate(name)
        replayed = Evaluator(**make).evaluate(name)
    finally:
        sys.modules.pop("mailer_of_events", None)
    assert (recorded.outcome, replayed.outcome) == ("passed", "passed"), replayed.text
    assert kept.kinds == ["run_started", "model_asked", "model_answered", "published"] * 2
    started, asked, _, published = kept.events[4:]
    assert started.texts["input"] == {"ticket": "Where is order 81?"}
    assert (started.scenario, asked.model, asked.phase) == (name, "m", "chat")
    assert published.texts == {"answer": "It is on its way."}


@pytest.fixture
def session(pytester, monkeypatch, make_library):
    """Return a function that runs pytest on one scenario, with a key in the environment."""
    library = make_library(pytester.path)
    context = library.context(notes=f"Ask Ann, who has {CANARY}.")
    library.write("contexts/payments.yaml", context)
    library.record(library.add("self-critique/one", library.self_critique()))
    pytester.makepyfile(_SUITE)
    monkeypatch.setenv("MAILER_API_KEY", CANARY)
    return lambda *options: pytester.runpytest_inprocess("-p", "redpen_evals.plugin", *options)


_SUITE = """
def test_scenario(scenario_run):
    assert scenario_run.evaluate().outcome == "passed"
"""


def test_events_option_writes_events_without_keys(session, pytester):
    session("--events=jsonl:kept/events.jsonl").assert_outcomes(passed=1)
    written = Path(pytester.path / "kept/events.jsonl").read_text(encoding="utf-8")
    events = [json.loads(line) for line in written.splitlines()]
    assert [event["kind"] for event in events][::6] == ["run_started", "published"]
    assert "who has [key]" in written
    assert CANARY not in written


def test_invalid_events_option_is_a_usage_error(session):
    result = session("--events=json:events")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*'json:events' is neither jsonl:PATH nor sqlite:///PATH*"])


@pytest.fixture
def place(library, monkeypatch, redpen):
    """Return a file with the events of two runs of `redpen run`."""
    monkeypatch.chdir(library.root)
    library.record(library.add("self-critique/one", library.self_critique()))
    library.add("guarded-policy/filed", library.filed_plan())
    for name in ("self-critique/one", "guarded-policy/filed"):
        redpen("run", "--replay", "--scenario", name, "--events", "jsonl:events")
    return library.root / "events"


def kinds(result):
    return [json.loads(line)["kind"] for line in result.stdout.splitlines()]


def test_events_command_filters_by_run_code_agent_and_time(place, redpen):
    run = json.loads(place.read_text(encoding="utf-8").splitlines()[0])["run_id"]
    assert kinds(redpen("events", place, "--to", "jsonl", "--run", run[:8]))[-1] == "published"
    assert kinds(redpen("events", "--code", "policy.pass", "--to", "jsonl", place)) == ["gate_decided"] * 2
    assert len(kinds(redpen("events", f"jsonl:{place}", "--agent", "guarded-policy", "--to", "jsonl"))) == 6
    assert kinds(redpen("events", place, "--since", "2999-01-01", "--to", "jsonl")) == []


def test_events_command_prints_texts_unless_no_texts(place, redpen):
    shown = redpen("events", place)
    assert shown.exit_code == 0
    assert "self-critique published [success] outcome=approved_direct" in shown.stdout
    assert "      answer: Checkout in the US is degraded" in shown.stdout
    for form in ([], ["--to", "jsonl"]):
        assert "Checkout" not in redpen("events", place, "--no-texts", *form).stdout


def test_events_command_reports_damaged_line_and_exits_1(place, redpen):
    with place.open("a", encoding="utf-8") as file:
        file.write("{\n")
    shown = redpen("events", place, "--to", "jsonl")
    assert (shown.exit_code, len(kinds(shown))) == (1, 13)
    assert f"redpen: {place}:14: is not an event" in shown.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["events", "nowhere"], "nowhere: events: No such file"),
        (["events", "events", "--since", "yesterday"], "must be an ISO 8601 time"),
        (["events", "prune", "events", "--older-than", "soon"], "such as 90d"),
    ],
)
def test_events_command_usage_errors_exit_2(place, redpen, args, message):
    del place
    result = redpen(*args)
    assert (result.exit_code, message in result.stderr) == (2, True), result.stderr


def test_prune_prints_number_of_removed_events(place, redpen):
    assert redpen("events", "prune", place, "--older-than", "90d").stdout == "removed 0 events\n"
    assert redpen("events", "prune", place, "--older-than", "0m").stdout == "removed 13 events\n"
    assert redpen("events", place).stdout == ""


def test_schema_command_prints_json_schema(redpen):
    assert json.loads(redpen("events", "schema").stdout) == event_schema()


def test_events_of_a_run_record_are_shown(session, pytester, redpen, monkeypatch):
    monkeypatch.chdir(pytester.path)
    session("--events=sqlite:///events.db").assert_outcomes(passed=1)
    # A second session stores its events in the same database.
    session("--events=sqlite:///events.db").assert_outcomes(passed=1)
    shown = redpen("events", "last", "--to", "jsonl")
    events = [json.loads(line) for line in shown.stdout.splitlines()]
    assert (shown.exit_code, len(events), len({event["run_id"] for event in events})) == (0, 7, 1)
    assert len(kinds(redpen("events", "events.db", "--to", "jsonl"))) == 14
    assert redpen("events", "last-1", "--to", "jsonl").stdout != shown.stdout


def test_record_without_events_exits_2(session, pytester, redpen, monkeypatch):
    monkeypatch.chdir(pytester.path)
    session().assert_outcomes(passed=1)
    result = redpen("events", "last")
    assert result.exit_code == 2
    assert "its runs stored no events; run the suite with --events" in result.stderr


def test_report_shows_timeline_or_why_it_is_missing(session, pytester, redpen, monkeypatch):
    monkeypatch.chdir(pytester.path)
    for place in ("jsonl:events.jsonl", "sqlite:///events.db"):
        session(f"--events={place}").assert_outcomes(passed=1)
        assert redpen("report", "last", "-o", "report.html").exit_code == 0
        page = (pytester.path / "report.html").read_text(encoding="utf-8")
        timeline = page.partition("<h4>Timeline</h4>")[2].partition("</table>")[0]
        rows = [row.partition("<td>")[2] for row in timeline.split("<tr>")[2:]]
        assert [row.partition("<td>")[0] for row in rows] == [
            "run started",
            *["model asked", "model answered"] * 2,
            "judged",
            "published",
        ]
        assert "0.0 ms" in timeline
        assert "phase=critique" in timeline
        assert "<code>success</code>" in timeline
    redpen("events", "prune", "events.db", "--older-than", "0m")
    redpen("report", "last", "-o", "report.html")
    assert "Its events are no longer kept." in (pytester.path / "report.html").read_text(encoding="utf-8")
    (pytester.path / "events.db").unlink()
    redpen("report", "last", "-o", "report.html")
    assert "Its events cannot be read" in (pytester.path / "report.html").read_text(encoding="utf-8")
    session().assert_outcomes(passed=1)
    redpen("report", "last", "-o", "report.html")
    assert "Timeline" not in (pytester.path / "report.html").read_text(encoding="utf-8")
