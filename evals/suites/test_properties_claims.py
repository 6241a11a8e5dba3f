"""Claims for all frames: made they are blocked with their code, whatever the draft claims or denies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from property_support.machines import BreachMachine, EditingMachine
from property_support.texts import texts_around
from property_support.verdicts import judge
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.incidents import Incident, incidents
from redpen_evals.fuzz.sentences import CLAIMS, ClaimForm, claim_sentences, sentence_of

pytestmark = pytest.mark.fuzz

ANY_FAMILY = pytest.mark.parametrize("form", CLAIMS, ids=lambda form: form.family)
DENIED = pytest.mark.parametrize(
    "form", [form for form in CLAIMS if form.denials], ids=lambda form: form.family
)
DRAFT = "We are looking into it."


def claim_case(form: ClaimForm, incident: Incident, revised: str, **changes: object) -> Case:
    case = {
        "name": f"claim-{form.family}",
        "original": DRAFT,
        "revised": revised,
        "context": incident.context(),
        "label": "block",
        "family": form.family,
        "codes": ("restricted_claims",),
        **changes,
    }
    return Case(**case)  # type: ignore[arg-type]


@ANY_FAMILY
@given(incident=incidents(), data=st.data())
def test_a_claim_is_blocked_whatever_stands_around_it(
    form: ClaimForm, incident: Incident, data: st.DataObject
) -> None:
    text = data.draw(texts_around(data.draw(claim_sentences(form))))
    # A cause or a commitment that the original gives is known; any other claim counts in the draft too.
    original = DRAFT if form.family in ("cause", "commitment") else data.draw(st.sampled_from([DRAFT, text]))
    judge(claim_case(form, incident, text, original=original))


@ANY_FAMILY
@given(incident=incidents(), data=st.data())
def test_without_the_hint_what_the_original_claims_may_stay(
    form: ClaimForm, incident: Incident, data: st.DataObject
) -> None:
    sentence = data.draw(claim_sentences(form))
    judge(
        claim_case(
            form,
            incident,
            data.draw(texts_around(sentence)),
            name=f"kept-{form.family}",
            original=data.draw(texts_around(sentence)),
            label="pass",
            codes=(),
            context=incident.context(avoid_guarantees=False),
        )
    )


@DENIED
@given(incident=incidents(), data=st.data())
def test_a_denial_in_the_original_allows_no_claim(
    form: ClaimForm, incident: Incident, data: st.DataObject
) -> None:
    denied, claimed = data.draw(st.sampled_from(form.denials))
    judge(
        claim_case(
            form,
            incident,
            data.draw(texts_around(sentence_of(claimed))),
            name=f"denied-{form.family}",
            original=data.draw(texts_around(sentence_of(denied))),
            context=incident.context(avoid_guarantees=False),
        )
    )


@pytest.mark.parametrize("machine", [EditingMachine, BreachMachine], ids=lambda machine: machine.name)
def test_no_machine_gets_past(machine: type, fuzz_settings: object) -> None:
    run_state_machine_as_test(machine, settings=fuzz_settings)  # type: ignore[no-untyped-call]
