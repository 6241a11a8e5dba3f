"""Stores of events by their address: ``jsonl:PATH`` or ``sqlite:///PATH``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen.events.jsonl import JsonlEvents
from redpen.events.log import EventLog, Redactor
from redpen.events.sqlite import SqliteEvents
from redpen.text.suggestion import suggestion

JSONL: Final = "jsonl:"
SQLITE: Final = "sqlite:///"
_SQLITE_HEADER: Final = b"SQLite format 3\0"
_SHOWN_CHARS: Final = 120

_KINDS: Final[dict[str, Callable[[Path], JsonlEvents | SqliteEvents]]] = {
    JSONL: JsonlEvents,
    SQLITE: SqliteEvents,
}


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
    store = _named(place, root or Path())
    store.check()
    return EventLog(sink=store, texts=texts, redact=redact)


def find_store(place: str) -> JsonlEvents | SqliteEvents:
    """Return a store that is there, to read it.

    Args:
        place: as for ``open_events``, or the path of its file.

    Raises:
        ConfigurationError: there is none.
    """
    is_named = place.startswith(tuple(_KINDS))
    store = _named(place, Path()) if is_named else JsonlEvents(Path(place))
    path = store.path
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    except OSError as error:
        raise ConfigurationError(f"{path}: events: {error.strerror or error}") from error
    if is_database and isinstance(store, JsonlEvents):
        return SqliteEvents(path)
    return store


def _named(place: str, root: Path) -> JsonlEvents | SqliteEvents:
    for prefix, kind in _KINDS.items():
        path = place.removeprefix(prefix)
        if path != place and path.strip() and "\0" not in path:
            return kind(root / path)
    scheme = place.partition(":")[0]
    raise ConfigurationError(
        f"events: {place[:_SHOWN_CHARS]!r} is neither jsonl:PATH nor sqlite:///PATH"
        f"{suggestion(scheme, ('jsonl', 'sqlite'))}"
    )
