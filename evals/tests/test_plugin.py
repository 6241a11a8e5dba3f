"""The pytest plugin: scenarios as tests, the four outcomes, options and usage errors."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE

CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
# Hypothesis' own plugin imports hypothesis at the end of every run, which costs most of a second.
INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"


@pytest.fixture
def project(start_project):
    """Give a library in a project whose one test module runs it."""
    return start_project()


@pytest.fixture
def four(project):
    """Give a library with a scenario of each outcome, over two agents."""
    project.add("self-critique/good", project.self_critique())
    project.add("self-critique/old", project.self_critique())
    project.add("reflection/other", project.reflection())
    for name in ("self-critique/good", "self-critique/old", "reflection/other"):
        project.record(name)
    project.add("self-critique/old", project.self_critique(goal="Tell all customers."))
    expect = {"status": "ok", "outcome": "approved_direct"}
    project.add("reflection/other", project.reflection(expect=expect))
    project.add("reflection/torn", project.reflection(titel="x"))
    return project


SUMMARY = [
    "*= scenarios =*",
    "agent          passed  failed  stale  errored",
    "reflection          0       1      0        1",
    "self-critique       1       0      1        0",
    "all                 1       1      1        1",
    'FAILED reflection/other - status: expected "ok", got "stopped"',
    "ERRORED reflection/torn - scenarios/reflection/torn.yaml:*: titel: unknown key (did you mean `title`?)",
    "STALE self-critique/old - call 1 of 2 (draft): messages[[]1[]].content → goal changed",
]


def _summary(result):
    """Return the lines from the scenarios' heading on, up to pytest's own."""
    lines = result.outlines
    start = next(at for at, line in enumerate(lines) if re.fullmatch("=+ scenarios =+", line))
    end = next(at for at, line in enumerate(lines) if at > start and line.startswith("====="))
    return lines[start + 1 : end]


@pytest.mark.usefixtures("installed_plugins")
def test_summary_counts_outcomes_by_agent_and_lists_failures(pytester, four):
    assert four.layout.scenarios.is_dir()
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(SUMMARY, consecutive=True)
    assert len(_summary(result)) == len(SUMMARY) - 1
    assert result.parseoutcomes() == dict.fromkeys(("passed", "failed", "stale", "errored"), 1)


def test_stale_scenario_is_printed_with_diff_and_command(pytester, four):
    assert four.layout.scenarios.is_dir()
    result = pytester.runpytest_inprocess()
    result.stdout.fnmatch_lines(
        [
            "self-critique/old: stale",
            "  call 1 of 2 (draft): messages[[]1[]].content → goal changed",
            "    Tell {+all +}customers.",
            "  to fix it: pytest --record=stale -k '[[]self-critique/old[]]'",
        ],
        consecutive=True,
    )


def test_printed_record_command_rerecords_only_that_scenario(pytester, four):
    text = pytester.runpytest_inprocess().stdout.str()
    before = four.cassettes()
    command = re.search(r"to fix it: pytest (.*--record=stale.*|--record=stale.*)", text)
    assert command is not None
    result = pytester.runpytest_inprocess(*shlex.split(command[1]))
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, deselected=3)
    after = four.cassettes()
    assert [name for name in before if after[name] != before[name]] == ["scripted/self-critique/old.json"]


def test_progress_has_a_letter_for_each_outcome(pytester, four):
    assert four.layout.scenarios.is_dir()
    result = pytester.runpytest_inprocess()
    result.stdout.fnmatch_lines(["test_agents.py FE.S *"])
    result = pytester.runpytest_inprocess("-v")
    result.stdout.fnmatch_lines(
        [
            "test_agents.py::test_agent[[]reflection/other[]] FAILED *",
            "test_agents.py::test_agent[[]reflection/torn[]] ERRORED *",
            "test_agents.py::test_agent[[]self-critique/good[]] PASSED *",
            "test_agents.py::test_agent[[]self-critique/old[]] STALE *",
        ]
    )


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ("good", pytest.ExitCode.OK),
        ("other", pytest.ExitCode.TESTS_FAILED),
        ("old", EXIT_STALE),
        ("torn", EXIT_ERRORED),
    ],
)
def test_exit_code_follows_from_outcome(pytester, four, chosen, code):
    assert four.layout.scenarios.is_dir()
    assert pytester.runpytest_inprocess("-k", chosen).ret == code


def test_failure_report_hides_harness_frames(pytester, four):
    assert four.layout.scenarios.is_dir()
    text = pytester.runpytest_inprocess("-k", "other").stdout.str()
    assert 'status: expected "ok", got "stopped"' in text
    assert "ScenarioNotPassed" not in text
    assert "plugin.py" not in text


def test_two_workers_give_the_same_summary(pytester, four):
    assert four.layout.scenarios.is_dir()
    alone = pytester.runpytest_inprocess()
    shared = pytester.runpytest_inprocess("-p", "xdist", "-n2")
    assert shared.ret == alone.ret
    assert _summary(shared) == _summary(alone)
    assert shared.parseoutcomes() == alone.parseoutcomes()


def test_color_option_controls_colors_of_outcomes(pytester, four):
    assert four.layout.scenarios.is_dir()
    assert (
        "\x1b[33mSTALE\x1b[0m self-critique/old" in pytester.runpytest_inprocess("--color=yes").stdout.str()
    )
    assert "\x1b" not in pytester.runpytest_inprocess("--color=no").stdout.str()


def test_long_list_of_stale_scenarios_is_truncated_and_counted(pytester, project):
    for number in range(12):
        project.add(f"self-critique/s{number:02}", project.self_critique())
    result = pytester.runpytest_inprocess()
    # Counts first, then the list, then one of them in detail.
    result.stdout.fnmatch_lines(
        [
            "agent          passed  stale",
            "self-critique       0     12",
            "… and 7 more stale; the record lists all",
            "*STALE IN DETAIL*",
            "self-critique/s00: stale",
            "… and 11 more stale; -v shows 20",
        ]
    )
    verbose = pytester.runpytest_inprocess("-v")
    assert sum(line.endswith(": stale") for line in verbose.outlines) == 12
    result.stdout.fnmatch_lines(["12 of 12 scenarios are stale"])
    assert sum(line.startswith("STALE ") for line in result.outlines) == 5


def test_scenario_ids_are_test_ids(pytester, project):
    project.add("self-critique/deep/one", project.self_critique())
    project.add("reflection/two", project.reflection())
    result = pytester.runpytest_inprocess("--collect-only", "-q")
    assert [line for line in result.outlines if "::" in line] == [
        "test_agents.py::test_agent[reflection/two]",
        "test_agents.py::test_agent[self-critique/deep/one]",
    ]


def test_single_scenario_is_selected_by_its_id(pytester, project):
    project.add("self-critique/one", project.self_critique())
    project.add("self-critique/one-more", project.self_critique())
    project.record("self-critique/one")
    pytester.runpytest_inprocess("-k", "[self-critique/one]").assert_outcomes(passed=1, deselected=1)
    pytester.runpytest_inprocess("test_agents.py::test_agent[self-critique/one]").assert_outcomes(passed=1)


def test_copied_scenario_file_is_collected_and_recorded(pytester, project):
    source = project.layout.scenario_path(project.add("self-critique/one", project.self_critique()))
    pytester.runpytest_inprocess("--record=missing").assert_outcomes(passed=1)
    before = project.cassettes()
    source.with_name("two.yaml").write_bytes(source.read_bytes())
    result = pytester.runpytest_inprocess()
    assert result.ret == EXIT_STALE
    result.stdout.fnmatch_lines(["STALE self-critique/two - *there is no recording"])
    pytester.runpytest_inprocess("--record=missing").assert_outcomes(passed=2)
    pytester.runpytest_inprocess().assert_outcomes(passed=2)
    after = project.cassettes()
    assert after.keys() - before.keys() == {"scripted/self-critique/two.json"}
    assert before.items() <= after.items()


def test_ini_settings_name_the_folders(pytester, project):
    project.add("self-critique/one", project.self_critique())
    project.layout.scenarios.rename(pytester.path / "situations")
    pytester.makeini(INI + "redpen_scenarios = situations\nredpen_cassettes = tapes\n")
    pytester.runpytest_inprocess("--record=all").assert_outcomes(passed=1)
    assert (pytester.path / "tapes" / "scripted" / "self-critique" / "one.json").is_file()


def test_folders_are_relative_to_rootdir_not_working_folder(pytester, project, monkeypatch):
    project.add("self-critique/one", project.self_critique())
    project.record("self-critique/one")
    below = pytester.mkdir("below")
    monkeypatch.chdir(below)
    pytester.runpytest_inprocess("--rootdir", "..", "-c", "../tox.ini", "../test_agents.py").assert_outcomes(
        passed=1
    )


@pytest.mark.parametrize("options", [(), ("--collect-only",)], ids=str)
def test_missing_scenarios_folder_exits_10(pytester, start_project, options):
    start_project("redpen_scenarios = nowhere\n")
    result = pytester.runpytest_inprocess(*options)
    assert result.ret == EXIT_ERRORED
    result.stdout.fnmatch_lines(["*nowhere: no such folder; *`redpen_scenarios`*nothing was tested*"])


def test_missing_scenarios_folder_is_named_by_xdist_workers(pytester, start_project):
    start_project("redpen_scenarios = nowhere\n")
    result = pytester.runpytest_inprocess("-p", "xdist", "-n1")
    assert result.ret not in {pytest.ExitCode.OK, pytest.ExitCode.INTERNAL_ERROR}
    result.stdout.fnmatch_lines(["*nowhere: no such folder; *`redpen_scenarios`*"])


def test_missing_scenarios_folder_does_not_affect_other_tests(pytester):
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile("def test_mine(): pass")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize("mode", ["missing", "stale", "all"])
def test_recording_a_live_model_without_a_key_is_a_usage_error(pytester, project, mode):
    project.add("self-critique/one", project.self_critique())
    result = pytester.runpytest_inprocess(f"--record={mode}", "--model=gpt-4.1-mini")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --record with --model gpt-4.1-mini: OPENAI_API_KEY is not set*"])
    assert project.cassettes() == {}


def test_invalid_base_url_is_a_usage_error(pytester, project, monkeypatch):
    project.add("self-critique/one", project.self_critique())
    monkeypatch.setenv("OPENAI_API_KEY", "local")
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost:1")
    result = pytester.runpytest_inprocess("--record=all", "--model=m")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --record with --model m: OPENAI_BASE_URL: 'localhost:1' is not an http*"]
    )


def test_live_model_without_cassette_is_stale_and_needs_no_key(pytester, project):
    project.add("self-critique/one", project.self_critique())
    result = pytester.runpytest_inprocess("--model=gpt-4.1-mini")
    assert result.ret == EXIT_STALE
    result.stdout.fnmatch_lines(["STALE self-critique/one - *gpt-4.1-mini*: there is no recording"])


def test_live_model_is_recorded_and_replayed(pytester, project, monkeypatch):
    project.add(
        "self-critique/one", project.self_critique(expect={"status": "ok", "outcome": "revised_once"})
    )
    replies = parse_replies(project.self_critique()["replies"])
    with ScriptedEndpoint(replies, model="real") as server:
        monkeypatch.setenv("OPENAI_API_KEY", "local-key-of-this-test")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        pytester.runpytest_inprocess("--record=missing", "--model=real").assert_outcomes(passed=1)
        assert [request.body["model"] for request in server.requests] == ["real", "real"]
    monkeypatch.delenv("OPENAI_API_KEY")
    pytester.runpytest_inprocess("--model=real").assert_outcomes(passed=1)
    assert list(project.cassettes()) == ["real/self-critique/one.json"]


@pytest.mark.parametrize("option", ["--record=some", "--record=", "--record"])
def test_unknown_record_mode_is_a_usage_error(pytester, project, option):
    project.add("self-critique/one", project.self_critique())
    assert pytester.runpytest_inprocess(option).ret == pytest.ExitCode.USAGE_ERROR


def test_blank_model_name_is_a_usage_error(pytester, project):
    project.add("self-critique/one", project.self_critique())
    assert pytester.runpytest_inprocess("--model= ").ret == pytest.ExitCode.USAGE_ERROR


def test_no_summary_is_printed_when_no_scenario_ran(pytester, project):
    project.add("self-critique/one", project.self_critique())
    pytester.makepyfile(test_mine="def test_mine(): pass")
    text = pytester.runpytest_inprocess("test_mine.py").stdout.str()
    assert "scenarios =" not in text
    assert "agent " not in text


def test_evaluate_returns_verdict_without_failing_the_test(pytester, project):
    project.add("self-critique/one", project.self_critique())
    pytester.makepyfile(
        test_agents="""
        def test_verdict(scenario_run):
            assert scenario_run.scenario_id == "self-critique/one"
            assert scenario_run.evaluate().outcome == "stale"
        """
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_assertion_of_the_test_itself_is_a_failure(pytester, project):
    project.add("self-critique/one", project.self_critique())
    project.record("self-critique/one")
    pytester.makepyfile(
        test_agents="""
        def test_more(scenario_run):
            scenario_run.check()
            assert 1 == 2
        """
    )
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["E*assert 1 == 2"])


def _python(code, checkout, folder):
    paths = [str(checkout / "agents"), str(checkout / "evals")]
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_collect_only_imports_no_heavy_package(pytester, project, checkout):
    project.add("self-critique/one", project.self_critique())
    code = (
        "import sys, pytest\n"
        "code = pytest.main(['--collect-only', '-q'])\n"
        "heavy = {'openai', 'vcr', 'httpx2', 'redpen.agents', 'redpen.guards', 'jsonschema', 'yaml'}\n"
        "heavy.add('rich')\n"
        "print('imported:', sorted(heavy & set(sys.modules)))\n"
        "sys.exit(code)\n"
    )
    done = _python(code, checkout, pytester.path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_agents.py::test_agent[self-critique/one]" in done.stdout
    assert "imported: []" in done.stdout


def test_plugin_is_declared_as_entry_point_and_in_conftest(checkout):
    text = (checkout / "pyproject.toml").read_text(encoding="utf-8")
    assert '"redpen_evals.plugin" = "redpen_evals.plugin"' in text
    assert '"redpen_evals.plugin"' in (checkout / "conftest.py").read_text(encoding="utf-8")


def test_session_in_process_that_imported_the_harness_shows_no_warning(checkout, tmp_path):
    # What pytest reads of an installed distribution, so that the test means the same in a bare checkout.
    metadata = tmp_path / "redpen_evals-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: redpen-evals\nVersion: 0\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text(
        "[pytest11]\nredpen_evals.plugin = redpen_evals.plugin\n", encoding="utf-8"
    )
    (metadata / "RECORD").write_text("redpen_evals/__init__.py,,\n", encoding="utf-8")
    (tmp_path / "test_one.py").write_text("def test_one(): pass\n", encoding="utf-8")
    code = "import sys, redpen_evals.plugin, pytest\nsys.exit(pytest.main(['-p', 'no:hypothesispytest']))\n"
    done = _python(code, checkout, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert "warning" not in done.stdout.lower(), done.stdout


@pytest.mark.usefixtures("installed_plugins")
def test_warning_in_test_is_reported_as_usual(pytester):
    pytester.makepyfile(
        """
        import warnings

        def test_warns():
            warnings.warn("hello")
        """
    )
    result = pytester.runpytest_inprocess("-W", "default")
    result.assert_outcomes(passed=1, warnings=1)
    assert result.ret == 0


def test_changed_scripted_reply_is_stale(pytester, project):
    project.add("self-critique/one", project.self_critique())
    project.record("self-critique/one")
    scenario = project.self_critique()
    scenario["replies"][0]["json"]["draft"] += " We keep you posted."
    project.add("self-critique/one", scenario)
    pytester.makepyfile(test_agents="def test_agent(scenario_run):\n    scenario_run.check()\n")
    result = pytester.runpytest_inprocess()
    result.stdout.fnmatch_lines(
        [
            "*call 1 of * (draft): the scenario's reply or the cassette file has changed",
            "*{+ We keep you posted.+}*",
        ]
    )
    assert result.ret == EXIT_STALE
