"""Tools of guarded-policy: canned tools are reported, a project's own come from a factory."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main

FACTORY = """
from redpen.agents.tools import builtin_tools

SENT = []

def make_tools():
    def send_status_update(**args):
        SENT.append(args)
        return {"status": "ok", "data": {**args, "queued_recipients": 7, "delivery_id": "own_1"}}

    return {**builtin_tools(), "send_status_update": send_status_update}

def make_list():
    return ["send_status_update"]

def make_none():
    return {"send_status_update": None}

def fail():
    raise OSError("no server")
"""
ID = "guarded-policy/one"


@pytest.fixture
def project(pytester, make_library):
    """Give a library in a project that has its own tools."""
    (pytester.path / "shop_tools.py").write_text(FACTORY, encoding="utf-8")
    pytester.makeini("[pytest]\npythonpath = .\n")
    pytester.makeconftest('pytest_plugins = ["redpen_evals.plugin"]\n')
    pytester.makepyfile(test_agents="def test_agent(scenario_run):\n    scenario_run.check()\n")
    return make_library(pytester.path)


def test_canned_tools_are_reported_in_summary_and_reports(pytester, project):
    project.add(ID, project.filed_plan())
    result = pytester.runpytest_inprocess("--report=a.md", "--report=a.html")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["1 run of guarded-policy called canned tools (*): nothing was fetched or sent*"]
    )
    for name in ("a.md", "a.html"):
        text = (pytester.path / name).read_text(encoding="utf-8")
        assert "1 run of guarded-policy called canned tools (" in text


@pytest.mark.parametrize("where", ["scenario", "setting", "redpen.toml"])
def test_project_tools_replace_built_in_tools(pytester, project, where):
    own = {"tools": "shop_tools:make_tools"} if where == "scenario" else {}
    project.add(ID, project.filed_plan(**own))
    if where == "setting":
        pytester.makeini("[pytest]\npythonpath = .\nredpen_tools = shop_tools:make_tools\n")
    if where == "redpen.toml":
        (pytester.path / "redpen.toml").write_text('tools = "shop_tools:make_tools"\n', encoding="utf-8")
    pytester.makepyfile(
        test_agents="""
        def test_agent(scenario_run):
            scenario_run.check()

        def test_sent():
            import shop_tools
            assert len(shop_tools.SENT) == 1
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:randomly")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*canned*")


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("shop_tools:make_tool", "shop_tools has no 'make_tool' (did you mean `make_tools`?)"),
        ("shop_toolz:make", "shop_toolz"),
        ("shop_tools:make_list", "shop_tools:make_list() has to return tools by name, not list"),
        ("shop_tools:make_none", "make_none(): 'send_status_update' is not a name with a callable"),
        ("shop_tools:fail", "shop_tools:fail() fails: OSError: no server"),
    ],
)
def test_invalid_tools_factory_is_errored_with_its_place(pytester, project, spec, problem):
    project.add(ID, project.filed_plan(tools=spec))
    result = pytester.runpytest_inprocess()
    assert result.ret == 10
    result.stdout.fnmatch_lines(["*scenarios/guarded-policy/one.yaml:*"])
    assert problem in result.stdout.str()


def test_invalid_redpen_tools_setting_is_reported(pytester, project):
    project.add(ID, project.filed_plan())
    pytester.makeini("[pytest]\nredpen_tools = make_tools\n")
    result = pytester.runpytest_inprocess()
    assert "redpen_tools: 'make_tools': write support.tools:make_tools" in (
        result.stdout.str() + result.stderr.str()
    )


def test_run_command_reports_canned_tools(pytester, project, monkeypatch):
    project.add(ID, project.filed_plan())
    monkeypatch.chdir(pytester.path)
    done = CliRunner().invoke(main, ["run", "--replay", "--scenario", ID], catch_exceptions=False)
    assert "the built-in tools are canned: nothing was fetched or sent" in done.stderr
    project.add(ID, project.filed_plan(tools="shop_tools:make_tools"))
    done = CliRunner().invoke(main, ["run", "--replay", "--scenario", ID], catch_exceptions=False)
    assert done.exit_code in {0, 1}
    assert "canned" not in done.stderr
