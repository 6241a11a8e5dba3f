"""Hypothesis strategies for property tests of your own guards: contexts, drafts, revisions and disguises.

``` python
from hypothesis import given
from redpen_evals.strategies import breaches, faithful_revisions

@given(breaches(family="share"))
def test_new_shares_are_blocked(case):
    assert my_guard(case.original, case.revised, case.context)
```

Each shrinks to its shortest texts: a draft of one sentence, and one sentence more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from redpen.errors import ConfigurationError
from redpen.text.json_values import copy_object
from redpen.text.suggestion import suggestion
from redpen.types import JsonObject
from redpen_evals.attacks import ATTACKS, Attack
from redpen_evals.fuzz.case import SEEDS, Case
from redpen_evals.fuzz.drafting import (
    EDITS,
    FAMILIES,
    Draft,
    allows,
    breach_case,
    draw_any_breach,
    draw_breach,
    draw_draft,
    faithful_edit,
    no_breach_reason,
    respelt,
)
from redpen_evals.fuzz.facts import FORMS, TEMPLATES, FactForm, forms_of
from redpen_evals.fuzz.incidents import PLAIN_INCIDENT, Incident, incidents, pick
from redpen_evals.fuzz.own_facts import incident_of
from redpen_evals.scenario_library.drafts import Disguise, Family

FactKind = Literal[
    "share", "count", "duration", "date", "time", "money", "multiplier", "identifier", "severity", "region",
    "contact",
]  # fmt: skip
"""The kinds of facts in a context."""

Context: TypeAlias = Mapping[str, Any] | st.SearchStrategy[JsonObject] | None
"""A context of any shape, a strategy of such, or None for generated incidents."""

__all__ = [
    "Case",
    "Context",
    "Draft",
    "FactKind",
    "breaches",
    "contexts",
    "disguises",
    "drafts",
    "faithful_revisions",
]

_PLAINEST_SPELLING: Final = 0
_HINTS: Final = {
    "count": "end its name with what is counted, such as open_tickets",
    "region": "call it region or country",
    "severity": "call it severity or priority",
    "identifier": "end its name with id, reference or ticket",
}


def contexts(facts: Mapping[str, FactKind] | None = None) -> st.SearchStrategy[JsonObject]:
    """Return a strategy of contexts.

    Args:
        facts: kinds of its facts by dotted names, such as ``{"order.refund": "money"}``; by default the facts
            of an incident.

    Returns:
        JSON objects. If the name does not show the kind (``_pct``, ``_minutes``, ``_usd`` …) the value does:
        "27%".

    Raises:
        ConfigurationError: an unknown kind, a name and value that do not show it, or a name that is the start
            of another.
    """
    if facts is None:
        return incidents(*FORMS).map(lambda incident: incident.context())
    forms = {name: _form(name, kind) for name, kind in facts.items()}
    for name in facts:
        if any(other.startswith(f"{name}.") for other in facts):
            raise ConfigurationError(f"{name!r} is a fact, so no other fact can be inside it")
        form, plain = forms[name], PLAIN_INCIDENT.values[forms[name].name]
        if not _is_read(name, _stored(name, form, plain), form, plain):
            hint = _HINTS.get(form.kind, "choose another name")
            raise ConfigurationError(f"{name}: neither name nor value shows a {form.name}: {hint}")
    return st.fixed_dictionaries({name: form.values for name, form in forms.items()}).map(
        lambda values: _nested({name: _stored(name, forms[name], value) for name, value in values.items()})
    )


def drafts(context: Context = None) -> st.SearchStrategy[Draft]:
    """Return a strategy of drafts that a context supports, with ``text``, ``context`` and ``sentences``."""
    bases = _incidents_in(context)

    @st.composite
    def drawn(draw: st.DrawFn) -> Draft:
        return draw_draft(draw, draw(bases))

    return drawn()


def faithful_revisions(context: Context = None) -> st.SearchStrategy[Case]:
    """Return a strategy of revisions that a guard has to pass.

    They are identical, reordered, shortened, in bullets or under a heading, or respell a fact.

    Args:
        context: as of ``drafts``.

    Returns:
        Cases with ``original``, ``revised``, ``context`` and the label ``pass``.
    """
    written = drafts(context)

    @st.composite
    def drawn(draw: st.DrawFn) -> Case:
        draft = draw(written)
        if draft.incident.forms and pick(draw, range(3)) == 2:
            return respelt(draw, draft, pick(draw, draft.incident.forms))
        return faithful_edit(draw, draft, pick(draw, EDITS))

    return drawn()


def breaches(family: Family | None = None, context: Context = None) -> st.SearchStrategy[Case]:
    """Return a strategy of revisions that a guard has to block.

    Args:
        family: a name of the draft library's families; None for any.
        context: as of ``drafts``.

    Returns:
        Cases with ``original``, ``revised``, ``context``, the label ``block`` and the ``span`` of the breach.

    Raises:
        ConfigurationError: there is no such family, or the context allows no breach of it.
    """
    if family is not None and family not in FAMILIES:
        raise ConfigurationError(f"there is no family {family!r} of breaches{suggestion(family, FAMILIES)}")
    if family and isinstance(context, Mapping) and not allows(incident_of(_own(context)), family):
        raise ConfigurationError(f"no breach of family {family!r}: {no_breach_reason(family)}")
    bases = _incidents_in(context, *(forms_of(FORMS, family) if family else ()))

    @st.composite
    def drawn(draw: st.DrawFn) -> Case:
        incident = draw(bases)
        if family is not None and not allows(incident, family):
            reject()
        breach = draw_breach(draw, incident, family) if family else draw_any_breach(draw, incident)
        return breach_case(draw_draft(draw, incident), breach, pick(draw, range(4)))

    return drawn()


def disguises(cases: st.SearchStrategy[Case], name: Disguise | None = None) -> st.SearchStrategy[Case]:
    """Return a strategy of cases whose breach, or changed place, is disguised.

    Args:
        cases: such as ``breaches()``. If a case has no span, all of its text is disguised.
        name: the disguise; None for any.

    Returns:
        Cases with the same label; those that the disguise leaves unchanged are left out.

    Raises:
        ConfigurationError: there is no such disguise.
    """
    if name is not None and name not in ATTACKS:
        raise ConfigurationError(f"there is no disguise {name!r}{suggestion(name, ATTACKS)}")
    attacks = tuple(ATTACKS.values()) if name is None else (ATTACKS[name],)

    def disguised(case: Case, attack: Attack, seed: int) -> Case:
        start, end = case.span or (0, len(case.revised))
        hidden = attack(case.revised[start:end], seed=seed)
        return replace(
            case,
            name=f"disguised-{case.family}",
            revised=case.revised[:start] + hidden + case.revised[end:],
            disguise=attack.name if hidden != case.revised[start:end] else "none",
            span=(start, start + len(hidden)),
        )

    chosen = st.builds(disguised, cases, st.sampled_from(attacks), st.integers(0, SEEDS - 1))
    return chosen.filter(lambda case: case.disguise != "none")


def _incidents_in(context: Context, *varied: FactForm) -> st.SearchStrategy[Incident]:
    if context is None:
        return incidents(*varied)
    if isinstance(context, Mapping):
        return st.just(incident_of(_own(context)))
    return context.map(incident_of)


def _own(context: Mapping[str, Any]) -> JsonObject:
    try:
        return copy_object(dict(context))
    except ValueError as error:
        raise ConfigurationError(f"context: {error}") from None


def _form(name: str, kind: str) -> FactForm:
    if kind not in TEMPLATES:
        raise ConfigurationError(f"{name}: there is no kind {kind!r} of fact{suggestion(kind, TEMPLATES)}")
    return TEMPLATES[kind]


def _stored(name: str, form: FactForm, value: Any) -> Any:
    """Return a value as a context holds it: a number if the name shows its kind, else as text."""
    stored = form.stored(value)
    return stored if _is_read(name, stored, form, value) else form.spellings(value)[_PLAINEST_SPELLING]


def _is_read(name: str, stored: Any, form: FactForm, value: Any) -> bool:
    read = incident_of(_nested({name: stored}))
    return any(own.kind == form.kind and read.values[own.name] == value for own in read.forms)


def _nested(values: Mapping[str, Any]) -> JsonObject:
    context: JsonObject = {}
    for name, value in values.items():
        *folders, last = name.split(".")
        place: Any = context
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = value
    return context
