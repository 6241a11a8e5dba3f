"""Generate drafts that state facts of a context, breaches of it, and faithful edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, assert_never, get_args

from hypothesis import strategies as st

from redpen_evals.fuzz.case import Case, span_of
from redpen_evals.fuzz.facts import FORMS, TEMPLATES, FactForm, form_named, forms_of
from redpen_evals.fuzz.incidents import Incident, changed_value, leaves, pick, sample, shuffled
from redpen_evals.fuzz.sentences import (
    BENIGN,
    CLAIMS,
    DATA,
    OTHER_UNITS,
    ClaimForm,
    OtherUnit,
    claim_sentences,
)
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family

FAMILIES: Final[tuple[Family, ...]] = tuple(family for family in get_args(Family) if family != "rewrite")
"""The families of breaches; recorded model calls of fuzzed guards depend on the order."""

_CLAIMS: Final[Mapping[str, ClaimForm]] = {form.family: form for form in CLAIMS}
_CAUSE_AND_CREDIT_WORDS: Final = ("caused by", "due to", "root cause", "refund", "credit")
_REGION_KEYS: Final = frozenset({"region", "country"})
_NO_NEW_FACTS: Final[tuple[DraftCode, ...]] = ("no_new_facts",)
_ONE_IN: Final = 4
"""One in this many breaches gives a number another unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A sentence that has to be blocked.

    Attributes:
        piece: the part that a disguise changes: the whole claim, or the value of a fact.
        instead_of: the sentence of the draft that it replaces; empty if it is added.
        spoilt_by: disguises that would change its meaning.
    """

    sentence: str
    piece: str
    family: Family
    codes: tuple[DraftCode, ...] = _NO_NEW_FACTS
    instead_of: str = ""
    spoilt_by: tuple[Disguise, ...] = ()


def allows(incident: Incident, family: Family) -> bool:
    """Return whether a context allows a breach of a family."""
    if family in ("cause", "commitment") and incident.given is not None:
        # A context that mentions them could make the sentence true.
        text = _text_of(incident).lower()
        return not any(word in text for word in _CAUSE_AND_CREDIT_WORDS)
    if family == "subject":
        return any(form.moved for form in incident.forms)
    return family in _CLAIMS or family in ("quantifier", "party") or bool(_forms(incident, family))


def draw_breach(draw: st.DrawFn, incident: Incident, family: Family) -> Breach:
    """Draw a breach of a family; ``allows`` must hold for it."""
    if family in _CLAIMS:
        sentence = draw(claim_sentences(_CLAIMS[family]))
        return Breach(sentence=sentence, piece=sentence, family=family, codes=("restricted_claims",))
    if family == "quantifier":
        more, many, state = (pick(draw, DATA["quantifiers"][slot]) for slot in ("more", "many", "state"))
        sentence, plain = f"{more} {many} {state}.", f"Some {many} {state}."
        return Breach(sentence=sentence, piece=f"{more} {many}", family=family, instead_of=plain)
    if family == "party":
        known = _text_of(incident)
        names = DATA["parties"]["names"]
        name = pick(draw, [name for name in names if name not in known] or names[:1])
        sentence = pick(draw, DATA["parties"]["sentences"]).format(name)
        # Another letter case, or digits, could make another name.
        return Breach(sentence=sentence, piece=name, family=family, spoilt_by=("case", "leetspeak"))
    if family == "subject":
        return _moved(draw, incident)
    units: tuple[OtherUnit, ...] = _UNITS.get(family, ()) if incident.given is None else ()
    if units and pick(draw, range(_ONE_IN)) == _ONE_IN - 1:
        return _other_unit(draw, incident, pick(draw, units))
    return _fact(draw, incident, pick(draw, _forms(incident, family)))


def draw_any_breach(draw: st.DrawFn, incident: Incident, families: tuple[Family, ...] = FAMILIES) -> Breach:
    """Draw a breach of one of several families; the context must allow at least one."""
    allowed = [family for family in families if allows(incident, family)]
    return draw_breach(draw, incident, pick(draw, allowed))


def no_breach_reason(family: Family) -> str:
    """Return why a context allows no breach of a family."""
    if family == "subject":
        return "the context has no share or count to state of another subject"
    if family == "region":
        return "the other names of the context's region are not known"
    return "the context mentions it itself"


def _forms(incident: Incident, family: Family) -> tuple[FactForm, ...]:
    """Return the facts of a family: those of the context, or else those of the generated incident."""
    own = forms_of(incident.forms, family)
    if (
        family == "region"
        and not own
        and not _REGION_KEYS.isdisjoint(name for path, _ in leaves(incident.given) for name in path)
    ):
        return ()
    return own or forms_of(FORMS, family)


def _fact(draw: st.DrawFn, incident: Incident, form: FactForm) -> Breach:
    piece = pick(draw, form.spellings(changed_value(draw, incident, form)))
    sentence = pick(draw, form.sentences)
    replaces = form.name in incident.values and draw(st.booleans())
    return Breach(
        sentence=sentence.format(piece),
        piece=piece,
        family=form.family,
        codes=(form.code,),
        instead_of=incident.sentence(form) if replaces else "",
        spoilt_by=form.spoilt_by,
    )


def _moved(draw: st.DrawFn, incident: Incident) -> Breach:
    form = pick(draw, [form for form in incident.forms if form.moved])
    piece = pick(draw, form.spellings(incident.values[form.name]))
    return Breach(sentence=pick(draw, form.moved).format(piece), piece=piece, family="subject")


_UNITS: Final[Mapping[str, tuple[OtherUnit, ...]]] = {
    form.family: tuple(unit for unit in OTHER_UNITS if unit.form == form.name) for form in TEMPLATES.values()
}


def _other_unit(draw: st.DrawFn, incident: Incident, unit: OtherUnit) -> Breach:
    form = form_named(unit.form)
    number, plain = unit.number(incident.values[form.name]), incident.sentence(form)
    sentence = pick(draw, unit.sentences).format(number)
    return Breach(sentence=sentence, piece=number, family=form.family, instead_of=plain)


def _text_of(incident: Incident) -> str:
    """Return all texts of a given context."""
    return " ".join(leaf for _, leaf in leaves(incident.given) if isinstance(leaf, str))


Edit = Literal["identical", "reordered", "bullets", "headings", "shortened"]
EDITS: Final[tuple[Edit, ...]] = get_args(Edit)
"""Edits of a whole text that keep its meaning."""

PLAINEST: Final = "Our team is investigating."
"""A draft that states no fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft of complete sentences that agrees with its context."""

    incident: Incident
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text."""
        return " ".join(self.sentences)

    def case(self, name: str, revised: str, **fields: Any) -> Case:
        """Return the case of a revision; by default it passes."""
        return Case(name=name, original=self.text, revised=revised, context=self.incident.context(), **fields)


