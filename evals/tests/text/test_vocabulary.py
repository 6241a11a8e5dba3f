"""What counts as a word, and as a piece of one."""

from __future__ import annotations

from redpen.text.vocabulary import Vocabulary

WORDS = Vocabulary(
    frozenset({"resolved", "re", "fully"}), frozenset({"canada"}), beside="The Quillworks, 5 rows"
)


def test_words_names_and_words_beside_are_known() -> None:
    assert all(word in WORDS for word in ("resolved", "canada", "quillworks", "rows"))
    assert not any(word in WORDS for word in ("5", "quill", "Canada", ""))


def test_pieces_are_whole_where_they_are_words_by_themselves() -> None:
    assert all(WORDS.whole(word) for word in ("fully", "canada", "is", "a"))
    # Two letters are a word in a closed list alone, and the text beside makes no piece whole.
    assert not any(WORDS.whole(word) for word in ("re", "s", "quillworks", "rows"))


def test_strange_words_are_letters_that_no_table_has() -> None:
    found, strange = WORDS.loose("It's FULLY resol-ved; (resol ved) in Canada, 45min.")
    assert found[:2] == ["it's", "fully"]
    assert strange == {"resol", "ved"}


def test_every_word_that_is_whole_has_its_beginning() -> None:
    assert WORDS.beginnings == {"res", "re", "ful", "can"}
