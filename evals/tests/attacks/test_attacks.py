"""Attacks on texts: examples, reversibility, seeds and spans."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.attacks import ATTACKS, DISGUISES, aim
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
    # Both texts mix digits and letters, so letters are mapped to digits in both.
    return "".join(LEET[letter][0] if (letter := LETTERS.get(char, char)) in LEET else char for char in text)


def no_marks(text):
    return re.sub(
        r"[*`]|~~|==|(?<![A-Za-z0-9])_{1,2}|_{1,2}(?![A-Za-z0-9])",
        "",
        re.sub(r"\[([^\]]*)\]\(#\)", r"\1", text),
    )


# The inverse of each disguise; as some lose information, it is applied to the original as well.
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


def test_every_disguise_has_one_attack():
    assert list(ATTACKS) == [name for name in get_args(Disguise) if name != "none"]


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack_matches_its_example(attack):
    before, after = attack.example
    assert before != after
    assert attack(before) == after


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack_is_reproducible_by_seed(attack):
    results = {attack(TEXT, seed=seed) for seed in range(30)}
    assert results == {attack(TEXT, seed=seed) for seed in range(30)}
    assert len(results) > 1


@pytest.mark.parametrize("attack", DISGUISES, ids=lambda attack: attack.name)
@pytest.mark.parametrize("seed", range(20))
def test_disguise_can_be_undone(attack, seed):
    disguised = attack(TEXT, seed=seed)
    undo = UNDO[attack.name]
    assert disguised != TEXT
    assert undo(disguised) == undo(TEXT)


@pytest.mark.parametrize("attack", DISGUISES, ids=lambda attack: attack.name)
@given(text=st.text(max_size=60), seed=st.integers(min_value=0, max_value=2**64))
def test_disguise_accepts_any_text(attack, text, seed):
    assert attack(text, seed=seed) == attack(text, seed=seed)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack_changes_only_its_span(attack):
    before, piece, after = (
        "Today: ",
        "27% fail, 3.4% lag. It is not fully resolved in 45 minutes.",
        " (P1) us",
    )
    text = before + piece + after
    changed = attack(text, (len(before), len(before) + len(piece)), 3)
    assert changed == before + attack(piece, seed=3) + after


@pytest.mark.parametrize("span", [(-1, 2), (2, 1), (0, 6)])
def test_span_outside_of_text_is_refused(span):
    with pytest.raises(ValueError, match="is not inside a text of 5 characters"):
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
        ("case", ""),
        ("entities", ""),
        ("combining", ""),
    ],
)
def test_text_without_target_is_unchanged(name, text):
    assert {ATTACKS[name](text, seed=seed) for seed in range(10)} == {text}


@pytest.mark.parametrize("seed", range(10))
def test_identifiers_are_unchanged_by_letter_attacks(seed):
    name = "inc_bookings_20260817"
    assert all(ATTACKS[attack](name, seed=seed) == name for attack in ("leetspeak", "case", "spacing"))


@pytest.mark.parametrize("seed", range(10))
def test_line_breaks_do_not_make_a_number_a_list_item(seed):
    assert "\n45." not in ATTACKS["line-breaks"]("we wait for 45. Then we go", seed=seed).replace("\n ", "\n")


@pytest.mark.parametrize("seed", range(20))
def test_direction_overrides_do_not_swap_adjacent_words(seed):
    # Two overrides separated only by a space would be displayed as one reversed run.
    disguised = ATTACKS["direction"]("seventy minutes more for us", seed=seed)
    assert not re.search("\u202e\\w+\u202c \u202e", disguised)


@pytest.mark.parametrize("seed", range(20))
def test_html_attack_keeps_entities(seed):
    both = ATTACKS["html"](ATTACKS["entities"]("It is fully resolved.", seed=seed), seed=seed)
    undone = UNDO["entities"](UNDO["html"](both))
    assert undone == "It is fully resolved."


def test_aim_merges_overlapping_pieces():
    upper = ATTACKS["digits"]
    text = "12 34 56 78"
    assert aim(upper, text, ((9, 11), (0, 2), (1, 5)), seed=0) == "\uff11\uff12 \uff13\uff14 56 \uff17\uff18"
    assert aim(upper, text, ()) == text
