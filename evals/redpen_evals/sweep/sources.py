"""Files of rows: JSON lines, compressed or not, and Parquet, local or in an object store."""

from __future__ import annotations

import fnmatch
import glob
import gzip
import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, NoReturn, cast

from redpen.errors import ConfigurationError, InvalidInputError
from redpen_evals.checking.lines import bounded_lines

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

SUFFIXES: Final = (
    ".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst", ".parquet",
)  # fmt: skip
_WILDCARDS: Final = frozenset("*?[")
_END_BYTES: Final = 65_536
_PARQUET_ROWS: Final = 1_000
_REMOTE_BYTES: Final = 1_000_000
_PACKED_BYTES: Final = 256
"""Bytes of compressed data to unpack at once: four bytes may become 128 KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file of rows.

    Attributes:
        path: its path as given, or its URI in an object store.
        place: the absolute path or URI.
    """

    path: str
    size: int
    place: str

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the file as it is stored."""
        if is_remote(self.path):
            system, path = file_system(self.path)
            with closing(system.open_input_file(path)) as file:
                # The store's files have no `readline`, and send a request for each read.
                yield cast("BinaryIO", io.BufferedReader(file, _REMOTE_BYTES))
        else:
            with Path(self.place).open("rb") as file:
                yield file

    def digest(self) -> str:
        """Return a digest of its size, beginning and end, which is enough to recognize another file.

        It raises InvalidInputError if the file cannot be read.
        """
        digest = hashlib.sha256(str(self.size).encode())
        try:
            with self.open() as file:
                digest.update(file.read(_END_BYTES))
                file.seek(max(0, self.size - _END_BYTES))
                digest.update(file.read(_END_BYTES))
        except OSError as error:
            raise InvalidInputError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        return digest.hexdigest()[:24]


class Row(NamedTuple):
    """One stored row; a tuple, since millions of rows pass between processes.

    Attributes:
        line: number in the file, from 1.
        data: a JSON object; None if it cannot be read.
        problem: why it cannot be read; empty for a line that is too long.
        read_bytes: bytes of the stored file read so far.
    """

    line: int
    data: bytes | None
    problem: str = ""
    read_bytes: int = 0


def is_remote(path: str) -> bool:
    """Return whether a path is a URI, to be read with pyarrow."""
    return "://" in path


def file_system(uri: str) -> tuple[FileSystem, str]:
    """Return the file system of a URI and the path in it.

    It raises ConfigurationError if pyarrow is not installed, or does not support the URI.
    """
    try:
        from pyarrow.fs import FileSystem
    except ImportError as error:
        raise ConfigurationError(f"{uri}: needs pyarrow: pip install 'redpen-evals[ray]'") from error
    try:
        system, path = FileSystem.from_uri(uri)
    except (ValueError, OSError) as error:
        raise ConfigurationError(f"{uri}: {error}") from error
    return system, path


def find_sources(patterns: Sequence[str], *, without: str = "") -> tuple[Source, ...]:
    """Return the files of paths, folders and patterns, in order, without duplicates.

    Args:
        patterns: files, folders (recursively), or patterns with ``*``, ``?`` and ``[…]``.
        without: folder whose files are left out: that of the verdicts.

    Raises:
        InvalidInputError: a pattern matches no file of rows.
    """
    found: dict[str, Source] = {}
    for pattern in patterns:
        below = list(_remote(pattern) if is_remote(pattern) else _local(pattern))
        sources = [source for source in below if not _is_below(source.path, without)]
        if not sources:
            note = f"; files in --out {without} are left out" if without and below else ""
            raise InvalidInputError(f"{pattern}: there is no file of rows ({', '.join(SUFFIXES)}){note}")
        found |= {source.path: source for source in sources}
    return tuple(found.values())


def _is_below(path: str, folder: str) -> bool:
    if not folder or is_remote(path) != is_remote(folder):
        return False
    if is_remote(path):
        return path.startswith(f"{folder.rstrip('/')}/")
    return Path(path).resolve().is_relative_to(Path(folder).resolve())


def _local(pattern: str) -> Iterator[Source]:
    paths = sorted(glob.glob(pattern, recursive=True)) if _WILDCARDS & set(pattern) else [pattern]  # noqa: PTH207 - absolute patterns too
    for path in map(Path, paths):
        files = [path]
        if path.is_dir():
            walked = os.walk(path, onerror=_unlisted)
            files = sorted(Path(folder, name) for folder, _, names in walked for name in names)
        for file in files:
            if file.name.endswith(SUFFIXES) and file.is_file():
                yield Source(path=str(file), size=file.stat().st_size, place=str(file.absolute()))


def _unlisted(error: OSError) -> NoReturn:
    raise InvalidInputError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _remote(pattern: str) -> Iterator[Source]:
    scheme, _, place = pattern.partition("://")
    # For object stores `a//b` is not the same path as `a/b`.
    place = place.rstrip("/") or place
    fixed = place
    while _WILDCARDS & set(fixed):
        fixed = fixed.rpartition("/")[0]
    system, path = file_system(f"{scheme}://{fixed}")
    from pyarrow.fs import FileSelector, FileType

    try:
        (here,) = system.get_file_info([path])
        if here.type == FileType.File:
            infos = [here]
        else:
            infos = system.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
    except OSError as error:
        raise InvalidInputError(f"{pattern}: cannot be listed: {error}") from error
    wanted = path + place.removeprefix(fixed)
    for info in sorted(infos, key=lambda entry: str(entry.path)):
        is_named = wanted == path or fnmatch.fnmatchcase(info.path, wanted)
        if info.type == FileType.File and info.path.endswith(SUFFIXES) and is_named:
            rest = info.path.removeprefix(path)
            uri = f"{scheme}://{fixed}{rest}"
            yield Source(path=uri, size=info.size, place=uri)


def read_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a file; a read error ends it with a row that has the problem."""
    line = 0
    try:
        with source.open() as file:
            for row in _parquet(file) if source.path.endswith(".parquet") else _lines(file, source.path):
                line = row.line
                if row.data is None or row.data.strip():
                    yield row
    except (InvalidInputError, ConfigurationError, OSError, EOFError, zlib.error) as error:
        yield Row(line=line + 1, data=None, problem=f"the rest of the file cannot be read: {error}")


