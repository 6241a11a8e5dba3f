"""Concurrent runs match their serial results."""

from __future__ import annotations

import json

import pytest

from fault_campaigns.alone import SAMPLES, Alone, run_all
from fault_campaigns.concurrency import shared_cassettes, tasks, threads, xdist_workers
from fault_campaigns.guarded_threads import guarded_threads


def test_concurrent_threads_match_serial_results(tmp_path):
    tally = threads(tmp_path, workers=8, repeats=1)
    assert (tally.broken, tally.survived) == ((), 8)


def test_concurrent_tasks_match_serial_results(tmp_path):
    tally = tasks(tmp_path, callers=4, repeats=1)
    assert (tally.broken, tally.survived) == ((), 4)


def test_shared_cassette_is_always_complete(tmp_path):
    tally = shared_cassettes(tmp_path, workers=4, repeats=2)
    assert (tally.broken, tally.survived) == ((), 2)


@pytest.mark.reaches_for_network
def test_each_thread_is_blocked_by_its_own_network_guard(tmp_path):
    tally = guarded_threads(tmp_path, workers=8, repeats=5)
    assert (tally.broken, tally.survived) == ((), 40)


def test_xdist_workers_record_the_same_as_one_process(tmp_path):
    # That two workers replay the same is part of what `test_determinism` compares.
    tally = xdist_workers(tmp_path, counts=(2,), repeats=1)
    assert (tally.broken, tally.survived) == ((), 1)


class TestCampaignDetects:
    @pytest.fixture
    def alone(self, tmp_path):
        return Alone.prepare(tmp_path)

    @pytest.fixture
    def swapped(self, alone):
        """Give the campaign with two cassettes mixed up: the approval holds the calls of the revision."""
        folder = alone.layout.cassettes / "scripted" / "self-critique"
        approved, revised = folder / "approved.json", folder / "revised.json"
        value = json.loads(approved.read_bytes())
        value["calls"] = json.loads(revised.read_bytes())["calls"]
        approved.write_text(json.dumps(value), encoding="utf-8")
        return alone

    def test_equal_rerun_has_no_difference(self, alone):
        again = run_all(alone.layout, samples=SAMPLES)
        assert len(again) == 12
        assert alone.differences(again) == []
        assert alone.other_calls(alone.layout) == []

    def test_answers_of_another_run_are_a_difference(self, swapped):
        (line,) = swapped.differences(run_all(swapped.layout, samples=SAMPLES))
        assert line.startswith("self-critique/approved, sample 1: ")

    def test_calls_of_another_run_are_reported(self, swapped):
        assert swapped.other_calls(swapped.layout) == [
            "self-critique/approved: the cassette holds other calls"
        ]

    def test_recording_instead_of_replay_is_a_difference(self, alone):
        assert len(alone.differences(run_all(alone.layout, record=True))) == 3
