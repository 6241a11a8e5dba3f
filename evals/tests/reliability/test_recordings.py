"""Recordings under real faults: killed processes, refused writes, concurrent writers."""

from __future__ import annotations

import json

import pytest

from fault_campaigns.forked import can_fork
from fault_campaigns.recordings import (
    Recordings,
    killed_recordings,
    refused_writes,
    two_recorders,
)

pytestmark = pytest.mark.skipif(not can_fork(), reason="faults are injected into forked processes")


def test_killed_recording_leaves_cassettes_complete(tmp_path):
    assert killed_recordings(tmp_path, kills=16).broken == ()


def test_refused_writes_leave_cassettes_complete(tmp_path):
    assert refused_writes(tmp_path, tries=12).broken == ()


def test_concurrent_recorders_leave_cassettes_complete(tmp_path):
    assert two_recorders(tmp_path, rounds=4).broken == ()


class TestCampaignDetects:
    @pytest.fixture
    def prepared(self, tmp_path):
        return Recordings.prepare(tmp_path)

    def test_truncated_cassette_is_reported(self, prepared):
        path = next(iter(prepared.old))
        path.write_bytes(path.read_bytes()[:-200])
        assert len(prepared.faults()) == 1

    def test_cassette_with_missing_call_is_reported(self, prepared):
        path = next(iter(prepared.old))
        value = json.loads(path.read_bytes())
        value["calls"].pop()
        path.write_text(json.dumps(value), encoding="utf-8")
        assert prepared.faults() == (f"{path.name}: neither the old nor the new recording",)

    def test_missing_cassette_is_reported(self, prepared):
        next(iter(prepared.old)).unlink()
        assert len(prepared.faults()) == 1
