"""Event stores in files and databases: concurrent writers, pruning, full disks, damage, foreign files."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from redpen.errors import ConfigurationError
from redpen.events import EVENT, open_events
from redpen.events.address import find_store
from redpen.events.store import Damaged

WRITERS, EACH = 4, 60


@contextmanager
def full_disk(size):
    """Limit the size of every file that this process writes."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def contents(place):
    store = find_store(place)
    found = [entry.content for entry in store.read()]
    store.close()
    return found


def write_events(place, run_id):
    sink = open_events(place).sink
    for seq in range(1, EACH + 1):
        sink.write(
            EVENT.validate_python(
                {
                    "kind": "stopped",
                    "run_id": run_id,
                    "seq": seq,
                    "time": "2026-03-06T12:00:00.000000Z",
                    "agent": "reflection",
                    "texts": {"error": "x" * 3000},
                }
            )
        )


def test_processes_write_to_one_store_without_loss(address):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_events, args=(address, f"run-{at}")) for at in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    found = contents(address)
    for at in range(WRITERS):
        seqs = [event.seq for event in found if event.run_id == f"run-{at}"]
        assert seqs == list(range(1, EACH + 1))


def test_store_opened_before_fork_is_shared(address, make_event):
    sink = open_events(address).sink
    sink.write(make_event(1, run_id="parent"))
    child = os.fork()
    if not child:
        try:
            sink.write(make_event(1, run_id="child"))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    sink.write(make_event(2, run_id="parent"))
    sink.close()
    assert [(event.run_id, event.seq) for event in contents(address)] == [
        ("parent", 1),
        ("child", 1),
        ("parent", 2),
    ]


@pytest.mark.parametrize("place", ["jsonl:{}/events", "sqlite:///{}/events"])
def test_store_file_is_readable_by_owner_only(place, make_event, tmp_path):
    sink = open_events(place.format(tmp_path)).sink
    sink.write(make_event())
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("events*")} == {0o600}
    sink.close()


def test_prune_removes_older_events_completely(address, make_event, tmp_path):
    sink = open_events(address).sink
    sink.write(make_event(1, time="2026-03-05T12:00:00.000000Z", texts={"error": "an old secret"}))
    sink.write(make_event(2))
    store = find_store(address)
    assert store.prune(datetime(2026, 3, 6, tzinfo=UTC)) == 1
    assert store.prune(datetime(2026, 3, 6, tzinfo=UTC)) == 0
    # An open sink continues in the new file.
    sink.write(make_event(3))
    assert [event.seq for event in contents(address)] == [2, 3]
    sink.close()
    store.close()
    # Neither the store nor a file beside it contains the removed event.
    assert [path.name for path in tmp_path.iterdir() if b"an old secret" in path.read_bytes()] == []
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_reading_continues_after_the_last_position(address, make_event):
    sink = open_events(address).sink
    sink.write(make_event(1))
    store = find_store(address)
    (first,) = store.read(growing=True)
    assert list(store.read(first.after, growing=True)) == []
    sink.write(make_event(2))
    (second,) = store.read(first.after, growing=True)
    assert (first.content.seq, second.content.seq) == (1, 2)
    # A file that was pruned in the meantime is read from its start.
    store.prune(datetime(2027, 1, 1, tzinfo=UTC))
    sink.write(make_event(3))
    assert [entry.content.seq for entry in store.read(second.after)] == [3]
    sink.close()
    store.close()


def test_line_that_does_not_fit_on_disk_leaves_file_unchanged(tmp_path, make_event):
    sink = open_events(f"jsonl:{tmp_path}/events").sink
    sink.write(make_event(1))
    size = sink.path.stat().st_size
    with full_disk(size + 100), pytest.raises(OSError, match=r"space|large"):
        sink.write(make_event(2))
    assert sink.path.stat().st_size == size
    sink.write(make_event(3))
    assert [event.seq for event in contents(f"jsonl:{tmp_path}/events")] == [1, 3]


def test_full_disk_loses_only_the_row_that_does_not_fit(tmp_path, make_event):
    address = f"sqlite:///{tmp_path}/events"
    sink = open_events(address).sink
    sink.write(make_event(1))
    large = {"error": "x" * 50_000}
    with (
        full_disk((tmp_path / "events-wal").stat().st_size + 20_000),
        pytest.raises(OSError, match="events: "),
    ):
        sink.write(make_event(2, texts=large))
    sink.write(make_event(3, texts=large))
    sink.close()
    assert [event.seq for event in contents(address)] == [1, 3]


def test_damaged_database_raises_on_read_and_does_not_stop_runs(tmp_path, make_event, approve):
    address = f"sqlite:///{tmp_path}/events"
    sink = open_events(address).sink
    for seq in range(1, 60):
        sink.write(make_event(seq, texts={"error": "x" * 900}))
    sink.close()
    log = open_events(address)
    whole = (tmp_path / "events").read_bytes()
    (tmp_path / "events").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(ConfigurationError, match=r"events: .*malformed"):
        contents(address)
    result = approve(log)
    assert (result.status, result.to_dict()["events_lost"]) == ("ok", 7)
    log.close()


