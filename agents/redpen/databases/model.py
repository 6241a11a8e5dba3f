"""The interface of both databases: statements, transactions, and tables with a schema version."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

from redpen.errors import ConfigurationError, RedpenError

Value: TypeAlias = str | int | float | None
"""A parameter of a statement; PostgreSQL does not accept NUL characters in texts."""

WAIT_S: Final = 10.0
"""Longest wait for another writer or for a server, in seconds."""

PREFIX: Final = "redpen_"
"""Prefix of all table names."""
_META: Final = "CREATE TABLE IF NOT EXISTS redpen_meta (name {text} PRIMARY KEY, value BIGINT NOT NULL)"
_VERSION: Final = "SELECT value FROM redpen_meta WHERE name = :name"
_INSERT_VERSION: Final = (
    "INSERT INTO redpen_meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
)


class DatabaseError(RedpenError, OSError):
    """A database operation failed; the message has no password, statement or values."""


class ConstraintError(DatabaseError):
    """A row violates a constraint: it exists already, or a value is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a statement.

    Attributes:
        rows: rows of a ``SELECT`` or ``RETURNING``.
        changed: number of rows inserted, changed or removed.
    """

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """A set of related tables, and the statements that create them.

    Attributes:
        name: name of the set; writers of the same set take turns.
        version: schema version; increased when an older Redpen could no longer use the tables.
        statements: each ``CREATE … IF NOT EXISTS``. ``{id}`` stands for the type of an increasing integer key
            that is never reused, ``{text}`` for a text type with byte-wise comparison.
        durable: whether each commit waits for the disk, so that it survives a power failure; commits survive
            a killed process in any case.
    """

    name: str
    version: int
    statements: tuple[str, ...]
    durable: bool = False


class Transaction(Protocol):
    """A transaction."""

    def execute(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Result:
        """Run one statement.

        Args:
            statement: SQL with a placeholder ``:name`` for each value, and no other colon.
            values: values by name.

        Raises:
            DatabaseError: the statement failed; the transaction is rolled back.
        """


class Database(Protocol):
    """One database; all threads share one connection, which is opened on first use.

    Attributes:
        shown: its address for messages: without user, password and options.
    """

    @property
    def shown(self) -> str:
        """The address for messages."""

    @property
    def address(self) -> str:
        """The address for ``open_database``, without user and password."""

    def check(self) -> None:
        """Connect, and create missing tables.

        Raises:
            ConfigurationError: it cannot be reached or written to, belongs to other software, or was created
                by a newer Redpen.
        """

    def require(self) -> None:
        """Raise ConfigurationError if there is no such database; none is created."""

    def execute(
        self, statement: str, values: Mapping[str, Value] | None = None, /, *, serialised: bool = False
    ) -> Result:
        """Run and commit one statement.

        Args:
            statement: as for ``Transaction.execute``.
            values: values by name.
            serialised: whether writers are serialised, so that readers see new ids in increasing order.

        Raises:
            DatabaseError: the statement failed.
            ConfigurationError: as for ``check``.
        """

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Run the block in one transaction; an exception rolls it back.

        Writers to the same tables wait for each other, up to ten seconds, so that values read in the block
        are still valid when it writes. The block must not wait for anybody, nor use this database otherwise.
        """

    def erase(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Result:
        """Run one ``DELETE``, and overwrite the removed data if the database can (SQLite)."""

    def close(self) -> None:
        """Close the connection; the next use opens another."""


def check_version(
    connection: Transaction, tables: Tables, *, there: set[str], shown: str, shared: bool
) -> bool:
    """Check the tables' schema version, and return whether they exist.

    Args:
        connection: an open transaction.
        tables: the tables.
        there: names of all tables of the database.
        shown: address of the database for messages.
        shared: whether the database may also hold tables of other software.

    Raises:
        ConfigurationError: the database belongs to other software, or was created by a newer Redpen.
    """
    others = {name for name in there if not shared or name.startswith(PREFIX)}
    if "redpen_meta" not in there and others:
        raise ConfigurationError(f"{shown}: {tables.name}: the database belongs to other software")
    if "redpen_meta" in there and _is_current(connection, tables, shown=shown):
        return True
    if any(name.startswith(f"{PREFIX}{tables.name}") for name in there):
        raise ConfigurationError(f"{shown}: {tables.name}: the database has no version")
    return False


def create_tables(
    connection: Transaction, tables: Tables, types: Mapping[Literal["id", "text"], str]
) -> None:
    """Create the tables, inside a transaction; ``types`` are the SQL types for ``{id}`` and ``{text}``."""
    for statement in (_META, *tables.statements):
        typed = statement.replace("{id}", types["id"]).replace("{text}", types["text"])
        connection.execute(typed)
    connection.execute(_INSERT_VERSION, {"name": tables.name, "value": tables.version})


def _is_current(connection: Transaction, tables: Tables, *, shown: str) -> bool:
    rows = connection.execute(_VERSION, {"name": tables.name}).rows
    if not rows:
        return False
    version = rows[0][0]
    if not isinstance(version, int):
        raise ConfigurationError(f"{shown}: {tables.name}: the database has no version")
    if version > tables.version:
        raise ConfigurationError(
            f"{shown}: {tables.name}: the database has version {version}, and this Redpen knows up to "
            f"{tables.version}: use a newer one, or another database"
        )
    return True
