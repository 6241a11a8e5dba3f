"""The walk through a changed prompt does what the README shows, step by step, in a copy of the checkout."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADING = "## Change a prompt, see what broke"
LEFT_OUT = "…"
COPIED = ("agents", "scenarios", "cassettes", "evals/redpen_evals", "evals/suites")
PROGRAMS = {
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
    "redpen": [sys.executable, "-c", "from redpen_evals.cli import main; main()"],
}


@pytest.fixture
def copy(tmp_path):
    """Give a copy of what the walk needs."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def _steps():
    """Yield the commands of the walk with the lines that the README shows of their output."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split(HEADING)[1].split("\n## ")[0]
    for block in re.findall(r"^```console\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = step.splitlines()
            yield command, [line for line in shown if line != LEFT_OUT]


def _run(command, folder):
    program, *rest = shlex.split(command)
    paths = [str(folder / "agents"), str(folder / "evals")]
    return subprocess.run(  # noqa: S603 - the README's own commands
        [*PROGRAMS.get(program, [program]), *rest],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_step_prints_what_is_shown(copy):
    steps = list(_steps())
    assert [command.split()[0] for command, _ in steps] == ["perl", "pytest", "pytest", "redpen", "redpen"]
    codes = []
    for command, shown in steps:
        done = _run(command, copy)
        codes.append(done.returncode)
        lines = iter(done.stdout.splitlines())
        for line in shown:
            # In order, with anything in between.
            assert line in lines, f"{command}: {line!r} is not in\n{done.stdout}\n{done.stderr}"
    assert codes == [0, 11, 0, 0, 0]
    done = _run("redpen compare baseline last", copy)
    assert "607 same" in re.sub(r"\s+", " ", done.stdout), done.stdout
