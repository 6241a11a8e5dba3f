"""`--resume` of a killed run: kept results equal those of a complete run."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from redpen_evals import fingerprints
from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE
from redpen_evals.fingerprints import digest_of_files
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder

CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"
MODULE = "def test_agent(scenario_run):\n    scenario_run.check()\n"
FAILS = {"status": "stopped", "stop_reason": "llm_timeout"}
NAMES = ("reflection/three", "self-critique/one", "self-critique/two")


@pytest.fixture
def project(start_project):
    """Give a recorded library of three scenarios in two contexts."""
    library = start_project()
    library.add("self-critique/one", library.self_critique())
    library.add("self-critique/two", library.self_critique())
    library.add("reflection/three", library.reflection())
    for name in NAMES:
        library.record(name)
    return library


@pytest.fixture
def killed(pytester):
    """Give a function that makes a run and truncates its record as a killed run would."""
    runs = RunFolder(path=pytester.path / ".redpen" / "runs")

    def make(*options, without=(), results=None):
        pytester.runpytest_inprocess(*options)
        path = runs.find("last")
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        kept = [line for line in lines if line["type"] != "end" and line.get("scenario") not in without]
        if results is not None:
            others = [line for line in kept if line["type"] != "result"]
            kept = others + [line for line in kept if line["type"] == "result"][:results]
        path.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
        return path

    return make


@pytest.fixture
def last(pytester):
    """Give a function that reads the record of the last run."""
    return lambda: read_record(RunFolder(path=pytester.path / ".redpen" / "runs").find("last"))


def outcomes(record):
    return {result.scenario: result.outcome for result in record.results}


def fail_expectation(project):
    project.add("self-critique/one", project.self_critique(expect=FAILS))
    return {"self-critique/one": "failed"}, 1


def change_context(project):
    path = project.layout.context_path("payments")
    path.write_text(path.read_text(encoding="utf-8").replace("27", "28"), encoding="utf-8")
    return dict.fromkeys(NAMES, "stale"), EXIT_STALE


def remove_cassette(project):
    project.cassette("self-critique/two").unlink()
    return {"self-critique/two": "stale"}, EXIT_STALE


def spoil_cassette(project):
    project.cassette("reflection/three").write_text("{", encoding="utf-8")
    return {"reflection/three": "errored"}, EXIT_ERRORED


def break_test(project):
    path = project.layout.scenarios.parent / "test_agents.py"
    path.write_text(MODULE + "    assert scenario_run.scenario_id != 'reflection/three'\n", encoding="utf-8")
    return {"reflection/three": "failed"}, 1


@pytest.mark.parametrize(
    "change", [fail_expectation, change_context, remove_cassette, spoil_cassette, break_test]
)
def test_result_with_changed_inputs_is_rerun(pytester, project, killed, last, change):
    killed()
    expected, code = change(project)
    result = pytester.runpytest_inprocess("--resume")
    assert outcomes(last()) == dict.fromkeys(NAMES, "passed") | expected
    assert result.ret == code


@pytest.mark.usefixtures("project")
def test_changed_redpen_code_invalidates_kept_results(pytester, killed, monkeypatch):
    killed()
    result = pytester.runpytest_inprocess("--resume")
    result.assert_outcomes(deselected=3)
    result.stdout.fnmatch_lines(["resumed *: 3 results kept"])
    killed()
    monkeypatch.setattr(fingerprints, "redpen_code", lambda: "other")
    result = pytester.runpytest_inprocess("--resume")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["resumed *: 0 results kept, 3 not: *"])


@pytest.mark.usefixtures("project")
def test_changed_prompt_is_stale_in_resumed_run(pytester, killed, last):
    pytester.makeini(f"{INI}redpen_prompts = prompts\n")
    (pytester.path / "prompts").mkdir()
    prompt = pytester.path / "prompts" / "critique.v2.md"
    prompt.write_text("---\nphase: critique\nversion: v2\n---\nBe strict. Answer in JSON.", encoding="utf-8")
    killed("--prompts=critique=v2", "--record=missing")
    prompt.write_text("---\nphase: critique\nversion: v2\n---\nBe lax. Answer in JSON.", encoding="utf-8")
    result = pytester.runpytest_inprocess("--prompts=critique=v2", "--resume")
    assert result.ret == EXIT_STALE
    assert outcomes(last())["self-critique/one"] == "stale"


def test_kept_failure_fails_resumed_run_and_is_in_every_report(pytester, project, killed, last):
    project.add("reflection/three", project.reflection(expect=FAILS))
    killed(without=("self-critique/one",))
    options = ("--resume", "--junitxml=junit.xml", "--report=report.md")
    result = pytester.runpytest_inprocess(*options)
    result.assert_outcomes(passed=1, deselected=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["FAILED reflection/three - *"])
    assert last().end.counts == {"passed": 2, "failed": 1, "stale": 0, "errored": 0}
    suite = ElementTree.parse(pytester.path / "junit.xml").getroot().find("testsuite")  # noqa: S314
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {f"test_agent[{name}]" for name in NAMES}
    assert "llm_timeout" in cases["test_agent[reflection/three]"].find("failure").text
    reported = {
        item.get("name"): item.get("value")
        for item in cases["test_agent[self-critique/two]"].iter("property")
    }
    assert reported["redpen_outcome"] == "passed"
    assert "reflection/three" in (pytester.path / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n1")], ids=["alone", "workers"])
def test_stale_and_errored_results_are_rerun(pytester, project, killed, last, workers):
    stale, broken = project.cassette("self-critique/one"), project.layout.scenario_path("reflection/three")
    intact = stale.read_bytes(), broken.read_bytes()
    stale.unlink()
    broken.write_bytes(b"agent: [")
    path = killed()
    assert outcomes(read_record(path)) == dict(zip(NAMES, ("errored", "stale", "passed"), strict=True))
    stale.write_bytes(intact[0])
    broken.write_bytes(intact[1])
    result = pytester.runpytest("--resume", *workers)
    assert result.ret == 0
    assert outcomes(last()) == dict.fromkeys(NAMES, "passed")
    assert last().end.exit_code == 0


def test_stale_and_errored_results_are_rerun_if_nothing_changed(pytester, project, killed):
    project.cassette("self-critique/one").unlink()
    project.cassette("reflection/three").write_text("{", encoding="utf-8")
    killed()
    result = pytester.runpytest_inprocess("--resume", "-rA")
    result.stdout.fnmatch_lines(["*1 deselected*"])
    result.stdout.fnmatch_lines(["resumed *: 1 results kept, 2 not: *"])
    assert result.ret == EXIT_ERRORED


@pytest.mark.usefixtures("project")
def test_test_with_teardown_failure_is_rerun(pytester, killed):
    pytester.makeconftest(
        CONFTEST
        + """
