"""Fixtures of the review tests: a queue in each kind of database, and a settable clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from redpen.review import open_reviews


class SetClock:
    """A clock that only changes when a test moves it."""

    def __init__(self):
        self.time = datetime(2026, 3, 6, 12, tzinfo=UTC)

    def __call__(self):
        return self.time

    def move(self, **by):
        """Move the clock forwards, or backwards for negative values."""
        self.time += timedelta(**by)


@pytest.fixture
def clock():
    """Return a clock that the test moves."""
    return SetClock()


@pytest.fixture
def open_queue(database_address, clock):
    """Return a function that opens the queue of the test's database again, as another process would."""
    opened = []

    def open_one(**options):
        queue = open_reviews(database_address, **{"now": clock, **options})
        opened.append(queue)
        return queue

    yield open_one
    for queue in opened:
        queue.close()


@pytest.fixture
def queue(open_queue):
    """Return an open review queue."""
    return open_queue()
