"""Prompts from their files: ``<name>.md`` is the base, ``<name>.<anything>.md`` a variant of it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from pydantic import BaseModel, ConfigDict, Field, StrictStr, TypeAdapter

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out
from redpen.prompts.model import PHASES, PROMPT_NAMES, Prompt, PromptName, PromptSet
from redpen.text.suggestion import suggestion
from redpen.yaml_files.front_matter import read_front_matter
from redpen.yaml_files.parsing import field_names
from redpen.yaml_files.problem import FileError, problem_in

_FOLDER = Path(__file__).parent


class FrontMatter(BaseModel):
    """The front matter of a prompt's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: StrictStr
    version: StrictStr = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")
    notes: StrictStr = ""


_SHAPE: TypeAdapter[FrontMatter] = TypeAdapter(FrontMatter)
_FIELDS = field_names(FrontMatter)


@functools.cache
def base_prompts() -> PromptSet:
    """Return the built-in prompts."""
    return load_prompts()


def load_prompts(choices: Mapping[str, str] | None = None, *, folder: Path | None = None) -> PromptSet:
    """Read the prompts of a run; an invalid file that the run does not use is left out.

    Args:
        choices: version by prompt name; the base for prompts without an entry.
        folder: contains further versions; a ``<name>.md`` in it replaces the built-in base.

    Raises:
        ConfigurationError: there is no such prompt, version or folder, or a file that the run uses is
            invalid.
    """
    choices = choices or {}
    for name in choices:
        if name not in PROMPT_NAMES:
            raise ConfigurationError(f"no prompt {name!r}{suggestion(name, PROMPT_NAMES)}")
    shelves = [_read(_FOLDER)]
    if folder is not None:
        shelves.insert(0, _read(folder))
    faults = tuple(fault for shelf in shelves for fault in shelf.faults)
    return PromptSet(
        prompts={name: _choose(name, shelves, choices.get(name)) for name in PROMPT_NAMES},
        left_out=tuple(fault.problem for fault in faults),
    )


def read_prompt(path: Path) -> Prompt:
    """Read one file.

    Raises:
        ConfigurationError: it is not UTF-8 text, its front matter is invalid, or it has no text.
    """
    name = _name_of(path)
    try:
        matter, source, text = read_front_matter(
            path,
            _SHAPE,
            fields=_FIELDS,
            expected="a prompt starts with its front matter: phase and version",
        )
        if matter.phase != PHASES[name]:
            message = f"{name} is asked in phase {PHASES[name]!r}, not {matter.phase!r}"
            raise problem_in(path, message, line=source.line_of(("phase",)), field="phase")
    except FileError as error:
        raise ConfigurationError(str(error)) from error
    return Prompt(name=name, version=matter.version, notes=matter.notes, text=text, path=path)


def _name_of(path: Path) -> PromptName:
    name = path.name.split(".", maxsplit=1)[0]
    for known in PROMPT_NAMES:
        if name == known:
            return known
    raise ConfigurationError(f"{path}: no prompt is named {name!r}{suggestion(name, PROMPT_NAMES)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """An invalid file; ``version`` is set if it repeats the version of another file."""

    path: Path
    problem: str
    version: str = ""

    def is_of(self, name: PromptName, version: str | None) -> bool:
        """Return whether the file is a candidate for a version, or for the base."""
        if version is None:
            return self.path.name == f"{name}.md"
        is_twin = self.version == version and self.path.name.startswith(f"{name}.")
        return is_twin or self.path.name == f"{name}.{version}.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelf:
    """The prompts of one folder, by name and version, and its invalid files."""

    found: Mapping[PromptName, Mapping[str, Prompt]]
    faults: tuple[_Fault, ...]


def _read(folder: Path) -> _Shelf:
    if not folder.is_dir():
        raise ConfigurationError(f"{folder}: there is no such folder of prompts")
    found: dict[PromptName, dict[str, Prompt]] = {name: {} for name in PROMPT_NAMES}
    faults: list[_Fault] = []
    # The base first, so that it is the first of its versions.
    for path in sorted(folder.glob("*.md"), key=lambda path: (path.name.count("."), path.name)):
        try:
            prompt = _read_from(folder, path)
        except ConfigurationError as error:
            faults.append(_Fault(path=path, problem=str(error)))
            continue
        other = found[prompt.name].setdefault(prompt.version, prompt)
        if other is not prompt:
            problem = f"{path}: version {prompt.version!r} of {prompt.name} stands in {other.path.name} too"
            faults.append(_Fault(path=path, problem=problem, version=prompt.version))
    return _Shelf(found=found, faults=tuple(faults))


def _read_from(folder: Path, path: Path) -> Prompt:
    # Installers may link the files of a package to their store.
    if folder != _FOLDER and leads_out(path, folder):
        raise ConfigurationError(f"{path}: is a link that leads out of {folder}; replace it with the file")
    return read_prompt(path)


def _choose(name: PromptName, shelves: Sequence[_Shelf], version: str | None) -> Prompt:
    """Return the prompt of a version, or the base, from the first shelf that has it."""
    for shelf in shelves:
        prompts = shelf.found[name]
        has_twin = any(fault.version == version and fault.is_of(name, version) for fault in shelf.faults)
        if version is not None and version in prompts and not has_twin:
            return prompts[version]
        for fault in shelf.faults:
            if fault.is_of(name, version):
                raise ConfigurationError(fault.problem)
        if version is None:
            base = next((one for one in prompts.values() if one.path.name == f"{name}.md"), None)
            if base is not None:
                return base
    return _missing(name, shelves, version)


def _missing(name: PromptName, shelves: Sequence[_Shelf], version: str | None) -> NoReturn:
    if version is None:
        raise ConfigurationError(f"{_FOLDER / name}.md: there is no base of the prompt {name}")
    known = dict.fromkeys(one for shelf in reversed(shelves) for one in shelf.found[name])
    there = f"; there is {', '.join(known)}" if known else ""
    faults = "".join(f"\n  left out: {fault.problem}" for shelf in shelves for fault in shelf.faults)
    raise ConfigurationError(
        f"prompt {name} has no version {version!r}{suggestion(version, known)}{there}{faults}"
    )
