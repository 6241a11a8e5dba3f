"""The walkthroughs of the README, run in an empty folder and in a copy of a checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
OWN_AGENT = "## Test your own agent"
PROMPT = "## Change a prompt, see what broke"
UNKNOWN = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PYTHONPATH")
LEFT_OUT = "…"
COPIED = ("agents", "scenarios", "cassettes", "evals/redpen_evals", "evals/suites")
OURS = {
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
    "redpen": [sys.executable, "-c", "from redpen_evals.cli import main; main()"],
}


@pytest.fixture
def copy(tmp_path):
    """Give a copy of what the walk needs."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def _steps(heading):
    """Yield the commands of a walk with the lines that the README shows of their output."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split(heading)[1].split("\n## ")[0]
    for block in re.findall(r"^```console\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = step.splitlines()
            yield command, [line for line in shown if line != LEFT_OUT]


def _run(command, folder, programs):
    program, *rest = shlex.split(command)
    surroundings = {name: value for name, value in os.environ.items() if name not in UNKNOWN}
    paths = {"PYTHONPATH": os.pathsep.join(str(folder / name) for name in ("agents", "evals"))}
    return subprocess.run(  # noqa: S603 - the README's own commands
        [*programs.get(program, [program]), *rest],
        cwd=folder,
        env={**surroundings, **paths, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def _walk(heading, folder, programs, *, recorded=""):
    """Run every step, check its output, and return the exit codes.

    `recorded` is a pytest expression for the scenarios that `--record=stale` records, by default all.
    """
    codes = []
    for command, shown in _steps(heading):
        part = f" -k '{recorded}'" if recorded and "--record=stale" in command else ""
        done = _run(command + part, folder, programs)
        codes.append(done.returncode)
        lines = iter(done.stdout.splitlines())
        for line in shown:
            # In order, with anything in between.
            assert line in lines, f"{command}: {line!r} is not in\n{done.stdout}\n{done.stderr}"
    return codes


def test_own_agent_walk_prints_what_is_shown(tmp_path, installed):
    # With the wheel, as its users have no checkout.
    python = str(installed / "python")
    theirs = {
        "pytest": [python, "-m", "pytest", "-p", "no:cacheprovider"],
        "redpen": [str(installed / "redpen")],
    }
    programs = [command.split()[0] for command, _ in _steps(OWN_AGENT)]
    assert programs == "redpen pytest pytest redpen perl pytest pytest redpen".split()
    assert _walk(OWN_AGENT, tmp_path, theirs) == [0, 0, 0, 0, 0, 11, 0, 0]
    assert (tmp_path / "baseline" / "scripted.json").is_file()


def test_changed_prompt_walk_prints_what_is_shown(copy):
    programs = [command.split()[0] for command, _ in _steps(PROMPT)]
    assert programs == "perl pytest pytest".split()
    # Recording takes most of the time, and a part of the scenarios shows what it does.
    assert _walk(PROMPT, copy, OURS, recorded="number or missing") == [0, 11, 0]
    done = _run("redpen compare baseline last", copy, OURS)
    assert done.returncode == 0
    # Every change is one of cost alone: the prompt has a word more.
    assert re.search(r"same \d+, changed ([1-9]\d+) \(cost \1\)", done.stdout), done.stdout
