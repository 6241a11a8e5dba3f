"""Generated incidents: one value for every form of fact, the context that holds them, texts that state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from redpen.types import JsonObject, JsonValue
from redpen_evals.fuzz.facts import FORMS, FactForm
from redpen_evals.fuzz.sentences import BENIGN, benign_sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """The facts of one incident.

    Attributes:
        values: value of each form of fact, by its name.
        notes: keys that add neither fact nor claim to the context.
    """

    values: Mapping[str, Any]
    notes: Mapping[str, JsonValue]

    def context(self, *, avoid_guarantees: bool = True, without: FactForm | None = None) -> JsonObject:
        """Return the context; ``without`` leaves one fact out of it."""
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
            place = incident if form.path[0] == "incident" else context
            place[form.path[-1]] = form.stored(self.values[form.name])
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


def incidents() -> st.SearchStrategy[Incident]:
    """Return a strategy of incidents whose facts cannot be taken for one another."""
    values = st.fixed_dictionaries({form.name: form.values for form in FORMS})
    return st.builds(lambda facts, notes: Incident(values=facts, notes=notes), values.filter(_distinct), _NOTES)


def changed_values(incident: Incident, form: FactForm) -> st.SearchStrategy[Any]:
    """Return a strategy of values that a fact has not, by any reading and rounding that is allowed."""
    return form.values.filter(lambda value: not _taken(incident, form, value))


def sentences_about(incident: Incident, form: FactForm) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that state a fact rightly, in all its spellings."""
    return restated(form, incident.values[form.name])


def restated(form: FactForm, value: object) -> st.SearchStrategy[str]:
    """Return a strategy of sentences that state a value of a fact, in all its spellings."""
    return st.builds(
        str.format, st.sampled_from(form.sentences), st.sampled_from(form.spellings(value))
    )


def texts_around(*pieces: str) -> st.SearchStrategy[str]:
    """Return a strategy of texts that hold the pieces in order among benign sentences."""

    def joined(before: tuple[str, ...], after: tuple[str, ...], gap: str) -> str:
        return gap.join((*before, *pieces, *after))

    return st.builds(
        joined, benign_sentences(most=2), benign_sentences(most=2), st.sampled_from([" ", "\n\n", "\n"])
    )


def _distinct(values: Mapping[str, Any]) -> bool:
    rate = values["rate"]
    return (
        values["duration"] != values["interval"]
        and values["share"] not in (rate // 1, rate // 1 + 1)
    )


def _taken(incident: Incident, form: FactForm, value: Any) -> bool:
    facts = incident.values
    if value == facts[form.name]:
        return True
    match form.name:
        case "share":
            # A rate without its decimals is the same fact.
            whole = facts["rate"] // 1
            return value in (whole, whole + 1)
        case "rate":
            return bool(facts["share"] in (Fraction(value // 1), Fraction(value // 1 + 1)))
        case "duration":
            return bool(value == facts["interval"])
        case "interval":
            return bool(value == facts["duration"])
        case "date":
            return _same_day(value, facts["date"])
        case _:
            return False


def _same_day(one: date, other: date) -> bool:
    # Without its year a date is the same in any; in figures it can be read either way round.
    pair = (other.month, other.day)
    return (one.month, one.day) == pair or (one.day, one.month) == pair
