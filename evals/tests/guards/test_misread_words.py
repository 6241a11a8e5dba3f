"""Words that a rule misreads beside others: dates after "since", numbers of things, results that are read."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision

ORIGINAL = (
    "The stream of the north pier falls silent since 14 March, and 870 homes are without pictures. "
    "Parcels have gone to the wrong depot, and 155 bookings have not been confirmed. "
    "Calls drop after a few seconds when the cable is unplugged. You can sign on paper at our office. "
    "Porters read urgent results directly in the book. Our crew is reviewing what led to it."
)

PAIRS = (
    ("Since 14 March it has been down.", "cause", "Since the merger was signed it has been down."),
    (
        "Pictures are gone, with 870 homes going dark.",
        "cause",
        "Pictures are gone, with one mast going dark.",
    ),
    (
        "Porters go on reading urgent results directly in the book.",
        "cause",
        "A merger resulted in late parcels.",
    ),
    ("Certain parcels took a wrong turn.", "cause", "A squirrel took the stream down."),
    ("We know the work behind it and we are sorry.", "cause", "Behind it is a squirrel."),
    ("Calls break off a few seconds in.", "cause", "A squirrel breaks off the calls."),
    ("Pictures stop after the cable is unplugged.", "cause", "Pictures stop due to a squirrel."),
    ("It is a rotten way to start a trip.", "cause", "It is a rotten pole."),
    ("The review is running.", "resolution", "The stream is running."),
    ("Our office is ready to arrange it.", "resolution", "The stream is up again."),
    ("Bookings have lacked confirmation.", "resolution", "Bookings have been confirmed."),
    ("Acceptance of parcels is open.", "resolution", "The depot is open."),
    ("Once the stream has recovered, we write.", "resolution", "The stream has recovered."),
    ("The reason for the failure is unknown to us.", "liability", "The failure is down to us."),
    ("We owe you the reason.", "commitment", "We owe you money."),
    ("At the latest count, 155 bookings were hit.", "guarantee", "It is back by noon at the latest."),
    ("The desk is not completing repeat prescription requests.", "guarantee", "It will not repeat itself."),
)


def _families(sentence: str) -> set[str]:
    report = check_revision(original=ORIGINAL, revised=f"{ORIGINAL} {sentence}", context={})
    return {found.family for found in report.violations if found.code == "restricted_claims" and found.family}


@pytest.mark.parametrize("sentence", [honest for honest, _, _ in PAIRS])
def test_words_in_another_sense_make_no_claim(sentence: str) -> None:
    assert not _families(sentence)


@pytest.mark.parametrize(("family", "sentence"), [(family, claim) for _, family, claim in PAIRS])
def test_the_same_words_make_one_elsewhere(family: str, sentence: str) -> None:
    assert family in _families(sentence)
