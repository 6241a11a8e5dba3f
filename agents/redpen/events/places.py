"""Stores of events by their address: ``jsonl:PATH`` or ``sqlite:///PATH``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from redpen.errors import ConfigurationError
from redpen.events.log import EventLog, Redactor
from redpen.text.suggestion import suggestion

if TYPE_CHECKING:
    from redpen.events.jsonl import JsonlEvents
    from redpen.events.sqlite import SqliteEvents

JSONL: Final = "jsonl:"
SQLITE: Final = "sqlite:///"
_SQLITE_HEADER: Final = b"SQLite format 3\0"
_SHOWN_CHARS: Final = 120

_PREFIXES: Final = (JSONL, SQLITE)


def open_events(
    place: str, *, texts: bool = True, redact: Redactor | None = None, root: Path | None = None
) -> EventLog:
    """Open, or make, a store of events for what an agent takes as ``events``.

    Args:
        place: ``jsonl:PATH``, a line an event, or ``sqlite:///PATH`` (with a fourth slash the path is
            absolute).
        texts: whether the texts of a run are kept, or only names, codes, numbers and hashes.
        redact: strikes further secrets from every text; what looks like a key is struck anyway.
        root: folder that a relative path starts from; by default the working folder.

    Raises:
        ConfigurationError: the place is none of these, or nothing can be kept there.
    """
    store = _store(_path(place, root or Path()), is_database=place.startswith(SQLITE))
    store.check()
    return EventLog(sink=store, texts=texts, redact=redact)


def find_store(place: str) -> JsonlEvents | SqliteEvents:
    """Return a store that is there, to read it.

    Args:
        place: as for ``open_events``, or the path of its file.

    Raises:
        ConfigurationError: there is none.
    """
    is_named = place.startswith(_PREFIXES)
    path = _path(place, Path()) if is_named else Path(place)
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    except OSError as error:
        raise ConfigurationError(f"{path}: events: {error.strerror or error}") from error
    return _store(path, is_database=is_database or place.startswith(SQLITE))


def _path(place: str, root: Path) -> Path:
    for prefix in _PREFIXES:
        path = place.removeprefix(prefix)
        if path != place and path.strip() and "\0" not in path:
            return root / path
    scheme = place.partition(":")[0]
    raise ConfigurationError(
        f"events: {place[:_SHOWN_CHARS]!r} is neither jsonl:PATH nor sqlite:///PATH"
        f"{suggestion(scheme, ('jsonl', 'sqlite'))}"
    )


def _store(path: Path, *, is_database: bool) -> JsonlEvents | SqliteEvents:
    # Runs that keep no events need neither.
    if is_database:
        from redpen.events.sqlite import SqliteEvents

        return SqliteEvents(path)
    from redpen.events.jsonl import JsonlEvents

    return JsonlEvents(path)
