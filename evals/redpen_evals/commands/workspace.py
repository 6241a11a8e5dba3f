"""The project of a command, and the objects that its arguments name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redpen.errors import InvalidInputError

if TYPE_CHECKING:
    from redpen_evals.project import Project
    from redpen_evals.records.places import RunFolder
    from redpen_evals.scenario_library.layout import Layout


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """The project, loaded on first use; commands get it through ``click.pass_obj``.

    Its properties and methods raise RedpenError for invalid settings or files. Its folders are those of the
    command line; None takes one from the settings.
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
    def layout(self) -> Layout:
        """The folders of the scenario library."""
        layout = self.project.layout
        return replace(
            layout, scenarios=self.scenarios or layout.scenarios, cassettes=self.cassettes or layout.cassettes
        )

    @property
    def records(self) -> RunFolder:
        """The folder of the run records."""
        from redpen_evals.records.places import RunFolder

        return RunFolder(path=self.runs or self.project.path("redpen_runs"))

    @property
    def baselines(self) -> Path:
        """The folder of the accepted outcomes."""
        return self.baseline or self.project.path("redpen_baseline")

    def context(self, name: str) -> dict[str, Any]:
        """Return a context from a file, or from the library by its name."""
        from redpen_evals.checking.inputs import Contexts

        file = Path(name)
        return read_object(file) if file.suffix or is_file(file) else Contexts(layout=self.layout).named(name)


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON or YAML file or pipe; raises RedpenError if there is none."""
    from redpen.text.json_values import parse_json
    from redpen.yaml_files.source import read_source, read_text

    # YAML is a superset of JSON except for escaped surrogate pairs, as in emoji.
    if path.suffix == ".json":
        try:
            value: object = parse_json(read_text(path, stream=True))
        except ValueError as error:
            raise InvalidInputError(f"{path}: invalid JSON: {error}") from None
    else:
        value = read_source(path, stream=True).value
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path}: has to hold an object")
    return value


def is_file(path: Path) -> bool:
    """Return whether a path is an existing file or pipe."""
    try:
        # A shell passes `<(command)` as a pipe, so is_file() is too strict.
        return path.exists() and not path.is_dir()
    except OSError:
        return False
