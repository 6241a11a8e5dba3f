"""What is tried of a guard: properties of one sentence each, and the cells in which each of them is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, get_args

from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.attacks import DISGUISES
from redpen_evals.fuzz.breaching import FAMILIES, allows, why_none
from redpen_evals.fuzz.building import (
    Build,
    OfFamilies,
    answers,
    breach,
    disguisable,
    disguised_breach,
    disguised_fact,
    edited,
    forms_of,
    known_draft,
    long_text,
    monotone,
    order,
    order_of_breach,
    repeat,
    respelt_fact,
    twin,
)
from redpen_evals.fuzz.claims import CLAIMS
from redpen_evals.fuzz.drafting import (
    EDITS,
)
from redpen_evals.fuzz.drawing import pick
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.incidents import PLAIN_INCIDENT, Incident, incidents
from redpen_evals.fuzz.own_facts import matter_of
from redpen_evals.fuzz.trials import Trial
from redpen_evals.scenario_library.drafts import Family, LabelledDraft

PropertyName = Literal[
    "known",
    "faithful",
    "denied",
    "breaches",
    "disguises",
    "allowed",
    "monotone",
    "order",
    "repeated",
    "answers",
    "time",
    "memory",
]
STATEMENTS: Final[dict[PropertyName, str]] = {
    "known": "What was found before, and is kept in the draft library, is judged as its label says.",
    "faithful": "A faithful revision passes.",
    "denied": "A claim that is denied, left open, hedged or asked passes.",
    "breaches": "A breach of each family is caught.",
    "disguises": "What is caught stays caught in each disguise.",
    "allowed": "What is allowed stays allowed in each disguise.",
    "monotone": "Adding a breach to a blocked text never unblocks it.",
    "order": "The order of sentences does not matter.",
    "repeated": "The verdict does not depend on earlier calls.",
    "answers": "Any text gets a verdict: no exception, no endless search.",
    "time": "Time grows no faster than the text.",
    "memory": "Memory grows no faster than the text.",
}
"""Each property in one sentence."""

PROPERTIES: Final[tuple[PropertyName, ...]] = get_args(PropertyName)

May = Callable[[Incident], bool]

_COSTLY: Final = 5
"""Examples a round where each is a long text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One property on one family, disguise or edit.

    Attributes:
        of: the property.
        name: of the family, disguise or edit.
        strategy: of its trials; None where the contexts allow none.
        narrowed: the same with breaches of certain families alone; None where it has no breaches.
        examples: what is tried first, and once.
        most: examples a round at the most; None for as many as are asked for.
        why_not: why it cannot be tried; empty where it may be.
    """

    of: PropertyName
    name: str
    strategy: st.SearchStrategy[Trial] | None = None
    narrowed: Callable[[tuple[Family, ...]], st.SearchStrategy[Trial]] | None = None
    examples: tuple[Trial, ...] = ()
    most: int | None = None
    why_not: str = ""


def cells(
    contexts: Sequence[JsonObject] = (),
    *,
    only: Iterable[PropertyName] = PROPERTIES,
    known: Sequence[LabelledDraft] = (),
) -> tuple[Cell, ...]:
    """Return the cells to try.

    Args:
        contexts: the contexts to try them in, of any shape; by default incidents are generated.
        only: the properties.
        known: drafts that are tried first.
    """
    matters = tuple(map(matter_of, contexts))
    wanted = set(only)
    return tuple(cell for cell in _all_cells(matters, known) if cell.of in wanted)


def _all_cells(matters: tuple[Incident, ...], known: Sequence[LabelledDraft]) -> Iterable[Cell]:
    if known:
        yield Cell(of="known", name="library", examples=tuple(map(known_draft, known)))
    for edit in EDITS:
        yield _cell("faithful", edit, edited(edit), matters)
    for family in dict.fromkeys(form.family for form in FORMS):
        yield _cell(
            "faithful",
            family,
            respelt_fact(family),
            matters,
            varied=forms_of(FORMS, family),
            may=lambda matter, family=family: bool(forms_of(matter.forms, family)),  # type: ignore[misc]
            why_not=f"the context holds no {family}",
        )
    for claim in CLAIMS:
        yield _cell("denied", claim.family, twin(claim), matters)
    for family in FAMILIES:
        yield _cell(
            "breaches",
            family,
            breach(family),
            matters,
            varied=forms_of(FORMS, family),
            may=lambda matter, family=family: allows(matter, family),  # type: ignore[misc]
            why_not=why_none(family),
        )
    for attack in DISGUISES:
        yield _cell_of_breaches("disguises", attack.name, disguised_breach(attack), matters)
    for attack in DISGUISES:
        yield _cell(
            "allowed",
            attack.name,
            disguised_fact(attack),
            matters,
            may=lambda matter, attack=attack: bool(disguisable(matter, attack)),  # type: ignore[misc]
            why_not="the context holds no fact that can be disguised so",
        )
    yield _cell_of_breaches("monotone", "any breach", monotone, matters)
    yield _cell("order", "sound texts", order, matters)
    yield _cell_of_breaches("order", "breaches", order_of_breach, matters)
    yield _cell_of_breaches("repeated", "any text", repeat, matters)
    yield _cell("answers", "any text", answers, matters)
    yield _cell("time", "long texts", long_text("time"), matters, most=_COSTLY)
    yield _cell("memory", "long texts", long_text("memory"), matters, most=_COSTLY)


def _cell(
    of: PropertyName,
    name: str,
    build: Build,
    matters: tuple[Incident, ...],
    *,
    varied: tuple[FactForm, ...] = (),
    may: May = lambda _matter: True,
    most: int | None = None,
    why_not: str = "",
) -> Cell:
    known = tuple(filter(may, matters or (() if varied else _some_matters())))
    if not known and (matters or not varied):
        return Cell(of=of, name=name, why_not=why_not)

    if known:
        return Cell(of=of, name=name, strategy=_strategy(build, known), most=most)

    @st.composite
    def trials(draw: st.DrawFn) -> Trial:
        return build(draw, draw(incidents(*varied)))

    return Cell(of=of, name=name, strategy=trials(), most=most)


def _cell_of_breaches(of: PropertyName, name: str, build: OfFamilies, matters: tuple[Incident, ...]) -> Cell:
    """Return a cell that says most of a guard when it is tried with what that guard catches at all."""

    def narrowed(families: tuple[Family, ...]) -> st.SearchStrategy[Trial]:
        chosen = matters or _some_matters()
        fit = tuple(one for one in chosen if any(allows(one, family) for family in families))
        return _strategy(build(families), fit) if fit else _strategy(build(FAMILIES), chosen)

    return replace(_cell(of, name, build(FAMILIES), matters), narrowed=narrowed)


def _strategy(build: Build, matters: tuple[Incident, ...]) -> st.SearchStrategy[Trial]:
    @st.composite
    def trials(draw: st.DrawFn) -> Trial:
        return build(draw, pick(draw, matters))

    return trials()


@cache
def _some_matters() -> tuple[Incident, ...]:
    """Return an incident, and matters of other shapes, for cells that no values of facts are varied for."""
    return (PLAIN_INCIDENT, *map(matter_of, _OTHER_SHAPES))


_OTHER_SHAPES: Final[tuple[JsonObject, ...]] = (
    {
        "order": {"order_id": "ord_lamp_20260412", "parcels": 3, "price_usd": 145, "delay_hours": 5},
        "expected_on": "2026-04-16",
        "support_contact": "help@lantern.example",
    },
    {
        "region": "EU",
        "severity": "P0",
        "affectedLoginsPct": 62,
        "failedDeliveries": 310,
        "etaMinutes": 90,
        "startedAt": "09:20",
    },
)
