"""Fixtures for comparisons: results, run records and a project folder."""

from __future__ import annotations

from contextlib import closing

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.comparison.changes import Behaviour
from redpen_evals.records import (
    RecordedCall,
    RecordedPrompt,
    RecordWriter,
    RunEnd,
    RunStart,
    ScenarioResult,
)


class Project:
    """A folder with run records, baselines and a library whose scenarios are empty files."""

    def __init__(self, root):
        self.root = root
        self.runs = root / "runs"
        self.baseline = root / "baseline"
        self.scenarios = root / "scenarios"
        self.scenarios.mkdir()

    def add_scenario(self, *ids):
        """Add empty scenario files to the library; these tests never read their content."""
        for name in ids:
            path = self.scenarios / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    @staticmethod
    def result(scenario="self-critique/a", **changes):
        """Return a passed result with two calls whose tokens are counted."""
        values = {
            "outcome": "passed",
            "status": "ok",
            "stop_reason": "success",
            "result": "approved_direct",
            "decision": "approve",
            "answer": "Checkout is degraded. We are on it.",
            "calls": [
                RecordedCall(phase=phase, state="replayed", prompt_tokens=100, completion_tokens=20)
                for phase in ("draft", "critique")
            ],
            **changes,
        }
        return ScenarioResult(scenario=scenario, agent=scenario.split("/", maxsplit=1)[0], **values)

    def write_run(self, run_id, results, *, model="scripted", prompts=(), ended=True):
        """Write a run record; prompts are (variant, name, version, text)."""
        path = self.runs / f"{run_id}.jsonl"
        variants = sorted({result.variant for result in results} | {prompt[0] for prompt in prompts})
        hashes = {label: {} for label in variants}
        for label, name, version, text in prompts:
            hashes[label][name] = f"{name}-{version}-{len(text)}"
        with closing(RecordWriter(path)) as writer:
            writer.write(
                RunStart(
                    id=run_id,
                    started="2026-03-06T12:00:00Z",
                    model=model,
                    record="none",
                    samples=1,
                    variants=variants,
                    prompts=hashes,
                    versions={},
                )
            )
            for label, name, version, text in prompts:
                writer.write(
                    RecordedPrompt(
                        hash=hashes[label][name], name=name, phase=name, version=version, text=text
                    )
                )
            for result in results:
                writer.write(result)
            if ended:
                writer.write(RunEnd(exit_code=0, duration_s=1.0, counts={}))
        return path

    def redpen(self, *args):
        """Run the command in this process, with the folders of the project."""
        folders = [
            f"--{name}={path}"
            for name, path in (
                ("scenarios", self.scenarios),
                ("runs", self.runs),
                ("baseline", self.baseline),
            )
        ]
        return CliRunner().invoke(main, [*folders, *map(str, args)], catch_exceptions=False)


@pytest.fixture
def project(tmp_path):
    """Give an empty project."""
    return Project(tmp_path)


@pytest.fixture
def passed():
    """Give a function that returns the behaviour of a passed run, with changes."""

    def make(**changes):
        values = {
            "outcome": "passed",
            "status": "ok",
            "stop_reason": "success",
            "result": "approved_direct",
            "decision": "approve",
            "answer": "Checkout is degraded. We are on it.",
            "calls": 2,
            "tokens": 240,
            **changes,
        }
        return Behaviour(**values)

    return make
