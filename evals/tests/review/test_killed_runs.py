"""Processes that are killed while a run goes on, and runs that go on in another process."""

from __future__ import annotations

import pytest

from fault_campaigns.forked import can_fork
from fault_campaigns.reviews import killed_reviews, killed_without_keys, resumed_runs

pytestmark = pytest.mark.skipif(not can_fork(), reason="faults are injected into forked processes")


def test_no_update_is_sent_twice_and_no_decision_is_lost(tmp_path, database_address):
    assert killed_reviews(tmp_path, kills=20, address=database_address).broken == ()


def test_a_tool_without_a_key_is_never_called_twice(tmp_path, database_address):
    assert killed_without_keys(tmp_path, kills=8, address=database_address).broken == ()


def test_resumed_runs_end_as_uninterrupted_ones(tmp_path, database_address):
    assert resumed_runs(tmp_path, runs=48, address=database_address).broken == ()
