"""The floor: each row of ``phrases.yaml`` blocks its example and lets the other pass."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims.clauses import Known, sentences_of
from redpen.guards.claims.floor import judge_phrases
from redpen.guards.claims.phrases import FAMILIES, Phrase, floor

NOTHING = Known("", (), (), inherit=False)
ROWS = [pytest.param(row, id=f"{row.family}: {row.block}") for row in floor().rows]


def _new(text: str, known: Known = NOTHING) -> list[Phrase]:
    judged = judge_phrases(sentences_of(text), known)
    return [item.hit.phrase for item, verdict in judged if verdict in ("new", "reworded")]


@pytest.mark.parametrize("row", ROWS)
def test_row_blocks_and_passes_its_examples(row: Phrase) -> None:
    assert row in _new(row.block)
    assert row not in _new(row.passes)


def test_every_family_has_rows() -> None:
    assert {row.family for row in floor().rows} == set(FAMILIES)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("Late fees will be refunded within 5 days.", "We will refund late fees within 5 days."),
        ("Tell customers that search is restored.", "Search is restored."),
    ],
)
def test_claim_of_an_approved_action_passes(action: str, text: str) -> None:
    assert _new(text)
    assert not _new(text, Known("We are sorry.", (action,), (), inherit=False))


@pytest.mark.parametrize(
    ("action", "is_promised"), [("Restore the readings", True), ("Work to restore the readings", False)]
)
def test_recovery_is_promised_only_by_an_action_that_is_it(action: str, is_promised: bool) -> None:
    known = Known("Some readings are missing.", (action,), (), inherit=False)
    assert bool(_new("Your readings will be restored.", known)) is not is_promised


@pytest.mark.parametrize(
    "text",
    [
        "Most of it has arrived so far, and we promise that more will follow.",
        "We will reimburse you if you cannot come.",
    ],
)
def test_claim_beside_words_that_leave_nothing_open_is_affirmed(text: str) -> None:
    assert _new(text)


@pytest.mark.parametrize(
    ("action", "passes"),
    [("We are rolling back the latest release.", False), ("We have rolled back the latest release.", True)],
)
def test_approved_step_is_done_only_if_the_action_says_so(action: str, passes: bool) -> None:
    original = "Sign-in is slow. We are rolling back the latest release."
    revised = "Sign-in is slow. We have rolled back the latest release."
    context = {"approved_actions": [action], "policy_hints": {"avoid_absolute_guarantees": True}}
    assert check_revision(original=original, revised=revised, context=context).ok is passes


def test_step_that_is_approved_and_under_way_is_not_done() -> None:
    original = "Some gift cards cannot be redeemed. We are rolling back the update to the voucher service."
    revised = original.replace("are rolling", "have rolled")
    context = {"approved_actions": ["Roll back the voucher service update"]}
    found = check_revision(original=original, revised=revised, context=context).violations
    assert [item.family for item in found] == ["resolution"]
    assert check_revision(original=revised, revised=revised + " We are sorry.", context=context).ok


def test_trouble_of_the_same_subject_is_no_claim_that_it_is_over() -> None:
    original = "The lift in the east wing is out of service. A technician has been called."
    revised = "A technician has been called, and the lift in the east wing is running again."
    found = check_revision(original=original, revised=revised, context={}).violations
    assert [item.family for item in found] == ["resolution"]


@pytest.mark.parametrize("inherit", [True, False])
def test_claim_of_the_original_passes_without_the_hint(inherit: bool) -> None:
    original = "The incident is resolved. We are sorry for the trouble."
    known = Known(original, (), (), inherit=inherit)
    assert bool(_new("The incident has been resolved.", known)) is not inherit


def test_known_scope_passes_and_other_scope_is_blocked_with_the_hint() -> None:
    known = Known("Card payments fail. Bank transfers are not affected.", (), (), inherit=False)
    assert not _new("Bank transfers remain unaffected.", known)
    assert _new("Wallet payments are not affected.", known)


@pytest.mark.parametrize(
    "text",
    [
        "Payments are restored only once the bank agrees.",
        "Payments are restored, which is wrong.",
        "We would like to say it is fixed, but that would be premature.",
        "About your refund: it depends on the parcel.",
        "Compensation depends on the rules of the regulator.",
        "We cannot say so for certain.",
        "Our Guarantee\n\nWe wait.",
        "Compensation and refunds\n\nWe will write.",
        "Please see Money-Back Guarantee Terms for details.",
    ],
)
def test_claim_taken_back_or_in_a_name_is_not_affirmed(text: str) -> None:
    assert [verdict for _, verdict in judge_phrases(sentences_of(text), NOTHING)]
    assert not _new(text)


@pytest.mark.parametrize(
    ("original", "is_well"),
    [
        ("Exports work normally.", True),
        ("Exports do not work normally.", False),
        ("We hope that exports work normally.", False),
    ],
)
def test_scope_follows_only_from_a_subject_that_works(original: str, is_well: bool) -> None:
    known = Known(original, (), (), inherit=True)
    assert bool(_new("Exports are not affected.", known)) is not is_well


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("The delay is due to a full disk on one node.", "The delay is due to a bad driver on one node."),
        (
            "Exports of large monthly reports to your storage fail in the US.",
            "Exports of large monthly reports to your storage fail in the US due to a disk.",
        ),
        ("Linux jobs are not affected.", "Linux jobs and exports are not affected."),
        ("We will refund the fee.", "We will refund the fee and the groceries."),
        ("We have rolled back the sync service.", "The sync service is starting to recover."),
    ],
)
def test_known_claim_does_not_allow_another_claim_or_a_second_subject(original: str, text: str) -> None:
    known = Known(original, (), (), inherit=True)
    assert _new(text, known)
    assert not _new(original, known)


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("We cannot offer refunds for this.", "We offer refunds for this."),
        ("We do not refund the fee.", "We refund the fee."),
        ("Are exports unaffected?", "Exports are unaffected."),
        ("Exports are affected.", "Exports are not affected."),
        ("Your data is not safe.", "Your data is safe."),
        ("Whether data was lost is not known.", "No data was lost."),
        ("We do not say that it is our fault.", "It is our fault."),
        ("Exports are not fixed.", "Exports are fixed."),
    ],
)
def test_known_words_in_another_polarity_allow_no_claim(original: str, text: str) -> None:
    assert _new(text, Known(original, (), (), inherit=True))


@pytest.mark.parametrize(
    ("step", "whole"),
    [
        ("We have corrected the table.", "We have fixed the problem."),
        ("The release has been rolled back.", "The service has been restored."),
        ("The cable has been repaired.", "Payments have been restored."),
    ],
)
def test_known_step_passes_and_full_recovery_is_blocked_with_the_hint(step: str, whole: str) -> None:
    original = f"Bills are too high. {step} {whole}"
    assert not _new(f"{step} We go on.", Known(original, (), (), inherit=False))
    assert _new(f"{whole} We go on.", Known(original, (), (), inherit=False))


@pytest.mark.parametrize(
    ("text", "is_news"),
    [
        ("The kettle in our kitchen has been repaired.", True),
        ("The roof of our canteen has been fixed.", True),
        ("The lift in our office is back in service.", True),
        ("Card payments have been restored.", False),
        ("Everything has been repaired.", False),
        ("The failures were caused by ink.", False),
        ("We guarantee annuities.", False),
        ("Please note that this disruption is over - thank you.", False),
    ],
)
def test_plain_phrase_in_unrelated_news_is_a_concern(text: str, is_news: bool) -> None:
    original = "Card payments fail. We are looking into it."
    report = check_revision(original=original, revised=f"{original} {text}", context={})
    assert report.ok == is_news
    if is_news:
        assert [item.code for item in report.concerns] == ["new_statement"]


def test_doubtful_row_is_a_concern() -> None:
    report = check_revision(original="Cards fail.", revised="Cards fail. No action is required.", context={})
    assert report.ok
    assert [item.code for item in report.concerns] == ["new_statement"]


def test_violation_lists_its_words() -> None:
    revised = "Payments fail. The incident is now resolved, as far as we see."
    (found,) = check_revision(original="Payments fail.", revised=revised, context={}).violations
    assert (found.code, found.family) == ("restricted_claims", "resolution")
    assert found.text == "is now resolved"
    assert revised[slice(*found.span)] == found.text


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("Git operations and the web interface are unaffected.", True),
        ("The web interface stays unaffected.", True),
        ("Git operations and the API are unaffected.", False),
        ("Webhooks and Git operations are unaffected.", False),
    ],
)
def test_known_scope_of_several_things_may_be_told_again(revised: str, passes: bool) -> None:
    original = "Webhooks are late, and hooks on forks are lost."
    context = {"scope": "The web interface and Git operations are not affected."}
    found = check_revision(original=original, revised=f"{original} {revised}", context=context)
    assert found.ok is passes


@pytest.mark.parametrize(
    ("answer", "approved", "passes"),
    [
        ("Yes, points lost through a failed start are given back.", True, True),
        ("Yes, you will.", False, False),
    ],
)
def test_question_is_a_claim_only_if_the_answer_makes_none_itself(
    answer: str, approved: bool, passes: bool
) -> None:
    original = "Players wait longer for a match."
    actions = ["Points lost through a failed start are given back."] if approved else []
    revised = f"{original} Will I get my points back? {answer}"
    found = check_revision(original=original, revised=revised, context={"approved_actions": actions})
    assert found.ok is passes


@pytest.mark.parametrize(
    ("following", "passes"),
    [("Text messages are sent without a fee.", False), ("That is not true.", True)],
)
def test_claim_of_others_is_taken_back_only_by_what_refers_to_it(following: str, passes: bool) -> None:
    original = "Codes are late. The desk waits for the network. Text messages are sent without a fee."
    claim = "The desk is waiting to hear from the network, and codes will certainly be on time again."
    revised = f"Codes are late. {claim} {following}"
    assert check_revision(original=original, revised=revised, context={}).ok is passes


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("Please bring your vouchers to a staffed till, as our self-checkouts can't take them.", True),
        ("Self-checkouts cannot take vouchers today, so we hand out vouchers for a coffee.", False),
        ("Self-checkouts cannot take vouchers today. Compensation is on its way.", False),
    ],
)
def test_what_the_original_is_about_may_be_mentioned(revised: str, passes: bool) -> None:
    original = "Self-checkouts cannot take vouchers today. Please go to a staffed till."
    assert check_revision(original=original, revised=revised, context={}).ok is passes


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("Express parcels have a building of their own, so they are not affected.", True),
        ("Do you wait for an express parcel? Those are unaffected.", True),
        ("Letters have a building of their own, so they are not affected.", False),
        ("Do you wait for a letter? Those are unaffected.", False),
        ("You may change the address of your parcel, free of charge.", True),
        ("We repaint the door of your house, free of charge.", False),
    ],
)
def test_claim_without_a_subject_is_read_with_the_clauses_beside_it(revised: str, passes: bool) -> None:
    original = (
        "Parcels are late. Express parcels are not affected. A change of the address is free of charge."
    )
    context = {"policy_hints": {"avoid_absolute_guarantees": True}}
    assert check_revision(original=original, revised=f"{original} {revised}", context=context).ok is passes


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("The index was split and the incident is resolved.", True),
        ("The index was split and CL-950 is resolved.", True),
        ("The index was split and the loans are resolved.", False),
        ("Yes, we have split it.", True),
        ("Yes, we have repaired it.", True),
        ("Yes, we have replaced the disk.", False),
    ],
)
def test_known_recovery_and_step_may_be_told_with_a_pronoun_or_the_identifier(
    revised: str, passes: bool
) -> None:
    original = "Searches were slow. We have split the index, and the incident is resolved."
    found = check_revision(original=original, revised=f"Hello. {revised}", context={"incident_id": "CL-950"})
    assert found.ok is passes


@pytest.mark.parametrize(
    ("original", "revised", "passes"),
    [
        (
            "Check-in at the port and tickets are not affected.",
            "Tickets are not, nor is check-in at the port.",
            True,
        ),
        ("Check-in at the port is open.", "Check-in at the port is not open.", False),
    ],
)
def test_denial_opposes_a_statement_and_no_mere_subject(original: str, revised: str, passes: bool) -> None:
    found = check_revision(original=original, revised=f"Hello. {revised}", context={}).violations
    assert ("the opposite" not in "".join(item.reading for item in found)) is passes


@pytest.mark.parametrize("text", ["About 300 fees were refunded.", "A refund follows within the week."])
def test_amount_or_a_later_date_leaves_no_commitment_open(text: str) -> None:
    assert "commitment" in {phrase.family for phrase in _new(text)}


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("Cinema and cabin upgrades are not affected.", True),
        ("For urgent help dial 911, which is not affected.", True),
        ("Bookings go ahead and the cinema is not affected.", True),
        ("Card terminals and cabin upgrades are not affected.", False),
        ("Cinema and restaurant are not affected.", False),
    ],
)
def test_context_says_without_a_verb_what_is_not_affected(revised: str, passes: bool) -> None:
    original = "Card terminals fail. Bookings go ahead."
    context = {"not_affected": ["cinema", "cabin upgrades", "911 line"]}
    assert check_revision(original=original, revised=f"{original} {revised}", context=context).ok is passes


@pytest.mark.parametrize(
    ("answer", "passes"),
    [("No, the repair is under way.", True), ("No repair is under way.", False)],
)
def test_answer_is_a_clause_of_its_own(answer: str, passes: bool) -> None:
    original = "The pump broke. The repair is under way."
    revised = f"The pump broke. Is it fixed? {answer}"
    assert check_revision(original=original, revised=revised, context={}).ok is passes
