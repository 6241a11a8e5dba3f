"""Ordinary sentences make no claim, whatever words of claims they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from redpen.guards.claims import find_claims

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
    ],
)
def test_a_claim_beside_such_words_is_found(sentence: str, family: str) -> None:
    assert family in {claim.family for claim in find_claims(sentence)}
