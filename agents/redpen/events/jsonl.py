"""Events in a JSON Lines file, to which any number of processes can append complete events."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

from redpen.errors import ConfigurationError
from redpen.events.locking import locked
from redpen.events.model import Event
from redpen.events.store import MAX_EVENT_BYTES, Damaged, Entry, stored_event, time_text, unreadable
from redpen.events.text import EventText, text_of

_FLAGS: Final = (
    os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
)
_MODE: Final = 0o600
"""Events may contain texts to customers, so other users must not be able to read them."""


class JsonlEvents:
    """An event store in a JSON Lines file.

    Args:
        path: path of the file; it is created by ``check`` or with the first event.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._descriptor = -1
        self._process = -1
        # For each resumed run, the highest event number read so far.
        self._last_numbers: dict[str, int] = {}

    @property
    def address(self) -> str:
        """The address for ``open_events``."""
        return f"jsonl:{self.path.absolute()}"

    def check(self) -> None:
        """Create the file if it is missing; raises ConfigurationError if it cannot be written to."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                start = _read_byte(self._open(), 0)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if start not in {b"", b"{", b"\n"}:
            raise ConfigurationError(
                f"{self.path}: events: the file contains something else; choose another path"
            )

    def require(self) -> None:
        """Raise ConfigurationError if there is no such file."""
        try:
            self.path.stat()
        except OSError as error:
            raise unreadable(self.path, error) from error

    def write(self, event: Event) -> None:
        """Append one event; if it cannot be written, raises OSError and leaves the file unchanged."""
        self.write_text(text_of(event))

    def write_text(self, event: EventText) -> None:
        """Append one event in its stored form; raises OSError as ``write`` does."""
        line = event.text.encode("utf-8", "replace") + b"\n"
        with self._lock:
            while True:
                descriptor = self._open()
                with locked(descriptor):
                    if self._is_replaced(descriptor):
                        self._close()
                        continue
                    _append(descriptor, line)
                    return

    def read(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        """Yield the entries after a position, a byte offset; see ``EventStore.read``.

        A run that is resumed again after it was killed writes the same events again; only the first copy of
        each is yielded.
        """
        if position == 0:
            self._last_numbers.clear()
        for entry in self._entries(position, growing=growing):
            if isinstance(entry.content, Damaged) or not self._is_repeated(entry.content):
                yield entry

    def _is_repeated(self, event: Event) -> bool:
        last = self._last_numbers.get(event.run_id)
        if last is None and event.kind != "resumed":
            return False
        self._last_numbers[event.run_id] = max(event.seq, last or 0)
        return last is not None and event.seq <= last

    def _entries(self, position: int = 0, *, growing: bool = False) -> Iterator[Entry]:
        number = 0
        try:
            with self.path.open("rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise ConfigurationError(f"{self.path}: events: not a regular file")
                # A shorter file was pruned and replaced in the meantime, so it is read from its start.
                position = position if position <= os.fstat(file.fileno()).st_size else 0
                while file.tell() < position:
                    number += bool(file.readline(position - file.tell()).endswith(b"\n"))
                while line := file.readline(MAX_EVENT_BYTES + 1):
                    number += 1
                    place = f"{self.path}:{number}"
                    if len(line) > MAX_EVENT_BYTES:
                        while line and not line.endswith(b"\n"):
                            line = file.readline(MAX_EVENT_BYTES)
                        message = f"is not an event: longer than {MAX_EVENT_BYTES:,} bytes"
                        yield Entry(content=Damaged(place=place, problem=message), after=file.tell())
                        continue
                    if not line.endswith(b"\n"):
                        if not growing:
                            message = "is not a complete event: the line is truncated"
                            yield Entry(content=Damaged(place=place, problem=message), after=file.tell())
                        return
                    if line.strip():
                        yield Entry(content=stored_event(line, place), after=file.tell())
        except OSError as error:
            raise unreadable(self.path, error) from error

    def of_runs(self, run_ids: Collection[str]) -> Iterator[Entry]:
        """Yield the events of the given runs, in the order in which they were written."""
        for entry in self.read():
            if not isinstance(entry.content, Damaged) and entry.content.run_id in run_ids:
                yield entry

    def prune(self, before: datetime) -> int:
        """Remove the events before a time, and return their number; damaged lines are kept for inspection."""
        limit, removed = time_text(before), 0
        beside = self.path.with_name(f".{self.path.name}.{uuid4().hex[:8]}.tmp")
        try:
            descriptor = os.open(self.path, _FLAGS & ~os.O_CREAT)
        except OSError as error:
            raise unreadable(self.path, error) from error
        try:
            with locked(descriptor):
                if self._is_replaced(descriptor):
                    raise ConfigurationError(
                        f"{self.path}: events: another process is pruning the file; try again"
                    )
                start = 0
                with open(descriptor, "rb", closefd=False) as old, beside.open("xb") as new:
                    for entry in list(self._entries()):
                        old.seek(start)
                        line = old.read(entry.after - start)
                        start = entry.after
                        is_old = not isinstance(entry.content, Damaged) and entry.content.time < limit
                        removed += is_old
                        if not is_old:
                            new.write(line)
                    new.flush()
                    os.fsync(new.fileno())
                beside.chmod(stat.S_IMODE(os.fstat(descriptor).st_mode))
                if removed:
                    beside.replace(self.path)
        except OSError as error:
            raise unreadable(self.path, error) from error
        finally:
            os.close(descriptor)
            with suppress(OSError):
                beside.unlink()
        return removed

    def close(self) -> None:
        """Close the file; the next event opens it again."""
        with self._lock:
            self._close()

    def _open(self) -> int:
        # The lock belongs to the open file, which a forked child process would share.
        if self._descriptor >= 0 and self._process == os.getpid():
            return self._descriptor
        self._close()
        descriptor = os.open(self.path, _FLAGS, _MODE)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file")
        self._descriptor, self._process = descriptor, os.getpid()
        return descriptor

    def _close(self) -> None:
        if self._descriptor >= 0:
            with suppress(OSError):
                os.close(self._descriptor)
        self._descriptor = -1

    def _is_replaced(self, descriptor: int) -> bool:
        ours = os.fstat(descriptor)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return True
        return (ours.st_dev, ours.st_ino) != (there.st_dev, there.st_ino)


def _append(descriptor: int, line: bytes) -> None:
    size = os.fstat(descriptor).st_size
    if size and _read_byte(descriptor, size - 1) != b"\n":
        # A partial line of a killed process must not be joined with this line.
        line = b"\n" + line
    try:
        written = os.write(descriptor, line)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
    if written < len(line):
        os.ftruncate(descriptor, size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _read_byte(descriptor: int, at: int) -> bytes:
    # Moving the file position has no effect on writes, because the file is open for appending.
    os.lseek(descriptor, at, os.SEEK_SET)
    return os.read(descriptor, 1)
