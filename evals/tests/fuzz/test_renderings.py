"""Renderers: common spellings, no duplicates, no overlap between values."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from redpen_evals.fuzz import renderings
from redpen_evals.fuzz.facts import FORMS, form_named
from redpen_evals.fuzz.sentences import OTHER_UNITS

HAVE = [
    (
        renderings.share(Fraction(25)),
        ["25%", "25 per cent", "twenty-five percent", "a quarter", "one in four"],
    ),
    (renderings.share(Fraction(34, 10)), ["3.4%", "three point four percent"]),
    (
        renderings.duration(2_700),
        ["45 min", "45min", "forty-five minutes", "three quarters of an hour", "0.75 hours"],
    ),
    (
        renderings.duration(5_400),
        ["an hour and a half", "1 hour 30 minutes", "1h30", "1.5 hours", "90 minutes"],
    ),
    (renderings.duration(60), ["1 minute", "one minute", "60 seconds"]),
    (renderings.interval(900), ["15 minutes", "quarter of an hour"]),
    (renderings.interval(3_600), ["hour", "60 minutes"]),
    (
        renderings.day(date(2026, 3, 6)),
        ["2026-03-06", "March 6, 2026", "6 March", "03/06/2026", "06/03/2026"],
    ),
    (renderings.clock(870), ["14:30", "2:30 pm", "2:30 p.m."]),
    (renderings.clock(720), ["12:00", "12 pm", "noon"]),
    (renderings.money(1_200), ["$1,200", "1200 USD", "US$1.2k", "twelve hundred dollars"]),
    (renderings.multiplier(2), ["2x", "twice", "double", "two times"]),
    (renderings.identifier("inc_a_1"), ["inc_a_1", "INC_A_1"]),
    (renderings.severity(1), ["P1", "p1", "priority 1", "priority one"]),
    (renderings.region("us"), ["the US", "the U.S.", "the USA", "the United States"]),
    (renderings.contact("help@acme.example"), ["help@acme.example", "help@ACME.EXAMPLE"]),
]


@pytest.mark.parametrize(("spellings", "some"), HAVE)
def test_common_spellings_are_rendered(spellings, some):
    assert set(some) <= set(spellings)


@pytest.mark.parametrize(("spellings", "_some"), HAVE)
def test_spellings_are_unique(spellings, _some):
    assert len(set(spellings)) == len(spellings)


@pytest.mark.parametrize(
    ("render", "one", "other"),
    [
        (renderings.share, Fraction(27), Fraction(28)),
        (renderings.duration, 2_700, 2_760),
        (renderings.clock, 150, 870),
        (renderings.money, 1_200, 1_300),
        (renderings.severity, 1, 2),
    ],
)
def test_different_values_share_no_spelling(render, one, other):
    assert set(render(one)).isdisjoint(render(other))


@pytest.mark.parametrize("seconds", [0, 90, 61])
def test_duration_not_in_whole_minutes_is_refused(seconds):
    with pytest.raises(ValueError, match="whole minutes"):
        renderings.duration(seconds)


def test_interval_has_no_article():
    texts = [text for minutes in range(1, 200) for text in renderings.interval(60 * minutes)]
    assert [text for text in texts if text.startswith(("a ", "an "))] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_form_is_found_by_name_and_has_one_slot(form):
    assert all(sentence.count("{}") == 1 for sentence in (*form.sentences, *form.moved))
    assert form_named(form.name) is form
    assert repr(form) == f"FactForm({form.name!r})"


def test_forms_have_unique_paths_and_names():
    assert len({form.path for form in FORMS}) == len({form.name for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("other", OTHER_UNITS, ids=lambda other: other.name)
def test_other_unit_belongs_to_form(other):
    assert form_named(other.form)
    assert all(sentence.count("{}") == 1 for sentence in other.sentences)
