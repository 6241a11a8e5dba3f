"""Tokens and sentences: every character in one place, abbreviations whole, lines and lists apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.tokens import count_pieces, sentences, tokenize


def _sentences(text: str) -> list[str]:
    tokens = tokenize(text)
    return [text[tokens[begin].start : tokens[end - 1].end].strip() for begin, end in sentences(tokens)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("We've fixed it.", [("word", "We've"), ("word", "fixed"), ("word", "it"), ("mark", ".")]),
        ("isn’t", [("word", "isn’t")]),
        ("1,200 of 3.4%", [("number", "1,200"), ("word", "of"), ("number", "3.4"), ("mark", "%")]),
        ("45min P1", [("number", "45"), ("word", "min"), ("word", "P"), ("number", "1")]),
        ("a\n\n b", [("word", "a"), ("break", "\n\n "), ("word", "b")]),
        ("½ ٣٤ é", [("number", "½"), ("number", "٣٤"), ("word", "é")]),
        ("re-solved_x", [("word", "re"), ("mark", "-"), ("word", "solved"), ("mark", "_"), ("word", "x")]),
        ("", []),
    ],
)
def test_pieces(text: str, pieces: list[tuple[str, str]]) -> None:
    assert [(token.kind, token.text) for token in tokenize(text)] == pieces


def test_folded_is_lower_case_with_plain_apostrophes() -> None:
    assert [token.folded for token in tokenize("ISN’T Über 5")] == ["isn't", "über", "5"]


@pytest.mark.parametrize(
    "text",
    [
        "Customers in the U.S. region may see errors.",
        "Some methods, e.g. cards, fail.",
        "The next update is due at 5 p.m. on the status page.",
        "About 3.4 percent of payments fail.",
        "See status.example.com for more.",
        "This is approx. half of them.",
        "It is no. 4 on the list.",
    ],
)
def test_text_of_one_sentence_is_one_span(text: str) -> None:
    assert _sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fails. We work on it.", ["It fails.", "We work on it."]),
        ("Update at 5 p.m. We will post it.", ["Update at 5 p.m.", "We will post it."]),
        ("It affects the U.S. We are on it.", ["It affects the U.S.", "We are on it."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Status: degraded\nImpact: payments fail", ["Status: degraded", "Impact: payments fail"]),
        ("the incident is\nresolved now", ["the incident is\nresolved now"]),
        ("1. Monitor.\n2. Publish.", ["1. Monitor.", "2. Publish."]),
        ("- monitor\n- publish", ["- monitor", "- publish"]),
        ("It is fixed.All is well.", ["It is fixed.", "All is well."]),
        ("We have no. This is it.", ["We have no.", "This is it."]),
    ],
)
def test_several_sentences(text: str, expected: list[str]) -> None:
    assert _sentences(text) == expected


@given(st.text())
def test_every_visible_character_lies_in_one_token(text: str) -> None:
    tokens = tokenize(text)
    covered = [index for token in tokens for index in range(token.start, token.end)]
    assert covered == sorted(set(covered))
    assert {index for index, char in enumerate(text) if not char.isspace()} <= set(covered)
    assert all(text[token.start : token.end] == token.text for token in tokens)


@given(st.text(alphabet="aB.1 \n!?-'é(\"", max_size=80))
def test_sentences_cover_all_tokens(text: str) -> None:
    tokens = tokenize(text)
    spans = sentences(tokens)
    assert [index for begin, end in spans for index in range(begin, end)] == list(range(len(tokens)))


@pytest.mark.parametrize("piece", [" ", "\n", "a", ".", "1.", "a'", "\n a", "\u0301", "U.", "- "])
def test_long_text_has_the_tokens_of_its_parts(piece: str) -> None:
    assert len(tokenize(piece * 20_000)) <= 40_000


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("We are on it.", 5),
        ("14.5% at 14:05, P2", 6),
        ("&#114;&amp;", 2),
        ("<b>fixed</b>", 3),
        ("n\u0303o\u0301", 1),
        ("½½\n", 3),
        ("a_b", 3),
    ],
)
def test_pieces_are_words_numbers_marks_entities_and_tags(text: str, count: int) -> None:
    assert count_pieces(text) == count
