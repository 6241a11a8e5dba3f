"""`redpen init`: writes a first scenario and keeps existing files."""

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
    """Give a function that runs `redpen init` in a folder and returns its action for each file."""

    def run(folder=tmp_path):
        monkeypatch.chdir(folder)
        done = CliRunner().invoke(main, ["init"], catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        files = done.stdout.split("\nnext:\n")[0].splitlines()
        return {line[9:]: line[:7].strip() for line in files if line and not line.startswith("note: ")}

    return run


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """Give a function that runs `redpen init`, asserts that it fails, and returns the error."""

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


def test_empty_folder_gets_all_files(tmp_path, init):
    assert init() == dict.fromkeys(WRITTEN, "written")
    assert sorted(_files(tmp_path)) == sorted(WRITTEN)
    assert (tmp_path / "pytest.ini").read_text() == "[pytest]\nredpen_baseline = baseline\n"
    assert (tmp_path / ".gitignore").read_text() == ".redpen/\n"


def test_second_init_keeps_all_files(tmp_path, init):
    init()
    before = _files(tmp_path)
    assert init() == dict.fromkeys(WRITTEN, "kept")
    assert _files(tmp_path) == before


def test_existing_files_are_not_overwritten(tmp_path, init):
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


def test_workflow_is_valid_yaml_and_installs_requirements(tmp_path, init):
    (tmp_path / "requirements.txt").write_text("openai\n")
    init()
    workflow = yaml.safe_load((tmp_path / ".github/workflows/redpen.yml").read_text())
    runs = [step.get("run") for step in workflow["jobs"]["scenarios"]["steps"]]
    assert runs[2:4] == [
        "pip install -r requirements.txt redpen-evals",
        "pytest --report=.redpen/report.md --report=.redpen/report.html",
    ]
    assert runs[4] == 'cat .redpen/report.md >> "$GITHUB_STEP_SUMMARY"'


class TestSettings:
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
    def test_settings_file_gets_baseline_line(self, tmp_path, init, name, before, after):
        path = tmp_path / name
        path.write_bytes(before.encode())
        path.chmod(0o640)
        line = SETTING if name.endswith(".toml") else "redpen_baseline = baseline"
        assert init()[f"{name} ({line})"] == "changed"
        assert path.read_bytes().decode() == after
        assert path.stat().st_mode & 0o777 == 0o640

    def test_existing_baseline_setting_is_kept(self, tmp_path, init):
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
    def test_unsafe_settings_file_is_kept_with_a_hint(self, tmp_path, init, text):
        (tmp_path / "pyproject.toml").write_text(text)
        assert init()[f"pyproject.toml (add to its [tool.pytest.ini_options]: {SETTING})"] == "kept"
        assert (tmp_path / "pyproject.toml").read_text() == text

    def test_linked_settings_file_is_unchanged(self, tmp_path, init, tmp_path_factory):
        real = tmp_path_factory.mktemp("shared") / "pytest.ini"
        real.write_text("[pytest]\n")
        (tmp_path / "pytest.ini").symlink_to(real)
        assert init()["pytest.ini (add to its [pytest]: redpen_baseline = baseline)"] == "kept"
        assert real.read_text() == "[pytest]\n"

    def test_subfolder_of_project_becomes_its_own_project(self, tmp_path, init):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "below").mkdir()
        assert init(tmp_path / "below")["pytest.ini"] == "written"
        assert (tmp_path / "pytest.ini").read_text() == "[pytest]\n"

    def test_configured_folders_are_used(self, tmp_path, init):
        (tmp_path / "pytest.ini").write_text("[pytest]\nredpen_scenarios = cases\ntestpaths = checks\n")
        done = init()
        assert done["cases/support/order-status.yaml"] == done["checks/test_agents.py"] == "written"


class TestExampleAgent:
    def test_example_agent_goes_into_existing_package(self, tmp_path, init):
        (tmp_path / "support").mkdir()
        (tmp_path / "support" / "__init__.py").write_text("")
        assert init()["support/mailer.py"] == "written"

    def test_example_agent_avoids_existing_module_name(self, tmp_path, init):
        (tmp_path / "support.py").write_text("")
        assert init()["support_example/mailer.py"] == "written"
        scenario = (tmp_path / "scenarios/support/order-status.yaml").read_text()
        assert "agent: support_example.mailer:write_reply\n" in scenario

    def test_example_agent_avoids_existing_mailer_module(self, tmp_path, init):
        (tmp_path / "support").mkdir()
        (tmp_path / "support" / "mailer.py").write_text("def send(): ...\n")
        assert init()["support_example/mailer.py"] == "written"

    def test_init_fails_when_both_example_names_are_taken(self, tmp_path, refused):
        for name in ("support.py", "support_example.py"):
            (tmp_path / name).write_text("")
        assert "no free package for the example agent" in refused()


class TestTestModule:
    def test_test_module_goes_into_tests_folder(self, tmp_path, init):
        (tmp_path / "tests").mkdir()
        assert init()["tests/test_agents.py"] == "written"

    def test_existing_test_module_is_kept(self, tmp_path, init):
        (tmp_path / "test_agents.py").write_text("def test_it(): ...\n")
        done = init()
        assert (done["test_agents.py"], done["test_redpen.py"]) == ("kept", "written")

    def test_hint_is_printed_when_both_test_names_are_taken(self, tmp_path, init):
        for name in ("test_agents.py", "test_redpen.py"):
            (tmp_path / name).write_text("def test_it(): ...\n")
        assert any("scenario_run.check()" in name for name, what in init().items() if what == "kept")


class TestBadPlaces:
    def test_file_in_place_of_folder_is_refused(self, tmp_path, refused):
        (tmp_path / "prompts").write_text("")
        assert "prompts: is a file, not a folder" in refused()

    def test_folder_in_place_of_file_is_refused(self, tmp_path, refused):
        (tmp_path / "prompts" / "reply.md").mkdir(parents=True)
        assert "prompts/reply.md: is a folder, not a file" in refused()

    def test_link_out_of_the_folder_is_refused(self, tmp_path, refused, tmp_path_factory):
        (tmp_path / "scenarios").symlink_to(tmp_path_factory.mktemp("elsewhere"))
        assert "leads out of" in refused()

    def test_unreadable_settings_are_refused(self, tmp_path, refused):
        (tmp_path / "pyproject.toml").write_text("[tool.pytest")
        assert "pyproject.toml" in refused()

    def test_folder_options_are_refused(self, refused):
        assert "set them there first" in refused("--scenarios", "cases")

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root writes everywhere")
    def test_write_protected_folder_is_refused(self, tmp_path, refused):
        tmp_path.chmod(0o555)
        assert "cannot be written" in refused()

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder in which nobody may write")
    def test_unwritable_folder_is_refused(self, monkeypatch):
        monkeypatch.chdir("/proc")
        done = CliRunner().invoke(main, ["init"], catch_exceptions=False)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "scenarios/support/order-status.yaml: cannot be written" in done.stderr