import os, pytest

@pytest.fixture(autouse=True)
def fails_at_the_end():
    yield
    assert "SOUND" in os.environ
"""
    )
    killed()
    result = pytester.runpytest_inprocess("--resume")
    result.assert_outcomes(passed=3, errors=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_failed_outcome_accepted_by_test_is_kept_and_passes(pytester, project, killed):
    project.add("reflection/three", project.reflection(expect=FAILS))
    pytester.makepyfile(
        test_agents="def test_agent(scenario_run):\n"
        "    assert scenario_run.evaluate().outcome in ('passed', 'failed')\n"
    )
    killed()
    result = pytester.runpytest_inprocess("--resume", "--junitxml=junit.xml")
    result.assert_outcomes(deselected=3)
    assert result.ret == 0
    assert 'failures="0"' in (pytester.path / "junit.xml").read_text(encoding="utf-8")


class TestRedpenFixture:
    """Tests with the fixture `redpen` depend on the project's own sources."""

    MODULE = """
import pytest
from resumed_shop import write

@pytest.mark.redpen
def test_twice(redpen):
    assert redpen.run(write, ticket="a").text
    assert redpen.run(write, ticket="b").text

@pytest.mark.redpen
def test_once(redpen):
    assert redpen.run(write, ticket="c").text
"""

    @pytest.fixture(autouse=True)
    def shop(self, pytester):
        pytester.makeini(INI + "pythonpath = .\n")
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(
            test_shop=self.MODULE, resumed_shop="def write(ticket):\n    return 'Dear Ana, ' + ticket\n"
        )

    def test_unchanged_tests_are_kept(self, pytester, killed):
        killed()
        result = pytester.runpytest_inprocess("--resume")
        result.assert_outcomes(deselected=2)
        assert result.ret == 0

    def test_test_with_missing_run_is_rerun(self, pytester, killed, last):
        killed(without=("test_shop/test_twice.2",))
        pytester.runpytest_inprocess("--resume").assert_outcomes(passed=1, deselected=1)
        assert len(last().results) == 3

    def test_changed_source_invalidates_kept_results(self, pytester, killed):
        killed()
        prompt = pytester.path / "prompt.md"
        prompt.write_text("Be friendly.", encoding="utf-8")
        pytester.runpytest_inprocess("--resume").assert_outcomes(passed=2)


class TestDigestOfFiles:
    """Which files count as a project's sources."""

    def test_source_digest_depends_on_name_and_content(self, tmp_path):
        seen = set()
        for name, text in (("a.py", "1"), ("a.py", "2"), ("b.py", "2"), ("c/prompt.md", "3")):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            seen.add(digest_of_files([tmp_path], ()))
        assert len(seen) == 4

    @pytest.mark.parametrize(
        "name", [".git/a.py", "node_modules/a.js", "__pycache__/a.py", "out/a.py", "photo.png", "env/a.py"]
    )
    def test_generated_files_do_not_change_digest(self, tmp_path, name):
        before = digest_of_files([tmp_path], {(tmp_path / "out").resolve()})
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1")
        if path.parent.name == "env":
            (path.parent / "pyvenv.cfg").write_text("")
        assert digest_of_files([tmp_path], {(tmp_path / "out").resolve()}) == before

    def test_digest_does_not_follow_folder_links(self, tmp_path):
        (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
        assert digest_of_files([tmp_path], ())
