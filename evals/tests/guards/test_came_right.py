"""Good news by the kind of its subject: the trouble, what it has hit, where it shows, and headings."""

from __future__ import annotations

import pytest

from redpen.guards.claims.unsupported import find_unsupported

ORIGINAL = (
    "Buses on some routes are running late, and the parcels on them are delayed. Sign-in to the rider app "
    "fails for some riders, and a queue has formed at the depot. We are looking into it."
)

CAME_RIGHT = (
    "The delayed parcels have been handed over.",
    "The delayed parcels have since made their way to the shops.",
    "Parcels that were staying pending have now gone out.",
    "Buses answer the rider app as they should.",
    "The delay has been made up.",
    "The queue has melted away.",
    "The queue, at first a long one, is shorter now.",
    "Late parcels have dwindled to a trickle.",
    "The late buses have made up the lost time.",
    "Riders sign in as they always have.",
    "Sign-in is as easy as it ever was.",
    "BUS-31 can be ticked off.",
    "Rider app: up and running",
    "Sign-in – working again",
    "Queue problem: done and dusted",
)
NOT_YET = (
    "The delay has grown.",
    "The queue may have melted away.",
    "The delayed parcels have made a pile.",
    "Buses should answer the rider app.",
    "The delayed parcels have not been handed over.",
    "The late buses are caught up in traffic.",
    "Our phone desk is open in the usual way.",
    "BUS-31 is still open.",
    "Rider app: not working",
    "Phone desk: open",
    "Sign-in: up to an hour late",
    "Has the queue melted away?",
    "37 reports of delayed parcels have reached us.",
    "A delayed parcel comes to 4.90 euros in the normal way.",
)


def _families(added: str) -> list[str]:
    claims = find_unsupported(f"{ORIGINAL} {added}", ORIGINAL, {"symptoms": ["buses run late"]})
    return [claim.family for claim in claims]


@pytest.mark.parametrize("added", CAME_RIGHT)
def test_trouble_that_is_said_to_be_past_is_a_resolution(added: str) -> None:
    assert "resolution" in _families(added)


@pytest.mark.parametrize("added", NOT_YET)
def test_trouble_that_lasts_and_ways_around_are_none(added: str) -> None:
    assert "resolution" not in _families(added)


def test_news_of_the_original_may_be_said_again() -> None:
    original = "Letters that were stuck behind the full belt at noon have been released. Some are late."
    revised = "Letters stuck behind the full belt at noon have been released. Some are late."
    assert not find_unsupported(revised, original, {"symptoms": ["letters are late at the depot"]})
