"""The facts of a generated incident: for each a place in the context, values, spellings and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from redpen.guards.facts.fact import Kind, Value
from redpen_evals.fuzz import renderings
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class FactForm:
    """One fact that every generated incident has, with a value of its own.

    Attributes:
        name: what it is called.
        kind: the kind as which it has to be read.
        family: the family of the draft library that it belongs to.
        code: the code with which a new one has to be blocked.
        path: where it stands in the incident context, key by key.
        values: strategy of its values.
        spellings: all ways to write a value.
        stored: the value as the context holds it.
        read: the value as the guards read it.
        sentences: what is said of it, with ``{}`` for the fact.
        moved: said of something else, where that makes it a new fact.
        spoilt_by: disguises that would make another fact of it, so that they are none.
    """

    name: str
    kind: Kind
    family: Family
    code: DraftCode
    path: tuple[str, ...]
    values: st.SearchStrategy[Any]
    spellings: Callable[[Any], tuple[str, ...]]
    stored: Callable[[Any], Any]
    read: Callable[[Any], Value]
    sentences: tuple[str, ...]
    moved: tuple[str, ...] = ()
    spoilt_by: tuple[Disguise, ...] = ()

    def __repr__(self) -> str:
        """Return its name: a report that fails need not list all that it can say."""
        return f"FactForm({self.name!r})"


_PERCENTS = st.integers(min_value=2, max_value=97).map(Fraction)
_RATES = (
    st.integers(min_value=11, max_value=199).filter(lambda tenths: tenths % 10).map(lambda t: Fraction(t, 10))
)
_COUNTS = st.integers(min_value=2, max_value=60) | st.integers(min_value=2, max_value=99).map(
    lambda n: n * 100
)
_WAITS = st.integers(min_value=1, max_value=36).map(lambda steps: steps * 5 * 60)
_STEPS = st.sampled_from([10, 12, 15, 20, 30, 45, 60]).map(lambda minutes: minutes * 60)
_DAYS = st.dates(min_value=date(2025, 1, 1), max_value=date(2027, 12, 31))
_CLOCKS = st.integers(min_value=0, max_value=287).map(lambda steps: steps * 5)
_DOLLARS = st.integers(min_value=2, max_value=999) | st.integers(min_value=10, max_value=900).map(
    lambda n: n * 100
)
_NAMES = st.builds(
    lambda what, number: f"inc_{what}_{number}",
    st.sampled_from(["payments", "checkout", "login", "mail"]),
    st.integers(min_value=20250101, max_value=20271231),
)
_ADDRESSES = st.builds(
    lambda user, domain: f"{user}@{domain}.example",
    st.sampled_from(["help", "support", "status", "care"]),
    st.sampled_from(["acme", "northwind", "contoso"]),
)


def _day_value(value: date) -> Value:
    return value.year, value.month, value.day


FORMS: tuple[FactForm, ...] = (
    FactForm(
        name="share",
        kind="share",
        family="share",
        code="no_new_facts",
        path=("incident", "affected_checkout_pct"),
        values=_PERCENTS,
        spellings=renderings.share,
        stored=int,
        read=lambda percent: Fraction(percent, 100),
        sentences=("About {} of checkouts are affected.", "The incident affects {} of checkouts."),
        moved=("About {} of payments fail.", "At present {} of payments fail."),
    ),
    FactForm(
        name="rate",
        kind="share",
        family="share",
        code="no_new_facts",
        path=("incident", "failed_payment_rate"),
        values=_RATES,
        spellings=renderings.share,
        stored=lambda percent: float(Fraction(percent, 100)),
        read=lambda percent: Fraction(percent, 100),
        sentences=("At present {} of payments fail.", "The failed payment rate is {}."),
        moved=("About {} of checkouts are affected.",),
    ),
    FactForm(
        name="count",
        kind="count",
        family="count",
        code="no_new_facts",
        path=("incident", "chargeback_alerts"),
        values=_COUNTS,
        spellings=renderings.count,
        stored=int,
        read=Fraction,
        sentences=("We have seen {} chargeback alerts.", "There are {} chargeback alerts to look at."),
        moved=("We have heard from {} customers.", "There are {} support tickets to look at."),
    ),
    FactForm(
        name="duration",
        kind="duration",
        family="duration",
        code="no_new_facts",
        path=("incident", "eta_minutes"),
        values=_WAITS,
        spellings=renderings.duration,
        stored=lambda seconds: seconds // 60,
        read=Fraction,
        sentences=("Our current estimate is {}.", "The estimate is about {}, and it may change."),
    ),
    FactForm(
        name="interval",
        kind="duration",
        family="duration",
        code="no_new_facts",
        path=("incident", "update_interval_minutes"),
        values=_STEPS,
        spellings=renderings.interval,
        stored=lambda seconds: seconds // 60,
        read=Fraction,
        sentences=("We share an update every {}.", "Every {} we share an update."),
    ),
    FactForm(
        name="date",
        kind="date",
        family="date",
        code="no_new_facts",
        path=("report_date",),
        values=_DAYS,
        spellings=renderings.day,
        stored=date.isoformat,
        read=_day_value,
        sentences=("This is the update of {}.", "Our report of {} stands."),
        # "16 Apr11" may be another day.
        spoilt_by=("leetspeak",),
    ),
    FactForm(
        name="time",
        kind="time",
        family="time",
        code="no_new_facts",
        path=("incident", "started_at"),
        values=_CLOCKS,
        spellings=renderings.clock,
        stored=lambda minutes: f"{minutes // 60:02}:{minutes % 60:02}",
        read=Fraction,
        sentences=("We have been looking into this since {}.", "It started at {}, and we keep looking."),
    ),
    FactForm(
        name="money",
        kind="money",
        family="money",
        code="no_new_facts",
        path=("incident", "held_payments_usd"),
        values=_DOLLARS,
        spellings=renderings.money,
        stored=int,
        read=Fraction,
        sentences=("Payments worth {} are on hold.", "We are holding payments of {}."),
    ),
    FactForm(
        name="multiplier",
        kind="multiplier",
        family="multiplier",
        code="no_new_facts",
        path=("incident", "waiting_time"),
        values=st.integers(min_value=2, max_value=12),
        spellings=renderings.multiplier,
        stored=lambda times: f"{times}x the usual",
        read=Fraction,
        sentences=("Waiting times are {} the usual length.",),
    ),
    FactForm(
        name="identifier",
        kind="identifier",
        family="identifier",
        code="new_incident_id",
        path=("incident", "incident_id"),
        values=_NAMES,
        spellings=renderings.identifier,
        stored=str,
        read=str,
        sentences=("The reference is {}.", "Please quote {} when you write to us."),
    ),
    FactForm(
        name="severity",
        kind="severity",
        family="severity",
        code="new_severity_label",
        path=("incident", "severity"),
        values=st.integers(min_value=0, max_value=5),
        spellings=renderings.severity,
        stored=lambda level: f"P{level}",
        read=lambda level: f"p{level}",
        sentences=("We treat this as {}.", "The incident is rated {}."),
        # At the start of a line a number with a full stop numbers a list.
        spoilt_by=("line-breaks",),
    ),
    FactForm(
        name="region",
        kind="region",
        family="region",
        code="new_region",
        path=("region",),
        values=st.sampled_from(renderings.REGIONS),
        spellings=renderings.region,
        stored=str.upper,
        read=str,
        sentences=("Some customers in {} see delays.", "Checkout in {} is degraded."),
    ),
    FactForm(
        name="contact",
        kind="contact",
        family="contact",
        code="no_new_facts",
        path=("incident", "support_contact"),
        values=_ADDRESSES,
        spellings=renderings.contact,
        stored=str,
        read=str,
        sentences=("Please write to {} with questions.", "You can reach us at {}."),
        # A hyphen and a digit are characters of an address like any other.
        spoilt_by=("hyphenation", "leetspeak"),
    ),
)
"""Every kind of fact, each with a place of its own in the context."""


def form_named(name: str) -> FactForm:
    """Return the form of a name; raises KeyError."""
    return {form.name: form for form in FORMS}[name]
