"""The key `live`: what a live model has to reach, as a stopped run breaks no invariant."""

from __future__ import annotations

import json
import re
import sys

import pytest

from redpen.yaml_files.problem import FileError
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.exit_codes import EXIT_ERRORED
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder
from redpen_evals.scenario_library.fields import LiveRequirement, default_live_requirement
from redpen_evals.scenario_library.loading import load_case
from redpen_evals.scenario_library.scenario import live_requirement

INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"
WRONG = [{"json": {"weather": "fine"}, "times": 100}]


@pytest.fixture
def project(start_project):
    """Give a library of a scenario that ends ok, one that escalates and one whose script is broken."""
    library = start_project()
    library.add("self-critique/ends-ok", library.self_critique())
    library.add("reflection/escalates", library.reflection())
    broken = library.self_critique(
        replies=[{"content": "no json", "times": 3}],
        expect={"status": "stopped", "stop_reason": "llm_invalid_json", "phase": "draft", "calls": 1},
    )
    library.add("self-critique/broken-form", broken)
    return library


@pytest.fixture
def run_live(pytester, monkeypatch):
    """Give a function that runs the suite against a server with some replies."""

    def run(name, replies, *options):
        with ScriptedEndpoint(parse_replies(replies), model=name) as server:
            monkeypatch.setenv("OPENAI_API_KEY", "local-key-of-this-test")
            monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
            result = pytester.runpytest_inprocess("--record=all", f"--model={name}", *options)
            return result, len(server.requests)

    return run


def good_replies(library):
    """Return the replies of a model that follows its instructions; scenarios run in order of name."""
    return [*library.reflection()["replies"], *library.self_critique()["replies"]]


