"""Escaping of text for HTML: hidden characters become visible and markup inert."""

import html
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.reports.templating import plain, visible

ANY_TEXT = st.text(alphabet=st.characters())
CODE = re.compile(r"<span class=cp>U\+([0-9A-F]{4,6})</span>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a & b < c > \"d\" 'e'", "a &amp; b &lt; c &gt; &#34;d&#34; &#39;e&#39;"),
        ("\u202eevil", "<span class=cp>U+202E</span>evil"),
        ("a\u2066b\u2069", "a<span class=cp>U+2066</span>b<span class=cp>U+2069</span>"),
        ("\x00\x1b", "<span class=cp>U+0000</span><span class=cp>U+001B</span>"),
        ("re\u200bsolved", "re<span class=cp>U+200B</span>solved"),
        ("so\u00adft", "so<span class=cp>U+00AD</span>ft"),
        ("27\u00a0%", "27<span class=cp>U+00A0</span>%"),
        ("\ud83d", "<span class=cp>U+D83D</span>"),
        ("\U000e0041", "<span class=cp>U+E0041</span>"),
        ("\u3164", "<span class=cp>U+3164</span>"),
        ("a\ufe0f", "a<span class=cp>U+FE0F</span>"),
        ("a\u200db", "a<span class=cp>U+200D</span>b"),
        ("one\r\ntwo\rthree", "one\ntwo<span class=cp>U+000D</span>three"),
        ("caf\u00e9 \u2013 \u201c27\u00a0%\u201d", "café – “27<span class=cp>U+00A0</span>%”"),
        ("e\u0301", "e\u0301"),
        ("\u0301e", "<span class=cp>U+0301</span>e"),
    ],
)
def test_text_is_escaped_and_hidden_characters_are_shown(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["❤️", "👨‍👩‍👧", "🏳️‍🌈", "1️⃣", "👍🏽"])
def test_emoji_sequences_are_unchanged(text):
    assert visible(text) == text


def test_combining_marks_beyond_four_are_shown_as_code_points():
    shown = visible("h" + "\u0301" * 40)
    assert shown.startswith("h\u0301\u0301\u0301\u0301<span")
    assert len(CODE.findall(shown)) == 36


@given(ANY_TEXT)
def test_visible_text_can_be_decoded_to_original(text):
    parts = re.split(CODE, visible(text))
    read = [chr(int(part, 16)) if at % 2 else html.unescape(part) for at, part in enumerate(parts)]
    assert "".join(read) == text.replace("\r\n", "\n")


@given(ANY_TEXT)
def test_visible_text_has_no_invisible_characters(text):
    seen = set(CODE.sub("", visible(text))) - set("\n\t\u200d\ufe0e\ufe0f")
    assert not {unicodedata.category(char) for char in seen} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(ANY_TEXT)
def test_plain_text_adds_no_markup(text):
    assert ("<span" in plain(text)) == ("<span" in text)
    assert "\x00" not in plain(text)
    assert "\u202e" not in plain(text)


def test_plain_text_names_hidden_code_points():
    assert plain("a\u202eb") == "a⟨U+202E⟩b"
