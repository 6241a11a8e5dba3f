"""Concurrent runs with different HTTP clients use their own cassettes."""

from __future__ import annotations

from fault_campaigns.mixed_clients import tasks, threads


def test_threads_with_mixed_clients_keep_their_calls(tmp_path):
    tally = threads(tmp_path, workers=8, repeats=2)
    assert (tally.broken, tally.survived) == ((), 16)


def test_tasks_with_mixed_clients_keep_their_calls(tmp_path):
    tally = tasks(tmp_path, workers=8, repeats=2)
    assert (tally.broken, tally.survived) == ((), 16)
