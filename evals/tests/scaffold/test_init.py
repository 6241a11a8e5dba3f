"""`redpen init`: a first scenario in any folder, and nothing that was there is lost."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from redpen_evals.cli import main

WRITTEN = [
    "scenarios/support/order-status.yaml",
    "scenarios/contexts/orders.yaml",
    "support/mailer.py",
    "prompts/reply.md",
    "test_agents.py",
    "pytest.ini",
    ".github/workflows/redpen.yml",
    ".gitignore",
]
SETTING = 'redpen_baseline = "baseline"'


@pytest.fixture
def init(tmp_path, monkeypatch):
    """Give a function that runs `redpen init` in a folder and returns what it does with each file."""

    def run(folder=tmp_path):
        monkeypatch.chdir(folder)
        done = CliRunner().invoke(main, ["init"], catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        files = done.stdout.split("\nnext:\n")[0].splitlines()
        return {line[9:]: line[:7].strip() for line in files if line and not line.startswith("note: ")}

    return run


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """Give a function that runs `redpen init`, which has to fail, and returns what it says."""

    def run(*options):
        monkeypatch.chdir(tmp_path)
        before = sorted(tmp_path.rglob("*"))
        done = CliRunner().invoke(main, [*options, "init"], catch_exceptions=False)
        assert (done.exit_code, done.stdout) == (2, "")
        assert sorted(tmp_path.rglob("*")) == before
        return done.stderr

    return run


def _files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_an_empty_folder_gets_all_files(tmp_path, init):
    assert init() == dict.fromkeys(WRITTEN, "written")
    assert sorted(_files(tmp_path)) == sorted(WRITTEN)
    assert (tmp_path / "pytest.ini").read_text() == "[pytest]\nredpen_baseline = baseline\n"
    assert (tmp_path / ".gitignore").read_text() == ".redpen/\n"


def test_a_second_time_all_is_kept(tmp_path, init):
    init()
    before = _files(tmp_path)
    assert init() == dict.fromkeys(WRITTEN, "kept")
    assert _files(tmp_path) == before


def test_nothing_of_the_user_s_is_overwritten(tmp_path, init):
    for name in WRITTEN:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[pytest]\n" if name == "pytest.ini" else "# def write_reply, scenario_run\n")
    before = _files(tmp_path)
    done = init()
    changed = {name.partition(" ")[0] for name, what in done.items() if what == "changed"}
    assert changed == {"pytest.ini", ".gitignore"}
    after = _files(tmp_path)
    assert {name: text for name, text in after.items() if name not in changed} == {
        name: text for name, text in before.items() if name not in changed
    }
    assert after["pytest.ini"] == b"[pytest]\nredpen_baseline = baseline\n"
    assert after[".gitignore"] == b"# def write_reply, scenario_run\n.redpen/\n"


def test_the_workflow_is_yaml_that_installs_what_the_project_says(tmp_path, init):
    (tmp_path / "requirements.txt").write_text("openai\n")
    init()
    workflow = yaml.safe_load((tmp_path / ".github/workflows/redpen.yml").read_text())
    runs = [step.get("run") for step in workflow["jobs"]["scenarios"]["steps"]]
    assert runs[2:4] == [
        "pip install -r requirements.txt redpen-evals",
        "pytest --report=.redpen/report.md --report=.redpen/report.html",
    ]
    assert runs[4] == 'cat .redpen/report.md >> "$GITHUB_STEP_SUMMARY"'


class TestTheSettings:
    @pytest.mark.parametrize(
        ("name", "before", "after"),
        [
            (
                "pyproject.toml",
                "[tool.a]\n\n[tool.pytest.ini_options] # ours\nminversion = '8.4'\n\n[tool.z]\n",
                f"[tool.a]\n\n[tool.pytest.ini_options] # ours\n{SETTING}\nminversion = '8.4'\n\n[tool.z]\n",
            ),
            (
                "pyproject.toml",
                "[project]\nname = 'x'",
                f"[project]\nname = 'x'\n\n[tool.pytest.ini_options]\n{SETTING}\n",
            ),
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\r\nminversion = '8.4'\r\n",
                f"[tool.pytest.ini_options]\r\n{SETTING}\r\nminversion = '8.4'\r\n",
            ),
            ("pytest.ini", "[pytest]\naddopts = -q", "[pytest]\nredpen_baseline = baseline\naddopts = -q"),
            ("pytest.ini", "", "[pytest]\nredpen_baseline = baseline\n"),
            ("tox.ini", "[tox]\n[pytest]\nx = 1\n", "[tox]\n[pytest]\nredpen_baseline = baseline\nx = 1\n"),
            ("setup.cfg", "[tool:pytest]\nx = 1\n", "[tool:pytest]\nredpen_baseline = baseline\nx = 1\n"),
        ],
    )
    def test_a_file_that_has_some_gets_a_line(self, tmp_path, init, name, before, after):
        path = tmp_path / name
        path.write_bytes(before.encode())
        path.chmod(0o640)
        line = SETTING if name.endswith(".toml") else "redpen_baseline = baseline"
        assert init()[f"{name} ({line})"] == "changed"
        assert path.read_bytes().decode() == after
        assert path.stat().st_mode & 0o777 == 0o640

    def test_one_that_is_there_is_kept(self, tmp_path, init):
        text = "[tool.pytest.ini_options]\nredpen_baseline = 'elsewhere'\n"
        (tmp_path / "pyproject.toml").write_text(text)
        assert init()["pyproject.toml"] == "kept"
        assert (tmp_path / "pyproject.toml").read_text() == text

    @pytest.mark.parametrize(
        "text",
        [
            "tool.pytest.ini_options.minversion = '8.4'\n",
            "[tool]\npytest = {ini_options = {minversion = '8.4'}}\n",
            "a = '''\n[tool.pytest.ini_options]\n'''\n[tool.pytest]\nini_options.minversion = '8.4'\n",
        ],
    )
    def test_where_a_line_is_not_safe_it_is_said(self, tmp_path, init, text):
        (tmp_path / "pyproject.toml").write_text(text)
        assert init()[f"pyproject.toml (add to its [tool.pytest.ini_options]: {SETTING})"] == "kept"
        assert (tmp_path / "pyproject.toml").read_text() == text

    def test_a_linked_file_is_left_alone(self, tmp_path, init, tmp_path_factory):
        real = tmp_path_factory.mktemp("shared") / "pytest.ini"
        real.write_text("[pytest]\n")
        (tmp_path / "pytest.ini").symlink_to(real)
        assert init()["pytest.ini (add to its [pytest]: redpen_baseline = baseline)"] == "kept"
        assert real.read_text() == "[pytest]\n"

    def test_a_folder_below_a_project_becomes_one_of_its_own(self, tmp_path, init):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "below").mkdir()
        assert init(tmp_path / "below")["pytest.ini"] == "written"
        assert (tmp_path / "pytest.ini").read_text() == "[pytest]\n"

    def test_the_folders_that_they_name_are_used(self, tmp_path, init):
        (tmp_path / "pytest.ini").write_text("[pytest]\nredpen_scenarios = cases\ntestpaths = checks\n")
        done = init()
        assert done["cases/support/order-status.yaml"] == done["checks/test_agents.py"] == "written"


class TestTheExampleAgent:
    def test_a_package_of_the_user_s_takes_it_in(self, tmp_path, init):
        (tmp_path / "support").mkdir()
        (tmp_path / "support" / "__init__.py").write_text("")
        assert init()["support/mailer.py"] == "written"

    def test_it_goes_elsewhere_where_the_name_is_a_module_of_the_user_s(self, tmp_path, init):
        (tmp_path / "support.py").write_text("")
        assert init()["support_example/mailer.py"] == "written"
        scenario = (tmp_path / "scenarios/support/order-status.yaml").read_text()
        assert "agent: support_example.mailer:write_reply\n" in scenario

    def test_it_goes_elsewhere_where_there_is_another_mailer(self, tmp_path, init):
        (tmp_path / "support").mkdir()
        (tmp_path / "support" / "mailer.py").write_text("def send(): ...\n")
        assert init()["support_example/mailer.py"] == "written"

    def test_where_both_names_are_taken_it_is_said(self, tmp_path, refused):
        for name in ("support.py", "support_example.py"):
            (tmp_path / name).write_text("")
        assert "the example agent has no place" in refused()


class TestTheTests:
    def test_they_go_where_tests_are(self, tmp_path, init):
        (tmp_path / "tests").mkdir()
        assert init()["tests/test_agents.py"] == "written"

    def test_another_test_of_that_name_is_kept(self, tmp_path, init):
        (tmp_path / "test_agents.py").write_text("def test_it(): ...\n")
        done = init()
        assert (done["test_agents.py"], done["test_redpen.py"]) == ("kept", "written")

    def test_where_both_names_are_taken_it_is_said_what_to_add(self, tmp_path, init):
        for name in ("test_agents.py", "test_redpen.py"):
            (tmp_path / name).write_text("def test_it(): ...\n")
        assert any("scenario_run.check()" in name for name, what in init().items() if what == "kept")


class TestBadPlaces:
    def test_a_file_where_a_folder_has_to_be(self, tmp_path, refused):
        (tmp_path / "prompts").write_text("")
        assert "prompts: is a file, where a folder has to be" in refused()

    def test_a_folder_where_a_file_has_to_be(self, tmp_path, refused):
        (tmp_path / "prompts" / "reply.md").mkdir(parents=True)
        assert "prompts/reply.md: is a folder, where a file has to be" in refused()

    def test_a_link_that_leads_out(self, tmp_path, refused, tmp_path_factory):
        (tmp_path / "scenarios").symlink_to(tmp_path_factory.mktemp("elsewhere"))
        assert "leads out of" in refused()

    def test_settings_that_cannot_be_read(self, tmp_path, refused):
        (tmp_path / "pyproject.toml").write_text("[tool.pytest")
        assert "pyproject.toml" in refused()

    def test_folders_named_by_options(self, refused):
        assert "name them there first" in refused("--scenarios", "cases")

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root writes everywhere")
    def test_a_write_protected_folder(self, tmp_path, refused):
        tmp_path.chmod(0o555)
        assert "cannot be written" in refused()

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder in which nobody may write")
    def test_a_folder_in_which_nobody_may_write(self, monkeypatch):
        monkeypatch.chdir("/proc")
        done = CliRunner().invoke(main, ["init"], catch_exceptions=False)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "scenarios/support/order-status.yaml: cannot be written" in done.stderr
