"""Words of time and number that state nothing in one sentence, and a fact in another."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {"region": "Germany"}
ORIGINAL = "Sellers in Germany get their payouts late, and we cannot say why."


def _new(revised: str) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(ORIGINAL), context=known_context(CONTEXT))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    "revised",
    [
        "A long day of waiting is the last thing you need.",
        "Please come on another day.",
        "The page shows an hour that is wrong.",
        "We cannot give you an hour for it yet.",
        "Have a good weekend.",
        "A thousand apologies for this.",
        "There are no two ways about it.",
        "This was a half-baked answer.",
        "Read it twice before you send it.",
        "Nobody likes to wait.",
        "We cannot answer every call at once.",
        "Please give your bank details to nobody.",
        "Have your number ready, so that nobody waits at the desk.",
        "You can write to us in English.",
        "Dear Sir or Madam, payouts are late.",
        "Do not worry if the list is empty in the morning.",
        "Your yearly total counts all payouts.",
        "We can't promise a payout before the weekend.",
        "If a payout should reach you twice, please tell us.",
        "A couple of customers told us so.",
        "A second attempt often helps.",
        "Nobody's told us why.",
        "Neither your shop nor your account is the reason.",
        "Call us at an odd hour if you must.",
        "Bulk uploads are paused.",
        "This is a help to everyone involved.",
    ],
)
def test_words_that_measure_and_count_nothing_are_no_facts(revised: str) -> None:
    assert _new(revised) == []


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("It takes a long day.", ["a long day"]),
        ("The list is empty until the morning.", ["morning"]),
        ("We send a daily update.", ["daily"]),
        ("We promise a payout before the weekend.", ["weekend"]),
        ("Payouts reach you twice as fast.", ["twice"]),
        ("A couple of banks refuse the file.", ["A couple of"]),
        ("It failed a second time.", ["second"]),
        ("Nobody's payout is sent.", ["Nobody's"]),
        ("It takes another hour.", ["hour"]),
        ("Everyone is affected.", ["Everyone"]),
        ("The bulk of uploads fail.", ["bulk of uploads"]),
        ("A day of delays is to be expected.", ["A day"]),
        ("We need another day.", ["day"]),
        ("It will be over in a week.", ["a week"]),
        ("The page shows an hour later.", ["an hour"]),
        ("Give us an hour for it.", ["an hour"]),
        ("We will be back at the weekend.", ["weekend"]),
        ("A thousand sellers wait.", ["A thousand"]),
        ("The site failed twice.", ["twice"]),
        ("Nobody gets paid.", ["Nobody"]),
        ("We changed it so that nobody is charged.", ["nobody"]),
        ("Every call fails.", ["Every call"]),
        ("Payouts reach practically everyone late.", ["practically everyone"]),
        ("The page stays blank for practically everyone.", ["practically everyone"]),
        ("Sellers outside Germany are hit.", ["Germany"]),
        ("English sellers are hit.", ["English"]),
        ("We have informed Madam Tessier.", ["Tessier"]),
    ],
)
def test_same_words_in_full_sense_are_findings(revised: str, new: list[str]) -> None:
    assert _new(revised) == new
