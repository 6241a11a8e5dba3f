"""The command reads a project's folders and agents from pytest's settings."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.project import find_project

AGENT = "support.mailer:write_reply"
TEXTS = {
    "pytest.ini": "[pytest]\n{0} = cases\nredpen_agents =\n    mailer = {1}\n    other = a:b\n",
    ".pytest.ini": "[pytest]\n{0} = cases\nredpen_agents =\n    mailer = {1}\n    other = a:b\n",
    "tox.ini": "[tox]\nenvlist = py\n\n[pytest]\n{0} = cases\nredpen_agents = mailer = {1}\n  other = a:b\n",
    "setup.cfg": "[metadata]\n[tool:pytest]\n{0} = cases\nredpen_agents =\n mailer={1}\n other=a:b\n",
    "pyproject.toml": '[tool.pytest.ini_options]\n{0} = "cases"\n'
    'redpen_agents = ["mailer = {1}", "other = a:b"]\n',
}
NATIVE = '{0} = "cases"\nredpen_agents = ["mailer = {1}", "other = a:b"]\n'


def _native_settings():
    version = tuple(map(int, pytest.__version__.split(".")[:2]))
    return version >= (9, 0)


@pytest.fixture
def redpen(monkeypatch, redpen):
    """Give a function that runs the command in a folder."""

    def run(folder, *args):
        monkeypatch.chdir(folder)
        return redpen(*args)

    return run


@pytest.mark.parametrize("name", TEXTS)
def test_every_pytest_settings_file_is_read(tmp_path, name):
    (tmp_path / name).write_text(TEXTS[name].format("redpen_scenarios", AGENT), encoding="utf-8")
    project = find_project(tmp_path)
    assert project.root == tmp_path
    assert tmp_path / project.path("redpen_scenarios") == tmp_path / "cases"
    assert project.agents == (("mailer", AGENT), ("other", "a:b"))


@pytest.mark.skipif(not _native_settings(), reason="pytest reads it from 9.0 on")
@pytest.mark.parametrize(("name", "table"), [("pytest.toml", "pytest"), ("pyproject.toml", "tool.pytest")])
def test_native_toml_settings_are_read(tmp_path, name, table):
    text = f"[{table}]\n" + NATIVE.format("redpen_scenarios", AGENT)
    (tmp_path / name).write_text(text, encoding="utf-8")
    project = find_project(tmp_path)
    assert tmp_path / project.path("redpen_scenarios") == tmp_path / "cases"
    assert project.agents == (("mailer", AGENT), ("other", "a:b"))


def test_pytest_ini_takes_precedence_over_pyproject(tmp_path):
    for name in ("pytest.ini", "pyproject.toml"):
        (tmp_path / name).write_text(TEXTS[name].format("redpen_cassettes", AGENT), encoding="utf-8")
    assert find_project(tmp_path).settings_file == tmp_path / "pytest.ini"


def test_defaults_apply_without_settings_file(tmp_path):
    project = find_project(tmp_path)
    assert (project.root, project.settings_file) == (tmp_path, None)
    names = ("redpen_scenarios", "redpen_cassettes", "redpen_runs", "redpen_baseline", "redpen_prices")
    found = [project.path(name).as_posix() for name in names]
    assert found == ["scenarios", "cassettes", ".redpen/runs", "baseline", "prices.toml"]
    assert project.prompts is None


def test_subfolder_belongs_to_enclosing_project(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = src lib\n", encoding="utf-8")
    (tmp_path / "a" / "b").mkdir(parents=True)
    project = find_project(tmp_path / "a" / "b")
    assert project.path("redpen_scenarios") == tmp_path / "scenarios"
    assert project.own_agents.paths == (tmp_path, tmp_path / "src", tmp_path / "lib")


def test_setup_py_marks_root_without_settings_file(tmp_path):
    (tmp_path / "setup.py").write_text("", encoding="utf-8")
    (tmp_path / "a").mkdir()
    assert find_project(tmp_path / "a").root == tmp_path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pyproject.toml", b"[tool.pytest", "pyproject.toml"),
        ("pyproject.toml", b"tool = 1", "cannot be used"),
        ("pyproject.toml", b"\xff\xfe", "cannot be read"),
        ("pytest.ini", b"redpen_scenarios = x", "pytest.ini"),
        ("setup.cfg", b"[pytest]\nx = 1\n", "tool:pytest"),
        ("pyproject.toml", b"[tool.pytest.ini_options]\nredpen_scenarios = ['a']\n", "has to be a string"),
        ("pytest.ini", b"[pytest]\nredpen_agents = mailer\n", "redpen_agents"),
    ],
)
def test_unusable_settings_exit_2(tmp_path, redpen, name, content, message):
    (tmp_path / name).write_bytes(content)
    done = redpen(tmp_path, "scenarios")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_invalid_setting_value_is_named(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = 'open\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"pytest\.ini: pythonpath: No closing quotation"):
        find_project(tmp_path).folders("pythonpath")


@pytest.fixture
def project(tmp_path, make_library):
    """Give a project whose folders and agent have names of their own, with one recorded scenario."""
    settings = TEXTS["pytest.ini"].format("redpen_scenarios", AGENT) + "redpen_cassettes = tapes\n"
    (tmp_path / "pytest.ini").write_text(settings + "redpen_runs = runs\nredpen_baseline = accepted\n")
    (tmp_path / "support").mkdir()
    agent = "def write_reply(ticket):\n    return f'You asked: {ticket}'\n"
    (tmp_path / "support" / "mailer.py").write_text(agent, encoding="utf-8")
    library = make_library(tmp_path)
    (tmp_path / "scenarios").rename(tmp_path / "cases")
    (tmp_path / "cases" / "support").mkdir()
    text = "agent: mailer\ninput: {ticket: 'Where?'}\n"
    (tmp_path / "cases" / "support" / "where.yaml").write_text(text, encoding="utf-8")
    assert library.root == tmp_path
    return tmp_path


class TestCommandsInAProject:
    def test_agent_short_name_is_resolved(self, project, redpen):
        done = redpen(project, "scenarios", "check")
        assert (done.exit_code, done.stdout) == (0, "")

    def test_scenarios_are_filtered_by_agent_name(self, project, redpen):
        assert redpen(project, "scenarios", "--agent", "mailer").stdout == "support/where  answered\n"
        assert redpen(project, "scenarios", "--agent", "reflection").stdout == ""

    @pytest.mark.parametrize("command", ["scenarios", "cassettes"])
    def test_unknown_agent_exits_2_with_suggestion(self, project, redpen, command):
        done = redpen(project, command, "--agent", "mailr")
        assert done.exit_code == 2
        assert "--agent: there is no agent 'mailr' (did you mean `mailer`?)" in done.stderr

    def test_own_agent_runs_by_name_or_path(self, project, redpen):
        for args in (("mailer",), (AGENT,), ()):
            done = redpen(project, "run", *args, "--scenario", "support/where", "--replay")
            assert done.exit_code == 0, done.stderr
            assert '"answer": "You asked: Where?"' in done.stdout
        done = redpen(project, "run", "reflection", "--scenario", "support/where")
        assert done.exit_code == 2
        assert "is a scenario of mailer, not of reflection" in done.stderr

    def test_commands_work_from_subfolder(self, project, redpen):
        done = redpen(project / "support", "run", "--scenario", "support/where")
        assert '"answer": "You asked: Where?"' in done.stdout

    def test_options_override_settings(self, project, redpen):
        (project / "empty").mkdir()
        assert redpen(project, "--scenarios", "empty", "scenarios").stdout == ""

    def test_runs_and_baseline_folders_come_from_settings(self, project, redpen):
        assert "runs" in redpen(project, "compare", "last-1", "last").stderr
        assert redpen(project, "baseline").stdout.startswith("accepted: no baseline yet")


def test_cassettes_are_filtered_by_the_agent_of_their_scenario(project, redpen):
    text = "agent: mailer\ninput: {ticket: 'Where?'}\nreplies: [{content: Here.}]\n"
    (project / "cases" / "support" / "asked.yaml").write_text(text, encoding="utf-8")
    agent = (
        "from openai import OpenAI\n\n\ndef write_reply(ticket):\n"
        "    messages = [{'role': 'user', 'content': ticket}]\n"
        "    made = OpenAI().chat.completions.create(model='some-model', messages=messages)\n"
        "    return made.choices[0].message.content\n"
    )
    (project / "shop.py").write_text(agent, encoding="utf-8")
    (project / "pytest.ini").write_text(
        "[pytest]\nredpen_scenarios = cases\nredpen_agents = mailer = shop:write_reply\n", encoding="utf-8"
    )
    asked = ("--agent", "mailer", "--input", "ticket=Where?")
    (project / "replies.json").write_text('[{"content": "Here."}]', encoding="utf-8")
    done = redpen(project, "new", "support/made", *asked, "--replies", "replies.json")
    assert done.exit_code == 0, done.output
    assert "support/made" in redpen(project, "cassettes", "--agent", "mailer").stdout
    assert redpen(project, "cassettes", "--agent", "reflection").stdout == "no cassettes\n"
    assert redpen(project, "cassettes", "check", "--replay").exit_code == 0
