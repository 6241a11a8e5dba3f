"""Read every number, date, time, amount and factor of a text exactly.

The pieces are read once; each rule looks a bounded number of pieces ahead and never backtracks.
Anything that looks like a number and matches no rule becomes a fact of kind ``residue``.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from redpen.guards.data import texts
from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Kind, Reading
from redpen.guards.facts.quantities import calendar, times
from redpen.guards.facts.quantities.measures import measure_at, part_measure
from redpen.guards.facts.quantities.money import money_at, prefixed
from redpen.guards.facts.quantities.numbers import Measure, Number, is_year, number_at, part_at, slash_at
from redpen.guards.facts.quantities.times import loose_time_at
from redpen.guards.facts.quantities.words import Found, by_word, role_of, single_unit
from redpen.guards.facts.subjects import label_before, noun_after, noun_before, plural_after, share_noun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.facts.quantities.pieces import Pieces

NEXT = {
    word: vocab.expand(after.split())
    for words, after in texts("facts", "following").items()
    for word in vocab.expand(words.split())
}
"""Words that must follow a frequent word for a quantity to begin at it, so that most are skipped quickly."""

_FACTORS = frozenset({("factor", "of"), ("multiplied", "by"), ("multiple", "of")})
_RANGED: tuple[Kind, ...] = ("number", "count", "duration", "share", "money")
_ONE = ("one", "1")
_POINTING = ("the", "these", "those")
_LAST_HOUR = 24
_LONGEST_ITEM = 400
"""Most characters of an item of a list inside of a line."""
_DAYS = frozenset(range(1, 32))
_ALWAYS = ["24", "/", "7"]


def read_quantities(pieces: Pieces, taken: bytearray, starts: Iterable[int]) -> list[Fact]:
    """Return every quantity of a text, in its order, in time linear in the number of pieces.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule (an address, an identifier) has read it.
        starts: the indices at which one of ``vocab.starters`` or a digit stands.
    """
    facts: list[Fact] = []
    low = pieces.low
    done = 0
    for index in starts:
        # "On the other day" names a day, "other days" names none.
        if index < done or taken[index] or (low[index] == "other" and low[index - 1] != "the"):
            continue
        found, done = _quantity(pieces, index)
        if found is None:
            continue
        facts.append(found)
        if low[done] in vocab.range_links and found.kind in (*_RANGED, "time"):
            second, done = _range(pieces, index, facts, done)
            if second is not None:
                facts.append(second)
    _share_months(pieces.text, facts)
    return facts


def _quantity(pieces: Pieces, index: int) -> Found:
    """Read the quantity that begins at a piece by the first rule that matches."""
    digits = pieces.digits(index)
    glued = digits and pieces.glued_before(index) and pieces.is_word[index - 1]
    if glued and not _in_timestamp(pieces, index):
        return _stuck(pieces, index - 1, index)
    if (digits or pieces.low[index] in vocab.UNITS) and _numbers_item(pieces, index):
        return None, index + 1
    found = _calendar(pieces, index, digits=digits)
    if found is not None:
        return pieces.fact(index, found[1], *found[0]), found[1]
    if digits:
        read = _slash(pieces, index) if pieces.low[index + 1] == "/" else None
    else:
        read = _money(pieces, index) or _part(pieces, index) or by_word(pieces, index)
    if read is not None:
        return read
    number = number_at(pieces, index)
    return single_unit(pieces, index) if number is None else _number(pieces, index, number)


def _money(pieces: Pieces, index: int) -> Found | None:
    found = money_at(pieces, index)
    if found is None:
        return None
    number, measure = found
    # The letters of A$ precede the sign at which the amount was found.
    start = index - (pieces.low[index] in vocab.SIGNS and prefixed(pieces, index))
    fact = pieces.fact(start, measure.end, *measure.readings)
    fact.raw = number.value
    return fact, measure.end


def _part(pieces: Pieces, index: int) -> Found | None:
    """Read a fraction with its unit; ranks that look like fractions are left to other rules."""
    quarter = pieces.low[index] == "quarter"
    if pieces.low[index] == "half" and pieces.low[index + 1] == "as":
        return None
    found = (Fraction(1, 4), index + 1) if quarter else part_at(pieces, index)
    measure = None if found is None else part_measure(pieces, index, *found)
    return None if measure is None else _measured(pieces, index, measure, None)


def _calendar(pieces: Pieces, index: int, *, digits: bool) -> times.Found | None:
    """Read a date or a time of day; from plain digits only if the next piece may belong to one."""
    word = pieces.low[index]
    plain = digits and word.isdecimal() and len(word) < 8
    past = pieces.low[index + 2] in ("past", "to")
    following = pieces.low[index + 1].removesuffix("'s")
    if plain and following not in vocab.after_day_or_hour and not past:
        return loose_time_at(pieces, index) if len(word) in (1, 2, 4) else None
    found = (
        calendar.date_at(pieces, index)
        or times.time_at(pieces, index)
        or (None if digits else calendar.relative_at(pieces, index))
    )
    if found is None and (digits or word in vocab.UNITS or word == "half"):
        found = loose_time_at(pieces, index)
    return found


def _slash(pieces: Pieces, index: int) -> Found | None:
    """Read ``3/4``: a part, a day of a month, or a number of its own (24/7)."""
    found = slash_at(pieces, index)
    if found is None:
        return None
    value, end = found
    low = pieces.low
    if low[index : index + 3] == _ALWAYS:
        return None, end
    days = calendar.dates(None, int(low[index]), int(low[index + 2]))
    measure = part_measure(pieces, index, value, end)
    if measure is not None and measure.readings[0].kind != "share":
        return _measured(pieces, index, measure, None)
    share = (Reading(kind="share", value=value),) if value < 1 else ()
    readings = (*days, *share) if low[end] != "of" else (*share, *days)
    readings = readings or (Reading(kind="number", value=value),)
    fact = pieces.fact(index, end, *readings)
    fact.head, fact.subject = share_noun(pieces, end)
    return fact, end


def _number(pieces: Pieces, index: int, number: Number) -> Found:
    low = pieces.low
    if number.value is None:
        return pieces.fact(index, number.end, Reading(kind="residue", value=None)), number.end
    measure = measure_at(pieces, number)
    if measure is not None:
        return _measured(pieces, index, measure, number)
    end = number.end
    is_zero = low[index] == "zero" and low[pieces.past_hyphen(end)] in vocab.harmless_zero
    if is_zero or _is_pronoun(pieces, index, end):
        return None, end
    if low[end] == "^" or (pieces.glued_before(end) and pieces.is_word[end]):
        return _stuck(pieces, index, end)
    if index > 1 and (low[index - 2], low[index - 1]) in _FACTORS:
        factor = pieces.fact(index, end, Reading(kind="multiplier", value=number.value))
        factor.raw = number.value
        return factor, end
    hyphen = low[end] == "-" and pieces.glued_before(end) and pieces.glued(end)
    head, subject = _counted(pieces, index, end + hyphen)
    if not head and not pieces.is_word[end]:
        head, subject = label_before(pieces, index)
    counted = bool(head) or (low[end] == "in" and low[end + 1] in vocab.in_all)
    kind: Kind = "count" if counted else "number"
    readings = [Reading(kind=kind, value=it) for it in (number.value, number.other) if it is not None]
    if number.value < 1 and low[index - 1] == "of" and low[index - 2] in ("share", "proportion", "ratio"):
        readings.insert(0, Reading(kind="share", value=number.value))
    if not head and is_year(low[index]):
        readings.append(Reading(kind="date", value=(int(number.value), None, None)))
    fact = pieces.fact(index, end, *readings)
    fact.raw, fact.head, fact.subject = number.value, head, subject
    return fact, end


def _is_pronoun(pieces: Pieces, index: int, end: int) -> bool:
    """Whether a number stands for what is named: "one", "the two" that were mixed up."""
    low = pieces.low
    if end > index + 1 or low[index] not in ("one", "two"):
        return False
    return low[index] == "one" or (low[index - 1] in _POINTING and not plural_after(pieces, end)[0])


def _counted(pieces: Pieces, index: int, end: int) -> tuple[str, frozenset[str]]:
    """Read the noun that the number at a piece counts; nothing before a relative clause."""
    low = pieces.low
    if low[end] in vocab.clause_openers or low[end] in ("a", "an"):
        # "315 that our library sent", "the seven a part is ordered for": the noun precedes.
        return "", frozenset()
    whole = low[index].replace(",", "").isdecimal()
    of_them = whole and low[end] == "of" and low[end + 1] in ("the", "our")
    found = (noun_after if low[index] in _ONE else plural_after)(pieces, end + of_them)
    if of_them and found[0] not in vocab.CLASSES:
        return "", frozenset()
    # "In 26 instances" means the same as "in 26 cases".
    return ("case", frozenset({"case"})) if found[0] == "instance" and low[index - 1] == "in" else found


def _measured(pieces: Pieces, index: int, measure: Measure, number: Number | None) -> Found:
    if measure.silent:
        return None, measure.end
    fact = pieces.fact(index, measure.end, *measure.readings)
    if number is not None:
        fact.raw = number.value
    if fact.kind == "share":
        fact.head, fact.subject = share_noun(pieces, measure.end)
        if not fact.head:
            head, subject = noun_before(pieces, index)
            fact.head, fact.subject = head, fact.subject | subject
    elif fact.kind == "duration":
        fact.role = role_of(pieces, index, measure.end)
    elif fact.kind == "count":
        fact.head, fact.subject = noun_after(pieces, measure.end)
    return fact, measure.end


def _range(pieces: Pieces, index: int, facts: list[Fact], done: int) -> Found:
    """Read the end of a range and give its unit to the start: between 5 and 10 alerts.

    One of ``vocab.range_links`` is at ``done``.
    """
    low = pieces.low
    first = facts[-1]
    between = index > 0 and low[index - 1] in ("between", "from")
    # The hyphen of "a 12- to 18-minute wait" belongs to the unit.
    link = done + (low[done] == "-" and low[done + 1] in vocab.range_links)
    place = link + 1 + (low[link + 1] == "the")
    if calendar.date_at(pieces, place) is not None or (low[done] == "and" and not between):
        return None, done
    clock = times.time_at(pieces, place)
    if clock is not None:
        _share_clock(first)
        _share_zone(first, clock[0])
        return None, done
    second, end = _quantity(pieces, place)
    if second is None:
        return None, done
    if first.kind == "time":
        _share_clock(second)
        return second, end
    if first.kind in ("number", "count") and first.raw is not None and second.raw:
        reading = second.readings[0]
        # "480 or 11%" gives one value twice: ranges ascend.
        twice = low[done] == "or" and reading.kind == "share" and first.raw > second.raw
        is_rank = reading.unit == "rank"
        if reading.kind in _RANGED and isinstance(reading.value, Fraction) and not (twice or is_rank):
            value = first.raw * reading.value / second.raw
            first.readings = (Reading(kind=reading.kind, value=value, unit=reading.unit),)
            first.head, first.subject, first.role = second.head, second.subject, second.role
    return second, end


def _in_timestamp(pieces: Pieces, index: int) -> bool:
    """Whether the digits follow the T of 2026-03-06T14:30."""
    return pieces.low[index - 1] == "t" and pieces.digits(index - 2) and pieces.glued_before(index - 1)


def _stuck(pieces: Pieces, index: int, end: int) -> Found:
    """Read joined letters and digits without a known unit (p95, 5GB, 10^2) as one residue."""
    while pieces.glued_before(end) and (pieces.is_word[end] or pieces.digits(end) or pieces.low[end] == "^"):
        end += 1
    fact = pieces.fact(index, end)
    fact.readings = (Reading(kind="residue", value=fact.text.lower()[:80]),)
    return fact, end


def _numbers_item(pieces: Pieces, index: int) -> bool:
    """Whether a number is that of a list item, a step or a section; one at the beginning of a line is in
    digits."""
    low = pieces.low
    if _is_in_series(pieces, index):
        return True
    is_heading = low[index + 1] == ":" or pieces.opens_line(index - 1)
    label = low[index - 1] in vocab.item_labels and is_heading
    digits = pieces.digits(index)
    if (digits and len(low[index]) > 2) or not (label or (digits and pieces.opens_line(index))):
        return False
    marked = low[index + 1] in (".", ")", "]", ":") and pieces.glued(index)
    return not (pieces.glued(index + 1) and pieces.digits(index + 2)) if marked else label


def _is_in_series(pieces: Pieces, index: int) -> bool:
    """Whether digits number an item inside of a line, between those of its neighbours: "(1) … (2) …"."""
    number = pieces.low[index]
    mark = pieces.low[index + 1]
    if mark not in (")", ".") or not pieces.glued(index) or not number.isdecimal() or len(number) > 2:
        return False
    lead = "(" if pieces.low[index - 1] == "(" else " "
    start = pieces.starts[index]
    if pieces.text[start - 1 : start] != lead:
        return False
    before, after = f"{lead}{int(number) - 1}{mark} ", f"{lead}{int(number) + 1}{mark} "
    has_next = after in pieces.text[start : start + _LONGEST_ITEM]
    return has_next if number == "1" else before in pieces.text[max(0, start - _LONGEST_ITEM) : start]


def _share_months(text: str, facts: list[Fact]) -> None:
    """Give the days listed beside a date its month and year: 9 to 12 January, September 2, 3 and 4, 2026."""
    for at, fact in enumerate(facts):
        date = fact.readings[0].value
        if fact.kind != "date" or not isinstance(date, tuple) or not date[2]:
            continue
        for side in (facts[:at][::-1], facts[at + 1 :]):
            pairs = takewhile(lambda pair: _is_listed(text, *pair), pairwise((fact, *side)))
            listed = [other for _, other in pairs]
            if len(listed) > 1 and is_year(listed[-1].text):
                year = listed.pop()
                facts.remove(year)
                date = (int(year.text), *date[1:])
                fact.readings = (Reading(kind="date", value=date), *fact.readings[1:])
            for other in listed:
                day = Reading(kind="date", value=(date[0], date[1], int(_day_of(other) or 0)))
                other.readings = (*other.readings, day)


def _is_listed(text: str, one: Fact, other: Fact) -> bool:
    """Whether a number is the next day of a list of days, or its year."""
    between = text[min(one.end, other.end) : max(one.start, other.start)].replace(",", " , ").split()
    year = is_year(other.text) and between == [","]
    return year or (vocab.day_links.issuperset(between) and _day_of(other) in _DAYS)


def _day_of(fact: Fact) -> Fraction | None:
    """Return a number that may be a day of the month: 3, third."""
    value = fact.readings[0].value
    return value if fact.kind == "number" and isinstance(value, Fraction) else None


def _share_zone(first: Fact, others: tuple[Reading, ...]) -> None:
    """Give the start of a range the time zone of its end: between 06:40 and 08:05 CET."""
    zone = others[0].unit
    if zone and first.kind == "time" and not first.readings[0].unit:
        first.readings += tuple(replace(reading, unit=zone) for reading in first.readings)


def _share_clock(fact: Fact) -> None:
    """Read an hour as a time of day if the other end of the range is one: 6-8 pm, from 8 am to 12."""
    hour = fact.raw
    if fact.kind in ("number", "count") and hour is not None and hour.denominator == 1 and hour <= _LAST_HOUR:
        fact.readings = (*times.clock_readings(int(hour), 0, ""), *fact.readings)
