"""What is affected does something once again, or as it should."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["door codes are refused at the hostel", "tills jam"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "Door codes are refused at our hostel since noon, and some tills jam. Staff are comparing the list of "
    "codes by hand. Reception lends metal keys."
)


def _families(sentence: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return [found.family for found in report.violations]


@pytest.mark.parametrize(
    "sentence",
    [
        "The codes swing doors wide as they ought to.",
        "Tills glide the way they should.",
        "The codes greet guests once more.",
        "Our staff have the tills up and running.",
        "The codes do their thing as intended.",
        "The tills have stopped doing this.",
    ],
)
def test_something_known_does_again_what_it_is_there_for(sentence: str) -> None:
    assert "resolution" in _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The codes do not greet guests as they should.",
        "The codes take twice as long as they should.",
        "The codes fail to greet guests as they should.",
        "If the codes greet guests once more, tell us.",
        "We are once again sorry for the codes.",
        "The code list is compared once more by staff.",
        "We are working to get the tills up and running.",
        "Please type the code once more.",
        "The codes stall once more.",
        "The tills have not stopped doing this.",
    ],
)
def test_what_is_denied_open_repeated_or_of_something_else_is_none(sentence: str) -> None:
    assert "resolution" not in _families(sentence)
