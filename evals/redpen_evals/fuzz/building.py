"""Trials of each property, drawn from the facts of a context."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from hypothesis import reject
from hypothesis import strategies as st

from redpen_evals.attacks import Attack
from redpen_evals.fuzz.case import SEEDS, Case, span_of
from redpen_evals.fuzz.drafting import (
    Draft,
    Edit,
    breach_case,
    draw_any_breach,
    draw_breach,
    draw_draft,
    faithful_edit,
    respelt,
    with_breach,
)
from redpen_evals.fuzz.facts import FactForm, forms_of
from redpen_evals.fuzz.incidents import Incident, pick, sample, shuffled
from redpen_evals.fuzz.sentences import BENIGN, CLAIMS, ClaimForm, sentence_of, twin_sentences
from redpen_evals.fuzz.trials import GROWTH, Trial
from redpen_evals.scenario_library.drafts import Family, LabelledDraft

PIECES: tuple[str, ...] = (
    "27%", "45 minutes", "$1,200", "2026-03-06", "14:30", "1h30", "½", "10²", "Ⅻ", "٤٥", "四五", "1e999",
    "0.0.0.1", "inc_a_1", "P1", "SEV-1", "us", "US", "U.S.", "\U0001f1fa\U0001f1f8", "a@b.co",
    "https://a.b/c?d=e", "+1 555 123 4567", "&#x72;", "&amp;#45;", "&nbsp;", "<b>", "</b>", "<!--", "-->",
    "<wbr>", "**", "__", "`", "[a](#)", "\\", "|", "r e s o l v e d", "re-\nsolved", "res0lved", "ﬁxed",
    "ＦＩＸＥＤ", "\u202edevloser\u202c", "\u200b", "\u00ad", "\u0301", "\U000e0041", "\ufdfa", "\ud800",
    "\x00", "\r\n", "\t", "\u2028", "\u3000", "not", "no longer", "n't", "?", "until", "one", "a", "half",
    "third", "dozen", "twice", "per", "point", "and", "hundred", "million", "of", "to", "-", "–", "’",
)  # fmt: skip
"""Pieces that rules match, and characters that are hard to process."""

_JOINS = ("", " ", "\n", ".", ", ")
_SENTENCES = (*BENIGN, *(sentence_of(form.claims[0]) for form in CLAIMS))


def any_texts() -> st.SearchStrategy[str]:
    """Return a strategy of arbitrary texts: characters of any script, and pieces that rules match."""
    word = st.sampled_from(PIECES) | st.sampled_from(_SENTENCES) | st.text(max_size=8)
    built = st.builds(
        lambda words, join: join.join(words), st.lists(word, max_size=14), st.sampled_from(_JOINS)
    )
    everything = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
    return built | built | everything


def repeated(piece: str, chars: int) -> str:
    """Return a piece repeated to exactly ``chars`` characters; empty for an empty piece."""
    return (piece * (chars // len(piece) + 1))[:chars] if piece else ""


_PLACES: Final = range(7)
_CHANCES: Final = range(SEEDS)
_TEXTS: Final = any_texts()
_SHORT_CHARS: Final = 2_000


def disguisable(attack: Attack, incident: Incident) -> tuple[FactForm, ...]:
    """Return the facts of a context whose meaning a disguise keeps."""
    return tuple(form for form in incident.forms if attack.name not in form.spoilt_by)


def known_draft(draft: LabelledDraft) -> Trial:
    """Return the trial of a draft of the library."""
    item = draft.item
    case = Case(
        name="known",
        original=draft.original,
        revised=item.revised,
        context=draft.context,
        label=item.label,
        family=item.family,
        codes=tuple(item.codes),
        disguise=item.disguise,
    )
    return Trial(rule="verdict", case=case)


def edited(edit: Edit, draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of an edit that keeps the meaning."""
    draft = draw_draft(draw, incident)
    if edit == "identical":
        return Trial(rule="verdict", case=_same(draft))
    return _changed(draft, faithful_edit(draw, draft, edit))


