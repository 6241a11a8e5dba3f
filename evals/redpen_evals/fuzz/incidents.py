"""Generated incidents: values of all facts and the context that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from redpen.types import JsonObject, JsonValue
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.sentences import BENIGN


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """The facts of an incident, or of a context of any other shape.

    Attributes:
        notes: additional keys of the context without facts or claims.
        given: the context itself, if it is not generated from the values.
        numbers: all numbers in that context; a new fact must not use them.
    """

    values: Mapping[str, Any]
    notes: Mapping[str, JsonValue]
    forms: tuple[FactForm, ...] = FORMS
    given: JsonObject | None = None
    numbers: frozenset[Fraction] = frozenset()

    def context(self, *, avoid_guarantees: bool = True, without: FactForm | None = None) -> JsonObject:
        """Return the context; ``without`` leaves one fact out of a generated one."""
        if self.given is not None:
            return self.given
        incident: JsonObject = {"incident_id": "inc_general_1", "severity": "", "status": "degraded"}
        context: JsonObject = {
            "report_date": "",
            "region": "",
            "incident": incident,
            "policy_hints": {"avoid_absolute_guarantees": avoid_guarantees},
            "approved_actions": ["prepare support macro with workaround guidance"],
        }
        for form in FORMS:
            if form is without:
                continue
            parent = incident if form.path[0] == "incident" else context
            parent[form.path[-1]] = form.stored(self.values[form.name])
        incident.update(self.notes)
        return context

    def sentence(self, form: FactForm) -> str:
        """Return the plainest sentence about a fact."""
        return form.sentences[0].format(form.spellings(self.values[form.name])[0])


_NOTES = st.dictionaries(
    st.sampled_from(["note", "summary", "internal", "tags", "owner_team", "comment"]),
    st.none()
    | st.booleans()
    | st.sampled_from(BENIGN)
    | st.lists(st.sampled_from(BENIGN), max_size=2).map(list[JsonValue]),
    max_size=3,
)


_PLAIN: Mapping[str, Any] = {
    "share": Fraction(27),
    "rate": Fraction(34, 10),
    "count": 5,
    "duration": 2_700,
    "interval": 900,
    "date": date(2026, 3, 6),
    "time": 870,
    "money": 1_200,
    "multiplier": 2,
    "identifier": "inc_payments_20260306",
    "severity": 1,
    "region": "us",
    "contact": "support@acme.example",
}

PLAIN_INCIDENT = Incident(values=_PLAIN, notes={})
"""An incident whose facts cannot be confused with each other."""


@cache
def incidents(*forms: FactForm) -> st.SearchStrategy[Incident]:
    """Return a strategy of incidents whose facts cannot be confused with each other.

    Only the given facts vary; all others have a fixed value, which saves time.
    """
    values = st.fixed_dictionaries({form.name: form.values for form in forms})
    return st.builds(
        lambda facts, notes: Incident(values={**_PLAIN, **facts}, notes=notes),
        values.filter(lambda facts: _distinct({**_PLAIN, **facts})),
        _NOTES,
    )


def _distinct(values: Mapping[str, Any]) -> bool:
    # Numbers must differ between kinds too: with a missing unit another fact would allow them.
    whole = values["rate"] // 1
    numbers = [
        values["share"],
        whole,
        whole + 1,
        values["count"],
        values["duration"] // 60,
        values["interval"] // 60,
        values["money"],
        values["multiplier"],
    ]
    return len(set(numbers)) == len(numbers)


def is_taken(incident: Incident, form: FactForm, value: Any) -> bool:
    """Return whether a value equals an existing fact by any allowed reading or rounding."""
    taken = [incident.values[other.name] for other in incident.forms if other.kind == form.kind]
    match form.kind:
        case "share":
            # A rate rounded to an integer is the same fact.
            near = {share // 1 + step for share in (*taken, value) for step in (0, 1) if share % 1}
            return value in taken or value in near or not near.isdisjoint(taken) or value in incident.numbers
        case "time":
            # Without am or pm both halves of the day are possible.
            return any(value % 720 == time % 720 for time in taken)
        case "date":
            return any(_same_day(value, day) for day in taken)
        case "duration":
            # A text may use either unit.
            units = (Fraction(value, 60), Fraction(value, 3_600))
            return value in taken or not incident.numbers.isdisjoint(units)
        case "count" | "money" | "multiplier":
            return value in taken or Fraction(value) in incident.numbers
    return value in taken


def _same_day(first: date, second: date) -> bool:
    # The year may be missing, and day and month may be swapped in digits.
    pair = (second.month, second.day)
    return pair in ((first.month, first.day), (first.day, first.month))


def leaves(value: JsonValue, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Yield the values in a JSON value that hold no others, each with the keys that lead to it."""
    match value:
        case dict() if value:
            for name, item in value.items():
                yield from leaves(item, (*path, name))
        case list() if value:
            for item in value:
                yield from leaves(item, path)
        case _:
            yield path, value


T = TypeVar("T")

_MAX_TRIES = 20


@cache
def _indexes(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def pick(draw: st.DrawFn, choices: Sequence[T]) -> T:
    """Draw one of several; shrinks to the first."""
    return choices[draw(_indexes(len(choices)))] if len(choices) > 1 else choices[0]


def shuffled(draw: st.DrawFn, items: Sequence[T]) -> tuple[T, ...]:
    """Draw a permutation; shrinks to the given order."""
    rest, drawn = list(items), []
    while rest:
        drawn.append(rest.pop(draw(_indexes(len(rest))) if len(rest) > 1 else 0))
    return tuple(drawn)


def sample(draw: st.DrawFn, items: Sequence[T], *, most: int) -> tuple[T, ...]:
    """Draw up to ``most`` different items; shrinks to none."""
    rest = list(items)
    count = draw(_indexes(min(most, len(rest)) + 1))
    return tuple(rest.pop(draw(_indexes(len(rest)))) for _ in range(count))


def changed_value(draw: st.DrawFn, incident: Incident, form: FactForm) -> object:
    """Draw a value that equals no existing fact by any allowed reading or rounding."""
    for _ in range(_MAX_TRIES):
        value: object = draw(form.values)
        if not is_taken(incident, form, value):
            return value
    return reject()
