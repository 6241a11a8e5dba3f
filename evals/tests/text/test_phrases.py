"""Phrases: matching by whole words, deletion with clean punctuation and spacing, and appending."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.text.phrases import append_phrase, contains_phrase, delete_phrase, mentions, phrase_key


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("We'll share updates soon.", "We'll share updates"),
        ("We’ll share updates soon.", "We'll share updates"),
        ("we'll SHARE\n updates", "We'll share updates"),
        ("Next steps: monitor, then report.", "monitor then report"),
        ("It takes 45-minute steps.", "45 minute steps"),
        ("All is well.", "all is well."),
        ("All is well", "all is well!"),
        ("“All”, he said, is well", "all he said is well"),
        ("Оплата тимчасово недоступна.", "оплата ТИМЧАСОВО"),
        ("Le café est fermé.", "CAFÉ EST FERMÉ"),
        ("Le cafe\u0301 est ouvert.", "café est"),
        ("Die STRASSE ist frei.", "straße ist"),
        ("हम काम कर रहे हैं", "काम कर"),
        ("It is re\u00adsolved now.", "resolved"),
        ("It is re\u200bsolved now.", "resolved"),
        ("It is **resolved** now.", "is resolved now"),
        ("It is _resolved_ now.", "is resolved now"),
        ("It is `resolved` now.", "is resolved now"),
        ("It is ~~resolved~~ now.", "is resolved now"),
        ("It is <b>resolved</b> now.", "resolved"),
        ("Wait ... and see", "..."),
    ],
)
def test_contains_phrase_ignores_case_punctuation_and_markup(text: str, phrase: str) -> None:
    assert contains_phrase(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("We guarantee a refund.", "guarantee a refund"),
        ("This is unguaranteed.", "Guarantee"),
        ("We guarantee\na refund.", "guarantee a refund"),
        ("We guarantee  a\u00a0refund.", "guarantee a refund"),
        ("We **guarantee** a refund.", "guarantee a refund"),
        ("We guar**an**tee a _refund_.", "guarantee a refund"),
        ("We <b>guar</b>antee&nbsp;a refund.", "guarantee a refund"),
        ("We guaran\u00adtee a re\u200bfund.", "guarantee a refund"),
        ("We \u200b guarantee\u2060 a refund.", "guarantee a refund"),
        ("We can’t say.", "can't say"),
        ("We can't say.", "can’t say"),
        ("We guarantee (today) refunds.", "today refund"),
        ("It is our money\u2011back offer.", "money-back"),
        ("Full   refund: 100% of it.", "refund: 100%"),
        ("Write C++ or\nC.", "C++ or C"),
        ("Look at HTTP://example.org.", "http://"),
        ("Wait ... and see", "..."),
        ("Ｗe ｇuarantee it", "guarantee"),
        ("We gu\u0430rantee it", "guarantee"),
    ],
)
def test_mentions_reads_what_a_reader_sees(text: str, phrase: str) -> None:
    assert mentions(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("We refund the order.", "guarantee"),
        ("Order 81 has 1 item.", "#1"),
        ("Call us.", "C++"),
        ("Ready for delivery.", "R&D"),
        ("The art of it.", "heart"),
        ("", "guarantee"),
    ],
)
def test_mentions_needs_the_words(text: str, phrase: str) -> None:
    assert not mentions(text, phrase)


@given(st.text(max_size=40), st.text(min_size=1, max_size=6), st.text(max_size=40))
def test_mentions_whatever_a_text_holds_literally(before: str, phrase: str, after: str) -> None:
    assert mentions(before + phrase + after, phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("We operate as usual.", "rate"),
        ("The rates fell.", "rate"),
        ("An unresolved case.", "resolved"),
        ("Оплата недоступна.", "лата"),
        ("Le café est fermé.", "cafe"),
        ("We will share updates.", "We'll share updates"),
        ("share our updates", "share updates"),
        ("It costs $5.", "5"),
        ("", "rate"),
        ("rate", "rate limit"),
    ],
)
def test_contains_phrase_matches_only_whole_words(text: str, phrase: str) -> None:
    assert not contains_phrase(text, phrase)


@pytest.mark.parametrize(
    ("text", "phrase", "left"),
    [
        ("We operate at a high rate today.", "rate", "We operate at a high today."),
        ("We operate normally.", "rate", "We operate normally."),
        ("All is well. Everything is fixed. We wait.", "Everything is fixed", "All is well. We wait."),
        ("All is well. Everything is fixed. We wait.", "Everything is fixed.", "All is well. We wait."),
        ("All is well. Everything is fixed! We wait.", "everything is fixed", "All is well. We wait."),
        ("Everything is fixed. We wait.", "Everything is fixed", "We wait."),
        ("We wait. Everything is fixed.", "Everything is fixed.", "We wait."),
        ("Everything is fixed.", "Everything is fixed", ""),
        ("We are, fully recovered, waiting.", "fully recovered", "We are, waiting."),
        ("We are up, fully recovered.", "fully recovered", "We are up."),
        ("We are fully recovered now.", "fully recovered", "We are now."),
        ("Don't worry, we are on it.", "Don't worry", "We are on it."),
        ("Please don’t worry about it.", "don't worry", "Please about it."),
        ("It is slow (fully recovered) today.", "fully recovered", "It is slow today."),
        ("It is slow (fully recovered soon) today.", "fully recovered", "It is slow (soon) today."),
        ("One. fixed fixed Two.", "fixed", "One. Two."),
        ("Головне: все виправлено. Чекаємо.", "все виправлено", "Головне. Чекаємо."),
        (
            "First part.\n\nEverything is fixed.\n\nLast part.",
            "Everything is fixed",
            "First part.\n\nLast part.",
        ),
        ("First line\nfixed\nlast line", "fixed", "First line\nlast line"),
        ("First part. It is fixed.\n\nLast part.", "It is fixed", "First part.\n\nLast part."),
        ("First part.\n\nIt is fixed. We wait.", "It is fixed", "First part.\n\nWe wait."),
    ],
)
def test_deletion_repairs_spacing_punctuation_and_capitals(text: str, phrase: str, left: str) -> None:
    assert delete_phrase(text, phrase) == left


@pytest.mark.parametrize(
    ("text", "phrase", "longer"),
    [
        ("We work on it.", "We'll share updates", "We work on it. We'll share updates"),
        ("We work on it", "IBAN and ÜBER", "We work on it. IBAN and ÜBER"),
        ("Do we work?", "Yes.", "Do we work? Yes."),
        ("We work!", "Yes.", "We work! Yes."),
        ("We work:", "yes", "We work:. yes"),
        ("We work.  \n", "yes", "We work. yes"),
        ("First.\n\nLast", "yes", "First.\n\nLast.\n\nyes"),
        ("First.\n \nLast.", "yes", "First.\n \nLast.\n\nyes"),
        ("First.\nLast.", "yes", "First.\nLast. yes"),
        ("", "yes", "yes"),
    ],
)
def test_append_phrase_adds_the_phrase_verbatim(text: str, phrase: str, longer: str) -> None:
    assert append_phrase(text, phrase) == longer


@pytest.mark.parametrize(
    ("one", "other"),
    [("We'll share", "we’ll  SHARE."), ("45-minute", "45 minute"), ("“Café”", "cafe\u0301")],
)
def test_equivalent_phrases_have_the_same_key(one: str, other: str) -> None:
    assert phrase_key(one) == phrase_key(other)


PROSE = st.lists(
    st.sampled_from(
        [
            "rate",
            "Rate",
            "operate",
            "is",
            "a",
            "don't",
            "don’t",
            "café",
            "все",
            "(",
            ")",
            ",",
            ".",
            "!",
            "\n\n",
            '"',
            "“",
            "”",
            ":",
            "27%",
            "re\xadsolved",
            "ß",
            "ss",
            "_",
            "...",
        ]
    ),
    max_size=14,
).map(" ".join)
PHRASES = st.sampled_from(
    ["rate", "is a", "don't", "Café.", "все", "rate is a rate", "...", "27%", "resolved!", "ss"]
)
WORDED = PHRASES.filter(lambda phrase: re.search(r"\w", phrase) is not None)


@given(PROSE | st.text(max_size=40), PHRASES | st.text(min_size=1, max_size=6))
def test_deleted_phrase_is_no_longer_contained(text: str, phrase: str) -> None:
    assert not contains_phrase(delete_phrase(text, phrase), phrase)


@given(PROSE | st.text(max_size=40), WORDED | st.from_regex(r"\w{1,4}( \w{1,4})?", fullmatch=True))
def test_appended_phrase_is_contained(text: str, phrase: str) -> None:
    longer = append_phrase(text, phrase)
    assert longer.endswith(phrase)
    assert contains_phrase(longer, phrase)


@given(st.text(max_size=40), st.text(max_size=12))
def test_phrase_functions_accept_any_text(text: str, phrase: str) -> None:
    phrase_key(phrase)
    append_phrase(text, phrase)
    assert isinstance(contains_phrase(text, phrase), bool)
    if not contains_phrase(text, phrase):
        assert delete_phrase(text, phrase) == text


@given(
    st.lists(
        st.sampled_from(["one", "two", "rate", "rate,", "rate.", "three.", "Four"]), min_size=1, max_size=12
    )
)
def test_deletion_leaves_no_double_space_or_space_before_punctuation(words: list[str]) -> None:
    left = delete_phrase(" ".join(words), "rate")
    assert "  " not in left
    assert not re.search(r"\s[.,;:!?)]", left)
    assert left == left.strip()
