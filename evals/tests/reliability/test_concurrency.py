"""Runs at once come to what they come to alone."""

from __future__ import annotations

import json

import pytest

from fault_campaigns.alone import SAMPLES, Alone, run_all
from fault_campaigns.concurrency import shared_cassettes, tasks, threads, xdist_workers
from fault_campaigns.guarded_threads import guarded_threads


def test_threads_do_not_disturb_each_other(tmp_path):
    tally = threads(tmp_path, workers=8, repeats=1)
    assert (tally.broken, tally.survived) == ((), 8)


def test_tasks_of_an_event_loop_do_not_disturb_each_other(tmp_path):
    tally = tasks(tmp_path, callers=4, repeats=1)
    assert (tally.broken, tally.survived) == ((), 4)


def test_a_cassette_that_is_shared_is_whole_at_all_times(tmp_path):
    tally = shared_cassettes(tmp_path, workers=4, repeats=2)
    assert (tally.broken, tally.survived) == ((), 2)


@pytest.mark.reaches_for_network
def test_each_thread_is_held_back_by_the_guard_of_its_run(tmp_path):
    tally = guarded_threads(tmp_path, workers=8, repeats=5)
    assert (tally.broken, tally.survived) == ((), 40)


def test_workers_in_any_order_leave_the_record_of_one(tmp_path):
    tally = xdist_workers(tmp_path, counts=(2,), repeats=2)
    assert (tally.broken, tally.survived) == ((), 2)


class TestTheCampaignNotices:
    @pytest.fixture
    def alone(self, tmp_path):
        return Alone.prepare(tmp_path)

    @pytest.fixture
    def swapped(self, alone):
        """Give the file of the approval the calls of the revision, as a mixed-up client would."""
        folder = alone.layout.cassettes / "scripted" / "self-critique"
        approved, revised = folder / "approved.json", folder / "revised.json"
        value = json.loads(approved.read_bytes())
        value["calls"] = json.loads(revised.read_bytes())["calls"]
        approved.write_text(json.dumps(value), encoding="utf-8")
        return alone

    def test_the_same_again_is_no_difference(self, alone):
        again = run_all(alone.layout, samples=SAMPLES)
        assert len(again) == 12
        assert alone.differences(again) == []
        assert alone.other_calls(alone.layout) == []

    def test_the_answers_of_another_run(self, swapped):
        (line,) = swapped.differences(run_all(swapped.layout, samples=SAMPLES))
        assert line.startswith("self-critique/approved, sample 1: ")

    def test_the_calls_of_another_run(self, swapped):
        assert swapped.other_calls(swapped.layout) == [
            "self-critique/approved: the cassette holds other calls"
        ]

    def test_a_recording_that_passes_for_a_replay(self, alone):
        assert len(alone.differences(run_all(alone.layout, record=True))) == 3
