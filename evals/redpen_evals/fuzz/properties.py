"""The properties of a guard and the cells in which each is tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Final

from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.attacks import DISGUISES
from redpen_evals.fuzz import building
from redpen_evals.fuzz.drafting import EDITS, FAMILIES, allows, no_breach_reason
from redpen_evals.fuzz.facts import FORMS, FactForm, forms_of
from redpen_evals.fuzz.incidents import PLAIN_INCIDENT, Incident, incidents, pick
from redpen_evals.fuzz.own_facts import incident_of
from redpen_evals.fuzz.sentences import CLAIMS
from redpen_evals.fuzz.trials import PROPERTIES, Cell, PropertyName, Trial
from redpen_evals.scenario_library.drafts import Family, LabelledDraft

Build = Callable[[st.DrawFn, Incident], Trial]
"""Draws a trial in a context."""

May = Callable[[Incident], object]
"""Returns whether a context allows the trials of a cell, as a true or false value."""

_COSTLY: Final = 5
"""Examples per round if each is a long text."""


def cells(
    contexts: Sequence[JsonObject] = (),
    *,
    only: Iterable[PropertyName] = PROPERTIES,
    known: Sequence[LabelledDraft] = (),
) -> tuple[Cell, ...]:
    """Return the cells to test.

    Args:
        contexts: the contexts of the drafts, of any shape; by default incidents are generated.
        known: saved counterexamples, which are tested first.
    """
    bases = tuple(map(incident_of, contexts))
    wanted = set(only)
    return tuple(cell for cell in _all_cells(bases, known) if cell.of in wanted)


def _all_cells(bases: tuple[Incident, ...], known: Sequence[LabelledDraft]) -> Iterable[Cell]:
    if known:
        yield Cell(of="known", name="library", examples=tuple(map(building.known_draft, known)))
    for edit in EDITS:
        yield _cell("faithful", edit, partial(building.edited, edit), bases)
    for family in dict.fromkeys(form.family for form in FORMS):
        yield _cell(
            "faithful",
            family,
            partial(building.respelt_fact, family),
            bases,
            varied=forms_of(FORMS, family),
            may=partial(_states, family),
            why_not=f"the context has no {family}",
        )
    for claim in CLAIMS:
        yield _cell("denied", claim.family, partial(building.twin, claim), bases)
    for family in FAMILIES:
        yield _cell(
            "breaches",
            family,
            partial(building.breach, family),
            bases,
            varied=forms_of(FORMS, family),
            may=partial(allows, family=family),
            why_not=no_breach_reason(family),
        )
    for attack in DISGUISES:
        yield _cell_of_breaches("disguises", attack.name, partial(building.disguised_breach, attack), bases)
    for attack in DISGUISES:
        yield _cell(
            "allowed",
            attack.name,
            partial(building.disguised_fact, attack),
            bases,
            may=partial(building.disguisable, attack),
            why_not="the context has no fact that can be disguised this way",
        )
    yield _cell_of_breaches("monotone", "any breach", building.monotone, bases)
    yield _cell("order", "sound texts", building.order, bases)
    yield _cell_of_breaches("order", "breaches", building.order_of_breach, bases)
    yield _cell_of_breaches("repeated", "any text", building.repeat, bases)
    yield _cell("answers", "any text", building.answers, bases)
    for rule in ("time", "memory"):
        yield _cell(rule, "long texts", partial(building.long_text, rule), bases, most=_COSTLY)


def _states(family: Family, incident: Incident) -> object:
    return forms_of(incident.forms, family)


def _cell(
    of: PropertyName,
    name: str,
    build: Build,
    bases: tuple[Incident, ...],
    *,
    varied: tuple[FactForm, ...] = (),
    may: May = lambda _incident: True,
    most: int | None = None,
    why_not: str = "",
) -> Cell:
    fixed = tuple(filter(may, bases or (() if varied else _plain_incidents())))
    if not fixed and (bases or not varied):
        return Cell(of=of, name=name, why_not=why_not)
    return Cell(of=of, name=name, strategy=lambda _families: _strategy(build, fixed, varied), most=most)


def _cell_of_breaches(
    of: PropertyName,
    name: str,
    build: Callable[[tuple[Family, ...], st.DrawFn, Incident], Trial],
    bases: tuple[Incident, ...],
) -> Cell:
    known = bases or _plain_incidents()

    def strategy(families: tuple[Family, ...]) -> st.SearchStrategy[Trial]:
        fit = tuple(base for base in known if any(allows(base, family) for family in families))
        return _strategy(partial(build, families if fit else FAMILIES), fit or known)

    return Cell(of=of, name=name, strategy=strategy)


def _strategy(
    build: Build, bases: tuple[Incident, ...], varied: tuple[FactForm, ...] = ()
) -> st.SearchStrategy[Trial]:
    """Return a strategy of trials in one of the incidents; without any, in generated ones."""

    @st.composite
    def trials(draw: st.DrawFn) -> Trial:
        return build(draw, pick(draw, bases) if bases else draw(incidents(*varied)))

    return trials()


@cache
def _plain_incidents() -> tuple[Incident, ...]:
    """Return an incident and contexts of other shapes, for cells without varied facts."""
    return (PLAIN_INCIDENT, *map(incident_of, _OTHER_SHAPES))


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
