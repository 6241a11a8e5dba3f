"""A key turns up nowhere."""

from __future__ import annotations

import json

import pytest

from fault_campaigns.canaries import canary_places, find_canaries
from fault_campaigns.forked import can_fork
from redpen_evals.records import ScenarioResult
from redpen_evals.secrecy import strike, strike_from_result

KEY = 'a"key\\of some length'


@pytest.mark.skipif(not can_fork(), reason="sessions are forked")
def test_a_key_that_is_given_back_turns_up_nowhere(tmp_path):
    places = canary_places()
    assert len(places) == 18
    # One session after the other, out of one process that has everything imported.
    assert find_canaries(tmp_path, places) == dict.fromkeys(places, ())


def test_a_key_is_struck_from_every_text_of_a_result():
    result = ScenarioResult(
        scenario="reflection/one",
        agent="reflection",
        outcome="failed",
        reasons=(f"it says {KEY}",),
        answer=KEY,
        detail={"history": [{"draft": f"<{KEY}>"}]},
    )
    struck = strike_from_result(result, KEY)
    assert json.dumps(KEY)[1:-1] not in struck.model_dump_json()
    assert struck.detail == {"history": [{"draft": "<[key]>"}]}
    assert struck.outcome == "failed"


def test_a_stand_in_for_a_key_is_no_secret():
    assert strike("none of it", "none") == "none of it"
