"""What both databases offer: statements, transactions, and tables that say their version."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

from redpen.errors import ConfigurationError, RedpenError

Value: TypeAlias = str | int | float | None
"""What a statement is given; PostgreSQL takes no NUL character in a text."""

WAIT_S: Final = 10.0
"""Longest wait for another writer or for a server, in seconds."""

PREFIX: Final = "redpen_"
"""The names of all tables begin with it."""
_META: Final = "CREATE TABLE IF NOT EXISTS redpen_meta (name {text} PRIMARY KEY, value BIGINT NOT NULL)"
_VERSION: Final = "SELECT value FROM redpen_meta WHERE name = :name"
_KEEP_VERSION: Final = (
    "INSERT INTO redpen_meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
)


class DatabaseError(RedpenError, OSError):
    """A database did not do what it was asked; says why in words, without password, statement or values."""


class ConstraintError(DatabaseError):
    """A row breaks a constraint: it is there already, or something in it is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What came of a statement.

    Attributes:
        rows: of a ``SELECT`` or ``RETURNING``.
        changed: how many rows it inserted, changed or removed.
    """

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables that belong together, and how to make them.

    Attributes:
        name: of all of them; writers of the same name take turns.
        version: counts up when an older Redpen could no longer use them.
        statements: each ``CREATE … IF NOT EXISTS``. ``{id}`` is the type of an integer key that counts up
            and is never given twice, ``{text}`` that of a text that is compared byte by byte.
        durable: whether each commit waits for the disk, so that a power cut takes none back; a killed process
            takes none back anyway.
    """

    name: str
    version: int
    statements: tuple[str, ...]
    durable: bool = False


class Transaction(Protocol):
    """Where statements belong together."""

    def execute(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Found:
        """Run one statement.

        Args:
            statement: with a placeholder ``:name`` for every value, and no other colon.
            values: by name.

        Raises:
            DatabaseError: it cannot be done; nothing of the transaction stays.
        """


class Database(Protocol):
    """One database; a connection of it is opened when it is used, and once for all threads.

    Attributes:
        shown: where it is, for people: without user, password and options.
    """

    @property
    def shown(self) -> str:
        """Where it is, for people."""

    @property
    def address(self) -> str:
        """Where it is found again: as ``open_database`` takes it, without user and password."""

    def check(self) -> None:
        """Connect, and make what is missing.

        Raises:
            ConfigurationError: it cannot be reached or written to, is of something else, or a newer Redpen
                made it.
        """

    def require(self) -> None:
        """Raise ConfigurationError where there is no such database; makes none."""

    def execute(
        self, statement: str, values: Mapping[str, Value] | None = None, /, *, in_turn: bool = False
    ) -> Found:
        """Run one statement, which is kept at once.

        Args:
            statement: as for ``Transaction.execute``.
            values: by name.
            in_turn: whether it waits for its turn among all writers, so that the ids which it gives are
                seen in their order.

        Raises:
            DatabaseError: it cannot be done.
            ConfigurationError: as for ``check``.
        """

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Have what is done inside kept as one, or nothing of it where an exception leaves it.

        Those who write to the same tables wait for each other, up to ten seconds: what was read inside still
        holds when it is written. Nobody may be asked anything inside, and not this database either.
        """

    def erase(self, statement: str, values: Mapping[str, Value] | None = None, /) -> Found:
        """Run one ``DELETE``, and overwrite what it removed where the database can (SQLite)."""

    def close(self) -> None:
        """Let go of the connection; the next use opens another."""


def prepare(connection: Transaction, tables: Tables, *, there: set[str], shown: str, shared: bool) -> bool:
    """Make the tables unless they are there, and return whether they were.

    Args:
        connection: in a transaction where tables may be made.
        tables: to be made.
        there: names of all tables of the database.
        shown: the database, for people.
        shared: whether other software's tables may stand beside ours.

    Raises:
        ConfigurationError: the database is of something else, or a newer Redpen made it.
    """
    others = {name for name in there if not shared or name.startswith(PREFIX)}
    if "redpen_meta" not in there and others:
        raise ConfigurationError(f"{shown}: {tables.name}: the database is of something else")
    if "redpen_meta" in there and _is_current(connection, tables, shown=shown):
        return True
    if any(name.startswith(f"{PREFIX}{tables.name}") for name in there):
        raise ConfigurationError(f"{shown}: {tables.name}: the database does not say its version")
    return False


def make(connection: Transaction, tables: Tables, types: Mapping[Literal["id", "text"], str]) -> None:
    """Make the tables, inside a transaction; ``types`` are those of ``{id}`` and ``{text}``."""
    for statement in (_META, *tables.statements):
        typed = statement.replace("{id}", types["id"]).replace("{text}", types["text"])
        connection.execute(typed)
    connection.execute(_KEEP_VERSION, {"name": tables.name, "value": tables.version})


def _is_current(connection: Transaction, tables: Tables, *, shown: str) -> bool:
    rows = connection.execute(_VERSION, {"name": tables.name}).rows
    if not rows:
        return False
    version = rows[0][0]
    if not isinstance(version, int):
        raise ConfigurationError(f"{shown}: {tables.name}: the database does not say its version")
    if version > tables.version:
        raise ConfigurationError(
            f"{shown}: {tables.name}: the database has version {version}, and this Redpen knows up to "
            f"{tables.version}: use a newer one, or another database"
        )
    return True
