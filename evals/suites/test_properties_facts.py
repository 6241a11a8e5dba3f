"""Facts for all values and spellings: the same one passes however it is written, another one never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.texts import RESIDUES, changed_values, moved, reads_as, restated, texts_around
from property_support.verdicts import judge
from redpen.guards.facts.reading import read_facts
from redpen.guards.text import read
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.facts import FORMS, FactForm, form_named
from redpen_evals.fuzz.incidents import incidents
from redpen_evals.fuzz.sentences import OTHER_UNITS, OtherUnit

pytestmark = pytest.mark.fuzz

ANY_FORM = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
MOVED = [form for form in FORMS if form.moved]


@ANY_FORM
@given(data=st.data(), in_context=st.booleans(), both_ways=st.booleans())
def test_a_fact_passes_in_any_spelling_and_another_value_never_does(
    form: FactForm, data: st.DataObject, in_context: bool, both_ways: bool
) -> None:
    """One incident, one value and one other: read, said in other words, and changed."""
    incident = data.draw(incidents(form))
    value, other = incident.values[form.name], data.draw(changed_values(incident, form))
    said = data.draw(restated(form, value))
    (fact,) = read_facts(read(said).text)
    assert reads_as(fact, form, value)
    without = None if in_context else form
    # A date without its year does not say in which year it is.
    source = (
        data.draw(restated(form, value)) if both_ways and form.kind != "date" else incident.sentence(form)
    )
    judge(
        Case(
            name=f"equal-{form.name}",
            original="We are looking into it." if in_context else data.draw(texts_around(source)),
            revised=data.draw(texts_around(said)),
            context=incident.context(without=without),
            label="pass",
            family=form.family,
        )
    )
    judge(
        Case(
            name=f"changed-{form.name}",
            original=data.draw(texts_around(incident.sentence(form))),
            revised=data.draw(texts_around(data.draw(restated(form, other)))),
            context=incident.context(without=without),
            label="block",
            family=form.family,
            codes=(form.code,),
        )
    )


@given(data=st.data(), form=st.sampled_from(MOVED), unit=st.sampled_from(OTHER_UNITS))
def test_a_number_of_another_subject_or_unit_is_blocked(
    data: st.DataObject, form: FactForm, unit: OtherUnit
) -> None:
    incident = data.draw(incidents(form))
    judge(
        Case(
            name=f"moved-{form.name}",
            original="We are looking into it.",
            revised=data.draw(texts_around(data.draw(moved(form, incident.values[form.name])))),
            context=incident.context(),
            label="block",
            family="subject",
            codes=("no_new_facts",),
        )
    )
    form = form_named(unit.form)
    incident = data.draw(incidents(form))
    sentence = data.draw(st.sampled_from(unit.sentences))
    judge(
        Case(
            name=f"unit-{unit.name}",
            original=incident.sentence(form),
            revised=data.draw(texts_around(sentence.format(unit.number(incident.values[form.name])))),
            context=incident.context(),
            label="block",
            family=form.family,
            codes=("no_new_facts",),
        )
    )


@given(residue=st.sampled_from(RESIDUES), known=st.booleans(), data=st.data())
def test_what_looks_like_a_number_passes_only_if_the_original_has_it(
    residue: str, known: bool, data: st.DataObject
) -> None:
    incident = data.draw(incidents())
    sentence = f"Please look for {residue} in your settings."
    judge(
        Case(
            name="residue",
            original=data.draw(texts_around(sentence)) if known else "We are looking into it.",
            revised=data.draw(texts_around(sentence)),
            context=incident.context(),
            label="pass" if known else "block",
            family="count",
            codes=() if known else ("no_new_facts", "new_incident_id"),
        )
    )
