"""Frames of claims: all filled, whole sentences, a claim never among its twins."""

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
def test_no_clause_comes_twice_or_on_both_sides(form):
    assert len(set(form.claims)) == len(form.claims)
    assert len(set(form.twins)) == len(form.twins)
    assert set(form.claims).isdisjoint(form.twins)


@FORMS
def test_a_family_is_one_of_the_library(form):
    assert form.family in get_args(Family)
    assert repr(form) == f"ClaimForm({form.family!r})"


def test_a_clause_becomes_a_sentence():
    text = sentence_of("the outage is over", before="good news: {}", after="{}, as our team says.")
    assert text == "Good news: the outage is over, as our team says."


def test_benign_sentences_are_whole():
    assert all(text[0].isupper() and text.endswith(".") for text in BENIGN)
    assert len(set(BENIGN)) == len(BENIGN)
