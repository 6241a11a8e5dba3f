"""The quantity grammar: every number, date, time, amount and factor of a text, read exactly.

One walk over the pieces; each rule looks a bounded number of pieces ahead and never comes back.
Whatever looks like a number and fits no rule becomes a fact of kind ``residue``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import word_set
from redpen.guards.facts.fact import Fact, Kind, Reading
from redpen.guards.facts.quantities import calendar, relative, times
from redpen.guards.facts.quantities.glued import in_timestamp, numbers_item, share_month, stuck
from redpen.guards.facts.quantities.measures import measure_at, part_measure
from redpen.guards.facts.quantities.money import money_at, prefixed
from redpen.guards.facts.quantities.numbers import (
    ARTICLES,
    BANKNOTES,
    BEFORE_UNIT,
    CODES,
    COINS,
    CURRENCY_WORDS,
    EMPHASIS,
    EVERY_ONE,
    GLUED_TIME,
    MULTIPLIERS,
    ORDINALS,
    PARTS,
    PLURALS,
    SCALES,
    SIGN_PREFIXES,
    SIGNS,
    TENS,
    TIME,
    UNITS,
    VAGUE,
    Measure,
    Number,
    number_at,
    part_at,
    slash_at,
)
from redpen.guards.facts.quantities.times import loose_time_at
from redpen.guards.facts.quantities.words import LEADS, Found, by_word, fact_of, role_of, single_unit
from redpen.guards.facts.subjects import (
    CLASSES,
    group_before,
    label_before,
    labelled_share,
    noun_after,
    rate_before,
    share_noun,
    told_of_before,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.guards.facts.quantities.pieces import Pieces

_CALENDAR_WORDS = frozenset(
    {*calendar.MONTHS, *calendar.WEEKDAYS, *calendar.SHORT_WEEKDAYS, *relative.RELATIVE_DAYS}
    | {*times.NAMED_TIMES, *relative.NAMED_SPANS, "q", "end", "close", "start", "beginning", "middle"}
    | {"rest", "remainder", *relative.HOURS_OF_BUSINESS}
    | {"morning", "afternoon", "evening", "night", "lunch", "dinner", "supper", "tea", "other"}
)
STARTERS = frozenset(
    {*UNITS, *TENS, *SCALES, *PLURALS, *ORDINALS, *MULTIPLIERS, *EVERY_ONE, *SIGNS, *CODES, *SIGN_PREFIXES}
    | {
        *_CALENDAR_WORDS,
        *LEADS,
        *ARTICLES,
        "half",
        "halves",
        "quarter",
        *relative.CLOSING,
        *relative.FEASTS,
        "new",
        "dozen",
        "couple",
        "pair",
        "magnitude",
    }
    | {"first", "second", "seconds", "once", *VAGUE, *BANKNOTES}
) - {"s", "r", "mx"}
"""Words at which a quantity can begin."""

_AFTER_LEAD = (
    frozenset(
        {
            *TIME,
            *calendar.WEEKDAYS,
            "weekend",
            "morning",
            "afternoon",
            "evening",
            "night",
            "other",
            "the",
            "a",
            "an",
        }
        | {*BEFORE_UNIT}
    )
    - GLUED_TIME
)
_AFTER_ARTICLE = (
    frozenset(
        {*TIME, *SCALES, *PARTS, *BEFORE_UNIT, *EMPHASIS, *VAGUE, "dozen", "pair", "score", *BANKNOTES}
        | {*CURRENCY_WORDS}
    )
    - GLUED_TIME
)
_AFTER_VAGUE = frozenset({*SCALES, *CURRENCY_WORDS, *COINS, *TIME, "dozen", "of", "times"})
_AFTER_EDGE = frozenset({"of", "-"})
NEXT: dict[str, frozenset[str]] = (
    dict.fromkeys(LEADS, _AFTER_LEAD)
    | dict.fromkeys(ARTICLES, _AFTER_ARTICLE)
    | dict.fromkeys(("few", "several", "many", "some", "handful"), _AFTER_VAGUE)
    | dict.fromkeys(relative.CLOSING - {"quarter"}, frozenset({*relative.AFTER_CLOSING, "end", "-"}))
    | {"once": frozenset({"a", "an", "per", "each", "every", *EVERY_ONE})}
    | dict.fromkeys(relative.HOURS_OF_BUSINESS, frozenset({"time"}))
    | {"new": frozenset({"year", "years", "year's"})}
    | {"other": frozenset({"day", "week", "night", "morning", "evening", "month"})}
    | dict.fromkeys(("end", "close", "start", "beginning", "middle", "rest", "remainder"), _AFTER_EDGE)
    | dict.fromkeys(("us", "u", "c", "ca", "au", "nz", "hk", "sg", "mexican"), frozenset({"$", "."}))
)
"""What must follow a frequent word for a quantity to begin at it: most of them are passed over by this."""

_CLAUSE_OPENERS = frozenset({"that", "the", "our"})
_IN_ALL = frozenset({"number", "total", "all"})
_FACTORS = frozenset({("factor", "of"), ("multiplied", "by"), ("multiple", "of")})
_RANGE_LINKS = frozenset({"to", "-", "–", "—", "or", "through", "and"})
_RANGED: tuple[Kind, ...] = ("number", "count", "duration", "share", "money")
_ALWAYS = ["24", "/", "7"]
_HARMLESS_ZERO = word_set("quantities", "harmless_zero")


def read_quantities(pieces: Pieces, taken: bytearray, starts: Iterable[int]) -> list[Fact]:
    """Read every quantity of a text.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule (an address, an identifier) has read it.
        starts: the indices at which one of ``STARTERS`` or a digit stands.

    Returns:
        The facts in the order of the text. Time is linear in the number of pieces.
    """
    facts: list[Fact] = []
    low = pieces.low
    done = 0
    for index in starts:
        if index < done or taken[index] or _passed_over(low, index):
            continue
        found, done = _quantity(pieces, index)
        if done <= index:
            done = index + 1
        if found is None:
            continue
        facts.append(found)
        if low[done] in _RANGE_LINKS and found.kind in _RANGED:
            second, done = _range(pieces, index, facts, done)
            if second is not None:
                facts.append(second)
    return facts


def _passed_over(low: list[str], index: int) -> bool:
    if low[index] == "other" and low[index - 1] != "the":
        return True
    if low[index] in ARTICLES and low[index - 1] == "what" and low[index + 1] in TIME:
        # "What a week!"
        return True
    following = NEXT.get(low[index])
    return following is not None and low[index + 1] not in following


def _quantity(pieces: Pieces, index: int) -> Found:
    """Read the quantity that begins at a piece; the rules in order, the first that reads something counts."""
    digits = pieces.digits(index)
    if (
        digits
        and pieces.glued_before(index)
        and pieces.is_word[index - 1]
        and not in_timestamp(pieces, index)
    ):
        return stuck(pieces, index - 1, index)
    if digits and numbers_item(pieces, index):
        return None, index + 1
    found = _calendar(pieces, index, digits=digits)
    if found is not None:
        return fact_of(pieces, index, found[1], *found[0]), found[1]
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
    # The letters of A$ stand before the sign at which the amount was found.
    start = index - (pieces.low[index] in SIGNS and prefixed(pieces, index))
    fact = fact_of(pieces, start, measure.end, *measure.readings)
    fact.raw, fact.decimals = number.value, number.decimals
    return fact, measure.end


def _part(pieces: Pieces, index: int) -> Found | None:
    """Read a fraction and what it is of; a rank that looks like one is left to others."""
    quarter = pieces.low[index] == "quarter"
    if pieces.low[index] == "half" and pieces.low[index + 1] == "as":
        return None
    found = (Fraction(1, 4), index + 1) if quarter else part_at(pieces, index)
    measure = None if found is None else part_measure(pieces, index, *found)
    return None if measure is None else _measured(pieces, index, measure, None)


def _calendar(pieces: Pieces, index: int, *, digits: bool) -> times.Found | None:
    """Read a date or a time of day; after plain digits only where the next piece may belong to one."""
    word = pieces.low[index]
    plain = digits and word.isdecimal() and len(word) < 8
    past = pieces.low[index + 1] in ("minutes", "minute") and pieces.low[index + 2] in ("past", "to")
    if plain and pieces.low[index + 1] not in calendar.AFTER_DIGITS and not past:
        return loose_time_at(pieces, index) if len(word) in (1, 2, 4) else None
    found = (
        calendar.date_at(pieces, index)
        or times.time_at(pieces, index)
        or (None if digits else relative.relative_at(pieces, index))
    )
    if found is None and (digits or word in UNITS or word == "half"):
        found = loose_time_at(pieces, index)
    return found


def _slash(pieces: Pieces, index: int) -> Found | None:
    """Read ``3/4``: a part, a day of a month, or a number of its own (24/7)."""
    found = slash_at(pieces, index)
    if found is None:
        return None
    value, end = found
    low = pieces.low
    if low[index : index + 3] == _ALWAYS and (
        not index or low[index - 1] not in ("by", "on", "until", "since")
    ):
        return None, end
    days = calendar.dates(None, int(low[index]), int(low[index + 2]))
    measure = part_measure(pieces, index, value, end)
    if measure is not None and measure.readings[0].kind != "share":
        return _measured(pieces, index, measure, None)
    number = measure_at(pieces, Number(value, end, digits=True))
    if number is not None:
        return _measured(pieces, index, number, None)
    share = (Reading(kind="share", value=value),) if value < 1 else ()
    readings = (*days, *share) if low[end] != "of" else (*share, *days)
    readings = readings or (Reading(kind="number", value=value),)
    fact = fact_of(pieces, index, end, *readings)
    fact.head, fact.subject = share_noun(pieces, end)
    return fact, end


def _number(pieces: Pieces, index: int, number: Number) -> Found:
    low = pieces.low
    if number.value is None:
        return fact_of(pieces, index, number.end, Reading(kind="residue", value=None)), number.end
    measure = measure_at(pieces, number)
    if measure is not None:
        return _measured(pieces, index, measure, number)
    end = number.end
    bare = end == index + 1 and low[index] == "one"
    if bare or (low[index] == "zero" and low[pieces.past_hyphen(end)] in _HARMLESS_ZERO):
        return None, end
    if low[end] == "^" or (pieces.glued_before(end) and pieces.is_word[end]):
        return stuck(pieces, index, end)
    if index > 1 and (low[index - 2], low[index - 1]) in _FACTORS:
        factor = fact_of(pieces, index, end, Reading(kind="multiplier", value=number.value))
        factor.raw, factor.decimals = number.value, number.decimals
        return factor, end
    hyphen = low[end] == "-" and pieces.glued_before(end) and pieces.glued(end)
    head, subject = _counted(pieces, index, end + hyphen)
    if not head and not pieces.is_word[end]:
        head, subject = label_before(pieces, index)
    counted = bool(head) or (low[end] == "in" and low[end + 1] in _IN_ALL)
    kind: tuple[Reading, ...] = (Reading(kind="count" if counted else "number", value=number.value),)
    if number.other is not None:
        kind += (Reading(kind=kind[0].kind, value=number.other),)
    if (
        number.digits
        and not head
        and len(low[index]) == 4
        and number.value.denominator == 1
        and 1900 <= number.value <= 2199
    ):
        kind += (Reading(kind="date", value=(int(number.value), None, None)),)
    if not head and low[end] == "of":
        _, subject = noun_after(pieces, end + 1)
    fact = fact_of(pieces, index, end, *kind)
    fact.raw, fact.decimals, fact.head, fact.subject = number.value, number.decimals, head, subject
    return fact, end


def _counted(pieces: Pieces, index: int, end: int) -> tuple[str, frozenset[str]]:
    """Read what the number at a piece counts: the noun after it, or nothing before a clause of its own."""
    low = pieces.low
    if low[end] in _CLAUSE_OPENERS:
        # "315 that our library sent", "the 460 the carrier holds": what they are stands before.
        return "", frozenset()
    whole = low[index].replace(",", "").isdecimal()
    of_them = whole and low[end] == "of" and low[end + 1] in ("the", "our")
    found = noun_after(pieces, end + of_them)
    if of_them and found[0] not in CLASSES:
        return "", frozenset()
    # "In 26 instances" says how often, as "in 26 cases" does.
    return ("case", frozenset({"case"})) if found[0] == "instance" and low[index - 1] == "in" else found


def _measured(pieces: Pieces, index: int, measure: Measure, number: Number | None) -> Found:
    if measure.silent:
        return None, measure.end
    fact = fact_of(pieces, index, measure.end, *measure.readings)
    if number is not None:
        fact.raw, fact.decimals = number.value, number.decimals
    if fact.kind == "share":
        fact.head, fact.subject = share_noun(pieces, measure.end)
        if not fact.head:
            head, subject = group_before(pieces, index)
            if not subject:
                head, subject = labelled_share(pieces, index)
            if not subject:
                head, subject = rate_before(pieces, index)
            fact.head, fact.subject = head, fact.subject | subject | told_of_before(pieces, index)
    elif fact.kind == "duration":
        fact.role = role_of(pieces, index, measure.end)
    elif fact.kind == "count":
        fact.head, fact.subject = noun_after(pieces, measure.end)
    return fact, measure.end


def _range(pieces: Pieces, index: int, facts: list[Fact], done: int) -> Found:
    """Read the far end of a range and give its unit to the near end: between 5 and 10 alerts.

    One of ``_RANGE_LINKS`` stands at ``done``.
    """
    low = pieces.low
    first = facts[-1]
    between = index > 0 and low[index - 1] in ("between", "from")
    if low[done] == "and" and not between:
        return None, done
    place = done + 1 + (low[done + 1] == "the")
    if not (pieces.digits(place) or low[place] in UNITS or low[place] in TENS):
        return None, done
    dated = calendar.date_at(pieces, place)
    if dated is not None:
        share_month(first, dated[0])
        return None, done
    if times.time_at(pieces, place) is not None:
        return None, done
    second, end = _quantity(pieces, place)
    if second is None:
        return None, done
    if first.kind in ("number", "count") and first.raw is not None and second.raw:
        reading = second.readings[0]
        if low[done] == "or" and reading.kind == "share" and first.raw > second.raw:
            # "480 or 11%" says one thing twice: ranges go up.
            pass
        elif reading.kind in ("share", "duration", "money") and isinstance(reading.value, Fraction):
            ratio = reading.value / second.raw
            first.readings = (Reading(kind=reading.kind, value=first.raw * ratio, unit=reading.unit),)
            first.head, first.subject, first.role = second.head, second.subject, second.role
        elif reading.kind == "count" and first.kind == "number":
            first.readings = (Reading(kind="count", value=first.raw, unit=reading.unit),)
            first.head, first.subject = second.head, second.subject
    return second, end
