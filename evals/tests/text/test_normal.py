"""Whitespace normalization, blank texts, and the two hashes."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.normal import collapse, plain_hash, reads_blank, text_hash


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("  one  two\n\nthree\t", "one two three"),
        ("one\u00a0\u2003two\u2028three", "one two three"),
    ],
)
def test_white_space_is_collapsed(text: str, collapsed: str) -> None:
    assert collapse(text) == collapsed


# The digests are literals, so that a change of the rule fails the test.
@pytest.mark.parametrize(
    ("text", "in_trace", "in_audit"),
    [
        ("Payments are degraded.", "6b911c1da6ee", "62f47b2a50f6"),
        ("  Payments\n are   degraded. ", "6b911c1da6ee", "62f47b2a50f6"),
        ("", "12ae32cb1ec0", "e3b0c44298fc"),
        ('Оплата — "27%"', "db61f20b15c3", "f85c1b1fde7a"),
    ],
)
def test_hashes_use_the_collapsed_text(text: str, in_trace: str, in_audit: str) -> None:
    assert (text_hash(text), plain_hash(text)) == (in_trace, in_audit)


def test_text_hash_uses_the_escaped_json_string() -> None:
    text = 'Оплата — "27%" \\ ok'
    assert text_hash(text) == hashlib.sha256(json.dumps(text).encode()).hexdigest()[:12]
    assert plain_hash(text) == hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]


@given(st.text(alphabet=st.characters()))
def test_hashes_accept_any_text_and_ignore_whitespace(text: str) -> None:
    assert text_hash(f"  {text}\n") == text_hash(text) == text_hash(collapse(text))
    assert plain_hash(f"  {text}\n") == plain_hash(text) == plain_hash(collapse(text))
    assert len(text_hash(text)) == len(plain_hash(text)) == 12


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\u00ad\u2060 ", "\u3164", "\u0301"])
def test_invisible_text_reads_blank(text: str) -> None:
    assert reads_blank(text)


@pytest.mark.parametrize("text", [".", "0", "a\u0301", "\u200bx", "字"])
def test_visible_text_does_not_read_blank(text: str) -> None:
    assert not reads_blank(text)
