"""What is tried of a guard: properties of one sentence each, and the cells in which each of them is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, get_args

from hypothesis import strategies as st

from redpen.types import JsonObject
from redpen_evals.attacks import DISGUISES, Attack
from redpen_evals.fuzz.breaching import FAMILIES, Breach, breaches_of, why_none
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.claims import CLAIMS, ClaimForm, twin_sentences
from redpen_evals.fuzz.disguises import SEEDS, Disguising
from redpen_evals.fuzz.drafting import (
    EDITS,
    Draft,
    Edit,
    breach_case,
    drafts_of,
    faithful_edit,
    labelled,
    respelt,
    with_breach,
)
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.incidents import PLAIN_INCIDENT, Incident, incidents
from redpen_evals.fuzz.own_facts import matter_of
from redpen_evals.fuzz.texts import PIECES, any_texts, repeated
from redpen_evals.fuzz.trials import GROWTH, Trial
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

Build = Callable[[Incident], "st.SearchStrategy[Trial] | None"]

_PLACES: Final = st.integers(0, 6)
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
        examples: what is tried first, and once.
        most: examples a round at the most; None for as many as are asked for.
        why_not: why it cannot be tried; empty where it may be.
    """

    of: PropertyName
    name: str
    strategy: st.SearchStrategy[Trial] | None = None
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
        yield _cell("faithful", edit, _with_draft(_edited(edit)), matters)
    for family in dict.fromkeys(form.family for form in FORMS):
        yield _cell(
            "faithful",
            family,
            _respelt(family),
            matters,
            varied=_of_family(family),
            why_not=f"the context holds no {family}",
        )
    for form in CLAIMS:
        yield _cell("denied", form.family, _with_draft(_twin(form)), matters)
    for family in FAMILIES:
        yield _breach_cell(family, matters)
    for attack in DISGUISES:
        yield _cell("disguises", attack.name, _disguised_breach(attack), matters)
    for attack in DISGUISES:
        why = "the context holds no fact that can be disguised"
        yield _cell("allowed", attack.name, _disguised_fact(attack), matters, why_not=why)
    yield _cell("monotone", "any breach", _monotone, matters)
    yield _cell("order", "sound texts", _with_draft(_order), matters)
    yield _cell("order", "breaches", _order_of_breach, matters)
    yield _cell("repeated", "any text", _repeat, matters)
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
    most: int | None = None,
    why_not: str = "",
) -> Cell:
    if not matters and not varied:
        matters = _some_matters()
    if not matters:
        generated = incidents(*varied).flatmap(lambda matter: _some(build(matter)))
        return Cell(of=of, name=name, strategy=generated, most=most)
    found = [built for matter in matters if (built := build(matter)) is not None]
    if not found:
        return Cell(of=of, name=name, why_not=why_not)
    return Cell(of=of, name=name, strategy=st.one_of(found), most=most)


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


def _some(built: st.SearchStrategy[Trial] | None) -> st.SearchStrategy[Trial]:
    return st.nothing() if built is None else built


def _of_family(family: Family) -> tuple[FactForm, ...]:
    return tuple(form for form in FORMS if form.family == family)


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


def _with_draft(build: Callable[[Draft], st.SearchStrategy[Trial]]) -> Build:
    return lambda matter: drafts_of(matter).flatmap(build)


def _edited(edit: Edit) -> Callable[[Draft], st.SearchStrategy[Trial]]:
    if edit == "identical":
        return lambda draft: st.just(Trial(rule="verdict", case=_same(draft)))
    return lambda draft: faithful_edit(draft, edit).map(lambda case: _changed(draft, case))


def _same(draft: Draft) -> Case:
    return labelled(
        "faithful-identical", draft.text, draft.text, draft.context, label="pass", family="rewrite"
    )


def _changed(draft: Draft, case: Case) -> Trial:
    # A guard that blocks the draft itself says nothing of what is made of it.
    return Trial(rule="changed", case=case, before=_same(draft))


def _respelt(family: Family) -> Build:
    def build(matter: Incident) -> st.SearchStrategy[Trial] | None:
        forms = [form for form in matter.forms if form.family == family]
        if not forms:
            return None
        return st.tuples(drafts_of(matter, most=1), st.sampled_from(forms)).flatmap(
            lambda drawn: respelt(*drawn).map(lambda case: _changed(drawn[0], case))
        )

    return build


def _twin(form: ClaimForm) -> Callable[[Draft], st.SearchStrategy[Trial]]:
    def case(draft: Draft, said: str) -> Trial:
        revised = " ".join((*draft.sentences, said))
        found = labelled(
            f"twin-{form.family}",
            draft.text,
            revised,
            draft.context,
            label="pass",
            family=form.family,
            mark=said,
        )
        return _changed(draft, found)

    return lambda draft: twin_sentences(form).map(lambda said: case(draft, said))


def _breach_cell(family: Family, matters: tuple[Incident, ...]) -> Cell:
    def build(matter: Incident) -> st.SearchStrategy[Trial] | None:
        breaches = breaches_of(matter, family)
        if breaches is None:
            return None
        return st.builds(
            lambda draft, breach, place: Trial(rule="verdict", case=breach_case(draft, breach, place)),
            drafts_of(matter),
            breaches,
            _PLACES,
        )

    varied = _of_family(family)
    why = why_none(family)
    return _cell("breaches", family, build, matters, varied=varied, why_not=why)


def _any_breach(matter: Incident) -> st.SearchStrategy[Breach]:
    found = [built for family in FAMILIES if (built := breaches_of(matter, family)) is not None]
    return st.one_of(found)


