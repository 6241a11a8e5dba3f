"""Fixtures of the database tests: a table of notes."""

from __future__ import annotations

import pytest

from redpen.databases import Tables, open_database

TABLES = Tables(
    name="notes",
    version=2,
    statements=(
        "CREATE TABLE IF NOT EXISTS redpen_notes (id {id}, name {text} NOT NULL UNIQUE, text TEXT)",
        "CREATE INDEX IF NOT EXISTS redpen_notes_text ON redpen_notes (text)",
    ),
)


@pytest.fixture
def open_notes():
    """Give a function that opens a database of notes; all are closed after the test."""
    opened = []

    def start(address, tables=TABLES):
        opened.append(open_database(address, tables))
        return opened[-1]

    yield start
    for database in opened:
        database.close()


@pytest.fixture
def notes(open_notes, database_address):
    """Give an empty database of notes."""
    database = open_notes(database_address)
    database.check()
    return database
