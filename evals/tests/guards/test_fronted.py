"""Claims: clauses that tell what is to come, or leave open what they are said of."""

from __future__ import annotations

import pytest

from redpen.guards.claims.fronted import left_open
from redpen.guards.claims.reading import read_sentences


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("As soon as the gates are open, we write.", True),
        ("The gates are to be opened.", True),
        ("The gates remain to be opened.", True),
        ("The gates are anything but open.", True),
        ("Whichever gate opens is on the list.", True),
        ("The gates are open.", False),
        ("The gates turned out to be open.", False),
        ("Soon the gates are open.", False),
    ],
)
def test_a_clause_is_left_open(text: str, left: bool) -> None:
    (sentence,) = read_sentences(text)
    start = sentence.words.index("the") if text.startswith("As") else 0
    assert left_open(sentence, start, len(sentence.words)) is left


def test_the_words_between_two_places() -> None:
    (sentence,) = read_sentences("The gates are open, we think.")
    assert sentence.places(4, 18) == (1, 4)
    assert sentence.places(100, 120) == (0, 0)
