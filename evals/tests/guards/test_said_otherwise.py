"""Facts that are known in other words: counts without their noun, "no" for "without", the same two words."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {"clashing_bookings": 133, "supply_reduction_pct": 40, "affected_businesses": 58}
ORIGINAL = (
    "Some van bookings went to more than one driver. We have found 133 bookings of this kind, involving 41 "
    "vans. 640 bookings were charged without a seat number. Gas for 58 businesses in Slovenia has been "
    "reduced by 40%. We inform you before each change of supply."
)


def _new(revised: str, original: str = ORIGINAL, context: dict[str, Any] = CONTEXT) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(original), context=known_context(context))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    "revised",
    [
        "Some van bookings, 133 that we've found, went to more than one driver.",
        "Your booking may have no seat number.",
        "We deliver 40% less gas to 58 businesses in Slovenia.",
        "Ahead of each change of supply you hear from us.",
        "That is only an outlook.",
    ],
)
def test_reworded_statement_is_known(revised: str) -> None:
    assert not _new(revised)


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Some bookings went to more than one driver, 134 found so far.", ["134"]),
        ("133 open vans are involved.", ["133"]),
        ("No booking was charged.", ["No booking"]),
        ("Each business in Slovenia has less gas.", ["Each business"]),
        ("Write to us with Outlook.", ["Outlook"]),
    ],
)
def test_other_number_subject_or_name_is_new(revised: str, new: list[str]) -> None:
    assert _new(revised) == new


EVENT: dict[str, Any] = {"approved_actions": ["Booking fees are waived for this concert."]}
NOTICE = (
    "The coach of Year 9 is late and tank 6 is empty. Some guests were charged without getting a ticket. "
    "Parcels have not been delivered. A few cards were not read. "
    "The desk is open from 09:00 to 17:00. We are adding 40 Linux runners; macOS runners "
    "are busy."
)


@pytest.mark.parametrize(
    "revised",
    [
        "Year 9 parents, please wait.",
        "Tank 6 is empty.",
        "Some guests were charged and got no ticket.",
        "No parcel was delivered.",
        "You pay no booking fees.",
        "The desk is open 9 to 5.",
        "Our staff are at the desk between 9 and 5.",
        "Please don't hold us to a day.",
        "You may choose another day.",
    ],
)
def test_known_label_denial_and_hours_are_no_new_facts(revised: str) -> None:
    assert _new(revised, NOTICE, EVENT) == []


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Year 8 parents, please wait.", ["8"]),
        ("Tank 7 is empty.", ["7"]),
        ("We are adding 40 macOS runners.", ["40"]),
        ("No card could be read.", ["No card"]),
        ("The desk is open 9 to 3.", ["3"]),
        ("The desk is open for a day.", ["a day"]),
        ("Wait another day.", ["day"]),
    ],
)
def test_other_label_denial_hours_and_lengths_are_new(revised: str, new: list[str]) -> None:
    assert _new(revised, NOTICE, EVENT) == new


LISTED = "The oven and the hob are recalled under TR-25B. Call 01632 960 145 or wait for the next day's post."


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Two items are recalled: the oven and the hob.", []),
        ("Two technicians are on the oven and the hob.", ["Two"]),
        ("Two are recalled.", ["Two"]),
        ("Look for tr-25b.", []),
        ("Look for tr-26b.", ["26b"]),
        ("Call 01632960145.", []),
        ("Call 01632960146.", ["01632960146"]),
        ("The following day's post may help.", []),
        ("The following week's post may help.", ["following week's"]),
    ],
)
def test_listed_things_codes_phones_and_days_in_other_words(revised: str, new: list[str]) -> None:
    assert _new(revised, LISTED, {}) == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("No dinner for 6 tonight.", []),
        ("No dinner for 7 tonight.", ["7 tonight"]),
        ("Nine people told us that theirs ran hot.", []),
        ("It is worth a tenth off.", []),
        ("The desk is open until five (17:00).", []),
        ("It takes an estimated hour and a half.", []),
    ],
)
def test_a_table_for_six_tonight_is_no_time(revised: str, new: list[str]) -> None:
    original = "Your table for 6 is off. We have had 9 reports of overheating. The desk is open until 17:00."
    assert _new(revised, original, {"discount_pct": 10, "eta_minutes": 90}) == new


PLATFORMS = (
    "Push messages to Android phones are late, and rated games fail in the iOS app. 31% of invitations are "
    "in spam folders. Meal kits are late today. About 900 boxes wait. 212 payouts are in the queue. Open a "
    "ticket by 31 October. 11 of the double bookings are for the hydrotherapy pool and 26 are for the "
    "treatment rooms."
)


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Messages to Android phones and iPhones are late.", []),
        ("Messages to an Android phone and your iPhone are late.", []),
        ("Games fail on Windows.", ["Windows"]),
        ("Games fail on Android, Linux and macOS.", ["Linux", "macOS"]),
        ("Windows stay closed while the crew works.", []),
        ("**Outlook:** the games are looked at.", []),
        ("Mail in Outlook fails.", ["Outlook"]),
        ("31% of those sent to you are in spam folders.", []),
        ("31% of messages sent to you are in spam folders.", ["31%"]),
        ("About 900 meal kits wait.", []),
        ("About 900 drivers are late.", ["900"]),
        ("212 waiting payouts are in the queue.", []),
        ("Last day to open a ticket: 31 October.", []),
        ("Today is the last day to open a ticket.", ["last day"]),
        ("26 of the double bookings are for the treatment rooms and 11 for the hydrotherapy pool.", []),
        (
            "26 of the double bookings are for the hydrotherapy pool and 11 are for the treatment rooms.",
            ["26", "11"],
        ),
    ],
)
def test_platforms_labels_and_nouns_beside_numbers(revised: str, new: list[str]) -> None:
    assert _new(revised, PLATFORMS, {}) == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [("Check-in fails on your iPad.", []), ("Check-in fails on your iPad and on Android.", ["Android"])],
)
def test_known_name_may_be_singular_or_plural(revised: str, new: list[str]) -> None:
    assert _new(revised, original="Check-in fails on iPads.", context={}) == new
