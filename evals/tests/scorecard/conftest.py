"""Hand-made labelled drafts for the scorecard tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import DraftItem, LabelledDraft
from redpen_evals.scorecard.score import Scored

ORIGINAL = "Checkout is degraded for 27% of attempts. Our team is working on it."


@pytest.fixture
def make_item():
    """Give a function that makes a draft item from a label and other fields."""

    def make(label="block", **changes):
        codes = ["no_new_facts"] if label == "block" else []
        values = {
            "id": "one",
            "revised": f"{ORIGINAL} About 45 minutes are left.",
            "label": label,
            "codes": codes,
            "family": "duration",
            "split": "test",
        }
        return DraftItem(**{**values, **changes})

    return make


@pytest.fixture
def make_draft(make_item):
    """Give a function that makes a labelled draft."""

    def make(label="block", name="one", **changes):
        item = make_item(label, id=name, **changes)
        return LabelledDraft(id=f"f#{name}", path=Path("f.yaml"), context={}, original=ORIGINAL, item=item)

    return make


@pytest.fixture
def make_scored(make_draft):
    """Give a function that makes a judged item from a label, the codes given and other fields."""

    def make(label, *codes, concerned=False, error=None, name="one", **changes):
        judgement = Judgement(blocked=bool(codes), codes=codes, concerned=concerned, error=error)
        return Scored(draft=make_draft(label, name=name, **changes), judgement=judgement)

    return make
