"""Which strings count as words and as parts of words."""

from __future__ import annotations

from redpen.text.vocabulary import Vocabulary

WORDS = Vocabulary(
    frozenset({"resolved", "re", "fully"}), frozenset({"canada"}), beside="The Quillworks, 5 rows"
)


def test_words_names_and_words_of_original_are_known() -> None:
    assert all(word in WORDS for word in ("resolved", "canada", "quillworks", "rows"))
    assert not any(word in WORDS for word in ("5", "quill", "Canada", ""))


def test_whole_accepts_only_complete_words() -> None:
    assert all(WORDS.whole(word) for word in ("fully", "canada", "is", "a"))
    # Two letters are a word only if listed, and words of the original text are not whole.
    assert not any(WORDS.whole(word) for word in ("re", "s", "quillworks", "rows"))


def test_loose_returns_unknown_words_as_strange() -> None:
    found, strange = WORDS.loose("It's FULLY resol-ved; (resol ved) in Canada, 45min.")
    assert found[:2] == ["it's", "fully"]
    assert strange == {"resol", "ved"}


def test_beginnings_cover_every_whole_word() -> None:
    assert WORDS.beginnings == {"res", "re", "ful", "can"}
