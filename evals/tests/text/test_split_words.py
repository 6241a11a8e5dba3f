"""Split words (spaces, hyphens, line ends) are joined; separate words are not."""

from __future__ import annotations

import pytest

from redpen.text.views import view_of
from redpen.text.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it is r e s o l v e d now", "it is resolved now"),
        ("it is r.e.s.o.l.v.e.d.", "it is resolved."),
        ("it is r_e_s_o_l_v_e_d", "it is resolved"),
        ("it is r,e,s,o,l,v,e,d", "it is resolved"),
        ("it is r e-s.o l-v e d now", "it is resolved now"),
        ("f u l l y   r e s o l v e d", "fully   resolved"),
        ("f u l l y r e s o l v e d", "fully resolved"),
        ("every o r d e r i s l o s t", "every order is lost"),
        ("a r-e-f-u-n-d", "a refund"),
        ("a n y o n e", "anyone"),
        ("in C a n a d a", "in Canada"),
        ("K e s t r e l o", "Kestrelo"),
        ("in the E U now", "in the EU now"),
        ("9 0 minutes", "90 minutes"),
        ("re-solved, or-ders, f-u-l-l-y", "resolved, orders, fully"),
        ("re.solved re_solved re/solved", "resolved resolved resolved"),
        ("resol ved, guaran tee", "resolved, guarantee"),
        ("re sol ved", "resolved"),
        ("re-\nsolved", "resolved"),
        ("pay-\n  ments", "payments"),
        ("Fi-\nnchline", "Finchline"),
        ("quill-works", "quillworks"),
        ("fully\nresolved", "fully resolved"),
        ("within\n45\nminutes", "within 45 minutes"),
        ("in\nCanada", "in Canada"),
        ("on April\n16", "on April 16"),
        ("Great\n Britain", "Great Britain"),
        ("1000\nUS cars", "1000 US cars"),
    ],
)
def test_split_word_is_joined(words: Vocabulary, text: str, expected: str) -> None:
    assert view_of(text, words).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "back to all orders now",
        "version 1.2.3 of 4/5/6",
        "a 45-minute wait and a 45-\nminute one".replace("-\n", "-"),
        "options A/B",
        "time: 9 to 5",
        "The car goes on. Go ahead.",
        "1. resolved\n2. restored",
        "Current Status\n\nCustomer Impact",
        "Status:\nOrders wait.",
        "Canada\nOrders wait.",
        "Total: 45\nOrders wait.",
        "See https://status.example/re.solved",
        "write to ops@pay.ment",
        "every-day wear",
        "what we know and where we are\n1. Orders wait.\n2. Labels wait.",
        "1. Orders wait.\n2. New account: August\n3. Others wait.",
    ],
)
def test_separate_words_are_not_joined(words: Vocabulary, text: str) -> None:
    assert view_of(text, words).text == text


def test_compound_at_line_end_keeps_its_hyphen(words: Vocabulary) -> None:
    assert view_of("a 45-\nminute wait", words).text == "a 45-minute wait"
    assert view_of("the order-\ndata", words).text == "the order-data"


def test_joining_prefers_fewest_words_and_longest_first() -> None:
    known = Vocabulary(frozenset("full fully your our".split()))
    assert view_of("f u l l y o u r", known).text == "fully our"


def test_word_known_only_from_original_does_not_block_joining() -> None:
    known = Vocabulary(frozenset({"resolved"}), beside="resol ved")
    assert view_of("resol ved", known).text == "resolved"


def test_unit_letter_after_number_is_not_joined() -> None:
    known = Vocabulary(frozenset({"hold", "on", "old", "tickets", "up", "to"}))
    assert view_of("tickets up to 11 h old", known).text == "tickets up to 11 h old"
    assert view_of("tickets on h old", known).text == "tickets on hold"


def test_line_that_ends_in_a_number_is_joined(words: Vocabulary) -> None:
    assert view_of("it takes about\n30. Sorry.", words).text == "it takes about 30. Sorry."


def test_letter_of_a_name_is_not_joined() -> None:
    known = Vocabulary(frozenset("care are delayed we change".split()))
    assert view_of("Concourse C are delayed", known).text == "Concourse C are delayed"
    assert view_of("we c hange", known).text == "we change"


@pytest.mark.parametrize("sign", [".", "/"])
def test_split_word_is_joined_after_long_row_of_pieces(words: Vocabulary, sign: str) -> None:
    row = sign.join(["zz"] * 90)
    assert view_of(f"{row} re{sign}solved {row}", words).text == f"{row} resolved {row}"


def test_long_row_of_letters_is_joined() -> None:
    known = Vocabulary(frozenset("back to normal".split()))
    given = " ".join("backtonormal" * 30)
    assert view_of(given, known).text == " ".join(["back to normal"] * 30)


def test_unknown_letters_do_not_hide_words_of_a_long_row() -> None:
    known = Vocabulary(frozenset("back to normal".split()))
    given = " ".join("backtonormal" + "zqx" + "backtonormal" * 2)
    assert view_of(given, known).text == "back to normal zqx back to normal back to normal"
    assert view_of("z q x w k j", known).text == "zqxwkj"
