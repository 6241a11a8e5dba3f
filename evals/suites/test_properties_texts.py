"""Any text and any context: every guard answers, the same each time, at a place that the text has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.texts import any_contexts, count_steps, long_texts
from redpen.guards import Report, RevisionRules, check_revision
from redpen.guards.revision import MAX_TEXT_CHARS
from redpen.guards.text import read
from redpen_evals.fuzz.building import any_texts
from redpen_evals.fuzz.incidents import Incident, incidents

pytestmark = pytest.mark.fuzz

INHERIT = RevisionRules(claims="inherit")
LONG = 2_000
STEPS_A_TEXT, STEPS_A_CHARACTER = 4_000, 250
"""What the guards may do: a quadratic pass over a text of ``LONG`` characters is far beyond."""


def is_sound(report: Report, text: str) -> None:
    assert [item.reading for item in report.violations if item.code == "guard_error"] == []
    for item in (*report.violations, *report.concerns):
        start, end = item.span
        assert 0 <= start <= end <= len(text)
        assert item.text == text[start:end]


@given(text=any_texts())
def test_reading_what_was_read_changes_nothing(text: str) -> None:
    view = read(text)
    assert read(view.text).text == view.text


@given(text=any_texts())
def test_every_place_of_a_view_is_a_place_of_the_text(text: str) -> None:
    view = read(text)
    assert view.given == text
    assert len(view.offsets) == len(view.text) + 1
    assert list(view.offsets) == sorted(view.offsets)
    assert view.offsets[-1] == len(text)


@given(text=any_texts(), context=any_contexts())
def test_a_text_against_itself_never_violates(text: str, context: dict[str, Any]) -> None:
    report = check_revision(original=text, revised=text, context=context, rules=INHERIT)
    assert [item for item in report.violations if item.code != "empty"] == []


@given(original=any_texts(), revised=any_texts(), context=any_contexts())
def test_any_text_in_any_context_gets_a_verdict(original: str, revised: str, context: dict[str, Any]) -> None:
    report = check_revision(original=original, revised=revised, context=context)
    is_sound(report, revised)
    assert check_revision(original=original, revised=revised, context=context) == report


@given(text=st.integers(MAX_TEXT_CHARS - 2, MAX_TEXT_CHARS + 2).flatmap(lambda n: long_texts(chars=n)))
def test_a_text_about_the_cap_gets_a_verdict(text: str) -> None:
    report = check_revision(original="We are looking into it.", revised=text, context={})
    is_sound(report, text)
    codes = {item.code for item in report.violations}
    assert ("too_long" in codes) == (len(text.strip()) > MAX_TEXT_CHARS and "empty" not in codes)


@given(text=long_texts(chars=LONG), incident=incidents())
def test_the_steps_are_bounded_by_the_length(text: str, incident: Incident) -> None:
    context = incident.context()
    check_revision(original="", revised="We are looking into it.", context=context)
    steps = count_steps(lambda: check_revision(original="", revised=text, context=context))
    assert steps <= STEPS_A_TEXT + STEPS_A_CHARACTER * len(text)
