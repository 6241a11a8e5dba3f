"""Honest sentences with the words of a cause or a fault in another sense, and claims near them."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

CONTEXT = {
    "policy_hints": {"avoid_absolute_guarantees": True},
    "symptoms": ["the gates at the pier are slow"],
}
ORIGINAL = (
    "The gates at the north pier are slow, and some passes do not scan. "
    "Our crew is looking into the readers and does not know the cause yet. "
    "We are sorry for the long wait."
)


def _families(sentence: str) -> set[str]:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context=CONTEXT)
    return {found.family for found in report.violations} & {"cause", "liability"}


@pytest.mark.parametrize(
    "sentence",
    [
        # What is done to something, and what readers do.
        "Some passes were sent to the wrong address.",
        "Prints are being taken down at the desk.",
        "Each try results in a red cross.",
        "A tap on the map makes the screen freeze.",
        "The link leads to an empty page.",
        # The cause is looked for.
        "The cause is still at large.",
        "An explanation is some distance away yet.",
        "The reason is being looked into with our readers' maker.",
        "Our search for the reason is in its third hour.",
        "Naming the cause is something we have yet to manage.",
        "The crew wants to know what is slowing the gates down.",
        "We keep looking for whatever lies at the bottom of this.",
        # Thanks, times, dues, letters, reasons of ours.
        "Many thanks to the guests who waited.",
        "The trouble began with the first evening of the fair.",
        "The next ferry is due to leave at dusk.",
        "This mail comes from our service desk.",
        "Behind this step is a wish to keep queues short.",
        "Some passes do not scan, which is why we ask you to come early.",
        "We cannot promise a time, because the check goes on.",
        "Your pass is enough to find your booking.",
        "The picture and the sound run out of step.",
        "The cut-off for cars stays as it is.",
        "Guests connected to the pier's network see it too.",
        # Participles that describe a noun.
        "For the two delayed ferries, passes stay valid.",
        "Sorry about those frozen screens.",
        # Verbs of bringing about that bring nothing about.
        "Several readers have stopped taking passes.",
        "Phone support has a long queue.",
        "Console access lets stewards open a gate.",
        "Ferries leave the pier ten minutes late.",
        "Our last count put stalled cars at 6%.",
        "A hot drink makes the long wait easier.",
        # Parts beside the subject, and times that come again.
        "Connections to our server are breaking off.",
        "Our server team is digging through the logs.",
        "The gate stays shut after the pass has been read.",
        "The gate stays stuck after the trip was ended.",
        # No doing that is told.
        "Leave unread whatever looks odd.",
        "Space being limited, come early.",
        # Faults of others.
        "We know that the timing is poor.",
        "Please accept that we are sorry.",
        "Some orders at the kiosk fell short on Monday.",
        "We have guests who are not on the usual standard list.",
        "By our count, a tenth of the passes is wrong by our lists.",
        "We do not blame anyone.",
    ],
)
def test_words_in_another_sense_give_no_cause_and_take_no_blame(sentence: str) -> None:
    assert not _families(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "An old script sent passes to the wrong gate.",
        "A frozen hinge took the gates down.",
        "A salt crust makes the readers freeze.",
        "A street parade led to the outage.",
        "The cause is a worn belt.",
        "The reason is that moisture crept into the readers.",
        "We now know what is behind it: rust.",
        "Thanks to a careless courier, the gates are slow.",
        "The trouble began with a swap of the belts.",
        "The slow gates are due to rust.",
        "The slow gates come from a worn belt.",
        "Behind the slow gates is a worn belt.",
        "A worn belt broke, which is why the gates are slow.",
        "The gates are slow because a belt broke.",
        "One loose screw was enough to stop the gates.",
        "The readers ran out of memory.",
        "The slow gates are connected to a power dip.",
        "A stray rule blocked passes.",
        "Rust has jammed the hinges.",
        "Frost has 14 gates stuck.",
        "Salt leaves the readers stuck.",
        "A worn belt makes the gates stall.",
        "One of our servers broke down.",
        "The gates got stuck after a belt snapped.",
        "Mice chewed through the cable.",
        "Our checks were poor.",
        "We accept that we failed to look in time.",
        "We fell short of your trust.",
        "Our checks were not up to the job.",
        "That was careless of us.",
        "We cannot blame anyone else.",
    ],
)
def test_a_cause_given_and_a_blame_taken_stay_claims(sentence: str) -> None:
    assert _families(sentence)
