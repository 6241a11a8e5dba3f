"""Marks in a text: overlapping, empty, over line breaks, out of the text."""

from __future__ import annotations

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.guards import Finding, Report
from redpen_evals.checking.explain import MAX_SHOWN_CHARS, marked, pieces

TEXT = "All is resolved for 30% of users."


def _marked(text, violations=(), concerns=()):
    return marked(text, Report(violations=tuple(violations), concerns=tuple(concerns)), colour=False)


def test_a_text_without_findings_is_shown_as_it_is():
    assert _marked(TEXT) == TEXT


def test_violations_and_concerns_are_marked_apart_and_numbered_through(finding):
    shown = _marked(TEXT, [finding(20, 23)], [finding(0, 6)])
    assert shown == "((All is)){2} resolved for [[30%]]{1} of users."


def test_overlapping_spans_are_cut_where_they_cross(finding):
    assert _marked("abcdef", [finding(0, 4), finding(2, 6)]) == "[[ab]]{1}[[cd]]{1,2}[[ef]]{2}"
    assert _marked("abcdef", [finding(0, 6), finding(2, 4)]) == "[[ab]]{1}[[cd]]{1,2}[[ef]]{1}"
    assert _marked("abcdef", [finding(1, 3), finding(1, 3)]) == "a[[bc]]{1,2}def"


def test_where_a_violation_and_a_concern_overlap_the_violation_shows(finding):
    assert _marked("abcd", [finding(1, 2)], [finding(0, 4)]) == "((a)){2}[[b]]{1,2}((cd)){2}"


def test_spans_that_touch_stay_two_marks(finding):
    assert _marked("abcd", [finding(0, 2), finding(2, 4)]) == "[[ab]]{1}[[cd]]{2}"


def test_an_empty_span_is_a_mark_between_two_characters(finding):
    assert _marked("abcd", [finding(2, 2)]) == "ab[[]]{1}cd"
    assert _marked("abcd", [finding(4, 4), finding(0, 0)]) == "[[]]{2}abcd[[]]{1}"
    assert _marked("abcd", [finding(0, 4), finding(2, 2)]) == "[[ab]]{1}[[]]{2}[[cd]]{1}"
    assert _marked("", [finding(0, 0)]) == "[[]]{1}"


def test_a_mark_ends_with_its_line_and_begins_again_on_the_next(finding):
    assert _marked("a b\nc d", [finding(2, 5)]) == "a [[b]]{1}\n[[c]]{1} d"
    assert _marked("a b\r\n\r\nc d", [finding(2, 8)]) == "a [[b]]{1}\n\n[[c]]{1} d"
    assert _marked("a\nb", [finding(1, 2)]) == "a\nb"


def test_a_finding_outside_of_the_text_is_cut_to_it(finding):
    assert _marked("abc", [finding(2, 99), finding(50, 60), finding(-3, 1)]) == "[[a]]{3}b[[c]]{1}[[]]{2}"


@pytest.mark.parametrize("code", ["empty", "too_long", "too_large_edit", "guard_error"])
def test_a_verdict_on_the_whole_text_marks_none_of_it(finding, code):
    assert _marked("abc", [finding(0, 3, code=code), finding(0, 3)]) == "[[abc]]{2}"


def test_wide_and_right_to_left_text_is_marked_in_place(finding):
    assert _marked("支払い30%です", [finding(3, 6)]) == "支払い[[30%]]{1}です"
    assert _marked("שלום עולם ok", [finding(5, 9)]) == "\u2068שלום\u2069 [[\u2068עולם\u2069]]{1} ok"


def test_a_combining_mark_never_lands_on_a_bracket(finding):
    assert _marked("ae\u0301b", [finding(2, 3)]) == "ae[[\\u0301]]{1}b"


def test_control_characters_are_escaped_in_and_out_of_a_mark(finding):
    assert _marked("\x1b[1mab\x07", [finding(4, 6)]) == "\\x1b[1m[[ab]]{1}\\x07"
    assert _marked("ab\x1b[0mc", [finding(0, 7)]) == "[[ab\\x1b[0mc]]{1}"


def test_a_terminal_gets_colours_and_underlines_that_end_with_each_line(finding):
    report = Report(violations=(finding(2, 5),), concerns=(finding(6, 7), finding(7, 7)))
    coloured = marked("a b\nc d", report, colour=True)
    assert click.unstyle(coloured) == "a b{1}\nc{1} d{2}^{3}"
    for line in coloured.splitlines():
        assert line.endswith("\x1b[0m")
        assert "\x1b[4m" in line
    violation, concern = coloured.index("\x1b[31m"), coloured.index("\x1b[33m")
    assert violation < coloured.index("b") < concern < coloured.rindex("d")


def test_a_text_that_is_too_long_to_show_is_cut(finding):
    text = "x" * (MAX_SHOWN_CHARS + 7)
    shown = _marked(text, [finding(0, 1)])
    assert shown.startswith("[[x]]{1}xxx")
    assert shown.endswith("x\n[7 more characters are not shown]")
    assert len(shown) < MAX_SHOWN_CHARS + 100


_SPANS = st.lists(st.tuples(st.integers(-2, 14), st.integers(-2, 14)), max_size=8)


@given(st.text("ab \n\r\u0301א", max_size=12), _SPANS, st.integers(0, 8))
def test_pieces_are_the_text_and_each_stands_under_its_findings(text, spans, blocking):
    found = [
        Finding(code="no_new_facts", family="", span=span, text="", reading="", reason="") for span in spans
    ]
    report = Report(violations=tuple(found[:blocking]), concerns=tuple(found[blocking:]))
    cut = list(pieces(text, report))
    assert "".join(piece.text for piece in cut) == text
    assert {number for piece in cut for number in piece.numbers} == set(range(1, len(found) + 1))
    at = 0
    for piece in cut:
        end = at + len(piece.text)
        for number in piece.numbers:
            start, stop = spans[number - 1]
            assert max(start, 0) <= at or not piece.text
            assert end <= min(stop, len(text)) or not piece.text
        assert piece.blocks == any(number <= len(report.violations) for number in piece.numbers)
        at = end