@pytest.mark.usefixtures("project")
def test_server_that_always_sends_invalid_schema_fails(run_live):
    result, requests = run_live("junk", WRONG)
    result.assert_outcomes(failed=2, skipped=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert requests == 2
    text = result.stdout.str()
    assert "live: a live model must give a published text, got the stop llm_invalid_schema" in text
    row = r"self-critique +1 +0 +1 +1 +1 +llm_invalid_schema 1"
    assert re.search(r"live model +applicable +published +stopped +calls +not asked +why it stopped", text)
    assert re.search(row, text)


def test_server_with_valid_replies_passes(project, run_live):
    result, requests = run_live("good", good_replies(project))
    result.assert_outcomes(passed=2, skipped=1)
    assert requests == 4
    text = result.stdout.str()
    assert re.search(r"self-critique +1 +1 +0 +2 +1", text)
    # A person was asked, as the script does too.
    assert re.search(r"reflection +1 +0 +1 +2 +policy_escalation 1", text)


@pytest.mark.usefixtures("project")
def test_report_counts_published_and_stopped_live_runs(run_live, pytester):
    run_live("junk", WRONG, "--report=r.json", "--report=r.md", "--report=r.html")
    shown = json.loads((pytester.path / "r.json").read_text())["summary"]["live"]
    assert shown[1] == {
        "agent": "self-critique",
        "applicable": 1,
        "published": 0,
        "stopped": {"llm_invalid_schema": 1},
        "calls": 1,
        "not_asked": 1,
    }
    for name in ("r.md", "r.html"):
        text = (pytester.path / name).read_text(encoding="utf-8")
        assert "applicable" in text
        assert "llm_invalid_schema 1" in text


@pytest.mark.usefixtures("project")
def test_run_exits_errored_when_live_model_is_never_called(run_live):
    result, requests = run_live("junk", WRONG, "-k", "broken-form")
    assert (result.ret, requests) == (EXIT_ERRORED, 0)
    assert "nothing was tested" in result.stdout.str()


@pytest.mark.usefixtures("project")
def test_compare_names_scenarios_that_are_not_comparable(run_live, pytester):
    pytester.runpytest_inprocess("--record=missing").assert_outcomes(passed=3)
    run_live("junk", WRONG)
    folder = RunFolder(path=pytester.path / ".redpen" / "runs")
    scripted, live = sorted(folder.path.glob("*.jsonl"), key=lambda path: read_record(path).start.number)

    def compared(one, other):
        done = pytester.run(sys.executable, "-m", "redpen_evals", "compare", str(one), str(other))
        return done.stdout.str()

    text = compared(scripted, live)
    assert "not comparable: scripted and junk" in text
    assert "not comparable: 1 on one side only" in text
    assert "not comparable" not in compared(live, live)


@pytest.mark.parametrize(
    ("live", "owed"),
    [
        ({"may_stop": ["patch_violation", "policy_escalation"]}, ["patch_violation", "policy_escalation"]),
        ({"status": "ok"}, []),
    ],
)
def test_live_key_of_scenario_sets_owed_result(library, live, owed):
    case = library.case("self-critique/one", library.self_critique(live=live))
    found = live_requirement(case.built_in)
    assert isinstance(found, LiveRequirement)
    assert found.may_stop == owed
    assert found.allows("patch_violation:no_new_facts") == bool(owed)


@pytest.mark.parametrize("written", ["no", "'no'"])
def test_yaml_false_and_text_no_both_disable_live(library, written):
    name = library.add("self-critique/one", library.self_critique())
    path = library.layout.scenarios / f"{name}.yaml"
    path.write_text(path.read_text(encoding="utf-8") + f"\nlive: {written}\n", encoding="utf-8")
    assert live_requirement(load_case(library.layout, name).built_in) == "no"


@pytest.mark.parametrize(
    ("live", "problem"),
    [
        ({}, "give either"),
        ({"status": "ok", "may_stop": ["max_seconds"]}, "give either"),
        ({"may_stop": ["polcy_escalation"]}, "did you mean `policy_escalation`"),
        ("yes", "live"),
    ],
)
def test_invalid_live_value_is_reported(library, live, problem):
    with pytest.raises(FileError, match=re.escape(problem)):
        library.case("self-critique/one", library.self_critique(live=live))


@pytest.mark.parametrize(
    ("stop_reason", "owed"),
    [
        ("success", LiveRequirement(status="ok")),
        ("llm_timeout", "no"),
        ("llm_invalid_json", "no"),
        ("invalid_critique:risks", "no"),
        ("invalid_draft:empty", "no"),
        ("invalid_draft:too_long", LiveRequirement(may_stop=["invalid_draft:too_long"])),
        ("policy_escalation", LiveRequirement(may_stop=["policy_escalation"])),
        (
            "critique_decision_denied_execution:revise",
            LiveRequirement(may_stop=["critique_decision_denied_execution"]),
        ),
        ("patch_violation:no_new_facts", LiveRequirement(may_stop=["patch_violation:no_new_facts"])),
    ],
)
def test_default_live_value_follows_from_scripted_stop_reason(stop_reason, owed):
    assert default_live_requirement(stop_reason, "self-critique") == owed


@pytest.mark.parametrize("redact", [False, True])
def test_personal_data_in_live_replies_is_reported_and_redacted_if_set(pytester, project, run_live, redact):
    pytester.makeini(f"{INI}redpen_redact = {str(redact).lower()}\n")
    project.add("self-critique/ends-ok", project.self_critique(invariants=["result_is_well_formed"]))
    draft = {"json": {"draft": "Write to jane.doe@acme-payments.io about it."}}
    replies = [draft, project.self_critique()["replies"][1]]
    result, _ = run_live("real", replies, "-k", "ends-ok")
    result.assert_outcomes(passed=1)
    text = result.stdout.str()
    output = "replaced in the recording" if redact else "the recording holds"
    assert f"self-critique/ends-ok: {output}" in text
    assert "an e-mail address" in text
    assert "jane" not in text
    assert (b"jane" in project.cassettes()["real/self-critique/ends-ok.json"]) != redact
