"""Known gaps: each row shows what it leaves out, and names what there is."""

from __future__ import annotations

from typing import get_args

import pytest

from redpen_evals.fuzz.claims import CLAIMS
from redpen_evals.fuzz.disguises import Disguising
from redpen_evals.fuzz.facts import FORMS
from redpen_evals.fuzz.gaps import FACTS, GAPS, is_gap
from redpen_evals.library.drafts import Disguise

ROWS = pytest.mark.parametrize("gap", GAPS, ids=lambda gap: gap.example)
NAMES = {form.name for form in FORMS} | {form.family for form in CLAIMS}
PROPERTIES = {f"{prefix}-{name}" for prefix in ("moved", "kept") for name in NAMES}


def test_every_fact_is_named():
    assert tuple(form.name for form in FORMS) == FACTS


@ROWS
def test_a_gap_shows_in_its_example(gap):
    about = gap.about[0] if gap.about else "anything"
    assert is_gap(about, gap.example, disguise=gap.disguise)
    assert gap.disguise in get_args(Disguise)


@ROWS
def test_a_gap_is_about_what_there_is(gap):
    assert set(gap.about) <= NAMES | PROPERTIES
    assert not is_gap("something else", gap.example) or not gap.about


def test_a_disguise_that_is_not_read_is_not_used():
    attacks = {disguising.name: disguising.attack for disguising in _all_disguisings()}
    for gap in GAPS:
        if gap.disguise == "none":
            continue
        about = gap.about[0] if gap.about else "anything"
        for seed in range(20):
            hidden = Disguising(attack=attacks[gap.disguise], seed=seed).of(
                "Great Britain, inc_a_1", about=about
            )
            assert hidden == "Great Britain, inc_a_1" or not gap.shows.search(hidden)


def _all_disguisings():
    from redpen_evals.attacks import DISGUISES

    return [Disguising(attack=attack, seed=0) for attack in DISGUISES]
