"""The output folder of a sweep: shards of verdicts, a note file for each, and the inputs of the sweep."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError, InvalidInputError
from redpen.types import JsonObject
from redpen_evals.atomic_write import replace_file
from redpen_evals.sweep.sources import file_system, is_remote
from redpen_evals.sweep.tally import Tally

MANIFEST: Final = "manifest.json"
SUMMARY: Final = "summary.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder, by its path or its URI in an object store; each file in it is written atomically."""

    path: str

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        try:
            if is_remote(self.path):
                # An object only appears when it is closed, so a broken upload leaves none.
                system, path = file_system(self._place(name))
                system.create_dir(path.rpartition("/")[0], recursive=True)
                with system.open_output_stream(path) as stream:
                    stream.write(content)
            else:
                # Tidying at the end is enough: a folder of many shards is slow to list.
                replace_file(Path(self._place(name)), content, tidy=name == SUMMARY)
        except OSError as error:
            raise ConfigurationError(f"{self._place(name)}: cannot be written: {error}") from error

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is none."""
        try:
            if is_remote(self.path):
                system, path = file_system(self._place(name))
                with system.open_input_stream(path) as stream:
                    return bytes(stream.read())
            return Path(self._place(name)).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ConfigurationError(f"{self._place(name)}: cannot be read: {error}") from error

    def size(self, name: str) -> int | None:
        """Return the bytes of a file; None if there is none."""
        if is_remote(self.path):
            system, path = file_system(self._place(name))
            try:
                (info,) = system.get_file_info([path])
            except OSError as error:
                raise ConfigurationError(f"{self._place(name)}: cannot be read: {error}") from error
            return None if info.size is None else int(info.size)
        path_here = Path(self._place(name))
        return path_here.stat().st_size if path_here.is_file() else None

    def shards(self) -> Iterator[Tally]:
        """Yield the notes of the finished shards, in order, up to the first missing one."""
        number = 0
        while (note := self.read_json(note_name(number))) is not None:
            if self.size(shard_name(number)) != note.get("bytes"):
                return
            yield Tally.from_dict(_mapping(note["tally"]))
            number += 1

    def write_shard(self, number: int, lines: bytes, tally: Tally) -> None:
        """Write a shard, then its note; a shard without a note does not count."""
        self.write(shard_name(number), lines)
        self.write_json(note_name(number), {"bytes": len(lines), "tally": tally.to_dict()})

    def write_json(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a JSON file."""
        text = json.dumps(value, indent=1, ensure_ascii=False)
        # A file name that is not UTF-8 is kept as an escape.
        self.write(name, text.encode(errors="backslashreplace") + b"\n")

    def verdicts(self) -> Iterator[dict[str, Any]]:
        """Yield the verdicts of all shards, in order; raises InvalidInputError for none, or a damaged one."""
        number = 0
        while (content := self.read(shard_name(number))) is not None:
            for line, text in enumerate(content.splitlines(), start=1):
                try:
                    yield dict(_mapping(json.loads(text)))
                except ValueError as error:
                    place = f"{self._place(shard_name(number))}:{line}"
                    raise InvalidInputError(f"{place}: is not a verdict: {error}") from error
            number += 1
        if not number:
            raise InvalidInputError(f"{self.path}: holds no verdicts of `redpen sweep`")

    def read_json(self, name: str) -> JsonObject | None:
        """Return the object in a JSON file, or None; raises InvalidInputError if it is damaged."""
        content = self.read(name)
        if content is None:
            return None
        try:
            return dict(_mapping(json.loads(content)))
        except ValueError as error:
            raise InvalidInputError(f"{self._place(name)}: is damaged: {error}") from error

    def _place(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"


def shard_name(number: int) -> str:
    """Return the file of a shard."""
    return f"verdicts-{number:06}.jsonl"


def note_name(number: int) -> str:
    """Return the note file, which marks a shard as complete."""
    return f"verdicts-{number:06}.json"


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("has to be an object")
    return value
