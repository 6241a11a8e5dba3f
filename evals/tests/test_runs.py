"""Sessions of the plugin: run records, variants, samples, filters, resuming, baselines and exit codes."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder

V2 = "---\nphase: critique\nversion: v2\n---\nBe strict about the draft. Answer with one JSON object."


_INTERRUPTED = """
import pytest

def test_agent(scenario_run):
    if scenario_run.scenario_id == "self-critique/one":
        pytest.exit("as Ctrl-C does")
    scenario_run.check()
"""


@pytest.fixture(autouse=True)
def project(pytester, start_project):
    """Give a recorded library of three scenarios, with a second version of the critique prompt."""
    library = start_project("redpen_prompts = prompts\nredpen_baseline = accepted\n")
    (pytester.path / "prompts").mkdir()
    (pytester.path / "prompts" / "critique.v2.md").write_text(V2, encoding="utf-8")
    library.add("self-critique/one", library.self_critique(tags=["first"]))
    library.add("self-critique/two", library.self_critique())
    library.add("reflection/three", library.reflection())
    for name in library.layout.scenario_ids():
        library.record(name)
    return library


@pytest.fixture
def runs(pytester):
    return RunFolder(path=pytester.path / ".redpen" / "runs")


def _last(runs):
    return read_record(runs.find("last"))


def _lines(path):
    """Return the lines of a record that are the same in every run, sorted."""
    return sorted(
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if json.loads(line)["type"] not in {"start", "end"}
    )


def _break_off(path, kept):
    """Truncate a record as a killed run would: its first results, and half of the next line."""
    lines = path.read_bytes().splitlines(keepends=True)
    results = [at for at, line in enumerate(lines) if b'"type":"result"' in line]
    whole = lines[: results[kept - 1] + 1]
    path.write_bytes(b"".join(whole) + lines[results[kept]][:50])


class TestRecord:
    def test_run_writes_record(self, pytester, project, runs):
        pytester.runpytest_inprocess().assert_outcomes(passed=3)
        record = _last(runs)
        assert [result.scenario for result in record.results] == list(project.layout.scenario_ids())
        assert {result.outcome for result in record.results} == {"passed"}
        assert record.start.variants == ("",)
        assert record.end is not None
        assert record.end.exit_code == 0
        assert record.end.counts["passed"] == 3
        one = next(result for result in record.results if result.scenario == "self-critique/one")
        assert (one.context, one.tags, one.decision) == ("payments", ("first",), "approve")
        assert [(call.phase, call.state) for call in one.calls] == [
            ("draft", "replayed"),
            ("critique", "replayed"),
        ]
        assert one.tokens > 0
        assert set(record.start.prompts[""].values()) == set(record.prompts)

    def test_no_record_is_written_when_no_scenario_ran(self, pytester, runs):
        pytester.makepyfile(test_mine="def test_mine(): pass")
        pytester.runpytest_inprocess("test_mine.py").assert_outcomes(passed=1)
        pytester.runpytest_inprocess("--collect-only")
        assert runs.files() == ()

    def test_unwritable_runs_folder_exits_10_and_is_reported_once(self, pytester):
        (pytester.path / ".redpen").write_text("a file", encoding="utf-8")
        result = pytester.runpytest_inprocess("--report=report.html")
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(
            [
                "all                 3",
                "redpen: *.redpen*cannot be written*",
                "redpen: report.html: not written, there is no record to report",
            ]
        )
        result.assert_outcomes(passed=3)
        assert result.stdout.str().count("cannot be written") == 1

    def test_temporary_file_of_killed_recording_is_removed(self, pytester, project):
        left = project.cassette("self-critique/one").with_name(".one.json.0123456789ab.redpen-tmp")
        left.write_text("half", encoding="utf-8")
        pytester.runpytest_inprocess()
        assert not left.exists()

    def test_junit_has_outcome_and_decision_as_properties(self, pytester):
        pytester.runpytest_inprocess("--junitxml=junit.xml", "-k", "[self-critique/one]")
        text = (pytester.path / "junit.xml").read_text(encoding="utf-8")
        assert '<property name="redpen_outcome" value="passed"' in text
        assert '<property name="redpen_decision" value="approve"' in text

    def test_junit_has_stale_and_errored_as_errors_and_failed_as_failure(self, pytester, project):
        project.cassette("self-critique/two").unlink()
        scenario = project.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"})
        project.add("reflection/three", scenario)
        pytester.runpytest_inprocess("--junitxml=junit.xml")
        written = ElementTree.parse(pytester.path / "junit.xml")  # noqa: S314 - pytest has just written it
        suite = written.getroot().find("testsuite")
        assert (suite.get("failures"), suite.get("errors"), suite.get("tests")) == ("1", "1", "3")
        kinds = {
            case.get("name"): [child.tag for child in case if child.tag != "properties"] for case in suite
        }
        assert kinds == {
            "test_agent[reflection/three]": ["failure"],
            "test_agent[self-critique/one]": [],
            "test_agent[self-critique/two]": ["error"],
        }

    def test_failure_shows_findings_of_guards(self, pytester, project):
        scenario = project.self_critique(
            policy={"draft_grounding": "enforce"},
            replies=[{"phase": "draft", "json": {"draft": "All is resolved, 99% of payments work."}}],
        )
        project.add("self-critique/found", scenario)
        result = pytester.runpytest_inprocess("-k", "found", "--record=missing")
        result.stdout.fnmatch_lines(["*found no_new_facts: *99%*"])


class TestVariants:
    def test_variant_replays_base_cassettes_where_unchanged(self, pytester):
        result = pytester.runpytest_inprocess("--variants", "critique=v1,v2")
        assert result.ret == EXIT_STALE
        result.stdout.fnmatch_lines(
            [
                "agent                        passed  stale",
                "reflection                        1      0",
                "reflection [[]critique=v2[]]          1      0",
                "self-critique                     2      0",
                "self-critique [[]critique=v2[]]       0      2",
            ]
        )

    def test_recording_variant_asks_only_from_changed_call_on(self, pytester, project, runs):
        before = project.cassettes()
        pytester.runpytest_inprocess("--prompts", "critique=v2", "--record=missing").assert_outcomes(passed=3)
        after = project.cassettes()
        assert {name: after[name] for name in before} == before
        assert sorted(after.keys() - before.keys()) == [
            "scripted+critique=v2/self-critique/one.json",
            "scripted+critique=v2/self-critique/two.json",
        ]
        states = {result.shown: [call.state for call in result.calls] for result in _last(runs).results}
        assert states["self-critique/one [critique=v2]"] == ["replayed", "recorded"]
        assert states["reflection/three [critique=v2]"] == ["replayed", "replayed"]
        pytester.runpytest_inprocess("--prompts", "critique=v2").assert_outcomes(passed=3)

    def test_unknown_variant_is_a_usage_error(self, pytester):
        result = pytester.runpytest_inprocess("--variants", "critique=v1,v7")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*prompt critique has no version 'v7'*there is v1, v2*"])

    def test_broken_prompt_is_skipped_with_warning_unless_requested(self, pytester):
        (pytester.path / "prompts" / "critique.v3.md").write_text("Be kind.", encoding="utf-8")
        (pytester.path / "prompts" / "notes.md").write_text("To do.", encoding="utf-8")
        result = pytester.runpytest_inprocess()
        result.assert_outcomes(passed=3)
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            [
                "redpen: prompt left out: *notes.md: no prompt is named 'notes'*",
                "redpen: prompt left out: *critique.v3.md:1: a prompt starts with its front matter*",
            ]
        )
        asked = pytester.runpytest_inprocess("--prompts", "critique=v3")
        assert asked.ret == pytest.ExitCode.USAGE_ERROR
        asked.stderr.fnmatch_lines(["*critique.v3.md:1: a prompt starts with its front matter*"])

    def test_policy_field_is_a_variant(self, pytester, runs):
        result = pytester.runpytest_inprocess(
            "--variants", "policy.max_draft_chars=900,20", "-k", "[self-critique/one]"
        )
        assert result.ret == EXIT_STALE
        stale = next(result for result in _last(runs).results if result.outcome == "stale")
        assert stale.variant == "policy.max_draft_chars=20"
        assert [(call.phase, call.why) for call in stale.stale.calls] == [
            ("shorten", "new"),
            ("critique", "follows"),
        ]


class TestSamples:
    @pytest.mark.usefixtures("installed_plugins")
    def test_each_sample_has_its_own_cassette(self, pytester, project):
        result = pytester.runpytest_inprocess("--samples", "2", "-k", "[self-critique/one]")
        assert result.parseoutcomes() == {"passed": 1, "stale": 1, "deselected": 4}
        result.stdout.fnmatch_lines(["*one~2.json: there is no recording; *samples need a live model*"])
        pytester.runpytest_inprocess("--samples", "2", "--record=missing").assert_outcomes(passed=6)
        assert "scripted/self-critique/one~2.json" in project.cassettes()
        project.cassette("self-critique/one").unlink()
        result = pytester.runpytest_inprocess("--samples", "2", "-k", "[self-critique/one]")
        assert result.parseoutcomes() == {"passed": 1, "stale": 1, "deselected": 4}

    @pytest.mark.parametrize("number", ["0", "-1", "x", "1001"])
    def test_invalid_number_of_samples_is_a_usage_error(self, pytester, number):
        assert pytester.runpytest_inprocess(f"--samples={number}").ret == pytest.ExitCode.USAGE_ERROR


class TestStale:
    def test_record_stale_asks_only_the_changed_calls(self, pytester, project, runs):
        base = pytester.path / "prompts" / "critique.md"
        base.write_text(V2.replace("v2", "mine"), encoding="utf-8")
        result = pytester.runpytest_inprocess()
        assert result.ret == EXIT_STALE
        result.stdout.fnmatch_lines(
            ["2 of 3 scenarios are stale", "*critique prompt*2 calls in 2 scenarios*"]
        )
        stale = next(result for result in _last(runs).results if result.scenario == "self-critique/one")
        assert [(call.position, call.phase, call.why) for call in stale.stale.calls] == [
            (2, "critique", "changed")
        ]
        before = project.cassettes()
        pytester.runpytest_inprocess("--record=stale").assert_outcomes(passed=3)
        after = project.cassettes()
        assert [name for name in after if after[name] != before[name]] == [
            "scripted/self-critique/one.json",
            "scripted/self-critique/two.json",
        ]
        states = [call.state for result in _last(runs).results for call in result.calls]
        assert states.count("recorded") == 2


class TestFilters:
    def test_filters_select_by_agent_tag_and_context(self, pytester):
        pytester.runpytest_inprocess("--agent=reflection").assert_outcomes(passed=1, deselected=2)
        pytester.runpytest_inprocess("--tag=first").assert_outcomes(passed=1, deselected=2)
        pytester.runpytest_inprocess("--context=payments").assert_outcomes(passed=3)

    @pytest.mark.parametrize("option", ["--agent=reflectoin", "--tag=frist", "--context=payment"])
    def test_filter_with_unknown_name_is_a_usage_error(self, pytester, option):
        result = pytester.runpytest_inprocess(option)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*nothing has the name*did you mean*"])

    def test_only_option_selects_stale_or_failed_of_last_run(self, pytester, project):
        project.cassette("self-critique/two").unlink()
        scenario = project.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"})
        project.add("reflection/three", scenario)
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("--only=stale", "--record=missing")
        result.assert_outcomes(passed=1, deselected=2)
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("--only=failed", "-v")
        result.assert_outcomes(failed=1, deselected=2)
        result.stdout.fnmatch_lines(["*reflection/three*FAILED*"])

    def test_library_without_scenarios_exits_10_and_lists_folders(self, pytester, project):
        for name in project.layout.scenario_ids():
            project.layout.scenario_path(name).unlink()
        result = pytester.runpytest_inprocess()
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["*there is no scenario; looked for*reflection, self-critique*"])
        assert pytester.runpytest_inprocess("--allow-empty").ret == 0

    def test_filters_that_leave_no_scenario_exit_10(self, pytester, project):
        project.add("guarded-policy/four", project.guarded_policy(tags=["last"]))
        result = pytester.runpytest_inprocess("--agent=reflection", "--tag=last")
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["*--agent and --tag leave no scenario*--allow-empty*"])

    def test_only_failed_remembers_failures_that_a_partial_run_left_out(self, pytester, project):
        scenario = project.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"})
        project.add("reflection/three", scenario)
        pytester.runpytest_inprocess()
        pytester.runpytest_inprocess("-k", "one").assert_outcomes(passed=1, deselected=2)
        pytester.runpytest_inprocess("--only=failed").assert_outcomes(failed=1, deselected=2)
        project.add("reflection/three", project.reflection())
        pytester.runpytest_inprocess("-k", "three").assert_outcomes(passed=1, deselected=2)
        assert pytester.runpytest_inprocess("--only=failed").ret == 0

    def test_only_failed_after_an_interrupted_run_exits_10(self, pytester):
        pytester.makepyfile(test_agents=_INTERRUPTED)
        assert pytester.runpytest_inprocess().ret == pytest.ExitCode.INTERRUPTED
        result = pytester.runpytest_inprocess("--only=failed")
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["redpen: nothing was run: the last run did not get to its end*"])

    def test_interrupted_run_is_incomplete_and_can_be_resumed(self, pytester, runs):
        pytester.makepyfile(test_agents=_INTERRUPTED)
        pytester.runpytest_inprocess("--report=last.md")
        page = (pytester.path / "last.md").read_text(encoding="utf-8")
        assert "The one result passed; the run did not end" in page
        pytester.makepyfile(test_agents=_INTERRUPTED.replace("exit", "fail"))
        assert pytester.runpytest_inprocess("--resume").ret == pytest.ExitCode.TESTS_FAILED
        assert _last(runs).start.resumed is not None

    def test_update_of_a_scorecard_that_no_test_scores_exits_10(self, pytester):
        result = pytester.runpytest_inprocess("--update-scorecard")
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["redpen: --update-scorecard: no test scored guards*"])

    def test_scenario_that_its_test_does_not_run_fails(self, pytester):
        pytester.makepyfile(test_agents="def test_agent(scenario_run): pass")
        result = pytester.runpytest_inprocess()
        result.assert_outcomes(failed=3)
        result.stdout.fnmatch_lines(["*self-critique/one: the test did not run it*scenario_run.check()*"])

    def test_only_failed_with_no_failure_exits_0(self, pytester):
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("--only=failed")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["nothing to run: no result of the last run was failed"])

    def test_xdist_workers_use_the_same_last_run(self, pytester, project):
        project.cassette("self-critique/two").unlink()
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("-p", "xdist", "-n1", "--only=stale", "--record=missing")
        result.assert_outcomes(passed=1)

    def test_only_without_earlier_run_is_a_usage_error(self, pytester):
        result = pytester.runpytest_inprocess("--only=failed")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*holds 0 run records*"])

    def test_only_changed_without_baseline_is_a_usage_error(self, pytester):
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("--only=changed")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*there is no baseline; `redpen baseline accept` makes one*"])


class TestResuming:
    def test_resume_completes_killed_run(self, pytester, runs):
        pytester.runpytest_inprocess()
        whole = _lines(runs.find("last"))
        killed = runs.find("last")
        _break_off(killed, 1)
        broken = killed.read_bytes()
        result = pytester.runpytest_inprocess("--resume")
        result.assert_outcomes(passed=2, deselected=1)
        assert result.ret == 0
        assert _lines(runs.find("last")) == whole
        assert _last(runs).start.resumed == killed.stem
        assert killed.read_bytes() == broken

    def test_resume_of_run_without_end_keeps_all_results(self, pytester, runs):
        pytester.runpytest_inprocess()
        killed = runs.find("last")
        killed.write_bytes(b"".join(killed.read_bytes().splitlines(keepends=True)[:-1]))
        result = pytester.runpytest_inprocess("--resume")
        assert result.ret == 0
        assert len(_last(runs).results) == 3

    def test_resume_of_finished_run_is_a_usage_error(self, pytester):
        pytester.runpytest_inprocess()
        result = pytester.runpytest_inprocess("--resume")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*the run ended; there is nothing to resume*"])

    def test_resume_with_other_options_is_a_usage_error(self, pytester, runs):
        pytester.runpytest_inprocess()
        killed = runs.find("last")
        _break_off(killed, 1)
        result = pytester.runpytest_inprocess("--resume", "--samples=2", "--record=missing")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*samples differ from those of the killed run*"])
        assert runs.files() == (killed,)


class TestBaseline:
    @pytest.fixture
    def accepted(self, pytester, project, command):
        pytester.runpytest_inprocess()
        assert command("baseline", "accept").exit_code == 0
        return project

    @pytest.fixture
    def command(self):
        from click.testing import CliRunner

        from redpen_evals.cli import main

        base = ["--scenarios", "scenarios", "--cassettes", "cassettes", "--baseline", "accepted"]
        return lambda *words: CliRunner().invoke(main, [*base, *words])

    def test_regression_is_counted_and_selected_by_only(self, pytester, accepted):
        accepted.add(
            "reflection/three",
            accepted.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"}),
        )
        result = pytester.runpytest_inprocess()
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        text = result.stdout.str()
        assert "compared with the baseline" in text
        assert re.search(r"regressed.*1", text)
        result = pytester.runpytest_inprocess("--only=regressed", "--fail-on=regressed")
        result.assert_outcomes(failed=1, deselected=2)
        assert result.ret == pytest.ExitCode.TESTS_FAILED

    def test_known_failure_passes_with_fail_on_regressed(self, pytester, project, command):
        project.add(
            "reflection/three",
            project.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"}),
        )
        pytester.runpytest_inprocess()
        assert command("baseline", "accept", "--failing").exit_code == 0
        assert pytester.runpytest_inprocess().ret == pytest.ExitCode.TESTS_FAILED
        assert pytester.runpytest_inprocess("--fail-on=regressed").ret == 0

    def test_fail_on_regressed_without_baseline_exits_10(self, pytester, project):
        project.add(
            "reflection/three",
            project.reflection(expect={"status": "stopped", "stop_reason": "llm_timeout"}),
        )
        result = pytester.runpytest_inprocess("--fail-on=regressed")
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["redpen: --fail-on regressed: *there is no baseline*"])

    def test_missing_file_of_configured_baseline_is_reported(self, pytester):
        result = pytester.runpytest_inprocess()
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            ["redpen: *accepted*scripted.json: nothing was compared, *`redpen baseline accept`*"]
        )
        (pytester.path / "pytest.ini").write_text(
            "[pytest]\naddopts = -p no:cacheprovider\n", encoding="utf-8"
        )
        result = pytester.runpytest_inprocess()
        assert result.ret == 0
        assert "nothing was compared" not in result.stdout.str()

    def test_deleted_scenario_is_named_and_fails_on_request(self, pytester, accepted):
        (accepted.layout.scenarios / "reflection" / "three.yaml").unlink()
        result = pytester.runpytest_inprocess("-k", "one")
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            ["same 1, gone 1", "*no longer in the project: 1 (reflection/three); *--prune`"]
        )
        result.stdout.fnmatch_lines(["in the baseline, but not run: 1 (self-critique/two)"])
        assert pytester.runpytest_inprocess("--fail-on=gone").ret == pytest.ExitCode.TESTS_FAILED

    def test_deselected_scenarios_are_not_run_in_a_comparison(self, pytester, accepted, command):
        pytester.runpytest_inprocess("-k", "one")
        done = command("compare", "baseline", "last")
        assert "same 1, not run 2" in done.output
        assert "reflection/three" not in done.output
        assert "same 1, not run 2" in command("compare", "last", "baseline").output
        (accepted.layout.scenarios / "reflection" / "three.yaml").unlink()
        pytester.runpytest_inprocess("-k", "one")
        done = command("compare", "baseline", "last")
        assert "same 1, gone 1, not run 1" in done.output.replace("not in B", "gone")
        assert "not in B  reflection/three" in done.output

    def test_scenarios_missing_from_baseline_are_counted_and_named(self, pytester, accepted):
        accepted.add("self-critique/new", accepted.self_critique())
        accepted.record("self-critique/new")
        result = pytester.runpytest_inprocess("--fail-on=regressed")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["*cannot have regressed: 1 (self-critique/new)"])

    def test_stale_scenarios_are_not_compared_with_baseline(self, pytester, accepted):
        accepted.cassette("self-critique/two").unlink()
        result = pytester.runpytest_inprocess()
        result.stdout.fnmatch_lines(["same 2", "not compared 1 (stale or errored)"])

    @pytest.mark.usefixtures("accepted")
    def test_baseline_with_conflict_markers_exits_10(self, pytester):
        path = pytester.path / "accepted" / "scripted.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n", encoding="utf-8")
        before = path.read_bytes()
        result = pytester.runpytest_inprocess()
        assert result.ret == EXIT_ERRORED
        result.stdout.fnmatch_lines(["redpen: *scripted.json:1: *"])
        assert path.read_bytes() == before