def _lines(file: BinaryIO, path: str) -> Iterator[Row]:
    for line, (data, _) in enumerate(bounded_lines(_unpacked(file, path)), start=1):
        yield Row(line=line, data=data, read_bytes=file.tell())


def _unpacked(file: BinaryIO, path: str) -> BinaryIO:
    if path.endswith(".gz"):
        return cast("BinaryIO", gzip.open(file))
    if path.endswith(".zst"):
        return cast("BinaryIO", io.BufferedReader(_Unpacking(file)))
    return file


class _Unpacking(io.RawIOBase):
    """The content of Zstandard frames; unlike the library's reader it detects a truncated last frame."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._frame: Any = None
        self._packed = b""
        self._unpacked = memoryview(b"")

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer."""
        while not self._unpacked:
            packed = self._packed or self._file.read(_PACKED_BYTES)
            self._packed = b""
            if not packed:
                if self._frame is not None:
                    raise OSError("it ends in the middle of a frame")
                return 0
            self._unpack(packed)
        size = min(len(buffer), len(self._unpacked))
        buffer[:size] = self._unpacked[:size]
        self._unpacked = self._unpacked[size:]
        return size

    def _unpack(self, packed: bytes) -> None:
        import zstandard

        if self._frame is None:
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            self._unpacked = memoryview(self._frame.decompress(packed))
        except zstandard.ZstdError as error:
            raise OSError(str(error)) from error
        if self._frame.eof:
            self._packed = self._frame.unused_data
            self._frame = None


def _parquet(file: BinaryIO) -> Iterator[Row]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ConfigurationError("Parquet needs pyarrow: pip install 'redpen-evals[ray]'") from error
    line = 0
    try:
        for batch in ParquetFile(file).iter_batches(_PARQUET_ROWS):
            for fields in batch.to_pylist():
                line += 1
                data = json.dumps(fields, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")
                yield Row(line=line, data=data, read_bytes=file.tell())
    except ArrowException as error:
        raise OSError(str(error)) from error
