"""Databases, on SQLite and PostgreSQL: statements, transactions, concurrency, versions and forks."""

from __future__ import annotations

import multiprocessing
import os
import threading
from dataclasses import replace

import pytest

from redpen.databases import ConstraintError, DatabaseError, Tables, open_database
from redpen.errors import ConfigurationError

ADD = "INSERT INTO redpen_notes (name, text) VALUES (:name, :text)"
NAMES = "SELECT name FROM redpen_notes ORDER BY id"
PROCESSES, EACH = 4, 25


def names(database):
    return [name for (name,) in database.execute(NAMES).rows]


def add(database, name, text=None):
    return database.execute(ADD, {"name": name, "text": text})


def add_all(database, *all_names):
    with database.transaction() as transaction:
        for name in all_names:
            transaction.execute(ADD, {"name": name.lower(), "text": None})


def test_statement_is_committed_and_returns_changed_rows(notes, open_notes, database_address):
    assert add(notes, "one").changed == 1
    assert add(notes, "two", "à côté — 27% :x 'quoted'").changed == 1
    other = open_notes(database_address)
    assert names(other) == ["one", "two"]
    assert other.execute("SELECT text FROM redpen_notes WHERE name = :name", {"name": "two"}).rows == [
        ("à côté — 27% :x 'quoted'",)
    ]
    update = "UPDATE redpen_notes SET text = :new WHERE name = :name AND text IS NULL RETURNING id"
    assert notes.execute(update, {"new": "done", "name": "one"}).rows == [(1,)]
    assert notes.execute(update, {"new": "again", "name": "one"}).changed == 0


def test_duplicate_row_error_hides_values(notes):
    add(notes, "one", "a secret")
    with pytest.raises(ConstraintError) as raised:
        add(notes, "one", "another secret")
    assert "secret" not in str(raised.value)
    assert str(raised.value).startswith(f"{notes.shown}: notes: ")
    assert names(notes) == ["one"]


def test_transaction_is_atomic(notes):
    with notes.transaction() as transaction:
        transaction.execute(ADD, {"name": "one", "text": None})
        assert transaction.execute(NAMES).rows == [("one",)]
        transaction.execute(ADD, {"name": "two", "text": None})
    with pytest.raises(ConstraintError):
        add_all(notes, "three", "one")
    with pytest.raises(AttributeError):
        add_all(notes, "four", None)
    assert names(notes) == ["one", "two"]
    add(notes, "five")
    assert names(notes)[-1] == "five"


def test_row_ids_are_not_reused(notes):
    add(notes, "one")
    assert notes.erase("DELETE FROM redpen_notes").changed == 1
    add(notes, "two")
    assert notes.execute("SELECT id FROM redpen_notes").rows == [(2,)]


def test_invalid_statement_raises_database_error(notes):
    with pytest.raises(DatabaseError, match=r"notes: .*redpen_nothing"):
        notes.execute("SELECT * FROM redpen_nothing")


def count_up(address, tables):
    database = open_database(address, tables)
    for _ in range(EACH):
        with database.transaction() as transaction:
            rows = transaction.execute("SELECT text FROM redpen_notes WHERE name = 'count'").rows
            if not rows:
                transaction.execute(ADD, {"name": "count", "text": "1"})
                continue
            transaction.execute(
                "UPDATE redpen_notes SET text = :text WHERE name = 'count'",
                {"text": str(int(rows[0][0]) + 1)},
            )
    database.close()


def test_concurrent_processes_create_tables_and_take_turns(open_notes, database_address):
    # The tables do not exist yet, so each process tries to create them.
    tables = open_notes(database_address)._tables
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=count_up, args=(database_address, tables)) for _ in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    found = open_notes(database_address).execute("SELECT text FROM redpen_notes").rows
    assert found == [(str(PROCESSES * EACH),)]


def test_threads_share_a_database(notes):
    threads = [
        threading.Thread(target=lambda at=at: [add(notes, f"{at}.{number}") for number in range(EACH)])
        for at in range(PROCESSES)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(notes)) == PROCESSES * EACH


def test_fork_opens_its_own_connection(notes):
    add(notes, "parent")
    child = os.fork()
    if not child:
        code = 1
        try:
            add(notes, "child")
            notes.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    add(notes, "parent again")
    assert names(notes) == ["parent", "child", "parent again"]


def test_newer_database_is_refused_and_older_is_accepted(notes, open_notes, database_address):
    newer = open_notes(database_address, replace(notes._tables, version=1))
    message = "notes: the database has version 2, and this Redpen knows up to 1"
    for use in (newer.check, newer.require, lambda: newer.execute(NAMES)):
        with pytest.raises(ConfigurationError, match=message):
            use()
    open_notes(database_address, replace(notes._tables, version=3)).check()


def test_two_kinds_of_tables_share_a_database(notes, open_notes, database_address):
    tables = Tables(
        name="marks",
        version=1,
        statements=("CREATE TABLE IF NOT EXISTS redpen_marks (id {id}, mark BIGINT)",),
    )
    marks = open_notes(database_address, tables)
    marks.check()
    marks.execute("INSERT INTO redpen_marks (mark) VALUES (:mark)", {"mark": 2**60})
    add(notes, "one")
    assert (names(notes), marks.execute("SELECT mark FROM redpen_marks").rows) == (["one"], [(2**60,)])


def test_database_without_version_is_refused(notes, open_notes, database_address):
    notes.execute("DELETE FROM redpen_meta")
    with pytest.raises(ConfigurationError, match="notes: the database has no version"):
        open_notes(database_address).check()
    notes.execute("DROP TABLE redpen_meta")
    with pytest.raises(ConfigurationError, match="notes: the database belongs to other software"):
        open_notes(database_address).check()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("sqlite:///", "neither sqlite:///PATH nor postgresql://"),
        ("postgres://ann:canary@db/x", "'postgres://…' is neither .* .did you mean `postgresql`"),
        ("mysql:///x?password=canary", "'mysql://…' is neither"),
        ("sqlite:////proc/none/x.db", "No such file"),
        ("sqlite:////dev/null", "notes: "),
    ],
)
def test_invalid_address_is_a_configuration_error(open_notes, address, message):
    with pytest.raises(ConfigurationError, match=message) as raised:
        open_notes(address).check()
    assert "canary" not in str(raised.value)
