"""The project that a command works on, and the objects that it is given as files or names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redpen.errors import InvalidInputError
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.settings import Settings

if TYPE_CHECKING:
    from redpen_evals.project import Project


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """The project, read when it is first needed; what commands get as ``click.pass_obj``.

    Its properties and methods raise RedpenError for settings or files that cannot be used.

    Attributes:
        scenarios: folder of the scenario library that the command line names; None where the settings do.
        cassettes: the same of the recordings.
        runs: of the run records.
        baseline: of the accepted outcomes.
    """

    scenarios: Path | None = None
    cassettes: Path | None = None
    runs: Path | None = None
    baseline: Path | None = None

    @cached_property
    def project(self) -> Project:
        """The project that the command is run in."""
        from redpen_evals.project import find_project

        return find_project()

    @cached_property
    def settings(self) -> Settings:
        """The folders that the command line or the project names."""
        project = self.project
        return Settings(
            layout=Layout(
                scenarios=self.scenarios or project.path("redpen_scenarios"),
                cassettes=self.cassettes or project.path("redpen_cassettes"),
                agents=project.agents,
                judges=project.path("redpen_judges"),
            ),
            runs=self.runs or project.path("redpen_runs"),
            baseline=self.baseline or project.path("redpen_baseline"),
        )

    @property
    def layout(self) -> Layout:
        """The folders of the scenario library."""
        return self.settings.layout

    def context(self, name: str) -> dict[str, Any]:
        """Return a context: of a file, or of the library by its name."""
        from redpen_evals.checking.inputs import Contexts

        file = Path(name)
        return read_object(file) if file.suffix or is_file(file) else Contexts(layout=self.layout).named(name)


def read_object(path: Path) -> dict[str, Any]:
    """Return the object that a JSON or YAML file or pipe holds; raises RedpenError if it holds none."""
    from redpen.text.json_values import parse_json
    from redpen.yaml_files.source import read_source, read_text

    # YAML reads most of JSON, but no escaped surrogate pair, with which JSON writes an emoji.
    if path.suffix == ".json":
        try:
            value: object = parse_json(read_text(path, stream=True))
        except ValueError as error:
            raise InvalidInputError(f"{path}: no JSON: {error}") from None
    else:
        value = read_source(path, stream=True).value
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path}: has to hold an object")
    return value


def is_file(path: Path) -> bool:
    """Return whether there is a file or pipe of that name."""
    try:
        # No plain file alone: a shell hands over `<(command)` as a pipe.
        return path.exists() and not path.is_dir()
    except OSError:
        return False
