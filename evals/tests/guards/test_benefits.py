"""Benefits that an approved action gives, told in other words."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = "Some members were charged twice. Sailings are cancelled. We are looking into it."


def _is_allowed(action: str, sentence: str) -> bool:
    context = {"approved_actions": [action], "policy_hints": {"avoid_absolute_guarantees": True}}
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=context)
    return not [found for found in report.violations if found.code == "restricted_claims"]


ACTIONS = {
    "duplicate": "Refund duplicate charges of $39 within 5 business days",
    "deadline": "Extend the filing deadline by 14 days to May 26, 2026",
    "rebooking": (
        "Passengers may rebook without a fee until 3 March 2026. "
        "Refunds are paid within 10 days to those who do not travel."
    ),
    "penalty": "Waive late-filing penalties",
    "pass": "Give affected members one free guest pass",
    "fare": "The fare of €12 is refunded to those who do not want to wait.",
    "credit": "Credit $9 for each late box",
    "journey": "Travel costs for a wasted journey are reimbursed on production of the ticket.",
    "commission": "The commission of 9 June 2026 is not charged to merchants.",
    "deposit": "Deposits of 60 dollars are returned to owners who cancel.",
    "tokens": "Each player receives 500 tokens as compensation on 20 July 2026.",
    "sample": "Where the lab asks for a repeat sample, it is taken at no cost to the patient",
    "bill": "Bills of affected households are credited with 15 dollars.",
}


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("duplicate", "You will get your money back for the duplicate charge."),
        ("duplicate", "We're returning the duplicate charge to you."),
        ("duplicate", "The second charge of $39 goes back to your card."),
        ("duplicate", "Duplicate charges are being paid back."),
        ("duplicate", "We will reimburse duplicate charges."),
        ("duplicate", "You are entitled to have the duplicate charge returned."),
        ("duplicate", "Every duplicate charge will be credited back to the card it came from."),
        ("duplicate", "You can claim the duplicate charge back."),
        ("duplicate", "Here is how we are making up for it: the duplicate charge is refunded."),
        ("duplicate", "We'll put the $39 back on your card."),
        ("deadline", "You now have until May 26, 2026 to file."),
        ("deadline", "The filing deadline has moved to May 26, 2026."),
        ("deadline", "You have 14 more days to file."),
        ("deadline", "We have added 14 days to the filing deadline."),
        ("deadline", "We've given you another 14 days to file."),
        ("deadline", "The deadline for filing is now May 26, 2026, 14 days later than before."),
        ("deadline", "You get an extra 14 days for filing."),
        ("deadline", "We are allowing 14 additional days to file."),
        ("rebooking", "Rebooking is free until 3 March 2026."),
        ("rebooking", "Until 3 March 2026 it costs you nothing to rebook."),
        ("rebooking", "You can change your booking at no cost until 3 March 2026."),
        ("rebooking", "If you do not travel, we pay your money back within 10 days."),
        ("rebooking", "Not travelling? You will be refunded within 10 days."),
        ("rebooking", "If you decide not to travel, you get your money back within 10 days."),
        ("rebooking", "You may rebook free of charge until 3 March 2026."),
        ("rebooking", "There is no fee for rebooking until 3 March 2026."),
        ("rebooking", "No rebooking fee applies until 3 March 2026."),
        ("rebooking", "We charge nothing for rebooking until 3 March 2026."),
        ("penalty", "You won't be penalised for filing late."),
        ("penalty", "No penalty applies to late filing."),
        ("penalty", "We're not charging any late-filing penalty."),
        ("penalty", "Filing late will cost you nothing."),
        ("penalty", "Late-filing penalties have been dropped."),
        ("penalty", "We have scrapped the late-filing penalties."),
        ("penalty", "There will be no penalty for filing late."),
        ("pass", "A free guest pass is on its way to affected members."),
        ("pass", "Affected members get a complimentary guest pass."),
        ("pass", "If you were affected, one guest pass is yours, free."),
        ("pass", "We are giving affected members one guest pass at no cost."),
        ("pass", "You will find one free guest pass in your account if you were affected."),
        ("pass", "We'd like to offer affected members one guest pass on us."),
        ("fare", "Had enough? We'll refund the 12 euros for your fare."),
        ("fare", "The €12 fare is refunded if you would rather not wait."),
        ("fare", "If you do not want to wait, you get the €12 back."),
        ("fare", "Would you rather not wait? Then your fare of €12 is returned to you."),
        ("fare", "You can have your €12 fare back if you don't want to wait."),
        ("fare", "We give back the fare of €12 to anyone who does not want to wait."),
        ("credit", "You get a $9 credit for each late box."),
        ("credit", "$9 is credited to you for each late box."),
        ("credit", "We take $9 off for each late box."),
        ("credit", "For each late box, $9 goes onto your account."),
        ("credit", "Each late box earns you $9 in credit."),
        (
            "journey",
            "If your journey was wasted, we'll pay your travel costs back when you show your ticket.",
        ),
        ("journey", "Show your ticket and you get your travel costs back."),
        ("journey", "We refund travel costs if you came for nothing and show the ticket."),
        ("journey", "You can claim your travel costs for a wasted journey with the ticket."),
        ("journey", "We cover the travel costs of a wasted journey when you show the ticket."),
        ("journey", "Your travel costs are paid back if you show the ticket."),
        ("journey", "Travel costs will be repaid to you."),
        ("commission", "Merchants pay no commission for 9 June 2026."),
        ("commission", "We are not charging the commission of 9 June 2026."),
        ("commission", "There is no commission for 9 June 2026."),
        ("commission", "The commission of 9 June 2026 is waived."),
        ("commission", "We have dropped the commission for 9 June 2026."),
        ("commission", "9 June 2026 is free of commission."),
        ("deposit", "If you cancel, you get your deposit of 60 dollars back."),
        ("deposit", "Owners who cancel are refunded their deposit of 60 dollars."),
        ("deposit", "We refund the deposit of 60 dollars if you cancel."),
        ("deposit", "Cancel and your 60 dollars come back to you."),
        ("deposit", "The deposit is paid back if you cancel."),
        ("deposit", "You can cancel and have your deposit back."),
        ("tokens", "500 tokens are coming your way on 20 July 2026."),
        ("tokens", "Every player gets 500 tokens on 20 July 2026."),
        ("tokens", "We are giving each player 500 tokens."),
        ("tokens", "On 20 July 2026 you will find 500 tokens in your account."),
        ("tokens", "To make up for it, each player gets 500 tokens."),
        ("tokens", "As a thank-you for waiting, each player gets 500 tokens."),
        ("sample", "A repeat sample costs you nothing."),
        ("sample", "If we need a repeat sample, it is free."),
        ("sample", "You do not pay for a repeat sample."),
        ("sample", "There is no charge for the repeat sample."),
        ("sample", "The repeat sample is on us."),
        ("sample", "You will not be charged for a repeat sample."),
        ("bill", "15 dollars come off your bill if your household is affected."),
        ("bill", "Affected households get 15 dollars off their bills."),
        ("bill", "We credit 15 dollars to the bills of affected households."),
        ("bill", "Your bill will be 15 dollars lower if you are affected."),
        ("bill", "If you are affected, 15 dollars are taken off your bill."),
    ],
)
def test_the_same_benefit_may_be_told_in_other_words(action: str, sentence: str) -> None:
    assert _is_allowed(ACTIONS[action], sentence)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("duplicate", "Your dues for next month are refunded too."),
        ("duplicate", "You also get a voucher."),
        ("duplicate", "Next month is free."),
        ("duplicate", "We will cover your overdraft fees."),
        ("duplicate", "The joining fee is waived."),
        ("duplicate", "We'll add a free week to your membership."),
        ("deadline", "Your membership is extended by 14 days."),
        ("deadline", "Late penalties are waived."),
        ("deadline", "You get 14 days of premium access."),
        ("rebooking", "Your hotel is on us."),
        ("rebooking", "Meals are free while you wait."),
        ("rebooking", "You also get a voucher for your next crossing."),
        ("rebooking", "We will pay for your taxi."),
        ("rebooking", "Your next crossing is free."),
        ("penalty", "Your premium for May is waived."),
        ("penalty", "We will refund your premium."),
        ("penalty", "You get a month of free cover."),
        ("pass", "Affected members get a free month."),
        ("pass", "Everyone gets a gift card."),
        ("pass", "The next class is on us."),
        ("fare", "We pay for your hotel."),
        ("fare", "You get a free meal."),
        ("fare", "Your car ticket is refunded too."),
        ("fare", "A voucher for a coffee is waiting for you."),
        ("credit", "Each late box is free."),
        ("credit", "You get a free dessert with each late box."),
        ("credit", "We refund late boxes in full."),
        ("credit", "The next box is on us."),
        ("journey", "We will pay you for your lost time."),
        ("journey", "Parking is free."),
        ("journey", "You get a gift card for the journey."),
        ("journey", "Your prescription is free."),
        ("commission", "Your terminal rental is free for June."),
        ("commission", "We refund your monthly fee."),
        ("commission", "Merchants get a bonus."),
        ("deposit", "The visit is free."),
        ("deposit", "We pay for your taxi."),
        ("deposit", "You get a voucher for pet food."),
        ("deposit", "Your next check-up costs nothing."),
        ("tokens", "Every player gets a free skin."),
        ("tokens", "Your subscription is extended."),
        ("tokens", "We refund your gem packs."),
        ("sample", "Your first sample is refunded."),
        ("sample", "The doctor's visit is free."),
        ("sample", "We pay for your taxi to the lab."),
        ("bill", "Your bill is waived."),
        ("bill", "You get free bottled water for a month."),
        ("bill", "We pay your plumber."),
    ],
)
def test_another_kind_or_another_thing_is_more_than_approved(action: str, sentence: str) -> None:
    assert not _is_allowed(ACTIONS[action], sentence)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("duplicate", "Everyone gets the duplicate charge back."),
        ("fare", "Every passenger is refunded the €12, and the car ticket too."),
    ],
)
def test_a_wider_circle_is_more_than_approved(action: str, sentence: str) -> None:
    assert not _is_allowed(ACTIONS[action], sentence)


def test_an_action_that_denies_a_benefit_gives_none() -> None:
    assert not _is_allowed("Do not refund the fare of €12.", "We refund the fare of €12.")
