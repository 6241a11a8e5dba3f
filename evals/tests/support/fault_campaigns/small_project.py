"""A project with the small library, and pytest run in it as a user would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import fault_campaigns
import redpen
import redpen_evals
from fault_campaigns.sessions import environment
from fault_campaigns.small_library import SCENARIOS, write_library
from redpen_evals.evaluation import Evaluator
from redpen_evals.records import Record, read_record
from redpen_evals.records.places import RunFolder
from redpen_evals.scenario_library.layout import Layout

GOAL = "Tell customers."
RANDOM_ORDER = "fault_campaigns.random_order"

_TIMEOUT_S = 600
_CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
_TESTS = "def test_agent(scenario_run):\n    scenario_run.check()\n"
# Hypothesis' own plugin imports hypothesis at the end of every run.
_INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"


def write_project(project: Path, *, samples: int = 1) -> Layout:
    """Write a project and record its library.

    Args:
        project: a folder; it need not exist.
        samples: number of recordings per scenario.

    Returns:
        The folders of its scenarios and cassettes.
    """
    layout = Layout(scenarios=project / "scenarios", cassettes=project / "cassettes")
    write_library(layout, goal=GOAL)
    for name, text in (("pytest.ini", _INI), ("conftest.py", _CONFTEST), ("test_agents.py", _TESTS)):
        (project / name).write_text(text, encoding="utf-8")
    evaluator = Evaluator(layout=layout, record="all")
    for scenario in SCENARIOS:
        for sample in range(1, samples + 1):
            evaluator.evaluate(scenario, sample=sample)
    return layout


def run_pytest(
    project: Path,
    *arguments: str,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    sources: tuple[Path, ...] | None = None,
) -> str:
    """Run pytest in another process.

    Args:
        project: its folder.
        arguments: of the command line.
        environ: variables of the environment that differ from ours.
        cwd: the working directory; by default the project's folder.
        sources: folders that Redpen is imported from; by default those of this process.

    Returns:
        Its output.
    """
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "pytest", *arguments],
        cwd=cwd or project,
        env={**environment(sources or own_sources()), **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_TIMEOUT_S,
        check=False,
    )
    return done.stdout.decode("utf-8", "backslashreplace")


def last_record(project: Path) -> Record:
    """Return the record of the last run of a project; raises RecordError if there is none."""
    return read_record(RunFolder(path=project / ".redpen" / "runs").find("last"))


def own_sources() -> tuple[Path, ...]:
    """Return the folders that this process imports the agents, the harness and the campaigns from."""
    packages = (redpen, redpen_evals, fault_campaigns)
    return tuple(Path(str(package.__file__)).resolve().parents[1] for package in packages)