def respelt_fact(family: Family, draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a fact of a family in another spelling."""
    draft = draw_draft(draw, incident, most=1)
    return _changed(draft, respelt(draw, draft, pick(draw, forms_of(incident.forms, family))))


def twin(form: ClaimForm, draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a claim that is denied, left open, hedged or asked."""
    draft, sentence = draw_draft(draw, incident), draw(twin_sentences(form))
    return _changed(draft, _with_sentence(draft, sentence, f"twin-{form.family}", form.family))


def breach(family: Family, draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a breach of a family."""
    breach = draw_breach(draw, incident, family)
    return Trial(rule="verdict", case=breach_case(draw_draft(draw, incident), breach, pick(draw, _PLACES)))


def disguised_breach(
    attack: Attack, families: tuple[Family, ...], draw: st.DrawFn, incident: Incident
) -> Trial:
    """Draw a trial of a breach in disguise."""
    breach = draw_any_breach(draw, incident, families)
    hidden = attack(breach.piece, seed=pick(draw, _CHANCES))
    if hidden == breach.piece or attack.name in breach.spoilt_by:
        reject()
    draft = draw_draft(draw, incident, most=1)
    plain = breach_case(draft, breach)
    sentence = breach.sentence.replace(breach.piece, hidden, 1)
    disguised = breach_case(draft, replace(breach, sentence=sentence), name=f"disguised-{attack.name}")
    return Trial(rule="changed", case=replace(disguised, disguise=attack.name), before=plain)


def disguised_fact(attack: Attack, draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of an allowed fact in disguise."""
    form = pick(draw, disguisable(attack, incident))
    sentence, spelling = pick(draw, form.sentences), pick(draw, form.spellings(incident.values[form.name]))
    hidden = attack(spelling, seed=pick(draw, _CHANCES))
    if hidden == spelling:
        reject()
    draft, name = draw_draft(draw, incident, most=1), f"allowed-{attack.name}"
    plain = _with_sentence(draft, sentence.format(spelling), name, form.family)
    disguised = _with_sentence(draft, sentence.format(hidden), name, form.family)
    return Trial(rule="changed", case=replace(disguised, disguise=attack.name), before=plain)


def monotone(families: tuple[Family, ...], draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a blocked text with another breach."""
    first, second = draw_any_breach(draw, incident, families), draw_any_breach(draw, incident, families)
    draft = draw_draft(draw, incident, most=1)
    blocked = breach_case(draft, first, pick(draw, _PLACES), name="monotone")
    revised = f"{blocked.revised} {second.sentence}"
    codes = tuple(dict.fromkeys((*first.codes, *second.codes)))
    case = replace(blocked, revised=revised, codes=codes, span=span_of(second.sentence, revised))
    return Trial(rule="monotone", case=case, before=blocked)


def order(draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a sound text in another order."""
    draft = draw_draft(draw, incident)
    return Trial(rule="order", before=_same(draft), case=faithful_edit(draw, draft, "reordered"))


def order_of_breach(families: tuple[Family, ...], draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a text with a breach in another order."""
    breach, draft = draw_any_breach(draw, incident, families), draw_draft(draw, incident)
    first = breach_case(draft, breach, name="order")
    _, sentences = with_breach(draft, breach, 0)
    revised = " ".join(shuffled(draw, sentences))
    second = replace(first, revised=revised, span=span_of(breach.sentence, revised))
    return Trial(rule="order", before=first, case=second)


def repeat(families: tuple[Family, ...], draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a text that is judged again after others."""
    case = _any_case(draw, incident, families)
    between = tuple(_any_case(draw, incident, families) for _ in range(pick(draw, (1, 2, 3))))
    return Trial(rule="repeat", case=case, between=between)


def answers(draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of any texts."""
    original, revised = draw(_TEXTS), draw(_TEXTS)
    case = Case(name="answers", original=original, revised=revised, context=incident.context())
    return Trial(rule="answers", case=case)


def long_text(rule: Literal["time", "memory"], draw: st.DrawFn, incident: Incident) -> Trial:
    """Draw a trial of a text and another one ``GROWTH`` times as long."""
    join = pick(draw, ("", " ", "\n"))
    piece = "".join(f"{word}{join}" for word in (pick(draw, PIECES), *sample(draw, PIECES, most=2)))
    short, long = (
        Case(name=rule, original="", revised=repeated(piece, chars), context=incident.context())
        for chars in (_SHORT_CHARS, _SHORT_CHARS * GROWTH)
    )
    return Trial(rule=rule, before=short, case=long)


def _same(draft: Draft) -> Case:
    return draft.case("faithful-identical", draft.text)


def _changed(draft: Draft, case: Case) -> Trial:
    # If the guard blocks the draft itself, its verdict on a change of it is inconclusive.
    return Trial(rule="changed", case=case, before=_same(draft))


def _with_sentence(draft: Draft, sentence: str, name: str, family: Family) -> Case:
    revised = f"{draft.text} {sentence}"
    return draft.case(name, revised, family=family, span=span_of(sentence, revised))


def _any_case(draw: st.DrawFn, incident: Incident, families: tuple[Family, ...]) -> Case:
    draft = draw_draft(draw, incident)
    # Blocked texts are more likely to change a guard's state.
    if pick(draw, (True, True, False)):
        return breach_case(draft, draw_any_breach(draw, incident, families))
    return faithful_edit(draw, draft, "reordered")
