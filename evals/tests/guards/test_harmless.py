"""Denials that the trouble does anything to readers, or that what is theirs came into other hands."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims

DENIED = (
    "The delay makes no difference to your treatment.",
    "The wrong board does not change your place in the queue.",
    "This does not dent your credit score.",
    "The delay takes nothing away from your savings.",
    "Waiting in the lanes is no hazard.",
    "The texts gave away no private details.",
    "The app never showed outsiders where a child gets off.",
    "Pupil data did not leave the portal.",
    "The logs show no sign of an intruder.",
    "Is someone else using my card? No.",
    "Is my money at risk? Not at all.",
    "The slow page, which froze at noon, has not swallowed any bookings.",
)
OPEN = (
    "We do not know whether the delay changes your treatment.",
    "The delay may not change your place in the queue.",
    "If the delay does not change your place, tell us.",
    "The letters did not leave the depot.",
    "The app does not show your bookings.",
    "We cannot say whether the texts gave away private details.",
    "Does the delay change my place?",
    "Calling does not change the queue.",
)


@pytest.mark.parametrize("text", DENIED)
def test_a_denial_that_readers_are_hit_is_a_reassurance(text: str) -> None:
    assert "reassurance" in [claim.family for claim in find_claims(text)]


@pytest.mark.parametrize("text", OPEN)
def test_what_is_open_or_amiss_is_none(text: str) -> None:
    assert "reassurance" not in [claim.family for claim in find_claims(text)]
