"""Blame that the writer takes in a turn of its own."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("We must answer for the losses.", "We must answer more calls."),
        ("For that we alone answer.", "For that we alone have no answer."),
        ("It is we who must answer for that before the law.", "It is you who must answer for that."),
        ("We answer for the delay.", "We cannot answer for the delay."),
        ("Here we alone answer for it.", "Here we alone answer for 12 hours a day."),
        ("We must answer for it.", "We must answer for your account desk."),
        ("Balances are out of date, an error we made.", "Balances are out of date, a change we made."),
        ("We look into the problem that we created.", "We look into the page that we created."),
        ("It is a slip we made.", "We do not know whether it is a slip we made."),
        ("Lines stop, which we could have prevented.", "Lines stop, which nobody could have prevented."),
        ("Having failed you at check-in, we will write.", "Having failed at check-in, we will write."),
        ("It is we who ruined your delivery.", "It is rain that ruined your delivery."),
        ("We misled you.", "We never misled you."),
        ("The provider bears legal responsibility.", "The provider bears part of the load."),
        ("We carry full liability for it.", "We do not carry full liability for it."),
        ("It is something we are legally answerable for.", "It is something we are open for."),
        ("Our management looked the other way.", "A passer-by looked the other way."),
        ("It is an update we had no business releasing.", "It is a street we had no business in."),
    ],
)
def test_blame_is_taken(sentence: str, near: str) -> None:
    assert "liability" in {claim.family for claim in find_claims(sentence)}
    assert "liability" not in {claim.family for claim in find_claims(near)}
