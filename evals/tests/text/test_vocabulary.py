"""Which strings count as words and as parts of words."""

from __future__ import annotations

from redpen.text.vocabulary import Vocabulary

WORDS = Vocabulary(
    frozenset({"resolved", "re", "fully"}), frozenset({"canada"}), beside="The Quillworks, 5 rows"
)


def test_words_names_and_words_of_original_are_known() -> None:
    assert all(word in WORDS for word in ("resolved", "canada", "quillworks", "rows"))
    assert not any(word in WORDS for word in ("5", "quill", "Canada", ""))


def test_is_word_accepts_only_complete_words() -> None:
    assert all(WORDS.is_word(word) for word in ("fully", "canada", "is", "a"))
    # Two letters are a word only if listed, and words of the original text do not count.
    assert not any(WORDS.is_word(word) for word in ("re", "s", "quillworks", "rows"))


def test_scan_returns_words_and_unknown_ones() -> None:
    found, unknown = WORDS.scan("It's FULLY resol-ved; (resol ved) in Canada, 45min.")
    assert found[:2] == ["it's", "fully"]
    assert unknown == {"resol", "ved"}


def test_prefixes_cover_prose_and_names() -> None:
    assert WORDS.prefixes == {"res", "re", "ful", "can"}
