"""Opens a database by its address: ``sqlite:///PATH`` or ``postgresql://…``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from redpen.databases.model import Database, Tables
from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion

SQLITE: Final = "sqlite:///"
POSTGRESQL: Final = "postgresql://"
_SHOWN_CHARS: Final = 120


def is_database(address: str) -> bool:
    """Return whether an address is one of a database."""
    return address.startswith((SQLITE, POSTGRESQL))


def without_login(address: str) -> str:
    """Return an address for messages, cut off where a password may follow."""
    start, slashes, rest = address.partition("://")
    return (
        f"{start[:_SHOWN_CHARS]}://…" if slashes and ("@" in rest or "?" in rest) else address[:_SHOWN_CHARS]
    )


def open_database(address: str, tables: Tables, *, root: Path | None = None) -> Database:
    """Return a database; it is not opened yet.

    Args:
        address: ``sqlite:///PATH`` (with a fourth slash the path is absolute), or
            ``postgresql://USER@HOST:PORT/NAME`` as libpq takes it, which needs the extra ``sql``. The
            password is best left to ``PGPASSWORD`` or a password file.
        tables: tables of the database.
        root: base folder of a relative path; by default the working directory.

    Raises:
        ConfigurationError: the address has neither form, or the extra is not installed.
    """
    if address.startswith(SQLITE):
        path = address.removeprefix(SQLITE)
        if path.strip() and "\0" not in path:
            from redpen.databases.sqlite import SqliteDatabase

            return SqliteDatabase((root or Path()) / path, tables)
    elif address.startswith(POSTGRESQL):
        # Imports SQLAlchemy, which SQLite does not need.
        from redpen.databases.postgresql import PostgresqlDatabase, parse_url

        return PostgresqlDatabase(parse_url(address), tables)
    hint = suggestion(address.partition(":")[0], ("sqlite", "postgresql"))
    raise ConfigurationError(
        f"{tables.name}: {without_login(address)!r} is neither sqlite:///PATH nor postgresql://…{hint}"
    )
