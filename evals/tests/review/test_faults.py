"""Databases that are damaged, newer, closed or full: words, and nothing that is half written."""

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
from redpen.events.places import find_store
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


def test_a_file_that_is_no_database(path):
    path.write_text("not a database at all, " * 100)
    with pytest.raises(ConfigurationError, match=r"reviews\.db: reviews: file is not a database"):
        open_reviews(f"sqlite:///{path}")


def test_a_database_of_something_else(path):
    change(path, "CREATE TABLE orders (id INTEGER)")
    with pytest.raises(ConfigurationError, match="the database is of something else"):
        open_reviews(f"sqlite:///{path}")


def test_a_newer_database(path, queue):
    queue.close()
    change(path, "UPDATE redpen_meta SET value = 2 WHERE name = 'reviews'")
    with pytest.raises(ConfigurationError, match="has version 2, and this Redpen knows up to 1: use a newer"):
        open_reviews(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("column", "content", "said"),
    [
        ("review", "{", "is damaged"),
        ("review", "[" * 100_000, "is damaged"),
        ("review", "[]", "is damaged: holds no object"),
        ("review", '{"schema_version": 2}', "has schema version 2, and this Redpen reads up to 1"),
        ("review", "{}", "Field required"),
        ("status", "lost", "status: Input should be"),
        ("decision", '{"kind": "approve"}', "by: Field required"),
    ],
)
def test_a_damaged_review_is_told_and_all_others_are_there(path, queue, column, content, said):
    damaged, sound = reflect(queue).review_id, reflect(queue).review_id
    change(path, f"UPDATE redpen_reviews SET {column} = ? WHERE id = ?", content, damaged)  # noqa: S608
    assert [one.id for one in queue.reviews()] == [sound]
    (problem,) = queue.damaged()
    assert "reviews.db: row 1 of redpen_reviews: " in problem
    assert said in problem
    with pytest.raises(ReviewError, match="row 1 of redpen_reviews"):
        queue.get(damaged)


def test_a_damaged_journal_is_told(path, queue):
    stopped = reflect(queue)
    queue.decide(stopped.review_id, APPROVE)
    change(path, "UPDATE redpen_reviews_journal SET entry = '{' WHERE step = 2")
    with pytest.raises(ReviewError, match="row 2 of redpen_reviews_journal: is damaged"):
        resume_run(queue, stopped.review_id)
    assert queue.get(stopped.review_id).resumed == "no"


def test_an_answer_that_somebody_took_out_of_the_journal_is_stale(path, queue):
    stopped = reflect(queue)
    change(path, "DELETE FROM redpen_reviews_journal WHERE step = 2")
    with pytest.raises(ReviewError, match="the run asks `review` where it asked nothing before it stopped"):
        decide_review(queue, stopped.review_id, APPROVE)


def test_what_is_decided_is_on_the_disk_before_anybody_is_told(path):
    database = open_database(f"sqlite:///{path}", TABLES)
    assert database.execute("PRAGMA synchronous").rows == [(2,)]
    database.close()


@pytest.mark.skipif(not can_fork(), reason="needs a process without the rights of root")
def test_a_closed_folder(tmp_path):
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
def test_a_full_disk_stops_the_run_and_keeps_no_half_of_a_review(path, queue, tmp_path):
    first = reflect(queue).review_id
    queue.close()

    def work():
        mine = open_reviews(f"sqlite:///{path}")
        assert len(mine.reviews()) == 1
        # As where the disk is full: a page fits in the log of the database, and not a second one.
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))
        result = act(mine)
        (tmp_path / "small").write_text(json.dumps([result.stop_reason, result.error["type"]]))

    assert in_child(work) == 0
    assert json.loads((tmp_path / "small").read_text()) == ["review_unavailable", "DatabaseError"]
    assert [one.id for one in open_reviews(f"sqlite:///{path}").reviews()] == [first]


@pytest.mark.skipif(not can_fork(), reason="needs a process with a limit of its own")
def test_a_full_disk_makes_no_call_that_cannot_be_noted(path, queue):
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


def test_events_of_a_run_that_was_resumed_twice_are_read_once(queue, tmp_path):
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
    told = [entry.content for entry in store.read()]
    assert (written, [event.kind for event in told].count("resumed")) == (2, 1)
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    # Who follows the file goes on from a position.
    positions = [entry.after for entry in store.read()]
    assert [entry.content.kind for entry in store.read(positions[-1])] == []
