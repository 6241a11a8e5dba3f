"""Where events go, by its address: ``jsonl:PATH``, ``sqlite:///PATH``, ``postgresql://…`` or ``otel``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from redpen.databases.address import SQLITE, is_database, open_database, without_login
from redpen.errors import ConfigurationError
from redpen.events.log import EventLog, Redactor
from redpen.text.suggestion import suggestion

if TYPE_CHECKING:
    from redpen.events.jsonl import JsonlEvents
    from redpen.events.sql import SqlEvents

JSONL: Final = "jsonl:"
OTEL: Final = "otel"
_SQLITE_HEADER: Final = b"SQLite format 3\0"


def open_events(
    place: str, *, texts: bool = True, redact: Redactor | None = None, root: Path | None = None
) -> EventLog:
    """Open, or make, a store of events for what an agent takes as ``events``.

    Args:
        place: ``jsonl:PATH``, a line an event, ``sqlite:///PATH`` (with a fourth slash the path is absolute),
            ``postgresql://USER@HOST:PORT/NAME``, which needs the extra ``sql``, or ``otel``: spans of
            OpenTelemetry, sent as its variables say, which needs the extra ``otel``.
        texts: whether the texts of a run are kept, or only names, codes, numbers and hashes.
        redact: strikes further secrets from every text; what looks like a key is struck anyway.
        root: folder that a relative path starts from; by default the working folder.

    Raises:
        ConfigurationError: the place is none of these, or nothing can be kept there.
    """
    if place == OTEL:
        from redpen.events.otel import OtelEvents

        return EventLog(sink=OtelEvents(), texts=texts, redact=redact)
    store = _store(place, root or Path())
    store.check()
    return EventLog(sink=store, texts=texts, redact=redact)


def find_store(place: str) -> JsonlEvents | SqlEvents:
    """Return a store that is there, to read it.

    Args:
        place: as for ``open_events``, or the path of its file.

    Raises:
        ConfigurationError: there is none.
    """
    address = place if is_database(place) or place.startswith(JSONL) else _address_of_file(Path(place))
    store = _store(address, Path())
    store.require()
    return store


def _address_of_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            holds_database = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigurationError(f"{without_login(str(path))}: events: {said}") from None
    return f"{SQLITE if holds_database else JSONL}{path}"


def _store(place: str, root: Path) -> JsonlEvents | SqlEvents:
    # Runs that keep no events need neither.
    path = place.removeprefix(JSONL)
    if path != place and path.strip() and "\0" not in path:
        from redpen.events.jsonl import JsonlEvents

        return JsonlEvents(root / path)
    if is_database(place):
        from redpen.events.sql import TABLES, SqlEvents

        return SqlEvents(open_database(place, TABLES, root=root))
    hint = suggestion(place.partition(":")[0], ("jsonl", "sqlite", "postgresql", OTEL))
    raise ConfigurationError(
        f"events: {without_login(place)!r} is neither jsonl:PATH nor sqlite:///PATH nor postgresql://… "
        f"nor otel{hint}"
    )
