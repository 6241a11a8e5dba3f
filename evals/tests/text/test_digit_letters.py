"""Digits and signs in place of letters are read as letters; numbers, codes and prices stay."""

from __future__ import annotations

import pytest

from redpen.text.views import view_of
from redpen.text.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("res0lved", "resolved"),
        ("r3s0lv3d", "resolved"),
        ("R3$OLVED", "ResOLVED"),
        ("fu11y", "fully"),
        ("f!xed", "fixed"),
        ("al| customers", "all customers"),
        ("the 0rder is lo$t", "the order is lost"),
        ("m0r3", "more"),
        ("d@ta", "data"),
        ("da7a 1s l0st", "data is lost"),
        ("C@n@d@", "Canada"),
        ("6 hour5", "6 hours"),
        ("quillw0rks", "quillworks"),
        ("unkn0wnword", "unknownword"),
        ("tw3nty-e!ght", "twenty-eight"),
    ],
)
def test_digits_and_signs_within_words_are_read_as_letters(text: str, expected: str) -> None:
    known = Vocabulary(
        frozenset("resolved fully fixed all the order is lost more data hours eight twenty".split()),
        frozenset({"canada"}),
        beside="quillworks",
    )
    assert view_of(text, known).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "node5 and order5",
        "p95, k8s, B2B, 3G",
        "45min, 2nd, 14:30Z, 7hours",
        "US$5 and $20",
        "ops@pay.example and @handle",
        "INC-4a12 and inc_a1b_2",
        "It is back!",
        "It is lost! it was back!",
        "1234567890",
    ],
)
def test_numbers_and_codes_are_unchanged(words: Vocabulary, text: str) -> None:
    assert view_of(text, words).text == text


def test_name_with_digit_is_read_as_word_only_beside_disguised_words(words: Vocabulary) -> None:
    assert view_of("order5 wait", words).text == "order5 wait"
    assert view_of("order5 are l0st", words).text == "orders are lost"
