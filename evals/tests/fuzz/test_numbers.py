"""Spellings of numbers: words, grouped digits, thousands, decimals, ordinals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from redpen_evals.fuzz.renderings import LARGEST, count_spellings, decimal, decimal_words, in_words, ordinal

WORDS = [
    (0, "zero"),
    (13, "thirteen"),
    (20, "twenty"),
    (45, "forty-five"),
    (100, "one hundred"),
    (105, "one hundred and five"),
    (1_000, "one thousand"),
    (1_005, "one thousand and five"),
    (1_250, "one thousand two hundred and fifty"),
    (21_300, "twenty-one thousand three hundred"),
]


@pytest.mark.parametrize(("number", "words"), WORDS)
def test_number_is_spelt_in_words(number, words):
    assert in_words(number) == words


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_number_out_of_range_has_no_words(number):
    with pytest.raises(ValueError, match="not between"):
        in_words(number)


def test_small_numbers_have_distinct_words():
    assert len({in_words(number) for number in range(2_000)}) == 2_000


@pytest.mark.parametrize(
    ("number", "text", "words"),
    [
        (Fraction(27), "27", "twenty-seven"),
        (Fraction(34, 10), "3.4", "three point four"),
        (Fraction(5, 100), "0.05", "zero point zero five"),
    ],
)
def test_decimal_is_spelt_in_digits_and_words(number, text, words):
    assert decimal(number) == text
    assert decimal_words(number) == words


def test_non_terminating_decimal_is_refused():
    with pytest.raises(ValueError, match="four decimals"):
        decimal(Fraction(1, 3))


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (11, "11th"), (13, "13th"), (23, "23rd")]
)
def test_ordinal_has_suffix(number, text):
    assert ordinal(number) == text


@pytest.mark.parametrize(
    ("number", "spellings"),
    [
        (5, ("5", "five")),
        (12, ("12", "twelve", "a dozen")),
        (1_200, ("1200", "one thousand two hundred", "1,200", "1.2k", "twelve hundred")),
        (3_000, ("3000", "three thousand", "3,000", "3k")),
    ],
)
def test_count_has_expected_spellings(number, spellings):
    assert count_spellings(number) == spellings
