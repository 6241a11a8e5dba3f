"""Facts in questions and answers: what is asked is no fact, a bare none takes up what was asked."""

from __future__ import annotations

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read


def _codes(original: str, revised: str) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(original), context=known_context({}))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Is every screen wrong? No, 85 are so far.", []),
        ("Are all customers affected? They are not.", []),
        ("Are all customers affected? We are counting.", []),
        ("Are all customers affected? They are.", ["all customers"]),
        ("Is every screen wrong? Yes, 85 are.", ["every screen"]),
        ('"Is every screen wrong?" No, 85 are.', []),
    ],
)
def test_quantifier_in_a_question_counts_if_affirmed(revised: str, new: list[str]) -> None:
    assert _codes("Some screens are wrong, 85 so far, and some customers are affected.", revised) == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("None are stopped.", ["None"]),
        ("Are there trains? None are running.", ["None"]),
    ],
)
def test_none_takes_up_what_was_asked(revised: str, new: list[str]) -> None:
    assert _codes("P3: no new charges have been made since.", revised) == new
