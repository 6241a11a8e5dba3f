"""Quoted pieces: marks pair with their own kind, and apostrophes are not quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.quotes import outside_quotes, quoted_pieces


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ('ADD "We\'ll share updates"', ["We'll share updates"]),
        ('MUST_REMOVE "Don\'t worry"', ["Don't worry"]),
        ("ADD “We’ll share updates”", ["We’ll share updates"]),
        ("ADD «оновлення кожні 15 хвилин»", ["оновлення кожні 15 хвилин"]),
        ('replace "A b" with "C d"', ["A b", "C d"]),
        ("replace “old” with «new»", ["old", "new"]),
        ('say “the "new" page”', ['the "new" page']),
        ("ADD 'We'll share updates'", ["We'll share updates"]),
        ("don't and won't quote", []),
        ('an inch is 1" and no quote', []),
        ("“ opened and never closed", []),
        ('“ mixed "', []),
        ('ADD "  trimmed  "', ["trimmed"]),
        ('ADD ""', [""]),
        ("", []),
    ],
)
def test_quoted_pieces_are_found(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in quoted_pieces(text)] == pieces


def test_spans_include_the_quotation_marks() -> None:
    text = 'say "one" and “two”'
    assert [text[piece.start : piece.end] for piece in quoted_pieces(text)] == ['"one"', "“two”"]


def test_outside_quotes_returns_the_unquoted_text() -> None:
    assert outside_quotes('replace "update it" with “change” now').split() == ["replace", "with", "now"]


@given(st.text(alphabet=st.sampled_from("ab '’“”«»\"„‘"), max_size=40))
def test_quoted_pieces_are_ordered_and_do_not_overlap(text: str) -> None:
    at = 0
    for piece in quoted_pieces(text):
        assert at <= piece.start < piece.end <= len(text)
        assert piece.text == text[piece.start + 1 : piece.end - 1].strip()
        at = piece.end


@pytest.mark.parametrize("mark", ["“", "«", "'", '"', "“«‘„"])
def test_unpaired_marks_are_handled_in_linear_time(mark: str) -> None:
    # A search from each mark to the end would take minutes here.
    text = f" {mark}" * 50_000 + "a"
    assert all(piece.end <= len(text) for piece in quoted_pieces(text))
