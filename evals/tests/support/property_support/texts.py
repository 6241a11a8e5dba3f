"""Strategies of texts, JSON values, restated and disguised facts, and a count of the steps of a call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import FrameType
from typing import Any, Final

from hypothesis import strategies as st

from redpen.guards.facts.fact import Fact, Reading
from redpen_evals.attacks import DISGUISES, Attack
from redpen_evals.fuzz.building import PIECES, any_texts, repeated
from redpen_evals.fuzz.case import SEEDS
from redpen_evals.fuzz.facts import FactForm
from redpen_evals.fuzz.incidents import Incident, is_taken
from redpen_evals.fuzz.sentences import BENIGN
from redpen_evals.scenario_library.drafts import Disguise

RESIDUES: tuple[str, ...] = (
    "7g5", "x9y8", "3..4", "4x5x6", "9-7-5-3", "0x1f", "1e9", "12:34:56:78", "8/0", "#77", "5__6", "2³",
    "٣x٤", "⑲", "百二十", "zweiundvierzig7",
)  # fmt: skip
"""Words with digits or numerals that are not a quantity in any usual form."""
_KEYS = (
    "incident", "policy_hints", "avoid_absolute_guarantees", "approved_actions", "region", "severity",
    "report_date", "eta_minutes", "affected_pct", "rate", "required_sections", "id", "amount_usd", "",
    "𝟙", "\ud800",
)  # fmt: skip


def long_texts(*, chars: int) -> st.SearchStrategy[str]:
    """Return a strategy of texts of a given length that repeat a few pieces."""
    return st.builds(
        lambda words, join: repeated(join.join(words) + join, chars),
        st.lists(st.sampled_from(PIECES) | st.text(min_size=1, max_size=4), min_size=1, max_size=3),
        st.sampled_from(("", " ", "\n")),
    ).filter(bool)


def any_json(*, most: int = 12) -> st.SearchStrategy[Any]:
    """Return a strategy of JSON values with a limited number of leaves, some with keys of contexts."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from([0, 27, 0.034, 10**400, -1, 1e308, "45", "27%", "P1", "US", "2026-13-45"])
        | any_texts()
    )
    keys = st.sampled_from(_KEYS) | st.text(max_size=6)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=most,
    )


def any_contexts() -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of JSON objects, some nested deep."""
    keys = st.sampled_from(_KEYS) | st.text(max_size=6)
    flat = st.dictionaries(keys, any_json(), max_size=4)
    deep = st.builds(_nested, any_json(most=2), st.sampled_from([50, 900, 3_000]))
    return flat | flat | flat | deep


def _nested(value: object, depth: int) -> dict[str, Any]:
    for level in range(depth):
        value = [value] if level % 2 else {"incident": value}
    return {"incident": value}


def changed_values(incident: Incident, form: FactForm) -> st.SearchStrategy[Any]:
    """Return a strategy of values that a fact has not, by any reading and rounding that is allowed."""
    return form.values.filter(lambda value: not is_taken(incident, form, value))


def restated(form: FactForm, value: object) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that state a value of a fact, in all its spellings."""
    return _filled(form.sentences, form.spellings(value))


def spellings_of(form: FactForm, value: object) -> st.SearchStrategy[str]:
    """Return a strategy of the spellings of a value."""
    return st.sampled_from(form.spellings(value))


def moved(form: FactForm, value: object) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that say a value of a fact of something else, in all its spellings."""
    return _filled(form.moved, form.spellings(value))


def _filled(sentences: tuple[str, ...], spellings: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.sampled_from([sentence.format(text) for sentence in sentences for text in spellings])


@cache
def _surroundings() -> st.SearchStrategy[tuple[list[str], list[str], str]]:
    some = st.lists(st.sampled_from(BENIGN), max_size=2, unique=True)
    return st.tuples(some, some, st.sampled_from([" ", "\n\n", "\n"]))


def texts_around(piece: str) -> st.SearchStrategy[str]:
    """Return a strategy of texts with a piece among benign sentences."""
    return _surroundings().map(lambda drawn: drawn[2].join((*drawn[0], piece, *drawn[1])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Disguising:
    """An attack with its seed fixed, which may be limited to ordinary characters.

    With ``plain`` a guard that rejects unusual characters gets no credit.
    """

    attack: Attack
    seed: int
    plain: bool = False

    @property
    def name(self) -> Disguise:
        """Its name in the draft library."""
        return self.attack.name

    def apply(self, text: str) -> str:
        """Return a piece of text in disguise, unchanged if the attack does not apply to it."""
        changed = self.attack(text, seed=self.seed)
        is_plain = all(" " <= char <= "~" or char in "\r\n\t" for char in changed)
        return changed if is_plain or not self.plain else text


def disguisings(*, plain: bool = False) -> st.SearchStrategy[Disguising]:
    """Return a strategy of disguises; plain ones only use ordinary characters."""
    return st.builds(
        lambda attack, seed: Disguising(attack=attack, seed=seed, plain=plain),
        st.sampled_from(DISGUISES),
        st.integers(min_value=0, max_value=SEEDS - 1),
    )


def count_steps(work: Callable[[], object]) -> int:
    """Return the number of functions called during a call, including those written in C.

    Backtracking of a pattern is not counted; other tests check the limits of its repeats.
    """
    steps = 0

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal steps
        if event in ("call", "c_call"):
            steps += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return steps


_READ: Final[Mapping[str, Callable[[Any], object]]] = {
    "share": lambda percent: Fraction(percent, 100),
    "date": lambda day: (day.year, day.month, day.day),
    "severity": "p{}".format,
    **dict.fromkeys(("identifier", "region", "contact"), str),
}
"""A value as the guards read it, by kind of fact; by default as a number."""


def reads_as(fact: Fact, form: FactForm, value: Any) -> bool:
    """Whether one reading of a fact is a value of a form, of its kind.

    A spelling may leave the year of a date open; the rest has to be exact.
    """
    return any(_is_value(reading, form, _READ.get(form.kind, Fraction)(value)) for reading in fact.readings)


def _is_value(reading: Reading, form: FactForm, value: object) -> bool:
    if reading.kind != form.kind:
        return False
    if isinstance(reading.value, tuple) and isinstance(value, tuple):
        return reading.value[1:] == value[1:] and reading.value[0] in (None, value[0])
    return reading.value == value
