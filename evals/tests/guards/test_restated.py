"""What the original says in a plain sentence or clause may be said again in another order."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

CONTEXT = {"policy_hints": {"avoid_absolute_guarantees": True}}
ORIGINAL = (
    "Nine branches are offline, and about 1,500 holds are delayed. "
    "The lights are on a list of works. The lift is not running."
)


def _families(revised: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    return [found.family for found in report.violations]


def test_words_of_a_sentence_without_a_claim_make_none() -> None:
    assert not _families("There are nine branches offline and about 1,500 delayed holds.")


@pytest.mark.parametrize(
    "revised",
    [
        "Nine branches are offline. The lights are on again.",
        "Nine branches are offline. The lift is running.",
        "Nine branches are offline and no longer stopped.",
    ],
)
def test_change_and_denial_make_news_of_known_words(revised: str) -> None:
    assert _families(revised) == ["resolution"]


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        (
            "Some sessions may stop early, and we look at the posts.",
            "You may find that a session stops early.",
        ),
        (
            "Homes have low pressure at the tap.",
            "The posts are shut, and pressure at the tap is low in homes.",
        ),
        (
            "Parcels are insured up to 500 euros.",
            "To report damage, write; parcels are insured up to 500 euros.",
        ),
        ("You are welcome to use the pool on floor 3.", "The pool on floor 3 is open to you."),
        ("Guests may use the staff canteen.", "The staff canteen is open to guests."),
        (
            "Look at the boards in the hall; they are right.",
            "The boards in the hall are right, so go by them.",
        ),
        ("The tag on your windscreen works as before.", "Your windscreen tag works as before."),
    ],
)
def test_one_clause_may_be_said_again(original: str, revised: str) -> None:
    assert not check_revision(original=original, revised=revised, context=CONTEXT).violations


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("The lift is being repaired, and we look at the posts.", "The lift is repaired."),
        ("Sessions may be restored by noon.", "Sessions are restored."),
        ("We hope that the lifts run well.", "The lifts run well."),
        ("The posts are shut until the pressure is normal.", "The pressure is normal."),
        ("You cannot use the pool on floor 3.", "The pool on floor 3 is open to you."),
        ("The tag on your windscreen fails.", "Your windscreen tag works as before."),
    ],
)
def test_another_tense_voice_or_mood_is_news(original: str, revised: str) -> None:
    assert check_revision(original=original, revised=revised, context=CONTEXT).violations


@pytest.mark.parametrize(
    "revised",
    [
        '"Everything works again": this is what a bank told you. We have not confirmed it.',
        'The bank that told you "everything works again" did not have this from us.',
        'You may read that "all data is safe". Please do not rely on it.',
    ],
)
def test_what_is_quoted_and_not_stood_by_is_no_claim(revised: str) -> None:
    assert not _families(revised)


@pytest.mark.parametrize(
    "revised",
    [
        '"Everything works again": this is what our engineers say.',
        "Everything works again. We have not confirmed the hour.",
    ],
)
def test_what_is_quoted_and_stood_by_is_one(revised: str) -> None:
    assert "resolution" in _families(revised)


@pytest.mark.parametrize(
    ("revised", "allowed"),
    [
        ("The reason: damage to the overhead wire by a fallen tree.", True),
        ("The reason: damage to the overhead wire by a crane.", False),
        ("We have given all homework deadlines an extra fortnight.", True),
        ("We have given all tickets an extra fortnight.", False),
    ],
)
def test_what_an_approved_action_tells_may_be_said_in_other_words(revised: str, *, allowed: bool) -> None:
    actions = ["A fallen tree damaged the overhead wire.", "Homework deadlines move by 14 days."]
    report = check_revision(
        original="Trams are late.", revised=revised, context={**CONTEXT, "approved_actions": actions}
    )
    claims = [found for found in report.violations if found.code == "restricted_claims"]
    assert (not claims) is allowed


def test_trouble_that_is_denied_is_not_the_denial_that_it_was() -> None:
    report = check_revision(
        original="Sailings are late. Boarding passes do not scan at the ramp. Crew are at work.",
        revised="Sailings are late. Boarding passes scan at the ramp without trouble. Crew are at work.",
        context=CONTEXT,
    )
    assert [found.family for found in report.violations] == ["resolution"]
