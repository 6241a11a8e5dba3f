"""Ordinary sentences make no claim, whatever words of claims they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from redpen.guards.claims import find_claims, find_restricted_claims
from redpen.guards.seen import read

SENTENCES: dict[str, list[str]] = yaml.load(
    Path(__file__).with_name("benign_claims.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
"""By what their words could be taken for, the sentences."""


@pytest.mark.parametrize("family", SENTENCES)
def test_ordinary_sentences_make_no_claim(family: str) -> None:
    found = {
        sentence: [claim.says for claim in find_claims(sentence) if not claim.mention]
        for sentence in SENTENCES[family]
    }
    assert {sentence: says for sentence, says in found.items() if says} == {}


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("Checkout is syncing normally while we write.", "resolution"),
        ("The lift is open again.", "resolution"),
        ("The cause is something in the network.", "cause"),
        ("It is certain that the lift is working.", "resolution"),
        ("The lift runs without problems.", "resolution"),
        ("While we looked, the line was repaired.", "resolution"),
        ("Please note that the matter has been closed.", "resolution"),
        ("Payments now complete.", "resolution"),
        ("The fault is repaired, and we have not seen it since.", "resolution"),
        ("We would like to tell you that it is fixed.", "resolution"),
        ("What we can do: guarantee a seat.", "guarantee"),
        ("We promise that loans will go through.", "guarantee"),
        ("Your paper will finish on time.", "guarantee"),
        ("The readings will not fail again.", "guarantee"),
        ("Thank you for waiting, we refund the fee.", "commitment"),
        ("The cause is something we know, a worn cable.", "cause"),
        ("The readings drop because a cable is worn.", "cause"),
        ("No part of your data was lost.", "reassurance"),
        ("The outage results from a cable that was cut.", "cause"),
        ("The delay leads back to a clerk.", "cause"),
        ("Payments sent earlier have gone through.", "resolution"),
        ("The backlog has cleared.", "resolution"),
        ("Neither data nor files were exposed.", "reassurance"),
        ("That the gate will work is certain.", "guarantee"),
        ("A promise: the gate will open.", "guarantee"),
        ("Did you know that the gate works again?", "resolution"),
        ("The fault lies with our system and with us.", "liability"),
        ("What the delay comes from is a broken router.", "cause"),
        ("It works by noon at the latest.", "guarantee"),
        ("Deliveries have caught up in all regions.", "resolution"),
        ("The outages have gone.", "resolution"),
        ("The errors have stopped.", "resolution"),
        ("Trams are running well.", "resolution"),
        ("Wait times are low.", "resolution"),
        ("Captions are live.", "resolution"),
        ("Calls are answered as quickly as ever.", "resolution"),
        ("Payments will be processed again.", "guarantee"),
        ("Your files were never within sight of outsiders.", "reassurance"),
        ("Each customer receives their mail.", "resolution"),
        ("You get a replacement card.", "commitment"),
        ("There is too much traffic, which slows the site.", "cause"),
        ("You may rebook without a fee.", "commitment"),
        ("We switched to the backup.", "resolution"),
        ("The cut that went unseen has been mended.", "resolution"),
        ("All trains are running.", "resolution"),
    ],
)
def test_a_claim_beside_such_words_is_found(sentence: str, family: str) -> None:
    assert family in {claim.family for claim in find_claims(sentence)}


@pytest.mark.parametrize(
    "sentence",
    [
        "Bread deliveries to restaurants are leaving on schedule.",
        "The exam starts on time for students in the main hall.",
        "Printing from shared albums is running as it does on any other day.",
        "The dragons are fine, the servers less so.",
        "Casual mode is open.",
        "The library desk is open as usual.",
        "Parking fees apply as usual.",
        "The kitchen is open, but online orders cannot be taken.",
    ],
)
def test_what_goes_on_besides_the_incident_may_be_said_again(sentence: str) -> None:
    found = find_restricted_claims(
        revised=read(f"{sentence} Ranked matches fail."),
        original=read(f"Ranked matches fail. {sentence}"),
        context={},
        inherit=False,
    )
    assert not found


@pytest.mark.parametrize(
    ("original", "revised"),
    [
        ("Deliveries are late.", "Deliveries are leaving on schedule."),
        ("The dragons are fine. Matches fail.", "Matches are fine."),
        ("Matches fail. Everything is fine.", "Everything is fine."),
        ("Ranked mode is closed.", "Ranked mode is open again."),
    ],
)
def test_what_was_in_trouble_may_not_be_said_to_go_on(original: str, revised: str) -> None:
    assert find_restricted_claims(revised=read(revised), original=read(original), context={}, inherit=False)
