"""What is known of one thing or of some is a new fact where it is said of another, or of all."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "Orders from the web shop are delayed by 2 days; orders from the app are cancelled. Some customers in "
    "Ghent cannot log in, while customers in Bruges see old prices. Payments by card are not affected."
)
CONTEXT = {"city": "Ghent", "delay_days": 2}


def findings(revised, original=ORIGINAL):
    report = check_revision(original=original, revised=revised, context=CONTEXT)
    return [(item.code, item.family) for item in report.violations]


@pytest.mark.parametrize(
    "revised",
    [
        "Orders from the app are delayed by 2 days; orders from the web shop are cancelled.",
        "Customers in Bruges cannot log in, while some in Ghent see old prices.",
        "Web shop orders are cancelled as well.",
        "Payments by card are affected as well.",
    ],
)
def test_known_state_of_another_subject_is_a_new_fact(revised):
    assert ("no_new_facts", "scope") in findings(revised)


@pytest.mark.parametrize(
    "revised",
    [
        "Web shop orders are two days late, and those from the app are cancelled.",
        "In Ghent some customers are unable to log in; in Bruges old prices are shown.",
        "Several customers in Ghent cannot sign in.",
        "Thank you all for your patience, and to everyone who wrote to us.",
    ],
)
def test_known_state_of_the_same_subject_passes(revised):
    assert findings(revised) == []


def test_numbers_that_change_places_are_found_where_no_word_changes():
    original = "14 trains to Porto are late and 5 trains to Braga are cancelled. We are sorry."
    swapped = "5 trains to Porto are late and 14 trains to Braga are cancelled. We are sorry."
    assert any(code == "no_new_facts" for code, _ in findings(swapped, original))


def test_text_without_an_original_says_nothing_of_other_things():
    assert findings("Orders from the app are delayed by 2 days.", original="") == []


def test_changed_quantifier_is_found_once():
    assert findings("All customers in Ghent are locked out.") == [("no_new_facts", "quantifier")]


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("The lift in hall B is not running.", "The lift in hall B is running."),
        ("No deposits are returned on unused tickets.", "Deposits are returned on unused tickets."),
        ("Lessons on Friday will not be moved online.", "Lessons on Friday will be moved online."),
        ("Invoices for October do not show the discount.", "Invoices for October show the discount."),
        ("Bookings by phone are honoured.", "Bookings by phone are not honoured."),
    ],
)
def test_clause_that_loses_or_gains_only_a_denial_is_found(original, revised):
    assert ("no_new_facts", "scope") in findings(f"{revised} We are looking into it.", f"{original} We look.")


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("The lift in hall B is not running.", "The lift in hall B isn't running."),
        ("No deposits are returned on unused tickets.", "Deposits on unused tickets are never returned."),
        ("The lift in hall B is not running.", "The lift in hall B is halted."),
        ("Write to us if lessons are not shown.", "Write to us if lessons are shown, or if they are not."),
        (
            "Is the discount not shown? Send us the invoice.",
            "Is the discount shown? If not, send us the invoice.",
        ),
    ],
)
def test_denial_that_is_kept_asked_or_conditional_passes(original, revised):
    assert findings(revised, original) == []


def test_denied_scope_told_with_a_like_word_is_the_opposite_of_what_is_known():
    original = "The shop is closed. The ticket office is not affected."
    (found,) = check_revision(
        original=original, revised="The shop is closed. The ticket office is also hit.", context={}
    ).violations
    assert found.reason == "context and original say the opposite of this"


def test_what_is_only_supposed_needs_more_certainty() -> None:
    original = (
        "Mail is late. Please do not send a message again. It would only make the queue longer for everyone."
    )
    revised = original.replace("for everyone", "for all")
    assert check_revision(original=original, revised=revised, context={}).ok
    assert not check_revision(original=original, revised=f"{original} All queues are longer.", context={}).ok
