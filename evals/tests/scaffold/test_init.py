"""`redpen init`: writes a first scenario and keeps existing files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.project import find_project

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
    assert changed == {".gitignore"}
    assert _files(tmp_path) == {
        **before,
        ".gitignore": b"# def write_reply, scenario_run\n.redpen/\n",
        "redpen.toml": b'baseline = "baseline"\n',
    }


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
        ("name", "text"),
        [
            ("pyproject.toml", "[tool.pytest.ini_options]\nminversion = '8.4'\n"),
            ("pyproject.toml", "[project]\nname = 'x'"),
            ("pytest.ini", ""),
            ("tox.ini", "[tox]\n[pytest]\nx = 1\n"),
            ("setup.cfg", "[tool:pytest]\nx = 1\n"),
        ],
    )
    def test_baseline_is_set_beside_existing_settings_file(self, tmp_path, init, name, text):
        (tmp_path / name).write_text(text)
        assert init()["redpen.toml"] == "written"
        assert find_project(tmp_path).text("redpen_baseline") == "baseline"
        assert (tmp_path / name).read_text() == text
        assert init()["redpen.toml"] == "kept"

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("pyproject.toml", "[tool.pytest.ini_options]\nredpen_baseline = 'elsewhere'\n"),
            ("redpen.toml", "baseline = 'elsewhere'\n"),
        ],
    )
    def test_existing_baseline_setting_is_kept(self, tmp_path, init, name, text):
        (tmp_path / name).write_text(text)
        assert init()[name] == "kept"
        assert (tmp_path / name).read_text() == text

    def test_redpen_toml_without_baseline_is_kept_with_a_hint(self, tmp_path, init):
        (tmp_path / "redpen.toml").write_text("scenarios = 'cases'\n")
        assert init()['redpen.toml (add to it: baseline = "baseline")'] == "kept"
        assert (tmp_path / "redpen.toml").read_text() == "scenarios = 'cases'\n"

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