def draw_draft(draw: st.DrawFn, incident: Incident, *, most: int = 2) -> Draft:
    """Draw a draft with up to two facts of a context and up to ``most`` other sentences."""
    stated = tuple(map(incident.sentence, sample(draw, incident.forms, most=2)))
    rest = sample(draw, BENIGN, most=most)
    # A draft must not be empty.
    return Draft(incident=incident, sentences=(*stated, *rest) or (PLAINEST,))


def with_breach(draft: Draft, breach: Breach, place: int) -> tuple[str, tuple[str, ...]]:
    """Return the original for a breach, and the sentences of the revision with the breach."""
    before = list(draft.sentences)
    if breach.instead_of and breach.instead_of not in before:
        before.insert(0, breach.instead_of)
    after = list(before)
    if breach.instead_of:
        after[after.index(breach.instead_of)] = breach.sentence
    else:
        # Shrinking moves it to the end.
        after.insert(len(after) - place % (len(after) + 1), breach.sentence)
    return " ".join(before), tuple(after)


def breach_case(draft: Draft, breach: Breach, place: int = 0, *, name: str = "") -> Case:
    """Return the case of a draft with a breach in its revision."""
    original, sentences = with_breach(draft, breach, place)
    revised = " ".join(sentences)
    return Case(
        name=name or f"breach-{breach.family}",
        original=original,
        revised=revised,
        context=draft.incident.context(),
        label="block",
        family=breach.family,
        codes=breach.codes,
        span=span_of(breach.sentence, revised),
    )


def faithful_edit(draw: st.DrawFn, draft: Draft, edit: Edit) -> Case:
    """Draw a revision with the same meaning in another form."""
    revised, sentences = draft.text, draft.sentences
    match edit:
        case "identical":
            pass
        case "reordered":
            revised = " ".join(shuffled(draw, sentences))
        case "bullets":
            sign = pick(draw, DATA["layouts"]["bullets"])
            revised = "\n".join(f"{sign} {sentence}" for sentence in sentences)
        case "headings":
            headed: str = pick(draw, DATA["layouts"]["headed"])
            revised = headed.format(pick(draw, DATA["layouts"]["headings"]), draft.text)
        case "shortened":
            removed = {sentence for sentence in sentences if draw(st.booleans())}
            revised = " ".join([text for text in sentences if text not in removed] or sentences[:1])
        case _:
            assert_never(edit)
    return draft.case(f"faithful-{edit}", revised)


def respelt(draw: st.DrawFn, draft: Draft, form: FactForm) -> Case:
    """Draw a revision that states a fact of the context in another spelling or sentence."""
    plain = draft.incident.sentence(form)
    others = tuple(sentence for sentence in draft.sentences if sentence != plain)
    stated = pick(draw, form.sentences).format(pick(draw, form.spellings(draft.incident.values[form.name])))
    return Case(
        name=f"respelt-{form.family}",
        original=" ".join((plain, *others)),
        revised=" ".join((stated, *others)),
        context=draft.incident.context(),
        family=form.family,
        span=(0, len(stated)),
    )
