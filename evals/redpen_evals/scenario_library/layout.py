"""The places of a library's files, and the ids that follow from them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out
from redpen.screen import shown
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError, problem_in
from redpen_evals.errors import NoLibraryError
from redpen_evals.folders import walk

RESERVED_FOLDERS = ("contexts", "plans", "drafts", "training")
"""Folders of a library for files other than scenarios."""

SUFFIXES = (".yaml", ".yml")
_SHOWN_CHARS = 200
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,99}(?:/[A-Za-z0-9][\w.-]{0,99}){1,5}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The folders of a library.

    Attributes:
        scenarios: holds folders of scenarios, and ``contexts`` and ``plans``.
        cassettes: holds a folder for each model.
        agents: short names of the project's own agents, with the places that they name.
        judges: folder of the project's own judges; it need not exist.
        root: pytest's root folder, below which tests are; None if it is not known.
    """

    scenarios: Path
    cassettes: Path
    agents: tuple[tuple[str, str], ...] = ()
    judges: Path | None = None
    root: Path | None = None

    def scenario_ids(self) -> tuple[str, ...]:
        """Return the ids of all scenarios: the paths of their files, without suffix, sorted.

        Unreadable files have ids too, so that they are not missed. Without a folder it raises NoLibraryError.
        """
        if not self.scenarios.is_dir():
            raise NoLibraryError(
                f"{self.scenarios}: no such folder; name it with `redpen --scenarios DIR`, "
                "for pytest with `redpen_scenarios` in its configuration"
            )
        return tuple(sorted({self._id(path) for path in self._scenario_files()}))

    def known_ids(self) -> tuple[str, ...]:
        """Return the ids of all scenarios; none if there is no scenarios folder."""
        return self.scenario_ids() if self.scenarios.is_dir() else ()

    def folders(self) -> tuple[str, ...]:
        """Return the names of the folders that hold scenarios, sorted."""
        with os.scandir(self.scenarios) as entries:
            names = [each.name for each in entries if each.is_dir(follow_symlinks=False) or each.is_symlink()]
        return tuple(sorted(name for name in names if name not in RESERVED_FOLDERS and name[0] != "."))

    def scenario_path(self, scenario_id: str) -> Path:
        """Return the file of a scenario.

        Raises:
            ConfigurationError: there is no such scenario.
            FileError: two files have that id, the file's name is not an id, or it leads out of the library.
        """
        folder = scenario_id.split("/", maxsplit=1)[0]
        is_valid = _ID.fullmatch(scenario_id) and folder not in RESERVED_FOLDERS
        path = self._file(self.scenarios, scenario_id) if is_valid else None
        if path is not None:
            return path
        known = self.scenario_ids()
        if scenario_id not in known:
            hint = suggestion(scenario_id, known)
            raise ConfigurationError(
                f"no scenario {scenario_id[:_SHOWN_CHARS]!r}{hint}; `redpen scenarios` lists them"
            )
        path = next(path for path in self._scenario_files() if self._id(path) == scenario_id)
        if not is_valid:
            raise misnamed(path)
        return path

    def context_path(self, name: str) -> Path | None:
        """Return the file of a context, or None; raises FileError if it leads out of the library."""
        return self._file(self.scenarios / "contexts", name)

    def plan_path(self, name: str) -> Path | None:
        """Return the file of a plan, or None; raises FileError if it leads out of the library."""
        return self._file(self.scenarios / "plans", name)

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names of the files in ``contexts`` or ``plans``, without suffix, sorted."""
        stems = {path.stem for path in (self.scenarios / folder).glob("*") if path.suffix in SUFFIXES}
        return tuple(sorted(stems))

    def check_place(self, path: Path) -> Path:
        """Return the path of a file; raises FileError if it leads out of the library over a link."""
        if leads_out(path, self.scenarios):
            raise problem_in(path, f"leads out of {self.scenarios} over a link; replace the link by the file")
        return path

    def _file(self, folder: Path, name: str) -> Path | None:
        # Unreadable files count: reading them reports the problem.
        paths = [
            path for path in (folder / f"{name}{suffix}" for suffix in SUFFIXES) if os.path.lexists(path)
        ]
        if len(paths) > 1:
            raise problem_in(paths[1], f"duplicate id {name!r}: {paths[0].name} has it too")
        return self.check_place(paths[0]) if paths else None

    def _scenario_files(self) -> Iterator[Path]:
        return (path for folder in self.folders() for path in library_files(self.scenarios / folder))

    def _id(self, path: Path) -> str:
        name = path.relative_to(self.scenarios)
        # File names can hold nearly any byte; ids are printed and written to records.
        return shown((name.with_suffix("") if name.suffix in SUFFIXES else name).as_posix())


def library_files(folder: Path) -> Iterator[Path]:
    """Yield the YAML files below a folder, sorted, and likewise the folders that cannot be searched.

    Links to folders are not followed, but yielded.
    """
    for path, kind in walk(folder):
        is_listed = kind in {"file", "link"} and path.suffix in SUFFIXES
        links_folder = kind == "link" and os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises
        if kind == "closed" or is_listed or links_folder:
            yield path


def is_id(name: str) -> bool:
    """Return whether a path without suffix, such as ``drafts/payments/first``, can be an id."""
    return _ID.fullmatch(name) is not None


def misnamed(path: Path) -> FileError:
    """Return the error for a file whose name cannot be an id."""
    return problem_in(
        path,
        "names can have at most 100 ASCII letters, digits, '.', '_' and '-', and at most five folders can be "
        "nested; rename it",
    )
