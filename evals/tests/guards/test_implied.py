"""Counts, days and parts of the day that known texts imply, and those that they do not."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {"double_booked_tables": 84, "symptoms": ["tables booked for more than one guest"]}
ORIGINAL = (
    "Rent was debited twice from 610 accounts. Requests sent between 9 and 12 January are missing. Staff in "
    "the main and law libraries help. A pump seized during the night. Please enter your request again."
)


def _new(revised: str) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(ORIGINAL), context=known_context(CONTEXT))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    "revised",
    [
        "Two debits were made.",
        "Tables were booked twice.",
        "Please do not send it twice.",
        "Please avoid asking a second time.",
        "First, look. Second, ask. Third, wait.",
        "Requests sent between January 9 and January 12 are missing.",
        "Requests from the 9th to the 12th of January are missing.",
        "A pump seized overnight.",
    ],
)
def test_implied_statement_is_known(revised: str) -> None:
    assert _new(revised) == []


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Two duplicate debits were made.", ["Two"]),
        ("Three debits were made.", ["Three"]),
        ("Two libraries are shut.", ["Two"]),
        ("Staff in these three libraries help.", ["three"]),
        ("There are four faults: double rent, missing requests and a pump.", ["four"]),
        ("Requests sent between January 8 and January 12 are missing.", ["January 8"]),
        ("Requests sent from January 9 to 13 are missing.", ["13"]),
    ],
)
def test_statement_that_is_not_implied_is_new(revised: str, new: list[str]) -> None:
    assert _new(revised) == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Some bookings were made twice.", []),
        ("A pump failed twice.", ["twice"]),
        ("A pump failed a second time.", ["second"]),
        ("Bookings are twice as slow.", ["twice"]),
        ("A pump seized overnight.", ["overnight"]),
    ],
)
def test_statement_of_no_known_text_is_new(revised: str, new: list[str]) -> None:
    original = read("A pump seized. Some bookings appear as duplicates.")
    found = find_new_facts(revised=read(revised), original=original, context=known_context({}))
    assert [finding.text for finding in found] == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Would you like to learn a language this autumn?", []),
        ("Courses will be cheaper this autumn.", ["autumn"]),
        ("The lift is ready by autumn.", ["autumn"]),
        ("Would you like to learn a language this winter?", ["winter"]),
    ],
)
def test_mentioned_season_is_known_unless_something_is_due_then(revised: str, new: list[str]) -> None:
    original = read("Our autumn courses begin soon.")
    found = find_new_facts(revised=read(revised), original=original, context=known_context({}))
    assert [finding.text for finding in found] == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("The supplier sets them switch by switch (12 of 40 done).", []),
        ("The supplier sets them switch by switch (14 of 40 done).", ["14"]),
        ("12 of 40 callers get through.", ["40"]),
        ("For three of the seven a new modem is ordered.", []),
        ("For three of the nine a new modem is ordered.", ["nine"]),
        ("Groups one and two wait.", []),
        ("Group 2 waits.", []),
        ("Groups two and five wait.", ["five"]),
        ("Third update: the harbour is shut.", []),
        ("Fourth update: the harbour is shut.", ["Fourth"]),
        ("No ferries sail.", []),
        ("No buses run.", ["No buses"]),
        ("No trams run.", ["No trams"]),
        ("Two things, please: wait, and call us.", []),
        ("Two buses wait.", ["Two"]),
    ],
)
def test_part_of_whole_and_numbered_thing_are_known(revised: str, new: list[str]) -> None:
    original = read(
        "Update 3: 12 of 40 switches are set. Three of the seven terminals need a modem. The first and "
        "second group wait. The storm has stopped ferries. Wave to stop trams."
    )
    found = find_new_facts(revised=read(revised), original=original, context=known_context({}))
    assert [finding.text for finding in found] == new