def test_events_are_read_in_order_of_writing(address, make_event):
    sink = open_events(address).sink
    for seq, hour in enumerate((12, 9, 11), start=1):
        sink.write(make_event(seq, time=f"2026-03-06T{hour:02}:00:00.000000Z"))
    sink.close()
    assert [event.seq for event in contents(address)] == [1, 2, 3]
    store = find_store(address)
    assert store.prune(datetime(2026, 3, 6, 10, tzinfo=UTC)) == 1
    store.close()
    assert [event.seq for event in contents(address)] == [1, 3]


def test_repeated_event_is_stored_once_in_database(tmp_path, make_event):
    address = f"sqlite:///{tmp_path}/events"
    sink = open_events(address).sink
    for code in ("first", "again"):
        sink.write(make_event(1, code=code))
    sink.close()
    assert [event.code for event in contents(address)] == ["first"]


def test_of_runs_returns_events_of_the_given_runs(address, make_event):
    sink = open_events(address).sink
    for seq in (1, 2):
        for run_id in ("a", "b", "c"):
            sink.write(make_event(seq, run_id=run_id))
    sink.close()
    store = find_store(address)
    found = [(entry.content.run_id, entry.content.seq) for entry in store.of_runs({"a", "c", "gone"})]
    store.close()
    assert sorted(found) == [("a", 1), ("a", 2), ("c", 1), ("c", 2)]


def test_damaged_lines_are_reported_and_others_are_read(tmp_path, make_event):
    valid = make_event().model_dump_json()
    newer = valid.replace('"schema_version":1', '"schema_version":2')
    unknown = valid.replace('"stopped"', '"slept"')
    path = tmp_path / "events"
    path.write_bytes(
        b"\n".join([b"{", b"\xff", newer.encode(), unknown.encode(), b"", valid.encode(), b'{"ki'])
    )
    log = open_events(f"jsonl:{path}")
    log.sink.write(make_event(2))
    found = contents(str(path))
    reported = [(item.place.rpartition(":")[2], item.problem) for item in found if isinstance(item, Damaged)]
    assert [line for line, _ in reported] == ["1", "2", "3", "4", "7"]
    assert "has schema version 2" in reported[2][1]
    assert [event.seq for event in found if not isinstance(event, Damaged)] == [1, 2]
    # Damaged lines are not pruned.
    assert find_store(str(path)).prune(datetime(2027, 1, 1, tzinfo=UTC)) == 2
    assert len(contents(str(path))) == 5


def test_incomplete_last_line_is_skipped_while_growing(tmp_path, make_event):
    path = tmp_path / "events"
    path.write_text(f"{make_event().model_dump_json()}\n{{", encoding="utf-8")
    store = find_store(str(path))
    assert len(list(store.read(growing=True))) == 1
    *_, last = store.read()
    assert last.content == Damaged(
        place=f"{path}:2", problem="is not a complete event: the line is truncated"
    )


def test_damaged_row_is_reported(tmp_path, make_event):
    place = f"sqlite:///{tmp_path}/events"
    sink = open_events(place).sink
    sink.write(make_event(1))
    sink.write(make_event(2))
    sink.close()
    with sqlite3.connect(tmp_path / "events") as connection:
        connection.execute("UPDATE redpen_events SET event = '{' WHERE seq = 1")
    connection.close()
    first, second = contents(place)
    assert (first.place, second.seq) == (f"{tmp_path}/events: row 1", 2)


def test_newer_database_version_is_rejected(tmp_path):
    place = f"sqlite:///{tmp_path}/events"
    open_events(place).sink.close()
    with sqlite3.connect(tmp_path / "events") as connection:
        connection.execute("UPDATE redpen_meta SET value = 9")
    connection.close()
    with pytest.raises(ConfigurationError, match="has version 9, and this Redpen knows up to 1"):
        open_events(place)


def test_foreign_file_is_rejected_and_unchanged(tmp_path):
    path = tmp_path / "events"
    for content in (b"dear diary\n", b"SQLite format 3\0" + b"\0" * 100):
        path.write_bytes(content)
        for place in (f"jsonl:{tmp_path}/events", f"sqlite:///{tmp_path}/events"):
            with pytest.raises(ConfigurationError, match="events: "):
                open_events(place)
            assert path.read_bytes() == content
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.close()
    with pytest.raises(ConfigurationError, match="belongs to other software"):
        open_events(f"sqlite:///{path}")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("json:events", "did you mean `jsonl`"),
        ("sqlite:///", "neither sqlite:///PATH nor postgresql://"),
        ("postgres://ann:canary@db/x", "'postgres://…' is neither jsonl:PATH nor"),
        ("jsonl:/dev/full", "not a regular file"),
        ("jsonl:/proc/none/events", "events: "),
        ("sqlite:////proc/none/events", "events: "),
    ],
)
def test_invalid_events_address_is_rejected(place, message):
    with pytest.raises(ConfigurationError, match=message):
        open_events(place)
