"""Ctrl-C while recording: finished recordings are saved, unfinished ones are unchanged."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

import pytest

from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder

CONFTEST = """
from pathlib import Path

pytest_plugins = ["redpen_evals.plugin"]


def pytest_runtest_call(item):
    if "second" in item.nodeid:
        Path(__file__).with_name("began").touch()
"""
# Shells start background jobs with SIGINT ignored, and child processes inherit that. A signal that arrives
# just before the main thread blocks is noticed only with the next one, so several are sent: the first one
# noticed interrupts.
PYTEST = """
import runpy
import signal


def interrupt(number, frame):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


signal.signal(signal.SIGINT, interrupt)
runpy.run_module("pytest", run_name="__main__", alter_sys=True)
"""
DELAY_S = 60
PATIENCE_S = 120


@pytest.fixture
def project(tmp_path, make_library):
    """Give a library whose second scenario waits for its model for a minute."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    test = "def test_agent(scenario_run):\n    scenario_run.check()\n"
    (tmp_path / "test_agents.py").write_text(test, encoding="utf-8")
    library = make_library(tmp_path)
    library.add("self-critique/first", library.self_critique())
    slow = library.self_critique(timeout_s=DELAY_S)
    slow["replies"][0]["delay_s"] = DELAY_S - 1
    library.add("self-critique/second", slow)
    return library


def test_finished_recordings_and_results_are_saved_on_interrupt(project, checkout):
    sources = os.pathsep.join(str(checkout / name) for name in ("agents", "evals"))
    with subprocess.Popen(  # noqa: S603 - this very interpreter, with a program that stands above
        [sys.executable, "-c", PYTEST, "--record=all"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": sources},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        killed = threading.Timer(PATIENCE_S, process.kill)
        killed.start()
        # The second scenario begins once the first is finished, its cassette and result written.
        while process.poll() is None and not (project.root / "began").exists():
            threading.Event().wait(0.05)
        output = None
        while output is None:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                output, _ = process.communicate(timeout=1)
        killed.cancel()
    assert process.returncode == 2, output
    assert list(project.cassettes()) == ["scripted/self-critique/first.json"]
    record = read_record(RunFolder(path=project.root / ".redpen" / "runs").find("last"))
    assert [result.scenario for result in record.results] == ["self-critique/first"]
    assert record.end is not None
    assert record.end.exit_code == 2
