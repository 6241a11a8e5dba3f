"""Statements that what readers have, or they themselves, are safe, whole or still there."""

from __future__ import annotations

import pytest

from redpen.guards.claims import find_claims

KEPT = (
    "Your order is in our books.",
    "Passwords remain secret.",
    "Outgoing mail is immune to the problem.",
    "The collections are well guarded throughout.",
    "Your children travel as safely as ever.",
    "The boxes stayed cold the whole way.",
    "Medical confidentiality has been maintained.",
    "Prescriptions came out of this without a scratch.",
    "Drafts that pupils had saved survived.",
    "The photos you sent, which loaded slowly, are sitting safely in your file.",
)
OPEN = (
    "Passwords may remain secret.",
    "Please keep your ticket safe.",
    "To ensure that it is on file, send it twice.",
    "Some orders are on file.",
    "We do not know if passwords remain secret.",
    "Your order is late.",
)


@pytest.mark.parametrize("text", KEPT)
def test_what_is_said_to_be_safe_is_a_reassurance(text: str) -> None:
    assert "reassurance" in [claim.family for claim in find_claims(text)]


@pytest.mark.parametrize("text", OPEN)
def test_what_is_asked_or_left_open_is_none(text: str) -> None:
    assert "reassurance" not in [claim.family for claim in find_claims(text)]
