"""Where the files of a library are, and the ids that follow from their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from redpen.errors import ConfigurationError
from redpen.types import AgentName
from redpen_evals.library.errors import problem_in
from redpen_evals.library.words import suggestion

AGENT_FOLDERS: tuple[str, ...] = get_args(AgentName)
SUFFIXES = (".yaml", ".yml")
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,99}(?:/[A-Za-z0-9][\w.-]{0,99}){1,5}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The folders of a library.

    Attributes:
        scenarios: holds a folder for each agent, and ``contexts`` and ``plans``.
        cassettes: holds a folder for each model.
    """

    scenarios: Path
    cassettes: Path

    def scenario_ids(self) -> tuple[str, ...]:
        """Return the ids of all scenarios: the paths of their files, without suffix, sorted.

        Raises:
            ConfigurationError: there is no scenarios folder.
        """
        if not self.scenarios.is_dir():
            raise ConfigurationError(
                f"{self.scenarios}: no such folder; name it with `redpen --scenarios DIR`, "
                "for pytest with `redpen_scenarios` in its configuration"
            )
        ids = {
            path.relative_to(self.scenarios).with_suffix("").as_posix()
            for agent in AGENT_FOLDERS
            for path in (self.scenarios / agent).rglob("*")
            if path.suffix in SUFFIXES and path.is_file()
        }
        return tuple(sorted(ids))

    def scenario_path(self, scenario_id: str) -> Path:
        """Return the file of a scenario.

        Raises:
            ConfigurationError: there is none of that id.
            LibraryError: two files have that id, or the file's name makes no id.
        """
        if not _ID.fullmatch(scenario_id) and scenario_id in self.scenario_ids():
            misnamed = next(path for path in _files(self.scenarios, scenario_id) if path.is_file())
            raise problem_in(
                misnamed, "names hold ASCII letters, digits, '.', '_' and '-', no blanks; rename it"
            )
        path = self._file(self.scenarios, scenario_id) if _ID.fullmatch(scenario_id) else None
        if path is None or scenario_id.split("/", maxsplit=1)[0] not in AGENT_FOLDERS:
            hint = suggestion(scenario_id, self.scenario_ids())
            raise ConfigurationError(f"no scenario {scenario_id!r}{hint}; `redpen scenarios` lists them")
        return path

    def context_path(self, name: str) -> Path | None:
        """Return the file of a context, or None."""
        return self._file(self.scenarios / "contexts", name)

    def plan_path(self, name: str) -> Path | None:
        """Return the file of a plan, or None."""
        return self._file(self.scenarios / "plans", name)

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files in ``contexts`` or ``plans``, without suffix, sorted."""
        found = {path.stem for path in (self.scenarios / folder).glob("*") if path.suffix in SUFFIXES}
        return tuple(sorted(found))

    def _file(self, folder: Path, name: str) -> Path | None:
        found = [path for path in _files(folder, name) if path.is_file()]
        if len(found) > 1:
            raise problem_in(found[1], f"duplicate id {name!r}: {found[0].name} has it too")
        return found[0] if found else None


def _files(folder: Path, name: str) -> Iterator[Path]:
    return (folder / f"{name}{suffix}" for suffix in SUFFIXES)
