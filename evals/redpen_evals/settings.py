"""Where the ``redpen`` command finds everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from redpen_evals.scenario_library.layout import Layout

if TYPE_CHECKING:
    from redpen_evals.project import Project

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "redpen_scenarios": "scenarios",
        "redpen_cassettes": "cassettes",
        "redpen_runs": ".redpen/runs",
        "redpen_baseline": "evals/suites/baseline",
        "redpen_prompts": "",
        "redpen_prices": "prices.toml",
    }
)
"""Settings that name a file or folder, and what they are where a project does not say."""


MODEL_VARIABLES: Final = ("OPENAI_MODEL",)
"""From which a project's own agents read the name of their model, where it does not say."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFolders:
    """The folders that the command line names; None where the project's settings say.

    Attributes:
        scenarios: of the scenario library.
        cassettes: of the recordings.
        runs: of the run records.
        baseline: of the accepted outcomes.
    """

    scenarios: Path | None = None
    cassettes: Path | None = None
    runs: Path | None = None
    baseline: Path | None = None

    def settings(self, project: Project) -> Settings:
        """Return where everything is; raises ConfigurationError where a setting cannot be used."""
        return Settings(
            layout=Layout(
                scenarios=self.scenarios or project.path("redpen_scenarios"),
                cassettes=self.cassettes or project.path("redpen_cassettes"),
                agents=project.agents,
            ),
            runs=self.runs or project.path("redpen_runs"),
            baseline=self.baseline or project.path("redpen_baseline"),
        )
