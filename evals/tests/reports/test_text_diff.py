"""Word diffs of two texts, and marks placed in them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.reports.marking import Mark, compared, marked
from redpen_evals.text_diff import hunks

WORDS = st.lists(
    st.sampled_from(["the", "fault", "is", "over", ".", ",", " ", "\n", "27%", "don't"]), max_size=30
)
TEXT = WORDS.map(" ".join) | st.text(max_size=40)
_SIGNS = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}


def diff_markup(before, after):
    return "".join(_SIGNS[piece.state].format(piece.text) for piece in compared(before, after))


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("", "", ""),
        ("same text", "same text", "same text"),
        ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
        ("All payments work.", "Some payments work.", "[-All-]{+Some+} payments work."),
        ("It works. Thank you.", "It works for 27%. Thank you.", "It works{+ for 27%+}. Thank you."),
        ("about 3.5 hours", "about 3.6 hours", "about [-3.5-]{+3.6+} hours"),
        ("one two", "one\ntwo", "one[- -]{+\n+}two"),
        # A word that is common by chance does not split one change into two.
        (
            "we will fix it at noon",
            "they had to fix this by night",
            "[-we will fix it at noon-]{+they had to fix this by night+}",
        ),
    ],
)
def test_diff_changes_whole_words(before, after, change):
    assert diff_markup(before, after) == change


@given(TEXT, TEXT)
def test_hunks_reconstruct_both_texts(before, after):
    found = hunks(before, after)
    assert "".join(before[slice(*hunk.old)] for hunk in found) == before
    assert "".join(after[slice(*hunk.new)] for hunk in found) == after
    for hunk, following in pairwise(found):
        assert hunk.same != following.same
    for hunk in found:
        if hunk.same:
            assert before[slice(*hunk.old)] == after[slice(*hunk.new)] != ""
        else:
            assert before[slice(*hunk.old)] != after[slice(*hunk.new)]


def test_long_texts_without_common_words_are_one_hunk():
    before, after = (" ".join(f"{letter}{at}" for at in range(6000)) for letter in "ab")
    (hunk,) = hunks(f"{before}", f"{after}")
    assert not hunk.same


class TestMarks:
    def test_mark_splits_text_and_number_is_at_its_end(self):
        pieces = marked("It is over now", [Mark(number=1, sort="violation", start=3, end=10)])
        assert [(piece.text, piece.sorts, piece.ending) for piece in pieces] == [
            ("It ", (), ()),
            ("is over", ("violation",), (1,)),
            (" now", (), ()),
        ]

    def test_overlapping_marks_share_pieces(self):
        pieces = marked(
            "abcdef",
            [
                Mark(number=1, sort="violation", start=0, end=4),
                Mark(number=2, sort="concern", start=2, end=6),
            ],
        )
        assert [(piece.text, piece.sorts, piece.ending) for piece in pieces] == [
            ("ab", ("violation",), ()),
            ("cd", ("violation", "concern"), (1,)),
            ("ef", ("concern",), (2,)),
        ]

    def test_marks_of_both_texts_are_placed_in_diff(self):
        before, after = "It is over. Thank you all.", "It may change. Thank you all."
        pieces = compared(
            before,
            after,
            [Mark(number=1, sort="ungrounded", start=3, end=10)],
            [Mark(number=2, sort="concern", start=15, end=24)],
        )
        assert [(p.state, p.text, p.ending) for p in pieces if p.sorts] == [
            ("removed", "is over", (1,)),
            ("same", "Thank you", (2,)),
        ]

    def test_mark_across_change_has_number_once(self):
        pieces = compared("a b c d", "a x c d", [Mark(number=7, sort="ungrounded", start=0, end=5)])
        assert [piece.ending for piece in pieces if piece.ending] == [(7,)]
        assert "".join(piece.text for piece in pieces if piece.sorts) == "a b c"

    @given(
        TEXT,
        TEXT,
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), max_size=5),
    )
    def test_marks_do_not_alter_text(self, before, after, places):
        marks = [
            Mark(number=at, sort="violation", start=start, end=start + length)
            for at, (start, length) in enumerate(places, start=1)
        ]
        pieces = compared(before, after, marks, marks)
        assert "".join(piece.text for piece in pieces if piece.state != "added") == before
        assert "".join(piece.text for piece in pieces if piece.state != "removed") == after
        assert all(piece.text for piece in pieces)
