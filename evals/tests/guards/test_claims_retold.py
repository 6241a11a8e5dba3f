"""Claims that the original makes may be told again: by pronoun, after "which" or "and", or as a condition."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "Some scheduled reports were sent twice, and some dashboards load slowly. The duplicate reports have "
    "been fixed in 12.1; the slow dashboards are still being worked on. Exports and chat are working as "
    "usual. Events that were delayed have been delivered in full. The stream is stable again. We are still "
    "looking for the cause of the slow dashboards."
)
CONTEXT = {"release": "12.1", "approved_actions": ["Roll back the update of the dashboards"]}
HINT = {"policy_hints": {"avoid_absolute_guarantees": True}}


def _passes(text: str, context: dict[str, object]) -> bool:
    return check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {text}", context=context).ok


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        # What the sentence before names.
        (
            "Duplicate reports annoyed many of you. That has been resolved.",
            "Dashboards load slowly. That has been resolved.",
        ),
        # But for a word without a meaning of its own.
        (
            "Events that were delayed have since been delivered in full.",
            "Dashboards that were slow have since been fixed.",
        ),
        # As the second part of a sentence.
        (
            "Thank you for waiting, and the stream is stable again.",
            "Thank you for waiting, and the picture is stable again.",
        ),
    ],
)
def test_claim_may_be_repeated_without_the_hint(told: str, untold: str) -> None:
    assert _passes(told, CONTEXT)
    assert not _passes(untold, CONTEXT)


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        (
            "You can use the chat, which is working as usual.",
            "You can use the network, which is stable again.",
        ),
        (
            "Once the cause is found and the fault is repaired, we will write again.",
            "The cause is found and the fault is repaired, so we write again.",
        ),
        (
            "We may roll back the update of the dashboards.",
            "We have since rolled back the release of last week.",
        ),
    ],
)
def test_scope_and_conditions_pass_with_the_hint(told: str, untold: str) -> None:
    # The original itself claims that the stream is stable again.
    original = ORIGINAL.replace(" The stream is stable again.", "").replace("have been fixed", "will be gone")
    original = original.replace(" Events that were delayed have been delivered in full.", "")
    for text, is_ok in ((told, True), (untold, False)):
        report = check_revision(original=original, revised=f"{original} {text}", context=CONTEXT | HINT)
        assert report.ok is is_ok, (text, report.violations)


OVER = (
    "Searches failed on 4 May. The booking page is still slow. Lumiq has replaced the disk, and the outage "
    "is over."
)


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        ("The search outage has been resolved.", "The booking page has been fixed."),
        ("Everything about searches is sorted.", "The parking meters are working again."),
        ("All well with searches again!", "The booking page runs like clockwork once more."),
    ],
)
def test_end_of_the_incident_may_be_told_in_other_words_without_the_hint(told: str, untold: str) -> None:
    assert check_revision(original=OVER, revised=f"Hello. {told}", context={}).ok
    assert not check_revision(original=OVER, revised=f"Hello. {told}", context=HINT).ok
    assert not check_revision(original=OVER, revised=f"Hello. {untold}", context={}).ok


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        # A known claim of the family in other words is no violation, a new one is.
        ("Your exports are untouched by this.", "Your bills are untouched by this."),
        ("The reason was a disk that had no room left.", "The reason was a storm over the harbour."),
        ("We will give you back the late fee.", "We will give you back the price of the trip."),
    ],
)
def test_plain_claim_may_reword_a_known_one_of_its_family(told: str, untold: str) -> None:
    original = (
        "Searches fail because a disk filled up. Exports are not affected. The late fee will be refunded. We "
        "are adding disks."
    )
    assert check_revision(original=original, revised=f"Hello. {told}", context=HINT).ok
    assert not check_revision(original=original, revised=f"Hello. {untold}", context=HINT).ok


PARTLY = (
    "Two machines in Leeds stopped on Monday. The small sorter has been working again since 9:40, after "
    "a belt was replaced. The letter scanner is still out of order. Parcels may be late."
)


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        ("Since 9:40 the small sorter has been fixed.", "Since 9:40 the letter scanner has been fixed."),
        ("The small sorter was put right at 9:40.", "The incident was put right at 9:40."),
        ("At 9:40 the small sorter was restored.", "At 9:40 all machines were restored."),
    ],
)
def test_known_partial_recovery_may_be_told_in_plain_words_with_the_hint(told: str, untold: str) -> None:
    assert check_revision(original=PARTLY, revised=f"Hello. {told}", context=HINT).ok
    assert not check_revision(original=PARTLY, revised=f"Hello. {untold}", context=HINT).ok


def test_sure_detector_takes_a_repair_with_another_noun_for_a_known_one() -> None:
    original = (
        "From 2 to 20 February the north hall was closed. The cause was a leaking gutter. The gutter was "
        "replaced on 19 February and the hall is fully open since 21 February. The south hall was not "
        "affected. The lift in the north hall is still out of order."
    )
    told = [f"{noun} was fixed on 19 February." for noun in ("The leak", "The lift", "Everything")]
    found = [check_revision(original=original, revised=f"Hello. {text}", context=HINT).ok for text in told]
    assert found == [True, False, False]


def test_clause_that_probably_claims_allows_a_plain_phrase_of_its_family() -> None:
    missed = (
        "Harrow Vale Council: a fault in our booking system means 230 bulky-waste collections for 12 March "
        "were not passed to crews. We are calling each household to rebook."
    )
    told = "Dear resident, rebooking is free of charge."
    found = {
        original: check_revision(original=original, revised=told, context=HINT).ok
        for original in (f"{missed} There is no charge for rebooking.", missed)
    }
    assert list(found.values()) == [True, False]


def test_known_claim_may_be_told_with_another_noun() -> None:
    original = (
        "I see that you were charged $84 twice for order TK-90314. Our ticketing team is looking at the "
        "duplicate charges. We will refund the second charge, and the refund can take 5 days to reach "
        "your card."
    )
    told = "I have found your order. The extra $84 is to be refunded."
    untold = "I have found your order. The hotel is to be refunded."
    found = {
        text: check_revision(original=original, revised=text, context=HINT).ok for text in (told, untold)
    }
    assert found == {told: True, untold: False}


def test_hyphenated_no_denies_nothing() -> None:
    original = "Dear member, the no-claims discount is missing from your notice."
    told = ["the no-claims discount is missing.", "no discount is missing."]
    found = [check_revision(original=original, revised=f"Dear member, {it}", context=HINT).ok for it in told]
    assert found == [True, False]
