"""Where the ``redpen`` command finds everything."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redpen_evals.scenario_library.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The folders of a project.

    Attributes:
        layout: of the scenario library and its cassettes.
        runs: holds the run records.
        baseline: holds a baseline for each model.
    """

    layout: Layout
    runs: Path
    baseline: Path
