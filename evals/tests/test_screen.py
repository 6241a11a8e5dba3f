"""Escaping of text for terminals: control, hidden and right-to-left characters."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from redpen.screen import fit, json_text, shown

ISOLATES = "\u2068\u2069"
JOINER = "\u200d"
HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
STEERING = "a\x1b[31m\x9b2J\x07\r\b\x00\x7f\u202e\u200b\u2028\U000e0041\ufeff\u00ad"


def _harmful(text):
    return [char for char in text if unicodedata.category(char) in HARMFUL]


@pytest.mark.parametrize(
    "text",
    ["", "Plain, with {braces} & <tags>.", "Überraschung 支払い €5 – “ok”", "e\u0301", "🙂", "👨‍👩‍👧", "❤️"],
)
def test_visible_text_is_unchanged(text):
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\r\n", "a\\nb\\tc\\r\\n"),
        ("re\u200bsolved", "re\\u200bsolved"),
        ("\u202eabc", "\\u202eabc"),
        ("\U000e0041", "\\U000e0041"),
        ("\u0301a", "\\u0301a"),
        ("\u200b\u0301", "\\u200b\\u0301"),
        ("\ud800", "\\ud800"),
        # Blank letters and special spaces are as invisible as zero-width characters.
        ("27\u00a0%", "27\\xa0%"),
        ("a\u3164b", "a\\u3164b"),
        ("a\u200db", "a\\u200db"),
    ],
)
def test_control_and_hidden_characters_are_escaped(text, expected):
    assert shown(text) == expected


def test_stacked_combining_marks_are_limited():
    tower = shown("a" + "\u0301" * 50)
    assert tower.count("\u0301") <= 4
    assert tower.count("\\u0301") >= 46


@pytest.mark.parametrize("word", ["שלום", "مرحبا", "٢٧"])
def test_right_to_left_text_is_isolated(word):
    assert shown(f"so {word} {word}, yes") == f"so \u2068{word} {word}\u2069, yes"


@given(st.text())
@example(STEERING)
@example("א\u2068\u202eב")
def test_any_text_becomes_one_safe_line_with_balanced_isolates(text):
    line = shown(text)
    assert [char for char in _harmful(line) if char not in ISOLATES + JOINER] == []
    assert line.count("\u2068") == line.count("\u2069") <= 1


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["utf-8", "latin-1", "ascii"]))
@example(STEERING, "utf-8")
def test_json_text_is_safe_encodable_and_round_trips(text, encoding):
    for indent in (None, 2):
        written = json_text({"text": text}, encoding=encoding, indent=indent)
        assert _harmful(written.replace("\n", "")) == []
        assert written.encode(encoding).decode(encoding) == written
        assert json.loads(written) == {"text": text}


def test_json_keeps_letters_of_every_script():
    assert json_text({"text": "Überfällig 支払い"}, encoding="utf-8") == '{"text": "Überfällig 支払い"}'


def test_unencodable_characters_are_escaped():
    assert fit("ü 支", "latin-1") == "ü \\u652f"
    assert fit("ü 支", "utf-8") == "ü 支"
