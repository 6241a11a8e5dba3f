"""Numbers as people write them: in words, grouped, in thousands, with decimals."""

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
def test_a_number_in_words(number, words):
    assert in_words(number) == words


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
def test_words_have_their_bounds(number):
    with pytest.raises(ValueError, match="not between"):
        in_words(number)


def test_every_small_number_has_words_of_its_own():
    assert len({in_words(number) for number in range(2_000)}) == 2_000


@pytest.mark.parametrize(
    ("number", "text", "words"),
    [
        (Fraction(27), "27", "twenty-seven"),
        (Fraction(34, 10), "3.4", "three point four"),
        (Fraction(5, 100), "0.05", "zero point zero five"),
    ],
)
def test_decimals(number, text, words):
    assert decimal(number) == text
    assert decimal_words(number) == words


def test_what_no_decimals_hold_is_refused():
    with pytest.raises(ValueError, match="four decimals"):
        decimal(Fraction(1, 3))


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (11, "11th"), (13, "13th"), (23, "23rd")]
)
def test_ordinals(number, text):
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
def test_spellings_of_a_count(number, spellings):
    assert count_spellings(number) == spellings
