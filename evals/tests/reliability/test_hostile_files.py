"""Hostile files are refused with a clear message, in bounded time, without affecting other files."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fault_campaigns.bounded import in_bounds
from fault_campaigns.file_kinds import FILE_KINDS, write_project
from fault_campaigns.forked import can_fork
from fault_campaigns.hostile_files import hostile_files
from fault_campaigns.hostile_names import hostile_names
from fault_campaigns.hostile_texts import hostile_texts
from fault_campaigns.recordings import record_all
from fault_campaigns.small_library import SCENARIOS, write_library
from fault_campaigns.spoilt_library import NAMES, spoilt_library
from redpen.errors import ConfigurationError
from redpen_evals.cli import main
from redpen_evals.exit_codes import EXIT_ERRORED
from redpen_evals.scenario_library.layout import Layout

pytestmark = pytest.mark.skipif(not can_fork(), reason="hostile files are read in forked processes")

KINDS = {kind.name: kind for kind in FILE_KINDS}


@pytest.mark.parametrize("kind", FILE_KINDS, ids=list(KINDS))
def test_every_kind_of_file_is_accepted_or_refused_with_message(tmp_path, kind):
    tally = hostile_files(tmp_path, kinds=(kind,))
    assert tally.broken == ()
    assert tally.tried > 40


def test_hostile_names_do_not_leave_the_library(tmp_path):
    assert hostile_names(tmp_path).broken == ()


def test_hostile_file_does_not_affect_others(tmp_path):
    assert spoilt_library(tmp_path, every=8).broken == ()


class TestCampaignDetects:
    def faults(self, root, read):
        """Return the reported faults of price tables that are read with the given function."""
        broken = hostile_files(root, kinds=(replace(KINDS["price table"], read=read),)).broken
        return [line.removeprefix("price table: ") for line in broken]

    def test_reader_that_accepts_everything_is_reported(self, tmp_path):
        faults = self.faults(tmp_path, lambda _project: None)
        assert "NUL bytes: read" in faults
        assert "a pipe: read" in faults

    def test_reader_that_refuses_everything_is_reported(self, tmp_path):
        def refuse(project):
            raise ConfigurationError(f"{project}/prices.toml: no")

        assert self.faults(tmp_path, refuse)[0].startswith("a valid file: refused: ")

    def test_reader_that_raises_other_errors_is_reported(self, tmp_path):
        def fail(_project):
            raise KeyError("models")

        assert "a script: raised: KeyError: 'models'" in self.faults(tmp_path, fail)

    @pytest.mark.parametrize(
        ("message", "fault"),
        [
            ("something is wrong", "no file and problem"),
            ("prices.toml:1: " + "x" * 30_000, "has 30,0"),
            ("prices.toml:1: \x1b[2J", "controls the terminal"),
        ],
    )
    def test_unusable_error_message_is_reported(self, tmp_path, message, fault):
        def refuse(_project):
            raise ConfigurationError(message)

        assert any(f"a script: {fault}" in line for line in self.faults(tmp_path, refuse))

    def test_in_bounds_survives_hanging_growing_and_crashing_work(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        works = [
            lambda: "first",
            pipe.read_text,
            lambda: "second",
            lambda: str(len(b"x" * 2_000_000_000)),
            lambda: str(1 // 0),
            lambda: str(os.kill(os.getpid(), signal.SIGKILL)),
            lambda: "last",
        ]
        reported = in_bounds(works, note=tmp_path / "note", seconds=1)
        assert reported == ["first", None, "second", None, None, None, "last"]


@pytest.fixture
def spoilt(pytester):
    """Give a project in the working folder with a valid library and many hostile files."""
    layout = Layout(scenarios=Path("scenarios"), cassettes=Path("cassettes"))
    assert Path.cwd() == pytester.path
    write_library(layout, goal="Tell customers.")
    record_all(layout)
    folder = layout.scenarios / "reflection"
    sound = (folder / "escalated.yaml").read_bytes()
    for raw in NAMES:
        (folder / os.fsdecode(raw + b".yaml")).write_bytes(sound)
    texts = {text.name: text for text in hostile_texts(KINDS["scenario"])}
    for number, name in enumerate(("an alias bomb", "lists in lists", "a script", "UTF-16", "NUL bytes")):
        (folder / f"text{number}.yaml").write_bytes(texts[name].make(KINDS["scenario"]))
    os.mkfifo(folder / "pipe.yaml")
    (folder / "circle.yaml").symlink_to("circle.yaml")
    (folder / "endless.yaml").symlink_to("/dev/zero")
    (folder / "again").symlink_to("..", target_is_directory=True)
    (layout.cassettes / "again").symlink_to("..", target_is_directory=True)
    (layout.scenarios / "contexts" / "folder.yaml").mkdir()
    os.mkfifo(layout.cassettes / "scripted" / "reflection" / "pipe.json")
    return layout


def test_session_with_hostile_files_passes_every_valid_scenario(pytester, spoilt, checkout, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")]))
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n")
    pytester.makeconftest('pytest_plugins = ["redpen_evals.plugin"]\n')
    pytester.makepyfile(test_agents="def test_agent(scenario_run):\n    scenario_run.check()\n")
    # The file is named because pytest follows links to folders when it searches for tests.
    options = ("test_agents.py", "--report=report.html", "--report=report.md", "-v")
    result = pytester.runpytest_subprocess(*options)
    assert result.ret == EXIT_ERRORED
    errored = len(spoilt.scenario_ids()) - len(SCENARIOS)
    result.stdout.fnmatch_lines(f"all *{len(SCENARIOS)} *{errored}")
    assert "INTERNALERROR" not in result.stdout.str()
    assert "\x1b" not in result.stdout.str()
    assert "<script>" not in (pytester.path / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("scenarios",), 0),
        (("scenarios", "check"), 1),
        (("cassettes",), 0),
        (("cassettes", "check"), 1),
        (("cassettes", "prune"), 0),
        (("run", "reflection", "--scenario", "reflection/pipe"), 2),
        (("run", "reflection", "--scenario", "reflection/escalated"), 1),
        (("report", "x" * 5_000), 2),
        (("baseline", "accept", "last-" + "9" * 5_000), 2),
    ],
    ids=str,
)
def test_command_with_hostile_files_exits_with_its_code(spoilt, args, code):
    assert spoilt.scenarios.is_dir()
    done = CliRunner().invoke(main, args, catch_exceptions=False)
    assert done.exit_code == code
    assert "\x1b" not in done.output


def test_written_files_of_every_kind_are_valid(tmp_path):
    write_project(tmp_path)
    for kind in FILE_KINDS:
        assert kind.read(tmp_path) is not None
