"""Fixtures of the sweep tests: files of rows, and `redpen sweep` in this process."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main


@pytest.fixture
def rows(tmp_path):
    """Give a function that writes rows, given as objects or raw lines, and returns the file."""

    def write(*items, name="rows.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            "".join((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in items)
        )
        return path

    return write


@pytest.fixture
def sweep(tmp_path, library, monkeypatch):
    """Give a function that runs ``redpen sweep`` with one worker in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*args):
        workers = () if "diff" in args[:1] else ("--workers", 1)
        asked = ["--scenarios", str(library.layout.scenarios), "sweep", *map(str, (*args, *workers))]
        return CliRunner().invoke(main, asked, catch_exceptions=False)

    return run


@pytest.fixture
def verdicts(tmp_path):
    """Give a function that reads the verdicts of a folder."""

    def read(folder=".redpen/sweep"):
        files = sorted((tmp_path / folder).glob("verdicts-*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]

    return read
