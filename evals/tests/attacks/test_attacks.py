"""Attacks do what they say, keep what they promise to keep, and repeat."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.attacks import ATTACKS, DISGUISES, DISTORTIONS, Distortion, aim, compose
from redpen_evals.attacks.characters import LEET, LOOK_ALIKES
from redpen_evals.scenario_library.drafts import Disguise

TEXT = (
    "About 27% of checkouts in the US fail, and 3.4% of payments. The incident inc_payments_20260306 (P1) "
    "is not yet resolved.\n\nWe will be monitoring it; the next update follows within 45 minutes. Contact us."
)
LATIN = {other: letter for letter, others in LOOK_ALIKES.items() for other in others}
LETTERS = {other: letter for letter, others in LEET.items() for other in others}


def no_format(text):
    return "".join(
        char for char in text if unicodedata.category(char) not in {"Cf", "Mn"} and char not in "\ufeff\u180e"
    )


def turn_back(text):
    return no_format(re.sub("\u202e([^\u202c]*)\u202c", lambda match: match[1][::-1], text))


def no_space(text):
    return re.sub(r"\s+", "", text)


def ascii_digits(text):
    return "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in text)


def no_leet(text):
    # As digits and letters are mixed up in both, each is brought to the digits.
    return "".join(LEET[letter][0] if (letter := LETTERS.get(char, char)) in LEET else char for char in text)


def no_marks(text):
    return re.sub(
        r"[*`]|~~|==|(?<![A-Za-z0-9])_{1,2}|_{1,2}(?![A-Za-z0-9])",
        "",
        re.sub(r"\[([^\]]*)\]\(#\)", r"\1", text),
    )


# What undoes each disguise; where that loses something, it is applied to the text before as well.
UNDO = {
    "look-alikes": lambda text: "".join(LATIN.get(char, char) for char in text),
    "invisible": no_format,
    "direction": turn_back,
    "tags": no_format,
    "combining": no_format,
    "compatibility": lambda text: unicodedata.normalize("NFKC", text),
    "spacing": lambda text: re.sub(r"[\s._]+", "", text),
    "hyphenation": lambda text: no_space(re.sub("[-\u2010\u2011]\\s*", "", text)),
    "line-breaks": lambda text: " ".join(text.split()),
    "case": str.casefold,
    "leetspeak": no_leet,
    "entities": lambda text: no_format(html.unescape(text)),
    "html": lambda text: re.sub("<[^>]*>", "", re.sub("<!--.*?-->|<(span|i) [^>]*>.*?</\\1>", "", text)),
    "markdown": no_marks,
    "digits": ascii_digits,
}


def test_there_is_one_attack_a_disguise_of_the_library():
    assert [attack.name for attack in DISGUISES] == [name for name in get_args(Disguise) if name != "none"]
    assert [attack.name for attack in DISTORTIONS] == list(get_args(Distortion))
    assert list(ATTACKS) == [attack.name for attack in (*DISGUISES, *DISTORTIONS)]
    assert all(attack.keeps_meaning for attack in DISGUISES)
    assert not any(attack.keeps_meaning for attack in DISTORTIONS)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_the_example_is_what_the_attack_does(attack):
    before, after = attack.example
    assert before != after
    assert attack(before) == after


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_seed_repeats_and_other_seeds_differ(attack):
    results = {attack(TEXT, seed=seed) for seed in range(30)}
    assert results == {attack(TEXT, seed=seed) for seed in range(30)}
    # One row of negations and one pair of quantities stand in the text.
    assert len(results) > 1 or attack.name in {"negation-removal", "subject-swap", "tense-change"}


@pytest.mark.parametrize("attack", DISGUISES, ids=lambda attack: attack.name)
@pytest.mark.parametrize("seed", range(20))
def test_a_disguise_can_be_undone(attack, seed):
    disguised = attack(TEXT, seed=seed)
    undo = UNDO[attack.name]
    assert disguised != TEXT
    assert undo(disguised) == undo(TEXT)


@pytest.mark.parametrize("attack", DISGUISES, ids=lambda attack: attack.name)
@given(text=st.text(max_size=60), seed=st.integers(min_value=0, max_value=2**64))
def test_a_disguise_takes_any_text(attack, text, seed):
    assert attack(text, seed=seed) == attack(text, seed=seed)


@pytest.mark.parametrize("attack", DISTORTIONS, ids=lambda attack: attack.name)
@given(text=st.text(alphabet="a 1.,%$-not'wilbeesd", max_size=60), seed=st.integers(min_value=0))
def test_a_distortion_takes_any_text(attack, text, seed):
    assert attack(text, seed=seed) == attack(text, seed=seed)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_what_stands_outside_the_span_stays(attack):
    before, piece, after = (
        "Today: ",
        "27% fail, 3.4% lag. It is not fully resolved in 45 minutes.",
        " (P1) us",
    )
    text = before + piece + after
    changed = attack(text, (len(before), len(before) + len(piece)), 3)
    assert changed == before + attack(piece, seed=3) + after


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 6)])
def test_a_span_outside_the_text_is_refused(span):
    with pytest.raises(ValueError, match="does not lie in a text of 5 characters"):
        ATTACKS["case"]("fixed", span)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("spacing", "45% P1"),
        ("hyphenation", "is so"),
        ("line-breaks", "one"),
        ("case", "us"),
        ("leetspeak", "its"),
        ("markdown", "inc_a_1 a@b.example"),
        ("digits", "none"),
        ("number-swap", "none"),
        ("unit-swap", "45"),
        ("subject-swap", "27% of checkouts"),
        ("negation-removal", "it is resolved"),
        ("tense-change", "payments fail"),
        ("case", ""),
        ("entities", ""),
        ("combining", ""),
    ],
)
def test_what_an_attack_has_no_hold_on_stays(name, text):
    assert {ATTACKS[name](text, seed=seed) for seed in range(10)} == {text}


@pytest.mark.parametrize("seed", range(10))
def test_names_keep_their_characters_where_others_would_make_another_name(seed):
    name = "inc_bookings_20260817"
    assert all(ATTACKS[attack](name, seed=seed) == name for attack in ("leetspeak", "case", "spacing"))


@pytest.mark.parametrize("seed", range(10))
def test_a_number_does_not_become_a_list_item(seed):
    assert "\n45." not in ATTACKS["line-breaks"]("we wait for 45. Then we go", seed=seed).replace("\n ", "\n")


@pytest.mark.parametrize("seed", range(20))
def test_words_in_a_row_are_not_shown_in_another_order(seed):
    # Two overrides with nothing but a blank between them would be one run, shown from its end.
    disguised = ATTACKS["direction"]("seventy minutes more for us", seed=seed)
    assert not re.search("\u202e\\w+\u202c \u202e", disguised)


@pytest.mark.parametrize("seed", range(20))
def test_a_swapped_number_is_new(seed):
    changed = ATTACKS["number-swap"]("Of 10 orders 11 or 12 fail.", seed=seed)
    assert set(re.findall(r"\d+", changed)) - {"10", "11", "12"}


def test_composed_attacks_follow_each_other():
    both = compose(ATTACKS["number-swap"], ATTACKS["digits"])
    assert both.name == "number-swap+digits"
    assert not both.keeps_meaning
    assert both(both.example[0]) == both.example[1]
    assert ascii_digits(both("About 27%", seed=5)) == ATTACKS["number-swap"]("About 27%", seed=5)
    assert compose(ATTACKS["case"], ATTACKS["html"]).keeps_meaning


@pytest.mark.parametrize("seed", range(20))
def test_markup_survives_markup(seed):
    both = compose(ATTACKS["entities"], ATTACKS["html"])
    undone = UNDO["entities"](UNDO["html"](both("It is fully resolved.", seed=seed)))
    assert undone == "It is fully resolved."


def test_aim_takes_pieces_that_overlap_as_one():
    upper = ATTACKS["digits"]
    text = "12 34 56 78"
    assert aim(upper, text, ((9, 11), (0, 2), (1, 5)), seed=0) == "\uff11\uff12 \uff13\uff14 56 \uff17\uff18"
    assert aim(upper, text, ()) == text
