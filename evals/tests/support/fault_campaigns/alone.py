"""Results of sequential runs of a small library, with which concurrent runs are compared."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fault_campaigns.small_library import SCENARIOS
from fault_campaigns.small_project import write_project
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation, load
from redpen_evals.evaluation import Evaluator
from redpen_evals.records import ScenarioResult
from redpen_evals.scenario_library.layout import Layout

SAMPLES = 4
"""Recordings of each scenario."""

Results = Mapping[tuple[str, int], str]
"""Results as JSON, by scenario and sample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """A recorded library, and the results of its runs one after another.

    Attributes:
        layout: of the library.
        replayed: results of the replays.
        recorded: results of the recordings.
        calls: the recorded calls by scenario.
    """

    layout: Layout
    replayed: Results
    recorded: Results
    calls: Mapping[str, object]

    @classmethod
    def prepare(cls, root: Path) -> Alone:
        """Write and record a project in an empty folder, and run everything once."""
        layout = write_project(root, samples=SAMPLES)
        scratch = Layout(scenarios=layout.scenarios, cassettes=root / "alone")
        return cls(
            layout=layout,
            replayed=run_all(layout, samples=SAMPLES),
            recorded=run_all(scratch, samples=SAMPLES, record=True),
            calls=calls_of(scratch),
        )

    def differences(self, found: Results, *, record: bool = False) -> list[str]:
        """Return a line for each replay or recording whose result differs from the sequential one."""
        alone = self.recorded if record else self.replayed
        return [
            f"{scenario}, sample {sample}: {result}"
            for (scenario, sample), result in found.items()
            if result != alone[scenario, sample]
        ]

    def other_calls(self, layout: Layout) -> list[str]:
        """Return a line for each cassette whose calls differ from a sequential recording."""
        return [
            f"{scenario}: the cassette holds other calls"
            for scenario, calls in calls_of(layout).items()
            if calls != self.calls[scenario]
        ]


def as_json(result: ScenarioResult) -> str:
    """Return a result as JSON, without the fields that only a session sets."""
    return result.model_dump_json(exclude={"test", "runs", "expected", "fingerprint"})


def run_all(
    layout: Layout, *, samples: int = 1, record: bool = False, order: random.Random | None = None
) -> dict[tuple[str, int], str]:
    """Replay or record every scenario of a library.

    Args:
        layout: of the library.
        samples: of each scenario.
        record: whether to record.
        order: shuffles the runs; by default they are in the order of the names.

    Returns:
        The results as JSON, by scenario and sample.
    """
    evaluator = Evaluator(layout=layout, record="all" if record else "none")
    runs = [(scenario, sample) for scenario in SCENARIOS for sample in range(1, samples + 1)]
    if order is not None:
        order.shuffle(runs)
    return {
        (scenario, sample): as_json(evaluator.evaluate(scenario, sample=sample)) for scenario, sample in runs
    }


def calls_of(layout: Layout) -> dict[str, object]:
    """Return the recorded calls by scenario, without the time of the recording."""
    locations = (
        CassetteLocation(root=layout.cassettes, model=SCRIPTED_MODEL, scenario=scenario)
        for scenario in SCENARIOS
    )
    return {location.scenario: load(location).calls for location in locations}
