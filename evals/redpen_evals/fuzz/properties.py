"""What is tried of a guard: properties of one sentence each, and the cells in which each of them is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, get_args

from hypothesis import reject
from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.attacks import DISGUISES, Attack
from redpen_evals.fuzz.breaching import FAMILIES, allows, draw_any_breach, draw_breach, why_none
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.claims import CLAIMS, ClaimForm, twin_sentences
from redpen_evals.fuzz.disguises import SEEDS, Disguising
from redpen_evals.fuzz.drafting import (
    EDITS,
    Draft,
    Edit,
    breach_case,
    draw_draft,
    faithful_edit,
    labelled,
    respelt,
    with_breach,
)
from redpen_evals.fuzz.drawing import in_order, pick, some_of
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.incidents import PLAIN_INCIDENT, Incident, incidents
from redpen_evals.fuzz.own_facts import matter_of
from redpen_evals.fuzz.texts import PIECES, any_texts, repeated
from redpen_evals.fuzz.trials import GROWTH, Trial
from redpen_evals.scenario_library.drafts import Disguise, Family, LabelledDraft

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

Build = Callable[[st.DrawFn, Incident], Trial]
OfFamilies = Callable[[tuple[Family, ...]], Build]
May = Callable[[Incident], bool]

_PLACES: Final = range(7)
_CHANCES: Final = range(SEEDS)
_TEXTS: Final = any_texts()
_SHORT_CHARS: Final = 2_000
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
        yield Cell(of="known", name="library", examples=tuple(map(_known, known)))
    for edit in EDITS:
        yield _cell("faithful", edit, _edited(edit), matters)
    for family in dict.fromkeys(form.family for form in FORMS):
        yield _cell(
            "faithful",
            family,
            _respelt(family),
            matters,
            varied=_of_family(FORMS, family),
            may=lambda matter, family=family: bool(_of_family(matter.forms, family)),  # type: ignore[misc]
            why_not=f"the context holds no {family}",
        )
    for claim in CLAIMS:
        yield _cell("denied", claim.family, _twin(claim), matters)
    for family in FAMILIES:
        yield _cell(
            "breaches",
            family,
            _breach(family),
            matters,
            varied=_of_family(FORMS, family),
            may=lambda matter, family=family: allows(matter, family),  # type: ignore[misc]
            why_not=why_none(family),
        )
    for attack in DISGUISES:
        yield _cell_of_breaches("disguises", attack.name, _disguised_breach(attack), matters)
    for attack in DISGUISES:
        yield _cell(
            "allowed",
            attack.name,
            _disguised_fact(attack),
            matters,
            may=lambda matter, attack=attack: bool(_disguisable(matter, attack)),  # type: ignore[misc]
            why_not="the context holds no fact that can be disguised so",
        )
    yield _cell_of_breaches("monotone", "any breach", _monotone, matters)
    yield _cell("order", "sound texts", _order, matters)
    yield _cell_of_breaches("order", "breaches", _order_of_breach, matters)
    yield _cell_of_breaches("repeated", "any text", _repeat, matters)
    yield _cell("answers", "any text", _answers, matters)
    yield _cell("time", "long texts", _long("time"), matters, most=_COSTLY)
    yield _cell("memory", "long texts", _long("memory"), matters, most=_COSTLY)


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


def _of_family(forms: Sequence[FactForm], family: Family) -> tuple[FactForm, ...]:
    return tuple(form for form in forms if form.family == family)


def _disguisable(matter: Incident, attack: Attack) -> tuple[FactForm, ...]:
    return tuple(form for form in matter.forms if attack.name not in form.spoilt_by)


def _known(draft: LabelledDraft) -> Trial:
    item = draft.item
    return Trial(
        rule="verdict",
        case=Case(
            name="known",
            original=draft.original,
            revised=item.revised,
            context=draft.context,
            label=item.label,
            family=item.family,
            codes=tuple(item.codes),
            disguise=item.disguise,
        ),
    )


def _edited(edit: Edit) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        draft = draw_draft(draw, matter)
        if edit == "identical":
            return Trial(rule="verdict", case=_same(draft))
        return _changed(draft, faithful_edit(draw, draft, edit))

    return build


def _same(draft: Draft) -> Case:
    return labelled(
        "faithful-identical", draft.text, draft.text, draft.context, label="pass", family="rewrite"
    )


def _changed(draft: Draft, case: Case) -> Trial:
    # A guard that blocks the draft itself says nothing of what is made of it.
    return Trial(rule="changed", case=case, before=_same(draft))


def _respelt(family: Family) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        draft = draw_draft(draw, matter, most=1)
        return _changed(draft, respelt(draw, draft, pick(draw, _of_family(matter.forms, family))))

    return build


def _twin(form: ClaimForm) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        draft, said = draw_draft(draw, matter), draw(twin_sentences(form))
        case = labelled(
            f"twin-{form.family}",
            draft.text,
            f"{draft.text} {said}",
            draft.context,
            label="pass",
            family=form.family,
            mark=said,
        )
        return _changed(draft, case)

    return build


def _breach(family: Family) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        breach = draw_breach(draw, matter, family)
        case = breach_case(draw_draft(draw, matter), breach, pick(draw, _PLACES))
        return Trial(rule="verdict", case=case)

    return build


def _disguised_breach(attack: Attack) -> OfFamilies:
    return lambda families: lambda draw, matter: _worn(draw, matter, attack, families)


def _worn(draw: st.DrawFn, matter: Incident, attack: Attack, families: tuple[Family, ...]) -> Trial:
    breach = draw_any_breach(draw, matter, families)
    disguise = Disguising(attack=attack, seed=pick(draw, _CHANCES))
    hidden = disguise.of(breach.piece)
    if hidden == breach.piece or disguise.name in breach.spoilt_by:
        reject()
    draft = draw_draft(draw, matter, most=1)
    plain = breach_case(draft, breach)
    said = breach.sentence.replace(breach.piece, hidden, 1)
    worn = breach_case(draft, replace(breach, sentence=said), name=f"disguised-{attack.name}")
    return Trial(rule="changed", case=replace(worn, disguise=disguise.name), before=plain)


def _disguised_fact(attack: Attack) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        form = pick(draw, _disguisable(matter, attack))
        sentence, spelling = pick(draw, form.sentences), pick(draw, form.spellings(matter.values[form.name]))
        disguise = Disguising(attack=attack, seed=pick(draw, _CHANCES))
        hidden = disguise.of(spelling)
        if hidden == spelling:
            reject()
        draft = draw_draft(draw, matter, most=1)

        def case(piece: str, worn: Disguise) -> Case:
            said = sentence.format(piece)
            return labelled(
                f"allowed-{attack.name}",
                draft.text,
                f"{draft.text} {said}",
                draft.context,
                label="pass",
                family=form.family,
                disguise=worn,
                mark=said,
            )

        return Trial(rule="changed", case=case(hidden, disguise.name), before=case(spelling, "none"))

    return build


def _monotone(families: tuple[Family, ...]) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        first, second = draw_any_breach(draw, matter, families), draw_any_breach(draw, matter, families)
        draft = draw_draft(draw, matter, most=1)
        blocked = breach_case(draft, first, pick(draw, _PLACES), name="monotone")
        case = labelled(
            "monotone",
            blocked.original,
            f"{blocked.revised} {second.sentence}",
            draft.context,
            label="block",
            family=first.family,
            codes=tuple(dict.fromkeys((*first.codes, *second.codes))),
            mark=second.sentence,
        )
        return Trial(rule="monotone", case=case, before=blocked)

    return build


def _order(draw: st.DrawFn, matter: Incident) -> Trial:
    draft = draw_draft(draw, matter)
    return Trial(rule="order", before=_same(draft), case=faithful_edit(draw, draft, "reordered"))


def _order_of_breach(families: tuple[Family, ...]) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        breach, draft = draw_any_breach(draw, matter, families), draw_draft(draw, matter)
        one = breach_case(draft, breach, name="order")
        _, sentences = with_breach(draft, breach, 0)
        other = labelled(
            "order",
            one.original,
            " ".join(in_order(draw, sentences)),
            draft.context,
            label="block",
            family=breach.family,
            codes=breach.codes,
            mark=breach.sentence,
        )
        return Trial(rule="order", before=one, case=other)

    return build


def _any_case(draw: st.DrawFn, matter: Incident, families: tuple[Family, ...]) -> Case:
    draft = draw_draft(draw, matter)
    # What is blocked is what a guard may come to know.
    if pick(draw, (True, True, False)):
        return breach_case(draft, draw_any_breach(draw, matter, families))
    return faithful_edit(draw, draft, "reordered")


def _repeat(families: tuple[Family, ...]) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        case = _any_case(draw, matter, families)
        between = tuple(_any_case(draw, matter, families) for _ in range(pick(draw, (1, 2, 3))))
        return Trial(rule="repeat", case=case, between=between)

    return build


def _answers(draw: st.DrawFn, matter: Incident) -> Trial:
    original, revised = draw(_TEXTS), draw(_TEXTS)
    case = labelled("answers", original, revised, matter.context(), label="pass", family="rewrite")
    return Trial(rule="answers", case=case)


def _long(rule: Literal["time", "memory"]) -> Build:
    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        def case(chars: int) -> Case:
            revised = repeated(piece, chars)
            return labelled(rule, "", revised, matter.context(), label="pass", family="rewrite")

        join = pick(draw, ("", " ", "\n"))
        piece = "".join(f"{word}{join}" for word in (pick(draw, PIECES), *some_of(draw, PIECES, most=2)))
        return Trial(rule=rule, before=case(_SHORT_CHARS), case=case(_SHORT_CHARS * GROWTH))

    return build
