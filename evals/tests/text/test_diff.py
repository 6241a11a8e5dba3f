"""The excerpt of a diff: at most six lines, split into sentences, lines or chunks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.diff import diff_excerpt


@pytest.mark.parametrize(
    ("before", "after", "excerpt"),
    [
        ("same", "same", []),
        ("", "", []),
        ("", "new", ["+new"]),
        ("one\ntwo\nthree", "one\n2\nthree", ["-two", "+2"]),
        ("We work. It is slow. We wait.", "We work. It is late. We wait.", ["-It is slow.", "+It is late."]),
        ("Is it slow? Yes! Wait.", "Is it slow? Yes! Go.", ["-Wait.", "+Go."]),
        ("a" * 80 + "b" * 80 + "c", "a" * 80 + "x" * 80 + "c", ["-" + "b" * 80, "+" + "x" * 80]),
        # The texts are split independently: one into sentences, the other into lines.
        ("One. Two.", "One.\nThree.", ["-Two.", "+Three."]),
        ("short", "One. Two.", ["-short", "+One.", "+Two."]),
        # A line that looks like a diff header counts as a change.
        ("-- a\nb", "b\n++ c", ["--- a", "+++ c"]),
    ],
)
def test_excerpt_lists_removed_and_added_lines(before: str, after: str, excerpt: list[str]) -> None:
    assert diff_excerpt(before, after) == excerpt


def test_excerpt_has_at_most_six_lines() -> None:
    before = "\n".join(f"old {number}" for number in range(5))
    after = "\n".join(f"new {number}" for number in range(5))
    assert diff_excerpt(before, after) == [*(f"-old {number}" for number in range(5)), "+new 0"]


@given(st.text(max_size=200), st.text(max_size=200))
def test_every_excerpt_line_is_an_addition_or_a_removal(before: str, after: str) -> None:
    excerpt = diff_excerpt(before, after)
    assert len(excerpt) <= 6
    assert all(line.startswith(("+", "-")) for line in excerpt)
    assert diff_excerpt(before, before) == []
