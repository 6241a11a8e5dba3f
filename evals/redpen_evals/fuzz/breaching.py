"""Breaches of every family: sentences that neither the draft nor the context allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from redpen.types import JsonObject, JsonValue
from redpen_evals.fuzz.claims import CLAIMS, ClaimForm, claim_sentences
from redpen_evals.fuzz.drawing import changed_value, pick
from redpen_evals.fuzz.facts import FORMS, FactForm, form_named
from redpen_evals.fuzz.incidents import Incident
from redpen_evals.fuzz.units import OTHER_UNITS, OtherUnit
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family

FAMILIES: Final[tuple[Family, ...]] = (
    "share",
    "count",
    "duration",
    "date",
    "time",
    "money",
    "multiplier",
    "identifier",
    "severity",
    "region",
    "contact",
    "subject",
    "quantifier",
    "party",
    "resolution",
    "guarantee",
    "reassurance",
    "cause",
    "commitment",
    "liability",
)
"""The families of breaches, in the order of the draft library."""

_CLAIMS: Final[Mapping[str, ClaimForm]] = {form.family: form for form in CLAIMS}
_SPOKEN_OF: Final = ("caused by", "due to", "root cause", "refund", "credit")
_NO_NEW_FACTS: Final[tuple[DraftCode, ...]] = ("no_new_facts",)
_ONE_IN: Final = 4
"""How many breaches of a family there are for one with a unit that the number has not."""

_MANY: Final = ("customers", "merchants", "users", "orders")
_STATES: Final = ("cannot complete a payment", "see errors at checkout", "are affected", "cannot sign in")
_MORE: Final = ("All", "Most", "Nearly all", "The majority of", "Virtually all", "Hardly any")
_NAMES: Final = ("Wexford Systems", "Alder Pay", "Cloudflare", "Kestrel Cards", "Northgate Bank")
_NAMED: Final = (
    "Engineers from {} are helping us.",
    "Our provider {} has told us of the same.",
    "We have asked {} for help.",
    "The fault lies with {}.",
    "We are working on it together with {}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A sentence that has to be blocked.

    Attributes:
        sentence: as it stands in the revision.
        piece: what of it a disguise is put on: all of a claim, of a fact its value.
        family: what it turns on.
        codes: the codes that it may be blocked with.
        instead_of: the sentence of the draft that it takes the place of; empty where it is added.
        spoilt_by: disguises that would make something else of it.
    """

    sentence: str
    piece: str
    family: Family
    codes: tuple[DraftCode, ...] = _NO_NEW_FACTS
    instead_of: str = ""
    spoilt_by: tuple[Disguise, ...] = ()


def allows(matter: Incident, family: Family) -> bool:
    """Return whether there can be a breach of a family, for all that is known of the facts of a context."""
    if family in ("cause", "commitment") and matter.given is not None:
        # What the context says of them is known.
        said = " ".join(_texts(matter.given)).lower()
        return not any(word in said for word in _SPOKEN_OF)
    if family == "subject":
        return any(form.moved for form in matter.forms)
    return family in _CLAIMS or family in ("quantifier", "party") or bool(_forms(matter, family))


def draw_breach(draw: st.DrawFn, matter: Incident, family: Family) -> Breach:
    """Draw a breach of a family that the facts of a context allow."""
    if family in _CLAIMS:
        said = draw(claim_sentences(_CLAIMS[family]))
        return Breach(sentence=said, piece=said, family=family, codes=("restricted_claims",))
    if family == "quantifier":
        return _quantifier(pick(draw, _MORE), pick(draw, _MANY), pick(draw, _STATES))
    if family == "party":
        known = " ".join(_texts(matter.given or {}))
        return _party(
            pick(draw, [name for name in _NAMES if name not in known] or _NAMES[:1]), pick(draw, _NAMED)
        )
    if family == "subject":
        return _moved(draw, matter)
    units: tuple[OtherUnit, ...] = _UNITS.get(family, ()) if matter.given is None else ()
    if units and pick(draw, range(_ONE_IN)) == _ONE_IN - 1:
        return _other_unit(draw, matter, pick(draw, units))
    return _fact(draw, matter, pick(draw, _forms(matter, family)))


def draw_any_breach(draw: st.DrawFn, matter: Incident, families: tuple[Family, ...] = FAMILIES) -> Breach:
    """Draw a breach of one of several families, of which the facts of a context allow at least one."""
    return draw_breach(draw, matter, pick(draw, [family for family in families if allows(matter, family)]))


def why_none(family: Family) -> str:
    """Return why a context allows no breach of a family."""
    if family == "subject":
        return "the context holds no share or count that could be said of something else"
    if family == "region":
        return "the context's region is none whose other names are known"
    return "the context speaks of it itself"


def _forms(matter: Incident, family: Family) -> tuple[FactForm, ...]:
    """Return the facts of a family: those of the context, and one of an incident where it has none."""
    own = tuple(form for form in matter.forms if form.family == family)
    if family == "region" and not own and matter.given is not None and _holds_region(matter.given):
        return ()
    return own or tuple(form for form in FORMS if form.family == family)


def _fact(draw: st.DrawFn, matter: Incident, form: FactForm) -> Breach:
    piece = pick(draw, form.spellings(changed_value(draw, matter, form)))
    sentence = pick(draw, form.sentences)
    replaces = form.name in matter.values and draw(st.booleans())
    return Breach(
        sentence=sentence.format(piece),
        piece=piece,
        family=form.family,
        codes=(form.code,),
        instead_of=matter.sentence(form) if replaces else "",
        spoilt_by=form.spoilt_by,
    )


def _moved(draw: st.DrawFn, matter: Incident) -> Breach:
    form = pick(draw, [form for form in matter.forms if form.moved])
    piece = pick(draw, form.spellings(matter.values[form.name]))
    return Breach(sentence=pick(draw, form.moved).format(piece), piece=piece, family="subject")


_UNITS: Final[Mapping[str, tuple[OtherUnit, ...]]] = {
    form.family: tuple(unit for unit in OTHER_UNITS if unit.form == form.name)
    for form in FORMS
    if form.name not in ("rate", "interval")
}


def _other_unit(draw: st.DrawFn, matter: Incident, unit: OtherUnit) -> Breach:
    form = form_named(unit.form)
    number = unit.number(matter.values[form.name])
    return Breach(
        sentence=pick(draw, unit.sentences).format(number),
        piece=number,
        family=form.family,
        instead_of=matter.sentence(form),
    )


def _quantifier(more: str, many: str, state: str) -> Breach:
    return Breach(
        sentence=f"{more} {many} {state}.",
        piece=f"{more} {many}",
        family="quantifier",
        instead_of=f"Some {many} {state}.",
    )


def _party(name: str, sentence: str) -> Breach:
    # Letters in another case, or digits among them, may be another name.
    return Breach(sentence=sentence.format(name), piece=name, family="party", spoilt_by=("case", "leetspeak"))


def _texts(value: JsonValue) -> list[str]:
    match value:
        case dict():
            return [text for item in value.values() for text in _texts(item)]
        case list():
            return [text for item in value for text in _texts(item)]
        case str():
            return [value]
        case _:
            return []


def _holds_region(context: JsonObject) -> bool:
    return any(
        name in ("region", "country") or (isinstance(item, dict) and _holds_region(item))
        for name, item in context.items()
    )
