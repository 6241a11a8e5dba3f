"""The facts of a generated incident: path in the context, values, spellings and sentences of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final

from hypothesis import strategies as st

from redpen.guards.facts.fact import Kind
from redpen_evals.fuzz import renderings
from redpen_evals.fuzz.sentences import DATA
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class FactForm:
    """One kind of fact; every generated incident has a value for it.

    Attributes:
        kind: the kind that the guards must read it as.
        code: the code that a new value must be blocked with.
        stored: returns a value as stored in the context.
        sentences: sentences about it, with ``{}`` for the value.
        moved: sentences that state the value of another subject, which makes it a new fact.
        spoilt_by: disguises that would change its meaning.
    """

    name: str
    kind: Kind
    family: Family
    code: DraftCode
    path: tuple[str, ...]
    values: st.SearchStrategy[Any]
    spellings: Callable[[Any], tuple[str, ...]]
    stored: Callable[[Any], Any]
    sentences: tuple[str, ...]
    moved: tuple[str, ...] = ()
    spoilt_by: tuple[Disguise, ...] = ()

    def __repr__(self) -> str:
        """Return its name, to keep failure reports short."""
        return f"FactForm({self.name!r})"


_PERCENTS = st.integers(2, 97).map(Fraction)
_RATES = st.integers(11, 199).filter(lambda tenths: tenths % 10).map(lambda tenths: Fraction(tenths, 10))
_COUNTS = st.integers(2, 60) | st.integers(2, 99).map(lambda hundreds: hundreds * 100)
_WAITS = st.integers(1, 36).map(lambda steps: steps * 5 * 60)
_STEPS = st.sampled_from([10, 12, 15, 20, 30, 45, 60]).map(lambda minutes: minutes * 60)
_DAYS = st.dates(min_value=date(2025, 1, 1), max_value=date(2027, 12, 31))
_CLOCKS = st.integers(0, 287).map(lambda steps: steps * 5)
_DOLLARS = st.integers(2, 999) | st.integers(10, 900).map(lambda hundreds: hundreds * 100)
_NAMES = st.builds(
    lambda what, number: f"inc_{what}_{number}",
    st.sampled_from(["payments", "checkout", "login", "mail"]),
    st.integers(20250101, 20271231),
)
_ADDRESSES = st.builds(
    lambda user, domain: f"{user}@{domain}.example",
    st.sampled_from(["help", "support", "status", "care"]),
    st.sampled_from(["acme", "northwind", "contoso"]),
)


def _minutes(seconds: int) -> int:
    return seconds // 60


# For each fact: its values, spellings, and the value as stored in a context.
_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "share": (_PERCENTS, renderings.share, int),
    "rate": (_RATES, renderings.share, lambda percent: float(percent / 100)),
    "count": (_COUNTS, renderings.count_spellings, int),
    "duration": (_WAITS, renderings.duration, _minutes),
    "interval": (_STEPS, renderings.interval, _minutes),
    "date": (_DAYS, renderings.day, date.isoformat),
    "time": (_CLOCKS, renderings.clock, lambda time: f"{time // 60:02}:{time % 60:02}"),
    "money": (_DOLLARS, renderings.money, int),
    "multiplier": (st.integers(2, 12), renderings.multiplier, lambda times: f"{times}x the usual"),
    "identifier": (_NAMES, renderings.identifier, str),
    "severity": (st.integers(0, 5), renderings.severity, "P{}".format),
    "region": (st.sampled_from(renderings.REGIONS), renderings.region, str.upper),
    "contact": (_ADDRESSES, renderings.contact, str),
}


def _form(name: str, data: Mapping[str, Any]) -> FactForm:
    values, spellings, stored = _VALUES[name]
    words = {key: tuple(data.get(key, ())) for key in ("sentences", "moved", "spoilt_by")}
    fields = {"kind": name, "family": name, "code": "no_new_facts", **data, **words}
    fields["path"] = tuple(data["path"].split("."))
    return FactForm(name=name, values=values, spellings=spellings, stored=stored, **fields)


FORMS: Final = tuple(_form(name, data) for name, data in DATA["facts"].items())
"""Every kind of fact, each with its own path in the context."""


def forms_of(forms: Sequence[FactForm], family: Family) -> tuple[FactForm, ...]:
    """Return the facts of a family."""
    return tuple(form for form in forms if form.family == family)


TEMPLATES: Final[Mapping[str, FactForm]] = {
    form.name: form for form in FORMS if form.name not in ("rate", "interval")
}
"""The form of each kind of fact that a context of any shape may have."""


def form_named(name: str) -> FactForm:
    """Return a form by name; raises KeyError."""
    return {form.name: form for form in FORMS}[name]
