"""A key appears in no output, file or result."""

from __future__ import annotations

import json

import pytest

from fault_campaigns.canaries import canary_places, find_canaries
from fault_campaigns.forked import can_fork
from redpen_evals.records import ScenarioResult
from redpen_evals.secrecy import redact, redact_result

KEY = 'a"key\\of some length'


@pytest.mark.skipif(not can_fork(), reason="sessions are forked")
def test_echoed_key_appears_in_no_output_or_file(tmp_path):
    places = canary_places()
    assert len(places) == 18
    # The sessions run one after the other, forked from a process with all imports.
    assert find_canaries(tmp_path, places) == dict.fromkeys(places, ())


def test_key_is_replaced_in_every_text_of_a_result():
    result = ScenarioResult(
        scenario="reflection/one",
        agent="reflection",
        outcome="failed",
        reasons=(f"it says {KEY}",),
        answer=KEY,
        detail={"history": [{"draft": f"<{KEY}>"}]},
    )
    redacted = redact_result(result, KEY)
    assert json.dumps(KEY)[1:-1] not in redacted.model_dump_json()
    assert redacted.detail == {"history": [{"draft": "<[key]>"}]}
    assert redacted.outcome == "failed"


def test_short_placeholder_key_is_not_replaced():
    assert redact("none of it", "none") == "none of it"
