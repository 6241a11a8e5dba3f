"""Words of an end or a return that tell of routine, repetition or a display, and the same ones of an end."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {
    "symptoms": ["the badge gates at the mill stay shut"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
ORIGINAL = (
    "The badge gates at the mill stay shut, and some visitors wait outside. "
    "Please listen to the porters before you board the shuttle."
)


def _resolved(sentence: str) -> bool:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return any(item.family == "resolution" for item in report.violations)


PAIRS = (
    ("Badges are checked again at the gate.", "Badges are accepted again at the gate."),
    ("The gate beeps again and again.", "The gate works again."),
    ("The count is worked out again each night.", "The count is shown to everyone again."),
    ("The list is put together again by hand.", "The gates are online again."),
    ("The porters check each badge again at the door.", "The porters open each gate again."),
    ("Our staff are counting the badges again.", "The gates are printing badges again."),
    ("Badges are tried again at noon.", "Badges are working again."),
    ("You can cancel a visit and book it again.", "You can open the gates again."),
    ("Keep an eye on the page rather than knocking again.", "The gates open again."),
    ("Neither are the gates open again, nor is the lift.", "The gates are open again."),
    ("Entry fees apply as before.", "The gates operate as before."),
    ("The walk takes as long as before.", "The gates open as fast as before."),
    ("Badges are marked as restored by mistake.", "Badges are marked as restored."),
    ("The screen says that the gate is online, which is wrong.", "The screen says that the gate is online."),
    ("A folder called Restored holds old badges.", "The gates have been restored."),
    ("We reckon that the gates are up again by noon.", "The gates are up again."),
    ("Badges go through in fits and starts.", "All badges go through."),
    ("Make sure that your badge is online.", "The gates are online."),
    ("It is done by hand.", "It is done."),
    ("Corrected badges go out next.", "The badges have been corrected."),
    ("We have paused all sends.", "The fault is solved."),
    ("The error disappears after a knock and comes back.", "The error has disappeared."),
    ("The gates have low pressure.", "Latency is low."),
    ("Ordinary badges open a side door.", "Everything is ordinary."),
    ("The inquiry is running.", "The gates are running."),
    ("We have no shorter delay to name.", "We have no further delay."),
    ("No late payment letters are sent.", "No late badges remain."),
    ("The belt came to a halt.", "The errors came to a halt."),
    ("Attempts to knock come to nothing.", "Errors have dropped to nothing."),
    ("The gates work as hard as they can.", "The gates work as they should."),
)


@pytest.mark.parametrize("sentence", [honest for honest, _ in PAIRS])
def test_routine_repetition_and_displays_are_no_end(sentence: str) -> None:
    assert not _resolved(sentence)


@pytest.mark.parametrize("sentence", [claim for _, claim in PAIRS])
def test_the_same_words_tell_of_an_end_elsewhere(sentence: str) -> None:
    assert _resolved(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The gates are turning visitors away.",
        "The gates may stop moving.",
        "There is no need to buy a ticket to board the shuttle.",
        "Visitors can contact the porters.",
    ],
)
def test_trouble_offers_and_orders_are_no_good_news(sentence: str) -> None:
    assert not _resolved(sentence)
