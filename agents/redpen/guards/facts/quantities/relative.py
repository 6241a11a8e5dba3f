"""Days and parts of days that hang on today: tomorrow, next week, tonight, by Christmas, Q2."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.data import lines
from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Kind, Reading
from redpen.guards.facts.phrases import Phrases
from redpen.guards.facts.quantities.calendar import month_name, weekday_at, year_after
from redpen.guards.facts.quantities.times import Found, time_at, zone_at

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_NOON = 720


@lru_cache(maxsize=1)
def _phrases() -> Phrases:
    return Phrases(lines("facts", "days"))


def relative_at(pieces: Pieces, index: int) -> Found | None:
    """Read a day or part of a day that hangs on today: tomorrow, next week, tonight, end of day, Q2."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word in vocab.NAMED_TIMES:
        zone, end = zone_at(pieces, index + 1)
        end += low[end] == "tonight"
        return (Reading(kind="time", value=Fraction(vocab.NAMED_TIMES[word]), unit=zone),), end
    if word == "q" and following in ("1", "2", "3", "4") and pieces.glued(index):
        year, end = year_after(pieces, index + 2)
        return (Reading(kind="date", value=f"q{following}{f' {year}' if year else ''}"),), end
    exact = _dated_or_timed(pieces, index) if word == "this" else None
    phrase = None if exact else _phrases().find(low, index)
    if phrase is None or (word in vocab.feasts and _is_code(pieces, index)):
        return exact
    kind: Kind = "time" if phrase.means.startswith("time:") else "date"
    name, end = phrase.means[len("time:") :], phrase.end
    last = low[end - 1]
    if last in vocab.MONTHS:
        name = f"{word} of {month_name(last)}"
        end = year_after(pieces, end)[1]
    month, dash, day = name.partition("-")
    # Whose week it is changes no day, but what is done "this week" may be allowed by "this week's boxes".
    owns = word == "this" and pieces.raw[index + 1].lower().endswith(("'s", "’s"))
    value = (None, int(month), int(day)) if dash else vocab.WEEKDAYS.get(name, name)
    return (Reading(kind=kind, value=value, unit=MENTIONED if owns else ""),), end


def _is_code(pieces: Pieces, index: int) -> bool:
    """Whether capitals in running text make a code of a word ("the discount code SPRING")."""
    after = pieces.raw[index + 1]
    shouted = pieces.raw[index - 1].isupper() or (pieces.is_word[index + 1] and after.isupper())
    return pieces.raw[index].isupper() and not shouted


def _dated_or_timed(pieces: Pieces, index: int) -> Found | None:
    """Read "this Friday, 8 May" and "this morning at 05:20" as one date and one time of day."""
    following = pieces.low[index + 1]
    if following in vocab.WEEKDAYS or following in vocab.SHORT_WEEKDAYS:
        dated = weekday_at(pieces, index + 1)
        return dated if dated is not None and isinstance(dated[0][0].value, tuple) else None
    return _clock_of_part(pieces, index) if following in vocab.HALF_OF_PART else None


def _clock_of_part(pieces: Pieces, index: int) -> Found | None:
    place = index + 2 + (pieces.low[index + 2] == ",")
    found = time_at(pieces, place + 1) if pieces.low[place] in vocab.time_leads else None
    if found is None:
        return None
    early = vocab.HALF_OF_PART[pieces.low[index + 1]] == "am"
    fitting = tuple(r for r in found[0] if isinstance(r.value, Fraction) and (r.value < _NOON) == early)
    return (fitting, found[1]) if fitting else None
