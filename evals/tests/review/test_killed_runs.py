"""Processes that are killed while a run goes on: nothing is sent twice, nothing that was decided is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3

import pytest

from fault_campaigns.forked import can_fork, in_child
from redpen import decide_review, resume_run
from redpen.events import open_events
from redpen.events.places import find_store
from redpen.review import Decision, open_reviews
from review_runs import Countdown, Outbox, act, comparable, open_killing

pytestmark = pytest.mark.skipif(not can_fork(), reason="needs fork")

POINTS = 200
KILLED = -9


class Case:
    """A run in a folder of its own, that waits for a person, and what is made of it there."""

    def __init__(self, folder, *, keyed=True):
        self.folder = folder
        self.keyed = keyed
        self.address = f"sqlite:///{folder}/reviews.db"
        self.events = f"sqlite:///{folder}/events.db"

    @property
    def outbox(self):
        return Outbox(self.folder / "sent.jsonl")

    def start(self):
        """Have the run stop for a person, and note its review."""
        log = open_events(self.events)
        result = act(self.address, tools=self.outbox.tools(keyed=self.keyed), events=log)
        log.close()
        (self.folder / "id").write_text(result.review_id)

    def copy(self, folder):
        shutil.copytree(self.folder, folder)
        return Case(folder, keyed=self.keyed)

    @property
    def review_id(self):
        return (self.folder / "id").read_text()

    def decide(self, countdown):
        decide_review(open_killing(self.address, countdown), self.review_id, Decision(kind="approve", by="ann"))
        # Whoever decides is told so.
        (self.folder / "told").touch()

    def resume(self, countdown):
        outbox = Outbox(self.folder / "sent.jsonl", countdown)
        result = resume_run(
            open_killing(self.address, countdown),
            self.review_id,
            tools=outbox.tools(keyed=self.keyed),
            events=open_events(self.events),
        )
        (self.folder / "result.json").write_text(json.dumps(result.to_dict()))

    def work(self, left=-1):
        """Decide and resume in a child, which is killed at a point; returns how it ended."""

        def work():
            countdown = Countdown(left)
            self.decide(countdown)
            self.resume(countdown)
            (self.folder / "points").write_text(str(countdown.passed))

        return in_child(work)

    @property
    def result(self):
        return json.loads((self.folder / "result.json").read_text())

    @property
    def told_events(self):
        store = find_store(self.events)
        try:
            return [(entry.content.seq, entry.content.kind, entry.content.code) for entry in store.read()]
        finally:
            store.close()


@pytest.fixture(scope="module")
def prepare(tmp_path_factory):
    """Give a function that prepares a case, and what comes of it where nobody is killed."""

    # What the guards read once a process, children have from here.
    act(lambda _: Decision(kind="approve", by="ann"))

    def make(*, keyed):
        case = Case(tmp_path_factory.mktemp("prepared"), keyed=keyed)
        in_child(case.start)
        whole = case.copy(case.folder.with_name(f"{case.folder.name}-whole"))
        assert whole.work() == 0
        return case, whole

    return make


def check_databases(case):
    for name in ("reviews.db", "events.db"):
        connection = sqlite3.connect(case.folder / name)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def kill_points(whole):
    """Return 200 points of a run, spread over all that it has; those that are left over are killed twice."""
    points = int((whole.folder / "points").read_text())
    return [(1 + at % points, at // points) for at in range(POINTS)]


def test_no_update_is_sent_twice_and_no_decision_is_lost_at_200_points(prepare, tmp_path):
    case, whole = prepare(keyed=True)
    killed = 0
    for number, (point, again) in enumerate(kill_points(whole)):
        broken = case.copy(tmp_path / str(number))
        assert broken.work(point) == KILLED
        killed += 1
        was_told = (broken.folder / "told").exists()
        review = open_reviews(broken.address).get(broken.review_id)
        assert review.status in ({"approved"} if was_told else {"approved", "pending"})
        # A second one is killed too, a few steps on; then one is let through.
        if again:
            broken.work(point // 2 + again)
        assert broken.work() == 0
        check_databases(broken)
        assert comparable(broken.result) == comparable(whole.result)
        sent = broken.outbox.sent
        assert (len(sent), len({one["key"] for one in sent})) == (2, 2)
        assert broken.told_events == whole.told_events
        shutil.rmtree(broken.folder)
    assert killed == POINTS


def test_a_tool_without_a_key_is_never_called_twice(prepare, tmp_path):
    case, whole = prepare(keyed=False)
    points = int((whole.folder / "points").read_text())
    unknown = 0
    for point in range(1, points + 1, 2):
        broken = case.copy(tmp_path / str(point))
        assert broken.work(point) == KILLED
        before = len(broken.outbox.sent)
        assert broken.work() == 0
        sent = len(broken.outbox.sent)
        if broken.result["stop_reason"] == "tool_outcome_unknown:send_status_update":
            unknown += 1
            assert sent == before
            asked = open_reviews(broken.address).get(broken.result["review_id"])
            assert (asked.kind, asked.status) == ("call", "pending")
        else:
            assert (sent, broken.result["stop_reason"]) == (2, "success")
        shutil.rmtree(broken.folder)
    assert unknown > 0
