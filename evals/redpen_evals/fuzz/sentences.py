"""Sentences of generated texts: claims and harmless counterparts, benign sentences, other units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from typing import Annotated, Any, Final

import yaml
from hypothesis import strategies as st
from pydantic import BeforeValidator, TypeAdapter

from redpen_evals.scenario_library.drafts import Family

DATA: Final[Mapping[str, Any]] = yaml.safe_load(
    resources.files("redpen_evals.fuzz").joinpath("sentences.yaml").read_text(encoding="utf-8")
)
"""The words of all generated texts."""

BENIGN: Final[tuple[str, ...]] = tuple(DATA["benign"])
"""Complete sentences of an update without facts or claims."""


def _filled(part: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every frame with every combination of words in its slots."""
    words: Mapping[str, list[str]] = part.get("words", {})
    texts: dict[str, None] = {}
    for frame in part["frames"]:
        slots = [name for name in words if f"{{{name}}}" in frame]
        for choice in product(*(words[name] for name in slots)):
            texts[frame.format(**dict(zip(slots, choice, strict=True)))] = None
    return tuple(texts)


Clauses = Annotated[tuple[str, ...], BeforeValidator(_filled)]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ClaimForm:
    """Wordings of a family of claims.

    Attributes:
        claims: clauses that make the claim, without capital and full stop.
        twins: clauses with the same words that do not make it: denied, open, hedged or asked.
        denials: pairs of a denied claim and the same claim made.
    """

    family: Family
    claims: Clauses
    twins: Clauses
    denials: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return its family, to keep failure reports short."""
        return f"ClaimForm({self.family!r})"


CLAIMS: Final = TypeAdapter(tuple[ClaimForm, ...]).validate_python(
    [{"family": family, **form} for family, form in DATA["claims"].items()]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherUnit:
    """The number of one fact in the unit of another: a new fact, though the number is allowed.

    Attributes:
        form: name of the fact with the number.
        sentences: sentences with ``{}`` for the number.
    """

    name: str
    form: str
    sentences: tuple[str, ...]

    def number(self, value: Any) -> str:
        """Return the number of a value in digits as in the context: durations in minutes."""
        return str(value // 60 if self.form == "duration" else value)


OTHER_UNITS: Final = TypeAdapter(tuple[OtherUnit, ...]).validate_python(DATA["other_units"])


def sentence_of(clause: str, *, before: str = "{}", after: str = "{}.") -> str:
    """Return a clause as a sentence, inserted in ``before`` and ``after``."""
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
