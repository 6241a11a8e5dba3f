"""Hidden and struck-out text in markup is removed; visible text is kept."""

from __future__ import annotations

import pytest

from redpen.text.views import view_of
from redpen.text.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is <span hidden>not</span> back", "is  back"),
        ('is <span style="display: none">not</span> back', "is  back"),
        ('is <i style="font-size:0">not <b>yet</b></i> back', "is  back"),
        ("is <b style='visibility:hidden'><b>not</b> yet</b> back", "is  back"),
        ("is <script>not</script>back", "is back"),
        ("is <style>not { }</style>back", "is back"),
        ("re<span hidden>xyz</span>solved", "resolved"),
        ("re<!-- a > b -- c -->solved", "resolved"),
        ("is ~~not~~ back", "is  back"),
        ("is <del>not yet</del> back", "is  back"),
        ("is [s]not[/s] back", "is  back"),
        ("is n\u0336o\u0336t\u0336 back", "is  back"),
    ],
)
def test_hidden_or_struck_negation_is_removed(words: Vocabulary, text: str, expected: str) -> None:
    assert view_of(text, words).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<span style="font-size:0.9em">not</span> back', "not back"),
        ('<span style="opacity: 0.5">not</span> back', "not back"),
        ("<span aria-hidden=true>not</span> back", "not back"),
        ("<span hidden>not back", "not back"),
        ("<p>not</p>", "\nnot\n"),
        ("is ~~fully resolved~~ no", "is fully resolved no"),
        ("is <del>lost</del> back", "is lost back"),
        ("n\u0336o\u0335 back", "no back"),
        ("a <b>not</b> b", "a not b"),
    ],
)
def test_visible_text_is_kept(words: Vocabulary, text: str, expected: str) -> None:
    assert view_of(text, words).text == expected
