"""Databases for events and reviews: SQLite on the standard library, PostgreSQL with the extra ``sql``.

A store describes its tables once, and runs the same statements on both.
"""

from redpen.databases.address import is_database, open_database
from redpen.databases.model import (
    ConstraintError,
    Database,
    DatabaseError,
    Result,
    Tables,
    Transaction,
    Value,
)

__all__ = [
    "ConstraintError",
    "Database",
    "DatabaseError",
    "Result",
    "Tables",
    "Transaction",
    "Value",
    "is_database",
    "open_database",
]
