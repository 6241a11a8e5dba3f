"""A number that changes places with another one is found by the words around it."""

from __future__ import annotations

from itertools import permutations

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

STATEMENTS = {
    "share": [
        ("{} of ticket scans are turned away at the gates", "16%"),
        ("{} of cabin keys open no door", "7%"),
        ("{} of meal vouchers print without a name", "31%"),
    ],
    "duration": [
        ("spare seats stay reserved for {}", "35 minutes"),
        ("callers to the harbour desk hold for {}", "20 minutes"),
        ("luggage from the upper deck arrives {} behind schedule", "2 hours"),
    ],
    "money": [
        ("a replacement ticket costs {}", "$9"),
        ("the pier charge comes to {}", "$3"),
        ("a locker key deposit is {}", "$25"),
    ],
}


def text(frames: list[str], values: list[str]) -> str:
    return " ".join(f"Today {frame.format(value)}." for frame, value in zip(frames, values, strict=True))


@pytest.mark.parametrize("kind", STATEMENTS)
def test_swapped_numbers_are_blocked(kind: str) -> None:
    frames = [frame for frame, _ in STATEMENTS[kind]]
    values = [value for _, value in STATEMENTS[kind]]
    original = read(text(frames, values))
    for order in permutations(values):
        revised = read(text(frames, list(order)) + " We are sorry.")
        found = find_new_facts(revised=revised, original=original, context=known_context({}))
        moved = {value for value, own in zip(order, values, strict=True) if value != own}
        assert {finding.text for finding in found} == moved


@pytest.mark.parametrize("kind", STATEMENTS)
def test_statements_may_change_places_with_their_numbers(kind: str) -> None:
    original = read(text([frame for frame, _ in STATEMENTS[kind]], [value for _, value in STATEMENTS[kind]]))
    for order in permutations(STATEMENTS[kind]):
        revised = read(text([frame for frame, _ in order], [value for _, value in order]) + " We are sorry.")
        assert find_new_facts(revised=revised, original=original, context=known_context({})) == ()


def test_number_is_bound_to_its_subject_in_the_context() -> None:
    original = read("Callers hold for 20 minutes. We think the gates work again in 50 minutes.")
    revised = read("Spare seats are held for 35 minutes. Callers hold for 20 minutes.")
    context = {"seat_hold_minutes": 35}
    assert find_new_facts(revised=revised, original=original, context=known_context(context)) == ()


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("The monthly fee rises from €34 to €38.", "The monthly fee goes from €34 to €38 for members."),
        ("Instead of 150 kW you get around 50 kW.", "Points deliver around 50 kW, not the usual 150 kW."),
        ("The 250 g tubs are recalled, 5,100 in all.", "We take 5,100 tubs of 250 g off the shelves."),
    ],
)
def test_single_number_may_stand_beside_words_of_another(original: str, revised: str) -> None:
    assert find_new_facts(revised=read(revised), original=read(original), context=known_context({})) == ()


@pytest.mark.parametrize(
    ("revised", "blocked"), [("The error rate is 6%.", False), ("6% of keys fail.", True)]
)
def test_status_of_errors_is_no_count(revised: str, blocked: bool) -> None:
    original = read("Our gateway returns 429 errors for 11% of keys.")
    found = find_new_facts(
        revised=read(revised), original=original, context=known_context({"error_rate": 0.06})
    )
    assert bool(found) == blocked
