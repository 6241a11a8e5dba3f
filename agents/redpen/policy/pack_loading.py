"""Reads policy packs from a file or a folder, and merges each with the pack that it extends."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen.policy.pack_actions import add_actions, add_limits
from redpen.policy.pack_file import DEFAULT, PACK_FILE, PackFile
from redpen.policy.pack_terms import Terms, add_texts
from redpen.policy.packs import DEFAULT_PACK, PolicyPack, PolicyPacks
from redpen.text.suggestion import suggestion
from redpen.yaml_files.parsing import field_names, validate
from redpen.yaml_files.problem import FileError, Problem, short_path
from redpen.yaml_files.source import Location, Source, read_source

SUFFIXES: Final = (".yaml", ".yml")
_MAX_FILES: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _ParsedPack:
    file: PackFile
    source: Source

    def problem(self, location: Location, text: str) -> Problem:
        line = self.source.line_of(location)
        return Problem(path=self.source.path, line=line, field=".".join(map(str, location)), text=text)

    def place(self, location: Location) -> str:
        return f"{short_path(self.source.path)}:{self.source.line_of(location)}"


def load_packs(path: Path) -> PolicyPacks:
    """Load the policy packs of a project.

    Args:
        path: a file with one pack, or a folder of such files.

    Returns:
        The packs, each merged with the packs that it extends, and the built-in pack.

    Raises:
        ConfigurationError: the file or folder does not exist, cannot be read, or contains no pack.
        FileError: a file is invalid; the error lists all problems of all files.
    """
    read = _parse_files(_files(path))
    _check_names(read)
    packs: dict[str, PolicyPack] = {DEFAULT: DEFAULT_PACK}
    problems: list[Problem] = []
    for one in _parents_first(read):
        name, parent = one.file.pack, one.file.extends
        packs[name], found = _add_terms(packs[parent], one)
        problems += found
    problems += _ambiguous_matches(read)
    if problems:
        raise FileError(tuple(problems))
    return PolicyPacks(packs=packs, path=path)


def _add_terms(parent: PolicyPack, read: _ParsedPack) -> tuple[PolicyPack, tuple[Problem, ...]]:
    """Return the pack of a file, merged with its parent, and the problems of the file."""
    terms = Terms(parent=parent, file=read.file, source=read.source)
    add_texts(terms)
    add_limits(terms)
    add_actions(terms)
    return terms.finish()


def _files(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        if not path.exists() and not path.is_symlink():
            raise ConfigurationError(f"{path}: there is no such policy file or folder")
        return (path,)
    try:
        names = sorted(
            item for item in path.iterdir() if item.suffix in SUFFIXES and not item.name.startswith(".")
        )
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    if not names:
        raise ConfigurationError(f"{path}: the folder contains no policy pack (*.yaml or *.yml)")
    if len(names) > _MAX_FILES:
        raise ConfigurationError(f"{path}: more than {_MAX_FILES} policy packs")
    return tuple(names)


def _parse_files(paths: Iterable[Path]) -> tuple[_ParsedPack, ...]:
    read: list[_ParsedPack] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            source = read_source(path)
            read.append(_ParsedPack(file=validate(source, PACK_FILE, fields=_fields()), source=source))
        except FileError as error:
            problems += error.problems
    if problems:
        raise FileError(tuple(problems))
    return tuple(read)


@functools.cache
def _fields() -> frozenset[str]:
    return field_names(PackFile)


def _check_names(read: tuple[_ParsedPack, ...]) -> None:
    known: dict[str, _ParsedPack] = {}
    problems = []
    for one in read:
        name = one.file.pack
        if name == DEFAULT:
            problems.append(one.problem(("pack",), f"{DEFAULT!r} is the built-in pack: choose another name"))
        elif name in known:
            problems.append(
                one.problem(("pack",), f"{name!r} is already defined in {known[name].place(('pack',))}")
            )
        known.setdefault(name, one)
    for one in read:
        parent = one.file.extends
        if parent != DEFAULT and parent not in known:
            hint = suggestion(parent, (*known, DEFAULT))
            problems.append(one.problem(("extends",), f"there is no pack {parent!r}{hint}"))
    if problems:
        raise FileError(tuple(problems))


def _parents_first(read: tuple[_ParsedPack, ...]) -> Iterator[_ParsedPack]:
    """Yield each pack after the pack that it extends; raises FileError if packs extend each other."""
    by_name: Mapping[str, _ParsedPack] = {one.file.pack: one for one in read}
    done = {DEFAULT}
    for one in read:
        chain: list[_ParsedPack] = []
        current = one
        while current.file.pack not in done:
            if current in chain:
                cycle = " → ".join(item.file.pack for item in (*chain[chain.index(current) :], current))
                raise FileError((current.problem(("extends",), f"packs extend each other: {cycle}"),))
            chain.append(current)
            if current.file.extends in done:
                break
            current = by_name[current.file.extends]
        for item in reversed(chain):
            done.add(item.file.pack)
            yield item


def _ambiguous_matches(read: tuple[_ParsedPack, ...]) -> Iterator[Problem]:
    for one, other in itertools.combinations(read, 2):
        if one.file.match.is_ambiguous_with(other.file.match):
            yield other.problem(
                ("match",),
                f"{other.file.pack!r} and {one.file.pack!r} ({one.place(('match',))}) match the same "
                "situation: only one pack can apply",
            )
