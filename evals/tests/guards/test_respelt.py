"""Identifiers and phone numbers keep their verdict in any spelling, and lose it with one digit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.facts.respelt import same_phone, short_names
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {"incident_id": "OPS-70352", "region": "UK", "phone": "0808 157 0192"}
ORIGINAL = "Some lifts are stuck. Quote OPS-70352 or call 0808 157 0192."


def codes(text: str) -> list[str]:
    found = find_new_facts(revised=read(text), original=read(ORIGINAL), context=known_context(CONTEXT))
    return [finding.code for finding in found]


@given(
    st.lists(st.sampled_from(["", " ", "-", "."]), min_size=3, max_size=3),
    st.sampled_from(["Call {}.", "Ring {}, please.", "Phone: {}", "Our number is {}; try it."]),
)
def test_regrouped_phone_number_is_known(marks: list[str], frame: str) -> None:
    groups = ["0808", "157", "01", "92"]
    number = "".join(group + mark for group, mark in zip(groups, [*marks, ""], strict=True))
    assert codes(frame.format(number)) == []


@given(st.integers(0, 10), st.integers(1, 9))
def test_phone_number_with_another_digit_is_new(place: int, step: int) -> None:
    digits = "08081570192"
    other = str((int(digits[place]) + step) % 10)
    changed = digits[:place] + other + digits[place + 1 :]
    assert codes(f"Call {changed[:4]} {changed[4:7]} {changed[7:]}.") != []


@pytest.mark.parametrize(
    ("number", "regions", "expected"),
    [
        ("0808 157 0192", ["uk"], "8081570192"),
        ("+44 808 157 0192", ["uk"], "8081570192"),
        ("0044 808 157 0192", ["uk"], "8081570192"),
        ("+33 808 157 0192", ["uk"], "+338081570192"),
        ("1 (888) 555-0147", ["us"], "8885550147"),
        ("888.555.0147", ["us"], "8885550147"),
        ("12", ["us"], ""),
    ],
)
def test_phone_number_has_one_canonical_form(number: str, regions: list[str], expected: str) -> None:
    assert same_phone(number, regions) == expected


@given(
    st.sampled_from(["OPS", "ops", "Ops"]),
    st.sampled_from(["-", " ", "_", "", " #", "–"]),
    st.sampled_from(["Quote {}.", "This is {} (open).", "Your reference: {}"]),
)
def test_identifier_may_be_spaced_or_joined(letters: str, mark: str, frame: str) -> None:
    assert codes(frame.format(f"{letters}{mark}70352")) == []


@pytest.mark.parametrize("text", ["Quote ops-7035.", "Quote OPS-70352-2.", "See case 70353."])
def test_another_number_after_its_letters_is_another_identifier(text: str) -> None:
    assert codes(text) == ["new_incident_id"]


def test_identifier_has_short_names() -> None:
    assert list(short_names("pay_2026_081")) == ["pay2026081", "081"]
    assert list(short_names("outage")) == ["outage"]


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Trains have stood since 16.10.", []),
        ("From 16.10 onwards there are no trains.", []),
        ("From 16.20 onwards there are no trains.", ["16.20"]),
        ("Under 18s travel free.", []),
        ("Under 16s travel free.", ["16s"]),
        ("The reply took 18s.", ["18s"]),
        ("Open tickets: 15.", []),
        ("Open tickets: 14.", ["14"]),
        ("138 organisations wait.", []),
        ("183 organisations wait.", ["183"]),
        ("2.1m events wait.", []),
        ("2.2m events wait.", ["2.2m"]),
        ("Trains stood at 16:10 CET.", []),
        ("Trains stood at 16:10 PST.", ["16:10 PST"]),
        ("Breakfast is from 7 am to 10:30 am.", []),
        ("Breakfast is from 8 am to 10:30 am.", ["8 am"]),
        ("Cars of the years 2023 to 2025.", []),
        ("Cars of the years 2022 to 2025.", ["2022"]),
        ("6,200 cars wait.", []),
        ("6,200 events wait.", ["6,200"]),
    ],
)
def test_number_in_another_form_keeps_its_verdict(revised: str, new: list[str]) -> None:
    original = read(
        "All times are CET. No trains since 16:10. Visitors under 18 travel free. About 2.1 million events "
        "wait, and 6,200 Tarn 1.6 Estate cars, built 2023-2025. Breakfast is "
        "served from 7 to 10:30 am."
    )
    context = known_context({"affected_orgs": 138, "tickets_opened": 15})
    found = find_new_facts(revised=read(revised), original=original, context=context)
    assert [finding.text for finding in found] == new


def test_time_without_zone_may_be_of_the_only_zone_that_is_named() -> None:
    new = read("Trains stood at 16:10 UTC.")
    one, two = (
        read("Timeline (UTC)\n16:10 Trains stop."),
        read("Trains stop at 16:10, buses at 12:00 UTC and 13:00 CET."),
    )
    known = known_context({})
    assert find_new_facts(revised=new, original=one, context=known) == ()
    assert find_new_facts(revised=new, original=two, context=known) != ()
