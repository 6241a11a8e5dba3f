"""Look-alike letters, repeated letters, mixed capitals, and numbers in other notations."""

from __future__ import annotations

import pytest

from redpen.text.views import view_of
from redpen.text.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("custorners", "customers"),
        ("vvorking", "working"),
        ("resolvecl", "resolved"),
        ("lt is back", "It is back"),
        ("resoIved", "resolved"),
        ("aII orders", "all orders"),
        ("resolvedddd", "resolved"),
        ("Nooo data", "No data"),
        ("ReSoLvEd", "Resolved"),
        ("rEsOlVeD", "resolved"),
        ("at the end of jUnE", "at the end of June"),
        ("fIrEbAsE", "Firebase"),
        ("mArCh 1", "March 1"),
        ("engineers from BACKBLAZE", "engineers from Backblaze"),
        ("XII minutes", "12 minutes"),
        ("XC %", "90 %"),
        ("a rate of .041", "a rate of 0.041"),
        ("hxxps://evil.example", "https://evil.example"),
    ],
)
def test_disguised_word_is_normalized(words: Vocabulary, text: str, expected: str) -> None:
    assert view_of(text, words).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "CedarPay, GitHub, iPhone and eBay",
        "FULLY RESOLVED IN BACKBLAZE",
        "over HTTPS and OAUTH",
        "Severity III",
        "I minute the meeting",
        "the modern barn",
        "see file.041",
    ],
)
def test_ordinary_words_are_unchanged(words: Vocabulary, text: str) -> None:
    assert view_of(text, words).text == text
