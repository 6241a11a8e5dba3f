"""Generated incidents: contexts, sentences that state facts, and changed values."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.plans import FREE_TEXT, PERSONAL, action_plans, holds_free_text, holds_personal_data
from property_support.texts import (
    changed_values,
    count_steps,
    disguisings,
    long_texts,
    texts_around,
)
from property_support.verdicts import judge
from redpen_evals.fuzz.case import Case, CounterexampleError
from redpen_evals.fuzz.facts import FORMS, form_named
from redpen_evals.fuzz.incidents import Incident, incidents
from redpen_evals.scenario_library.loading import CONTEXT

CASE = Case(
    name="changed-share",
    original="About 27% of checkouts are affected.",
    revised="About 28% of checkouts are affected.",
    context={"incident": {"affected_checkout_pct": 27}},
    label="block",
    family="share",
    codes=("no_new_facts",),
)


@given(incident=incidents(*FORMS), form=st.none() | st.sampled_from(FORMS))
def test_context_is_json_and_omits_only_excluded_fact(incident, form):
    context = incident.context(without=form)
    assert json.loads(json.dumps(context)) == context
    for each in FORMS:
        place = context["incident"] if each.path[0] == "incident" else context
        held = place.get(each.path[-1]) == each.stored(incident.values[each.name])
        assert held == (each is not form)


@given(incident=incidents(*FORMS))
def test_context_is_valid_library_context(incident):
    CONTEXT.validate_python(incident.context())


@given(incident=incidents(*FORMS), data=st.data())
def test_changed_date_differs_in_both_day_month_orders(incident, data):
    value, kept = data.draw(changed_values(incident, form_named("date"))), incident.values["date"]
    assert (value.month, value.day) not in {(kept.month, kept.day), (kept.day, kept.month)}


@given(incident=incidents(*FORMS), data=st.data())
def test_changed_share_is_not_rounded_rate(incident, data):
    value, rate = data.draw(changed_values(incident, form_named("share"))), incident.values["rate"]
    assert abs(value - rate) >= 1
    assert value != incident.values["share"]


@given(data=st.data())
def test_text_around_sentence_contains_it(data):
    assert "It is late." in data.draw(texts_around("It is late."))


def test_simplest_sentence_states_fact():
    facts = {"share": Fraction(27), "date": date(2026, 3, 6)}
    incident = Incident(values=facts, notes={})
    assert incident.sentence(form_named("share")) == "About 27% of checkouts are affected."
    assert incident.sentence(form_named("date")) == "This is the update of 2026-03-06."


def test_judge_returns_report_when_case_holds():
    assert judge(CASE).violations[0].code == "no_new_facts"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"revised": CASE.original}, "must be blocked, but passes"),
        ({"label": "pass", "codes": ()}, "must pass, but is blocked"),
        ({"codes": ("new_region",)}, "must be blocked with new_region"),
    ],
)
def test_judge_raises_counterexample_when_case_does_not_hold(changes, problem):
    values = {name: getattr(CASE, name) for name in CASE.__slots__}
    case = Case(**{**values, **changes})
    with pytest.raises(CounterexampleError, match=problem) as caught:
        judge(case)
    assert caught.value.case is case


@given(disguise=disguisings(plain=True), text=st.sampled_from(["It is fully resolved.", "27% of checkouts"]))
def test_plain_disguise_is_ascii(disguise, text):
    assert disguise.apply(text).isascii()


@given(data=st.data(), chars=st.integers(min_value=1, max_value=300))
def test_long_text_has_requested_length(data, chars):
    assert len(data.draw(long_texts(chars=chars))) == chars


@given(plan=action_plans())
def test_action_plan_matches_contract(plan):
    assert 1 <= len(plan["actions"]) <= 8
    assert all({"id", "tool", "args"} == action.keys() for action in plan["actions"])


@pytest.mark.parametrize("mark", PERSONAL)
def test_personal_data_mark_is_found_when_disguised(mark):
    assert holds_personal_data({"note": [f"see {mark.upper()}"]})
    assert holds_personal_data({"note": "\u200b".join(mark)})
    assert not holds_personal_data({"note": "see the ticket"})


def test_free_text_is_found_in_nested_value():
    assert holds_free_text({"x": {"y": FREE_TEXT.upper()}})
    assert not holds_free_text({"x": "a status update"})


def test_count_steps_counts_calls():
    few, many = (count_steps(lambda size=size: [len("x") for _ in range(size)]) for size in (10, 1_000))
    assert many - few == 990