def _disguised_breach(attack: Attack) -> Build:
    def trial(draft: Draft, breach: Breach, seed: int) -> Trial | None:
        disguise = Disguising(attack=attack, seed=seed)
        hidden = disguise.of(breach.piece)
        if hidden == breach.piece or disguise.name in breach.spoilt_by:
            return None
        plain = breach_case(draft, breach)
        said = breach.sentence.replace(breach.piece, hidden, 1)
        _, sentences = with_breach(draft, breach, 0)
        at = sentences.index(breach.sentence)
        case = labelled(
            f"disguised-{attack.name}",
            plain.original,
            " ".join((*sentences[:at], said, *sentences[at + 1 :])),
            draft.context,
            label="block",
            family=breach.family,
            codes=breach.codes,
            disguise=disguise.name,
            mark=said,
        )
        return Trial(rule="changed", case=case, before=plain)

    return lambda matter: _there(
        st.builds(trial, drafts_of(matter, most=1), _any_breach(matter), st.integers(0, SEEDS - 1))
    )


def _disguised_fact(attack: Attack) -> Build:
    def build(matter: Incident) -> st.SearchStrategy[Trial] | None:
        forms = [form for form in matter.forms if attack.name not in form.spoilt_by]
        return _there(st.sampled_from(forms).flatmap(lambda form: shown(matter, form))) if forms else None

    def shown(matter: Incident, form: FactForm) -> st.SearchStrategy[Trial | None]:
        return st.builds(
            lambda draft, sentence, spelling, seed: trial(draft, form, sentence, spelling, seed),
            drafts_of(matter, most=1),
            st.sampled_from(form.sentences),
            st.sampled_from(form.spellings(matter.values[form.name])),
            st.integers(0, SEEDS - 1),
        )

    def trial(draft: Draft, form: FactForm, sentence: str, spelling: str, seed: int) -> Trial | None:
        disguise = Disguising(attack=attack, seed=seed)
        hidden = disguise.of(spelling)
        if hidden == spelling:
            return None
        plain, case = (
            labelled(
                f"allowed-{attack.name}",
                draft.text,
                " ".join((*draft.sentences, said)),
                draft.context,
                label="pass",
                family=form.family,
                disguise=disguise.name if piece is hidden else "none",
                mark=said,
            )
            for piece in (spelling, hidden)
            for said in (sentence.format(piece),)
        )
        return Trial(rule="changed", case=case, before=plain)

    return build


def _there(trials: st.SearchStrategy[Trial | None]) -> st.SearchStrategy[Trial]:
    """Leave out what a disguise has no hold on."""
    return trials.filter(lambda trial: trial is not None)  # type: ignore[return-value]


def _monotone(matter: Incident) -> st.SearchStrategy[Trial]:
    def trial(draft: Draft, first: Breach, second: Breach, place: int) -> Trial:
        blocked = breach_case(draft, first, place, name="monotone")
        revised = f"{blocked.revised} {second.sentence}"
        case = labelled(
            "monotone",
            blocked.original,
            revised,
            draft.context,
            label="block",
            family=first.family,
            codes=tuple(dict.fromkeys((*first.codes, *second.codes))),
            mark=second.sentence,
        )
        return Trial(rule="monotone", case=case, before=blocked)

    breaches = _any_breach(matter)
    return st.builds(trial, drafts_of(matter, most=1), breaches, breaches, _PLACES)


def _order(draft: Draft) -> st.SearchStrategy[Trial]:
    one = _same(draft)
    return st.permutations(draft.sentences).map(
        lambda sentences: Trial(
            rule="order",
            before=one,
            case=labelled(
                "order", draft.text, " ".join(sentences), draft.context, label="pass", family="rewrite"
            ),
        )
    )


def _order_of_breach(matter: Incident) -> st.SearchStrategy[Trial]:
    def orders(draft: Draft, breach: Breach) -> st.SearchStrategy[Trial]:
        original, sentences = with_breach(draft, breach, 0)

        def case(order: Sequence[str]) -> Case:
            return labelled(
                "order",
                original,
                " ".join(order),
                draft.context,
                label="block",
                family=breach.family,
                codes=breach.codes,
                mark=breach.sentence,
            )

        return st.permutations(sentences).map(
            lambda order: Trial(rule="order", before=case(sentences), case=case(order))
        )

    return st.tuples(drafts_of(matter), _any_breach(matter)).flatmap(lambda drawn: orders(*drawn))


def _any_case(matter: Incident) -> st.SearchStrategy[Case]:
    sound = drafts_of(matter).flatmap(lambda draft: faithful_edit(draft, "reordered"))
    return sound | st.builds(breach_case, drafts_of(matter), _any_breach(matter))


def _repeat(matter: Incident) -> st.SearchStrategy[Trial]:
    one = _any_case(matter)
    between = st.lists(one, min_size=1, max_size=3).map(tuple)
    return st.builds(lambda case, rest: Trial(rule="repeat", case=case, between=rest), one, between)


def _answers(matter: Incident) -> st.SearchStrategy[Trial]:
    return st.builds(
        lambda original, revised: Trial(
            rule="answers",
            case=labelled("answers", original, revised, matter.context(), label="pass", family="rewrite"),
        ),
        any_texts(),
        any_texts(),
    )


def _long(rule: Literal["time", "memory"]) -> Build:
    def build(matter: Incident) -> st.SearchStrategy[Trial]:
        def case(piece: str, chars: int) -> Case:
            revised = repeated(piece, chars)
            return labelled(rule, "", revised, matter.context(), label="pass", family="rewrite")

        words = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3)
        return st.builds(
            lambda found, join: Trial(
                rule=rule,
                before=case(join.join(found) + join, _SHORT_CHARS),
                case=case(join.join(found) + join, _SHORT_CHARS * GROWTH),
            ),
            words,
            st.sampled_from(("", " ", "\n")),
        )

    return build
