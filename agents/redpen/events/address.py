"""Opens an event store by its address: ``jsonl:PATH``, ``sqlite:///PATH``, ``postgresql://…`` or ``otel``."""

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
    """Open an event log for the ``events`` argument of an agent; its store is created if missing.

    Args:
        place: ``jsonl:PATH`` (one event per line), ``sqlite:///PATH`` (with a fourth slash the path is
            absolute), ``postgresql://USER@HOST:PORT/NAME``, which needs the extra ``sql``, or ``otel``:
            OpenTelemetry spans, configured by its environment variables, which needs the extra ``otel``.
        texts: whether the texts of a run are stored; if not, only names, codes, numbers and hashes.
        redact: redacts further secrets from each text; strings that look like keys are always redacted.
        root: base folder of a relative path; by default the working directory.

    Raises:
        ConfigurationError: the address has none of these forms, or the store cannot be used.
    """
    if place == OTEL:
        from redpen.events.otel import OtelEvents

        return EventLog(sink=OtelEvents(), texts=texts, redact=redact)
    store = _store(place, root or Path())
    store.check()
    return EventLog(sink=store, texts=texts, redact=redact)


def find_store(place: str) -> JsonlEvents | SqlEvents:
    """Return an existing event store, for reading.

    Args:
        place: an address as for ``open_events``, or the path of the file.

    Raises:
        ConfigurationError: there is no such store.
    """
    address = place if is_database(place) or place.startswith(JSONL) else _address_of_file(Path(place))
    store = _store(address, Path())
    store.require()
    return store


def _address_of_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            is_sqlite = file.read(len(_SQLITE_HEADER)) == _SQLITE_HEADER
    except (OSError, ValueError) as error:
        message = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigurationError(f"{without_login(str(path))}: events: {message}") from None
    return f"{SQLITE if is_sqlite else JSONL}{path}"


def _store(place: str, root: Path) -> JsonlEvents | SqlEvents:
    # Both stores are imported here, because runs without events need neither.
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
