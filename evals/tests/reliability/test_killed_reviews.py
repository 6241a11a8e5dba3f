"""Processes killed during a run, and runs resumed in another process."""

from __future__ import annotations

import pytest

from fault_campaigns.forked import can_fork
from fault_campaigns.reviews import killed_reviews, killed_without_keys, resumed_runs

pytestmark = pytest.mark.skipif(not can_fork(), reason="faults are injected into forked processes")


def test_killed_runs_send_no_update_twice_and_lose_no_decision(tmp_path, database_address):
    assert killed_reviews(tmp_path, kills=20, address=database_address).broken == ()


def test_killed_runs_never_repeat_tool_without_idempotency_key(tmp_path, database_address):
    assert killed_without_keys(tmp_path, kills=8, address=database_address).broken == ()


def test_resumed_runs_equal_uninterrupted_ones(tmp_path, database_address):
    assert resumed_runs(tmp_path, runs=48, address=database_address).broken == ()
