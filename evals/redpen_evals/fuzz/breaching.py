"""Breaches of every family: sentences that neither the draft nor the context allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from hypothesis import strategies as st

from redpen.types import JsonObject, JsonValue
from redpen_evals.fuzz.claims import CLAIMS, ClaimForm, claim_sentences
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.incidents import Incident, changed_values
from redpen_evals.fuzz.units import OTHER_UNITS
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
_NO_NEW_FACTS: Final[tuple[DraftCode, ...]] = ("no_new_facts",)
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


def breaches_of(matter: Incident, family: Family) -> st.SearchStrategy[Breach] | None:
    """Return a strategy of breaches of a family, or None where the facts of a context allow none."""
    if family in _CLAIMS:
        form = _CLAIMS[family]
        if family in ("cause", "commitment") and matter.given is not None:
            # What the context says of them is known.
            said = " ".join(_texts(matter.given)).lower()
            if any(word in said for word in ("caused by", "due to", "root cause", "refund", "credit")):
                return None
        return _claims(form)
    if family == "quantifier":
        return _quantifiers()
    if family == "party":
        known = " ".join(_texts(matter.given or {}))
        return _parties(tuple(name for name in _NAMES if name not in known))
    if family == "subject":
        found = [_moved(matter, form) for form in matter.forms if form.moved]
    else:
        found = [_facts(matter, form) for form in _forms(matter, family)]
        if matter.given is None:
            found += [_other_units(matter, name) for name in _UNITS.get(family, ())]
    return st.one_of(found) if found else None


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


def _facts(matter: Incident, form: FactForm) -> st.SearchStrategy[Breach]:
    known = form.name in matter.values
    stated = matter.sentence(form) if known else ""

    def breach(value: object) -> st.SearchStrategy[Breach]:
        return st.builds(
            lambda piece, sentence, replaces: Breach(
                sentence=sentence.format(piece),
                piece=piece,
                family=form.family,
                codes=(form.code,),
                instead_of=stated if replaces else "",
                spoilt_by=form.spoilt_by,
            ),
            st.sampled_from(form.spellings(value)),
            st.sampled_from(form.sentences),
            st.booleans() if known else st.just(value=False),
        )

    return changed_values(matter, form).flatmap(breach)


def _moved(matter: Incident, form: FactForm) -> st.SearchStrategy[Breach]:
    return st.builds(
        lambda piece, sentence: Breach(sentence=sentence.format(piece), piece=piece, family="subject"),
        st.sampled_from(form.spellings(matter.values[form.name])),
        st.sampled_from(form.moved),
    )


_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    form.family: tuple(unit.name for unit in OTHER_UNITS if unit.form == form.name) for form in FORMS
}


def _other_units(matter: Incident, name: str) -> st.SearchStrategy[Breach]:
    unit = next(one for one in OTHER_UNITS if one.name == name)
    form = next(one for one in FORMS if one.name == unit.form)
    number = unit.number(matter.values[form.name])
    return st.sampled_from(unit.sentences).map(
        lambda sentence: Breach(
            sentence=sentence.format(number),
            piece=number,
            family=form.family,
            instead_of=matter.sentence(form),
        )
    )


@cache
def _claims(form: ClaimForm) -> st.SearchStrategy[Breach]:
    return claim_sentences(form).map(
        lambda said: Breach(sentence=said, piece=said, family=form.family, codes=("restricted_claims",))
    )


@cache
def _quantifiers() -> st.SearchStrategy[Breach]:
    return st.builds(
        lambda more, many, state: Breach(
            sentence=f"{more} {many} {state}.",
            piece=f"{more} {many}",
            family="quantifier",
            instead_of=f"Some {many} {state}.",
        ),
        st.sampled_from(_MORE),
        st.sampled_from(_MANY),
        st.sampled_from(_STATES),
    )


@cache
def _parties(names: tuple[str, ...]) -> st.SearchStrategy[Breach] | None:
    if not names:
        return None
    return st.builds(
        lambda name, sentence: Breach(
            sentence=sentence.format(name),
            piece=name,
            family="party",
            # Letters in another case, or digits among them, may be another name.
            spoilt_by=("case", "leetspeak"),
        ),
        st.sampled_from(names),
        st.sampled_from(_NAMED),
    )


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
