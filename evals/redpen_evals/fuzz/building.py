"""Trials of each property, drawn from the facts of a context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

from hypothesis import reject
from hypothesis import strategies as st

from redpen_evals.attacks import Attack
from redpen_evals.fuzz.breaching import draw_any_breach, draw_breach
from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.claims import ClaimForm, twin_sentences
from redpen_evals.fuzz.disguises import SEEDS, Disguising
from redpen_evals.fuzz.drafting import (
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
from redpen_evals.fuzz.facts import FactForm
from redpen_evals.fuzz.incidents import Incident
from redpen_evals.fuzz.texts import PIECES, any_texts, repeated
from redpen_evals.fuzz.trials import GROWTH, Trial
from redpen_evals.scenario_library.drafts import Disguise, Family, LabelledDraft

Build = Callable[[st.DrawFn, Incident], Trial]
OfFamilies = Callable[[tuple[Family, ...]], Build]
"""What draws a trial in a context; the second does so with breaches of certain families."""

_PLACES: Final = range(7)
_CHANCES: Final = range(SEEDS)
_TEXTS: Final = any_texts()
_SHORT_CHARS: Final = 2_000


def forms_of(forms: Sequence[FactForm], family: Family) -> tuple[FactForm, ...]:
    """Return the facts of a family."""
    return tuple(form for form in forms if form.family == family)


def disguisable(matter: Incident, attack: Attack) -> tuple[FactForm, ...]:
    """Return the facts of a context that a disguise leaves what they are."""
    return tuple(form for form in matter.forms if attack.name not in form.spoilt_by)


def known_draft(draft: LabelledDraft) -> Trial:
    """Return the trial of a draft of the library."""
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


def edited(edit: Edit) -> Build:
    """Return what builds trials of an edit that says nothing else."""

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


def respelt_fact(family: Family) -> Build:
    """Return what builds trials of a fact of a family in another spelling."""

    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        draft = draw_draft(draw, matter, most=1)
        return _changed(draft, respelt(draw, draft, pick(draw, forms_of(matter.forms, family))))

    return build


def twin(form: ClaimForm) -> Build:
    """Return what builds trials of a claim that is denied, left open, hedged or asked."""

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


def breach(family: Family) -> Build:
    """Return what builds trials of a breach of a family."""

    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        breach = draw_breach(draw, matter, family)
        case = breach_case(draw_draft(draw, matter), breach, pick(draw, _PLACES))
        return Trial(rule="verdict", case=case)

    return build


def disguised_breach(attack: Attack) -> OfFamilies:
    """Return what builds trials of breaches in disguise."""
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


def disguised_fact(attack: Attack) -> Build:
    """Return what builds trials of allowed facts in disguise."""

    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        form = pick(draw, disguisable(matter, attack))
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


def monotone(families: tuple[Family, ...]) -> Build:
    """Return what builds trials of a blocked text with another breach."""

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


def order(draw: st.DrawFn, matter: Incident) -> Trial:
    """Draw a trial of a sound text in another order."""
    draft = draw_draft(draw, matter)
    return Trial(rule="order", before=_same(draft), case=faithful_edit(draw, draft, "reordered"))


def order_of_breach(families: tuple[Family, ...]) -> Build:
    """Return what builds trials of a text with a breach in another order."""

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


def repeat(families: tuple[Family, ...]) -> Build:
    """Return what builds trials of a text that is judged again after others."""

    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        case = _any_case(draw, matter, families)
        between = tuple(_any_case(draw, matter, families) for _ in range(pick(draw, (1, 2, 3))))
        return Trial(rule="repeat", case=case, between=between)

    return build


def answers(draw: st.DrawFn, matter: Incident) -> Trial:
    """Draw a trial of any texts."""
    original, revised = draw(_TEXTS), draw(_TEXTS)
    case = labelled("answers", original, revised, matter.context(), label="pass", family="rewrite")
    return Trial(rule="answers", case=case)


def long_text(rule: Literal["time", "memory"]) -> Build:
    """Return what builds trials of a text and one that is ``GROWTH`` times as long."""

    def build(draw: st.DrawFn, matter: Incident) -> Trial:
        def case(chars: int) -> Case:
            revised = repeated(piece, chars)
            return labelled(rule, "", revised, matter.context(), label="pass", family="rewrite")

        join = pick(draw, ("", " ", "\n"))
        piece = "".join(f"{word}{join}" for word in (pick(draw, PIECES), *some_of(draw, PIECES, most=2)))
        return Trial(rule=rule, before=case(_SHORT_CHARS), case=case(_SHORT_CHARS * GROWTH))

    return build
