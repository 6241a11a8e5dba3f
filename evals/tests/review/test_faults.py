"""Databases that are damaged, too new, read-only or full: clear errors and no partial writes."""

from __future__ import annotations

import errno
import json
import os
import resource
import sqlite3

import pytest

from fault_campaigns.forked import as_nobody, can_fork, in_child
from fault_campaigns.review_runs import act, reflect
from redpen import decide_review, resume_run
from redpen.databases import DatabaseError, open_database
from redpen.errors import ConfigurationError
from redpen.events import open_events
from redpen.events.address import find_store
from redpen.review import Decision, ReviewError, open_reviews
from redpen.review.tables import TABLES

APPROVE = Decision(kind="approve", by="ann")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "reviews.db"


@pytest.fixture
def queue(path):
    return open_reviews(f"sqlite:///{path}")


def change(path, statement, *values):
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_file_that_is_not_a_database_raises(path):
    path.write_text("not a database at all, " * 100)
    with pytest.raises(ConfigurationError, match=r"reviews\.db: reviews: file is not a database"):
        open_reviews(f"sqlite:///{path}")


def test_foreign_database_raises(path):
    change(path, "CREATE TABLE orders (id INTEGER)")
    with pytest.raises(ConfigurationError, match="the database belongs to other software"):
        open_reviews(f"sqlite:///{path}")


def test_newer_database_version_raises(path, queue):
    queue.close()
    change(path, "UPDATE redpen_meta SET value = 2 WHERE name = 'reviews'")
    with pytest.raises(ConfigurationError, match="has version 2, and this Redpen knows up to 1: use a newer"):
        open_reviews(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("column", "content", "message"),
    [
        ("review", "{", "is damaged"),
        ("review", "[" * 100_000, "is damaged"),
        ("review", "[]", "is damaged: not a JSON object"),
        ("review", '{"schema_version": 2}', "has schema version 2; this Redpen reads up to 1"),
        ("review", "{}", "Field required"),
        ("status", "lost", "status: Input should be"),
        ("decision", '{"kind": "approve"}', "by: Field required"),
    ],
)
def test_damaged_review_is_reported_and_others_are_listed(path, queue, column, content, message):
    damaged, intact = reflect(queue).review_id, reflect(queue).review_id
    change(path, f"UPDATE redpen_reviews SET {column} = ? WHERE id = ?", content, damaged)  # noqa: S608
    assert [review.id for review in queue.reviews()] == [intact]
    (problem,) = queue.damaged()
    assert "reviews.db: row 1 of redpen_reviews: " in problem
    assert message in problem
    with pytest.raises(ReviewError, match="row 1 of redpen_reviews"):
        queue.get(damaged)


def test_damaged_journal_raises_on_resume(path, queue):
    stopped = reflect(queue)
    queue.decide(stopped.review_id, APPROVE)
    change(path, "UPDATE redpen_reviews_journal SET entry = '{' WHERE step = 2")
    with pytest.raises(ReviewError, match="row 2 of redpen_reviews_journal: is damaged"):
        resume_run(queue, stopped.review_id)
    assert queue.get(stopped.review_id).resumed == "no"


def test_missing_journal_entry_raises_on_decide(path, queue):
    stopped = reflect(queue)
    change(path, "DELETE FROM redpen_reviews_journal WHERE step = 2")
    with pytest.raises(ReviewError, match="the run calls `review` where it made no call before it stopped"):
        decide_review(queue, stopped.review_id, APPROVE)


def test_sqlite_commits_are_synchronous(path):
    database = open_database(f"sqlite:///{path}", TABLES)
    assert database.execute("PRAGMA synchronous").rows == [(2,)]
    database.close()


@pytest.mark.skipif(not can_fork(), reason="needs a process without the rights of root")
def test_read_only_folder_raises(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    tmp_path.chmod(0o755)

    def work():
        with pytest.raises(ConfigurationError, match=r"Permission denied|unable to open"):
            open_reviews(f"sqlite:///{folder}/reviews.db")

    assert in_child(lambda: as_nobody(work)) == 0
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not can_fork(), reason="needs a process with a limit of its own")
def test_full_disk_stops_run_and_stores_no_partial_review(path, queue, tmp_path):
    first = reflect(queue).review_id
    queue.close()

    def work():
        mine = open_reviews(f"sqlite:///{path}")
        assert len(mine.reviews()) == 1
        # Simulates a full disk: one page fits into the database's log, a second one does not.
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))
        result = act(mine)
        (tmp_path / "small").write_text(json.dumps([result.stop_reason, result.error["type"]]))

    assert in_child(work) == 0
    assert json.loads((tmp_path / "small").read_text()) == ["review_unavailable", "DatabaseError"]
    assert [review.id for review in open_reviews(f"sqlite:///{path}").reviews()] == [first]


@pytest.mark.skipif(not can_fork(), reason="needs a process with a limit of its own")
def test_full_disk_prevents_calls_that_cannot_be_journaled(path, queue):
    stopped = act(queue)
    decide_review(queue, stopped.review_id, APPROVE)
    queue.close()

    def work():
        mine = open_reviews(f"sqlite:///{path}")

        def refuse(*_):
            raise DatabaseError(os.strerror(errno.ENOSPC))

        mine.start_entry = refuse
        with pytest.raises(DatabaseError, match="No space left"):
            resume_run(mine, stopped.review_id)

    assert in_child(work) == 0
    assert queue.get(stopped.review_id).resumed == "no"
    assert resume_run(queue, stopped.review_id).status == "ok"


def test_events_of_run_resumed_twice_are_deduplicated(queue, tmp_path):
    address = f"jsonl:{tmp_path}/events.jsonl"
    stopped = reflect(queue, events=open_events(address))
    decide_review(queue, stopped.review_id, APPROVE)

    def lost(*_):
        raise DatabaseError("killed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(queue), "complete", lost)
        with pytest.raises(DatabaseError):
            resume_run(queue, stopped.review_id, events=open_events(address))
    resume_run(queue, stopped.review_id, events=open_events(address))
    written = (tmp_path / "events.jsonl").read_text().count('"resumed"')
    store = find_store(address)
    reported = [entry.content for entry in store.read()]
    assert (written, [event.kind for event in reported].count("resumed")) == (2, 1)
    assert [event.seq for event in reported] == list(range(1, len(reported) + 1))
    # A reader that follows the file continues from a position.
    positions = [entry.after for entry in store.read()]
    assert [entry.content.kind for entry in store.read(positions[-1])] == []
