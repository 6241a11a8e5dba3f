"""What generated texts say: claims and their sound twins, sentences without any, numbers in other units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from typing import Any, Final

import yaml
from hypothesis import strategies as st

from redpen_evals.scenario_library.drafts import Family

DATA: Final[Mapping[str, Any]] = yaml.safe_load(
    resources.files("redpen_evals.fuzz").joinpath("sentences.yaml").read_text(encoding="utf-8")
)
"""The words of all generated texts."""

BENIGN: Final[tuple[str, ...]] = tuple(DATA["benign"])
"""Whole sentences of an update that no rule objects to: they state no fact and make no claim."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ClaimForm:
    """How a family of claims is put.

    Attributes:
        family: the family.
        claims: clauses that claim, without capital and full stop.
        twins: clauses that do not, though they use the same words: denied, open, hedged or asked.
        denials: pairs of a claim denied and the same claim made.
    """

    family: Family
    claims: tuple[str, ...]
    twins: tuple[str, ...]
    denials: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return its family: a report that fails need not list all that it can say."""
        return f"ClaimForm({self.family!r})"


def _filled(part: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every frame with every choice of words for the slots that it has."""
    words: Mapping[str, list[str]] = part.get("words", {})
    found: dict[str, None] = {}
    for frame in part["frames"]:
        slots = [name for name in words if f"{{{name}}}" in frame]
        for choice in product(*(words[name] for name in slots)):
            found[frame.format(**dict(zip(slots, choice, strict=True)))] = None
    return tuple(found)


CLAIMS: Final = tuple(
    ClaimForm(
        family=family,
        claims=_filled(form["claims"]),
        twins=_filled(form["twins"]),
        denials=tuple((denied, claimed) for denied, claimed in form.get("denials", ())),
    )
    for family, form in DATA["claims"].items()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherUnit:
    """The number of one fact in the unit of another: a new fact, though the number is allowed.

    Attributes:
        name: what it is called.
        form: name of the fact that has the number.
        sentences: what is said with it, ``{}`` for the number.
    """

    name: str
    form: str
    sentences: tuple[str, ...]

    def number(self, value: Any) -> str:
        """Return the number of a value in digits, as the context holds it: durations in minutes."""
        return str(value // 60 if self.form == "duration" else value)


OTHER_UNITS: Final = tuple(
    OtherUnit(name=unit["name"], form=unit["form"], sentences=tuple(unit["sentences"]))
    for unit in DATA["other_units"]
)


def sentence_of(clause: str, *, before: str = "{}", after: str = "{}.") -> str:
    """Return a clause as a sentence, with what is put before and after it."""
    sentence = after.format(before.format(clause))
    return sentence[0].upper() + sentence[1:]


@cache
def claim_sentences(form: ClaimForm) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that make a claim of a family."""
    return st.builds(
        lambda clause, before, after: sentence_of(clause, before=before, after=after),
        st.sampled_from(form.claims),
        st.sampled_from(DATA["before"]),
        st.sampled_from(DATA["after"]),
    )


@cache
def twin_sentences(form: ClaimForm) -> st.SearchStrategy[str]:
    """Return a strategy of sentences on the same subject that claim nothing."""
    return st.builds(
        lambda clause, before: sentence_of(clause, before=before),
        st.sampled_from(form.twins),
        st.sampled_from(DATA["before_twins"]),
    )
