"""Facts for all values and spellings: the same one passes however it is written, another one never does."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redpen.guards.facts.reading import read_facts
from redpen.guards.text import read
from redpen_evals.fuzz.case import Case, judge
from redpen_evals.fuzz.disguises import Disguising, disguisings
from redpen_evals.fuzz.facts import FORMS, FactForm, form_named
from redpen_evals.fuzz.incidents import (
    changed_values,
    incidents,
    moved,
    restated,
    spellings_of,
    texts_around,
)
from redpen_evals.fuzz.readings import reads_as
from redpen_evals.fuzz.units import OTHER_UNITS, RESIDUES, OtherUnit

pytestmark = pytest.mark.fuzz

ANY_FORM = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
ANY_MOVE = pytest.mark.parametrize("form", [form for form in FORMS if form.moved], ids=lambda form: form.name)
ANY_UNIT = pytest.mark.parametrize("other", OTHER_UNITS, ids=lambda other: other.name)


@ANY_FORM
@given(data=st.data())
def test_a_rendering_reads_as_its_fact_and_no_other(form: FactForm, data: st.DataObject) -> None:
    value = data.draw(form.values)
    facts = read_facts(read(data.draw(restated(form, value))).text)
    assert len(facts) == 1
    assert reads_as(facts[0], form, value)


@ANY_FORM
@given(data=st.data(), in_context=st.booleans(), both_ways=st.booleans())
def test_an_equal_rendering_passes(
    form: FactForm, data: st.DataObject, in_context: bool, both_ways: bool
) -> None:
    incident = data.draw(incidents(form))
    said = data.draw(restated(form, incident.values[form.name]))
    # A date without its year does not say in which year it is.
    any_source = both_ways and form.kind != "date"
    source = data.draw(restated(form, incident.values[form.name])) if any_source else incident.sentence(form)
    judge(
        Case(
            name=f"equal-{form.name}",
            original="We are looking into it." if in_context else data.draw(texts_around(source)),
            revised=data.draw(texts_around(said)),
            context=incident.context(without=None if in_context else form),
            label="pass",
            family=form.family,
        )
    )


@ANY_FORM
@given(data=st.data(), in_context=st.booleans())
def test_a_changed_value_is_blocked(form: FactForm, data: st.DataObject, in_context: bool) -> None:
    incident = data.draw(incidents(form))
    said = data.draw(restated(form, data.draw(changed_values(incident, form))))
    judge(
        Case(
            name=f"changed-{form.name}",
            original=data.draw(texts_around(incident.sentence(form))),
            revised=data.draw(texts_around(said)),
            context=incident.context(without=None if in_context else form),
            label="block",
            family=form.family,
            codes=(form.code,),
        )
    )


@ANY_FORM
@given(data=st.data(), disguise=disguisings(), changed=st.booleans())
def test_a_disguise_changes_no_verdict(
    form: FactForm, data: st.DataObject, disguise: Disguising, changed: bool
) -> None:
    assume(disguise.name not in form.spoilt_by)
    incident = data.draw(incidents(form))
    value = data.draw(changed_values(incident, form)) if changed else incident.values[form.name]
    sentence = data.draw(st.sampled_from(form.sentences))
    spelling = data.draw(spellings_of(form, value))
    judge(
        Case(
            name=f"disguised-{form.name}",
            original="We are looking into it.",
            revised=data.draw(texts_around(sentence.format(disguise.of(spelling)))),
            context=incident.context(),
            label="block" if changed else "pass",
            family=form.family,
            codes=(form.code,) if changed else (),
            disguise=disguise.name,
        )
    )


@ANY_MOVE
@given(data=st.data())
def test_a_number_moved_to_another_subject_is_blocked(form: FactForm, data: st.DataObject) -> None:
    incident = data.draw(incidents(form))
    said = data.draw(moved(form, incident.values[form.name]))
    judge(
        Case(
            name=f"moved-{form.name}",
            original="We are looking into it.",
            revised=data.draw(texts_around(said)),
            context=incident.context(),
            label="block",
            family="subject",
            codes=("no_new_facts",),
        )
    )


@ANY_UNIT
@given(data=st.data())
def test_a_number_with_another_unit_is_blocked(other: OtherUnit, data: st.DataObject) -> None:
    form = form_named(other.form)
    incident = data.draw(incidents(form))
    sentence = data.draw(st.sampled_from(other.sentences))
    number = other.number(incident.values[form.name])
    judge(
        Case(
            name=f"unit-{other.name}",
            original=incident.sentence(form),
            revised=data.draw(texts_around(sentence.format(number))),
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
