"""`redpen config` and `redpen.toml`, which the command and the pytest plugin both read."""

from __future__ import annotations

import json

import pytest

from redpen_evals.settings import SETTINGS

pytestmark = pytest.mark.usefixtures("installed_plugins")


@pytest.fixture
def redpen(pytester, monkeypatch, redpen):
    """Give a function that runs the command in the folder of pytester."""
    monkeypatch.chdir(pytester.path)
    return redpen


@pytest.fixture
def project(pytester, make_library):
    """Give a library in the folder of pytester."""
    return make_library(pytester.path)


def rows(done):
    assert done.exit_code == 0, done.output
    return {row["name"]: (row["value"], row["source"]) for row in json.loads(done.output)["settings"]}


def test_config_shows_value_and_source_of_every_setting(pytester, redpen, monkeypatch):
    (pytester.path / "pytest.ini").write_text(
        "[pytest]\nredpen_scenarios = cases\nredpen_agents =\n  m = a:b\n", encoding="utf-8"
    )
    (pytester.path / "redpen.toml").write_text(
        '# ours\nbaseline = "accepted"\nscenarios = "passed over"\n', encoding="utf-8"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-shown")
    monkeypatch.setenv("OPENAI_MODEL", "other")
    before = sorted(pytester.path.iterdir())
    found = rows(redpen("--runs", "elsewhere", "config", "--json"))
    assert {setting.name for setting in SETTINGS} < set(found)
    assert found["redpen_scenarios"] == ("cases", f"{pytester.path / 'pytest.ini'}:2")
    assert found["redpen_agents"] == (["m = a:b"], f"{pytester.path / 'pytest.ini'}:3")
    assert found["redpen_baseline"] == ("accepted", f"{pytester.path / 'redpen.toml'}:2")
    assert found["redpen_runs"] == ("elsewhere", "option --runs")
    assert found["redpen_cassettes"] == ("cassettes", "default")
    assert found["OPENAI_API_KEY"] == ("set", "environment")
    assert found["OPENAI_MODEL"] == ("other", "environment")
    shown = redpen("config").output
    line = ["redpen_scenarios", "cases", f"{pytester.path / 'pytest.ini'}:2"]
    assert line in [row.split() for row in shown.splitlines()]
    assert "sk-never-shown" not in shown
    assert sorted(pytester.path.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("pytest.ini", "[pytest]\nredpen_scenaros = cases\n", 2),
        ("pyproject.toml", "[tool.pytest.ini_options]\nredpen_scenaros = 'cases'\n", 2),
        ("redpen.toml", "# ours\n\nscenaros = 'cases'\n", 3),
    ],
)
def test_unknown_setting_is_reported_by_command_and_pytest(pytester, redpen, name, text, line):
    (pytester.path / name).write_text(text, encoding="utf-8")
    problem = f"{pytester.path / name}:{line}: "
    done = redpen("config")
    assert done.exit_code == 2
    assert problem in done.stderr
    assert "scenarios`?)" in done.stderr
    pytester.makepyfile("def test_one(): pass")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {problem}*unknown setting (did you mean `*scenarios`?)*"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("scenarios = 5", ":1: scenarios: has to be a string"),
        ("agents = 'a'", ":1: agents: has to be a list of strings"),
        ("agents = ", ":1: is not valid TOML"),
    ],
)
def test_invalid_setting_is_reported_with_its_line(pytester, redpen, text, problem):
    (pytester.path / "redpen.toml").write_text(text, encoding="utf-8")
    done = redpen("config")
    assert (done.exit_code, problem in done.stderr) == (2, True), done.stderr


def test_pytest_reads_redpen_toml_and_ini_options_take_precedence(pytester, project):
    project.add("self-critique/one", project.self_critique())
    project.record("self-critique/one")
    (pytester.path / "scenarios").rename(pytester.path / "cases")
    (pytester.path / "redpen.toml").write_text('scenarios = "cases"\n', encoding="utf-8")
    pytester.makepyfile(test_agents="def test_agent(scenario_run):\n    scenario_run.check()\n")
    pytester.runpytest_inprocess("-q").assert_outcomes(passed=1)
    result = pytester.runpytest_inprocess("-q", "-o", "redpen_scenarios=nowhere")
    assert result.ret == 10


def test_read_only_commands_create_no_files(pytester, redpen):
    pytester.makepyfile("def test_one(): pass")
    before = {path.name for path in pytester.path.iterdir()}
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    for command in (("config",), ("scenarios",), ("cassettes",), ("cassettes", "prune"), ("compare",)):
        redpen(*command)
    done = redpen("scenarios", "schema")
    assert done.exit_code == 2
    assert "there is no such folder" in done.stderr
    assert {path.name for path in pytester.path.iterdir()} - before <= {"__pycache__"}


def test_config_hides_credentials_of_database_url(pytester, redpen):
    (pytester.path / "redpen.toml").write_text('events = "postgresql://ann:canary@db/x"\n', encoding="utf-8")
    for form in ([], ["--json"]):
        shown = redpen("config", *form).stdout
        assert "postgresql://…" in shown
        assert "canary" not in shown
