"""Claim forms: filled slots, unique clauses, and claims distinct from their twins."""

from __future__ import annotations

from typing import get_args

import pytest

from redpen_evals.fuzz.sentences import BENIGN, CLAIMS, sentence_of
from redpen_evals.scenario_library.drafts import Family

FORMS = pytest.mark.parametrize("form", CLAIMS, ids=lambda form: form.family)


@FORMS
def test_every_slot_is_filled(form):
    clauses = (*form.claims, *form.twins, *(clause for pair in form.denials for clause in pair))
    assert [clause for clause in clauses if "{" in clause or "}" in clause] == []


@FORMS
def test_clauses_are_unique_and_claims_differ_from_twins(form):
    assert len(set(form.claims)) == len(form.claims)
    assert len(set(form.twins)) == len(form.twins)
    assert set(form.claims).isdisjoint(form.twins)


@FORMS
def test_family_is_known_to_library(form):
    assert form.family in get_args(Family)
    assert repr(form) == f"ClaimForm({form.family!r})"


def test_sentence_of_frames_and_capitalises_clause():
    text = sentence_of("the outage is over", before="good news: {}", after="{}, as our team says.")
    assert text == "Good news: the outage is over, as our team says."


def test_benign_sentences_are_complete_and_unique():
    assert all(text[0].isupper() and text.endswith(".") for text in BENIGN)
    assert len(set(BENIGN)) == len(BENIGN)
