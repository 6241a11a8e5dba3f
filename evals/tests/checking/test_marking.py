"""Marking of findings in a text: overlaps, empty spans, line breaks and spans outside of the text."""

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


def test_text_without_findings_is_unchanged():
    assert _marked(TEXT) == TEXT


def test_violations_and_concerns_have_different_marks_and_numbers(finding):
    shown = _marked(TEXT, [finding(20, 23)], [finding(0, 6)])
    assert shown == "((All is)){2} resolved for [[30%]]{1} of users."


def test_overlapping_spans_are_split_at_their_borders(finding):
    assert _marked("abcdef", [finding(0, 4), finding(2, 6)]) == "[[ab]]{1}[[cd]]{1,2}[[ef]]{2}"
    assert _marked("abcdef", [finding(0, 6), finding(2, 4)]) == "[[ab]]{1}[[cd]]{1,2}[[ef]]{1}"
    assert _marked("abcdef", [finding(1, 3), finding(1, 3)]) == "a[[bc]]{1,2}def"


def test_violation_mark_wins_over_concern(finding):
    assert _marked("abcd", [finding(1, 2)], [finding(0, 4)]) == "((a)){2}[[b]]{1,2}((cd)){2}"


def test_adjacent_spans_are_separate_marks(finding):
    assert _marked("abcd", [finding(0, 2), finding(2, 4)]) == "[[ab]]{1}[[cd]]{2}"


def test_empty_span_is_an_empty_mark(finding):
    assert _marked("abcd", [finding(2, 2)]) == "ab[[]]{1}cd"
    assert _marked("abcd", [finding(4, 4), finding(0, 0)]) == "[[]]{2}abcd[[]]{1}"
    assert _marked("abcd", [finding(0, 4), finding(2, 2)]) == "[[ab]]{1}[[]]{2}[[cd]]{1}"
    assert _marked("", [finding(0, 0)]) == "[[]]{1}"


def test_mark_is_split_at_line_breaks(finding):
    assert _marked("a b\nc d", [finding(2, 5)]) == "a [[b]]{1}\n[[c]]{1} d"
    assert _marked("a b\r\n\r\nc d", [finding(2, 8)]) == "a [[b]]{1}\n\n[[c]]{1} d"
    assert _marked("a\nb", [finding(1, 2)]) == "a\nb"


def test_span_outside_of_text_is_clipped(finding):
    assert _marked("abc", [finding(2, 99), finding(50, 60), finding(-3, 1)]) == "[[a]]{3}b[[c]]{1}[[]]{2}"


@pytest.mark.parametrize("code", ["empty", "too_long", "too_large_edit", "guard_error"])
def test_finding_on_whole_text_is_not_marked(finding, code):
    assert _marked("abc", [finding(0, 3, code=code), finding(0, 3)]) == "[[abc]]{2}"


def test_wide_and_right_to_left_text_is_marked(finding):
    assert _marked("支払い30%です", [finding(3, 6)]) == "支払い[[30%]]{1}です"
    assert _marked("שלום עולם ok", [finding(5, 9)]) == "\u2068שלום\u2069 [[\u2068עולם\u2069]]{1} ok"


def test_combining_character_after_bracket_is_escaped(finding):
    assert _marked("ae\u0301b", [finding(2, 3)]) == "ae[[\\u0301]]{1}b"


def test_control_characters_are_escaped(finding):
    assert _marked("\x1b[1mab\x07", [finding(4, 6)]) == "\\x1b[1m[[ab]]{1}\\x07"
    assert _marked("ab\x1b[0mc", [finding(0, 7)]) == "[[ab\\x1b[0mc]]{1}"


def test_terminal_marks_are_coloured_and_reset_per_line(finding):
    report = Report(violations=(finding(2, 5),), concerns=(finding(6, 7), finding(7, 7)))
    coloured = marked("a b\nc d", report, colour=True)
    assert click.unstyle(coloured) == "a b{1}\nc{1} d{2}^{3}"
    for line in coloured.splitlines():
        assert line.endswith("\x1b[0m")
        assert "\x1b[4m" in line
    violation, concern = coloured.index("\x1b[31m"), coloured.index("\x1b[33m")
    assert violation < coloured.index("b") < concern < coloured.rindex("d")


def test_long_text_is_truncated(finding):
    text = "x" * (MAX_SHOWN_CHARS + 7)
    shown = _marked(text, [finding(0, 1)])
    assert shown.startswith("[[x]]{1}xxx")
    assert shown.endswith("x\n[7 more characters are not shown]")
    assert len(shown) < MAX_SHOWN_CHARS + 100


_SPANS = st.lists(st.tuples(st.integers(-2, 14), st.integers(-2, 14)), max_size=8)


@given(st.text("ab \n\r\u0301א", max_size=12), _SPANS, st.integers(0, 8))
def test_pieces_rebuild_the_text_with_their_findings(text, spans, blocking):
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
