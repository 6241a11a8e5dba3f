"""The quantity grammar: every number, date, time, amount and factor of a text, read exactly.

One walk over the pieces; each rule looks a bounded number of pieces ahead and never comes back.
Whatever looks like a number and fits no rule becomes a fact of kind ``residue``.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards import quantities_calendar as calendar
from redpen.guards.quantities_measures import (
    Measure,
    compound,
    measure_at,
    money_at,
    part_measure,
    time_unit_at,
)
from redpen.guards.quantities_numbers import (
    ARTICLES,
    ORDINALS,
    PARTS,
    PLURALS,
    SCALES,
    TENS,
    UNITS,
    Number,
    number_at,
    part_at,
    slash_at,
)
from redpen.guards.quantities_units import (
    BEFORE_UNIT,
    CODES,
    CURRENCY_WORDS,
    EVERY_ONE,
    GLUED_TIME,
    MULTIPLIERS,
    NO_MULTIPLIER_AFTER_DOUBLE,
    SIGN_PREFIXES,
    SIGNS,
    TIME,
    VAGUE,
)
from redpen.guards.readings import Fact, Reading, Role
from redpen.guards.subjects import noun_after, rate_before, share_noun

if TYPE_CHECKING:
    from redpen.guards.quantities_lexer import Pieces

_CALENDAR_WORDS = frozenset(
    {*calendar.MONTHS, *calendar.WEEKDAYS, *calendar.SHORT_WEEKDAYS, *calendar.RELATIVE_DAYS}
    | {*calendar.NAMED_TIMES, *calendar.NAMED_SPANS, "q", "end", "close", "start", "beginning", "middle"}
    | {"morning", "afternoon", "evening", "night"}
)
_LEADS = frozenset(
    "next last past previous coming each every per another within this following upcoming".split()
)
STARTERS = frozenset(
    {*UNITS, *TENS, *SCALES, *PLURALS, *ORDINALS, *MULTIPLIERS, *EVERY_ONE, *SIGNS, *CODES, *SIGN_PREFIXES}
    | {
        *_CALENDAR_WORDS,
        *_LEADS,
        *ARTICLES,
        "half",
        "halves",
        "quarter",
        "dozen",
        "couple",
        "pair",
        "magnitude",
    }
    | {"first", "second", "seconds", "few", "several", "many", "some"}
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
_AFTER_ARTICLE = frozenset({*TIME, *SCALES, *PARTS, *BEFORE_UNIT, "dozen", "couple", "few"}) - GLUED_TIME
_AFTER_VAGUE = frozenset({*SCALES, *CURRENCY_WORDS, *TIME, "dozen", "of"})
_AFTER_EDGE = frozenset({"of", "-"})
_NEXT: dict[str, frozenset[str]] = (
    dict.fromkeys(_LEADS, _AFTER_LEAD)
    | dict.fromkeys(ARTICLES, _AFTER_ARTICLE)
    | dict.fromkeys(("few", "several", "many", "some"), _AFTER_VAGUE)
    | dict.fromkeys(("end", "close", "start", "beginning", "middle"), _AFTER_EDGE)
    | dict.fromkeys(("us", "u", "c", "ca", "au", "nz", "hk", "sg", "mexican"), frozenset({"$", "."}))
)
"""What must follow a frequent word for a quantity to begin at it: most of them are passed over by this."""

_EVERY = frozenset({"every", "each", "per"})
_INTERVAL = frozenset("interval intervals cadence basis increments".split())
_RECOVERY = frozenset(
    "eta estimate estimated estimates expect expected expecting resolve resolved resolution recover "
    "recovered "
    "recovery restore restored restoration fix fixed mitigate mitigated mitigation repair repaired".split()
)
_CADENCE = frozenset(
    "update updates updating message notice notify post posts publish published monitor monitoring check "
    "checks checking review again status".split()
)
_HARMLESS_ZERO = frozenset(
    "impact effect effects risk doubt chance downtime loss disruption data interruption damage trust day "
    "tolerance".split()
)
_EVERYDAY = frozenset("business work life lives use routine operations tasks activity planning needs".split())
_RANK_NOUNS = frozenset(
    "outage incident failure time wave occurrence day week month attempt disruption episode event "
    "degradation "
    "interruption breach".split()
)
_WINDOW = 10


def read_quantities(pieces: Pieces, taken: bytearray) -> list[Fact]:
    """Read every quantity of a text.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule (an address, an identifier) has read it.

    Returns:
        The facts in the order of the text. Time is linear in the number of pieces.
    """
    facts: list[Fact] = []
    low = pieces.low
    done = 0
    starts = [i for i, word in enumerate(low) if word in STARTERS or "0" <= word[:1] <= "9"]
    for index in starts:
        if index < done or taken[index] or _passed_over(low, index):
            continue
        found, done = _quantity(pieces, index)
        if found is not None:
            facts.append(found)
        if done <= index:
            done = index + 1
        if (
            found is not None
            and low[done]
            and found.kind in ("number", "count", "duration", "share", "money")
        ):
            second, done = _range(pieces, index, facts, done)
            if second is not None:
                facts.append(second)
    return facts


def _passed_over(low: list[str], index: int) -> bool:
    following = _NEXT.get(low[index])
    return following is not None and low[index + 1] not in following


def _fact(pieces: Pieces, index: int, end: int, readings: tuple[Reading, ...]) -> Fact:
    start, last = pieces.starts[index], pieces.ends[end - 1]
    return Fact(readings=readings, start=start, end=last, text=pieces.text[start:last])


def _quantity(pieces: Pieces, index: int) -> tuple[Fact | None, int]:
    """Read the quantity that begins at a piece: the fact (None for words that state nothing), and end."""
    low = pieces.low
    digits = pieces.digits(index)
    if digits and pieces.glued_before(index) and pieces.is_word[index - 1]:
        return _stuck(pieces, index - 1, index)
    if digits and _numbering(pieces, index):
        return None, index + 1
    found = _calendar(pieces, index, digits=digits)
    if found is not None:
        return _fact(pieces, index, found[1], found[0]), found[1]
    if not digits or low[index + 1] == "$":
        money = money_at(pieces, index)
        if money is not None:
            fact = _fact(pieces, index, money[1].end, money[1].readings)
            return replace(fact, raw=money[0].value, decimals=money[0].decimals), money[1].end
    if not digits:
        word = _by_word(pieces, index)
        if word is not None:
            return word
    part = _part(pieces, index) if not digits or low[index + 1] == "/" else None
    if part is not None:
        return part
    number = number_at(pieces, index)
    if number is not None:
        return _number(pieces, index, number)
    return _single_unit(pieces, index)


def _calendar(pieces: Pieces, index: int, *, digits: bool) -> calendar.Found | None:
    """Read a date or a time of day; after plain digits only where the next piece may belong to one."""
    word = pieces.low[index]
    if digits and word.isdigit() and len(word) < 8 and pieces.low[index + 1] not in calendar.AFTER_DIGITS:
        return None
    return (
        calendar.date_at(pieces, index)
        or calendar.time_at(pieces, index)
        or (None if digits else calendar.relative_at(pieces, index))
    )


def _numbering(pieces: Pieces, index: int) -> bool:
    """Whether the digits number a list item, a step or a section at the beginning of a line."""
    low = pieces.low
    if not (low[index].isdigit() and len(low[index]) <= 2):
        return False
    label = (
        index > 0
        and low[index - 1] in ("step", "part", "option", "section", "item")
        and pieces.opens_line(index - 1)
    )
    if not label and not pieces.opens_line(index):
        return False
    if low[index + 1] not in (".", ")", "]", ":") or not pieces.glued(index):
        return label
    return not (pieces.glued(index + 1) and pieces.digits(index + 2))


def _by_word(pieces: Pieces, index: int) -> tuple[Fact | None, int] | None:
    """Read the quantities that a single word makes: hourly, doubled, dozens, a few dollars."""
    low = pieces.low
    word = low[index]
    following = low[index + 1]
    if word in EVERY_ONE and following in _EVERYDAY:
        return None, index + 1
    if word in EVERY_ONE:
        fact = _fact(pieces, index, index + 1, (Reading(kind="duration", value=Fraction(EVERY_ONE[word])),))
        return replace(fact, role="every"), index + 1
    if word in MULTIPLIERS:
        after = low[pieces.past_hyphen(index + 1)]
        if word == "double" and after in NO_MULTIPLIER_AFTER_DOUBLE:
            return None, index + 1
        return _fact(
            pieces, index, index + 1, (Reading(kind="multiplier", value=MULTIPLIERS[word]),)
        ), index + 1
    if word == "magnitude":
        return _fact(pieces, index, index + 1, (Reading(kind="multiplier", value=Fraction(10)),)), index + 1
    if word in PLURALS:
        return _plural(pieces, index)
    if word in VAGUE or (word in ARTICLES and following in ("few", "couple")):
        place = index + 1 if word in VAGUE else index + 2
        place = place + 1 if low[place] == "of" else place
        if low[place] in SCALES or low[place] == "dozen":
            end = place + 1
            value = Fraction(SCALES.get(low[place], 12))
            return _fact(pieces, index, end, (Reading(kind="count", value=value, unit="plural"),)), end
        if low[place] in CURRENCY_WORDS and "couple" not in (word, following):
            unit = CURRENCY_WORDS[low[place]]
            return _fact(
                pieces, index, place + 1, (Reading(kind="money", value="a few", unit=unit),)
            ), place + 1
        if "couple" not in (word, following):
            # "a few minutes" is vague and states nothing.
            return None, place + 1 if low[place] in TIME else index + 1
    return None


def _plural(pieces: Pieces, index: int) -> tuple[Fact | None, int]:
    """Read hundreds, tens of thousands, millions of dollars: a size without a number."""
    low = pieces.low
    value = PLURALS[low[index]]
    end = index + 1
    while low[end] == "of" and low[end + 1] in PLURALS:
        value *= PLURALS[low[end + 1]]
        end += 2
    if low[index] in ("scores", "tens") and end == index + 1 and low[end] != "of":
        return None, end
    place = end + 1 if low[end] == "of" else end
    if low[place] in CURRENCY_WORDS:
        reading = Reading(kind="money", value=f"{low[index]} of", unit=CURRENCY_WORDS[low[place]])
        return _fact(pieces, index, place + 1, (reading,)), place + 1
    return _fact(pieces, index, end, (Reading(kind="count", value=Fraction(value), unit="plural"),)), end


def _part(pieces: Pieces, index: int) -> tuple[Fact | None, int] | None:
    """Read a fraction and what it is of; or the rank that looks like one."""
    low = pieces.low
    word = low[index]
    if pieces.digits(index):
        return _slash(pieces, index)
    if word in ORDINALS:
        if low[pieces.past_hyphen(index + 1)] in ("party", "parties"):
            return None, index + 1
        reading = Reading(kind="number", value=Fraction(ORDINALS[word]), unit="rank")
        return _fact(pieces, index, index + 1, (reading,)), index + 1
    if word == "second":
        if low[index + 1] in _RANK_NOUNS and index and low[index - 1] in ("the", "a", "this", "our"):
            reading = Reading(kind="number", value=Fraction(2), unit="rank")
            return _fact(pieces, index, index + 1, (reading,)), index + 1
        return None, index + 1
    if word == "first":
        return None, index + 1
    found = (Fraction(1, 4), index + 1) if word == "quarter" else part_at(pieces, index)
    if found is None:
        return None
    measure = part_measure(pieces, index, *found)
    if measure is None:
        return None
    return _measured(pieces, index, measure, None)


def _slash(pieces: Pieces, index: int) -> tuple[Fact | None, int] | None:
    """Read ``3/4``: a part, a day of a month, or a number of its own (24/7)."""
    found = slash_at(pieces, index)
    if found is None:
        return None
    value, end = found
    low = pieces.low
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
    fact = _fact(pieces, index, end, readings)
    head, subject = share_noun(pieces, end)
    return replace(fact, head=head, subject=subject), end


def _number(pieces: Pieces, index: int, number: Number) -> tuple[Fact | None, int]:
    low = pieces.low
    if number.value is None:
        return _fact(pieces, index, number.end, (Reading(kind="residue", value=None),)), number.end
    measure = measure_at(pieces, number)
    if measure is not None:
        return _measured(pieces, index, measure, number)
    end = number.end
    bare = end == index + 1 and low[index] == "one"
    if bare or (low[index] == "zero" and low[pieces.past_hyphen(end)] in _HARMLESS_ZERO):
        return None, end
    if low[end] == "^" or (pieces.glued_before(end) and pieces.is_word[end]):
        return _stuck(pieces, index, end)
    hyphen = low[end] == "-" and pieces.glued_before(end) and pieces.glued(end)
    head, subject = noun_after(pieces, end + 1 if hyphen else end)
    kind: tuple[Reading, ...] = (Reading(kind="count" if head else "number", value=number.value),)
    if number.other is not None:
        kind += (Reading(kind=kind[0].kind, value=number.other),)
    year = number.digits and number.value.denominator == 1 and 1900 <= number.value <= 2199 and not head
    if year and len(low[index]) == 4:
        kind += (Reading(kind="date", value=(int(number.value), None, None)),)
    if not head and low[end] == "of":
        _, subject = noun_after(pieces, end + 1)
    fact = _fact(pieces, index, end, kind)
    return replace(fact, raw=number.value, decimals=number.decimals, head=head, subject=subject), end


def _stuck(pieces: Pieces, index: int, end: int) -> tuple[Fact | None, int]:
    """Take letters and digits stuck together that no unit explains (p95, 5GB, 10^2) as one unread whole."""
    while (
        end < pieces.count
        and pieces.glued_before(end)
        and (pieces.is_word[end] or pieces.digits(end) or pieces.low[end] == "^")
    ):
        end += 1
    fact = _fact(pieces, index, end, ())
    return replace(fact, readings=(Reading(kind="residue", value=fact.text.lower()[:80]),)), end


def _measured(pieces: Pieces, index: int, measure: Measure, number: Number | None) -> tuple[Fact | None, int]:
    if measure.silent:
        return None, measure.end
    fact = _fact(pieces, index, measure.end, measure.readings)
    if number is not None:
        fact.raw, fact.decimals = number.value, number.decimals
    if fact.kind == "share":
        fact.head, fact.subject = share_noun(pieces, measure.end)
        if not fact.head:
            fact.subject |= rate_before(pieces, index)
    elif fact.kind == "duration":
        fact.role = _role(pieces, index, measure.end)
    elif fact.kind == "count":
        fact.head, fact.subject = noun_after(pieces, measure.end)
    return fact, measure.end


def _role(pieces: Pieces, index: int, end: int) -> Role:
    """Tell the step of a repetition from the wait to a recovery, where the clause says which."""
    low = pieces.low
    before = low[index - 1] if index else ""
    if before in _EVERY or low[end] in _INTERVAL or low[end] == "cadence":
        return "every"
    waiting = False
    place = index - 1
    for _ in range(_WINDOW):
        if place < 0 or low[place] in (".", ";", "!", "?"):
            break
        if low[place] in _CADENCE:
            return ""
        waiting = waiting or low[place] in _RECOVERY
        place -= 1
    for place in range(end, end + 4):
        if low[place] in ("", ".", ";", "!", "?"):
            break
        if low[place] in _CADENCE:
            return ""
    return "until" if waiting else ""


def _single_unit(pieces: Pieces, index: int) -> tuple[Fact | None, int]:
    """Read a unit without a number: an hour, every minute, the next hour, within the hour, every other day."""
    low = pieces.low
    word = low[index]
    place = index + 1
    start = index
    times = Fraction(1)
    if word in _LEADS:
        if low[place] == "other" and word == "every":
            times, place = Fraction(2), place + 1
        elif word == "within" and low[place] in ("the", "a", "an"):
            place += 1
        elif word in ("within", "this", "coming", "following", "upcoming"):
            return None, index + 1
        start = place
    elif (word not in ARTICLES or low[place] in ("second", "s", "m", "h", "d", "w")) and not (
        word == "a"
        and low[place] == "second"
        and index
        and low[index - 1] in ("within", "in", "half", "every")
    ):
        return None, index + 1
    unit = time_unit_at(pieces, place, glued=False)
    if unit is None or low[place] in ("s", "m", "h", "d", "w") or low[unit[1] - 1].endswith("s"):
        return None, index + 1
    if (
        low[unit[1] - 1] == "second"
        and word in ("a", "next", "last", "another", "each", "every")
        and (pieces.is_word[unit[1]] and low[unit[1]] not in ("or", "and"))
    ):
        return None, index + 1
    if low[unit[1] - 1] == "quarter" and low[unit[1]] == "of":
        return None, index + 1
    total, end = compound(pieces, times * unit[0], unit[0], unit[1])
    fact = _fact(pieces, index if word in ARTICLES else start, end, (Reading(kind="duration", value=total),))
    fact.role = "every" if word in _EVERY else _role(pieces, index, end)
    fact.raw = total if total.denominator == 1 and total < 60 else None
    return fact, end


def _range(pieces: Pieces, index: int, facts: list[Fact], done: int) -> tuple[Fact | None, int]:
    """Read the far end of a range and give its unit to the near end: 30-45 minutes, between 5 and 10 alerts."""
    low = pieces.low
    first = facts[-1]
    between = index > 0 and low[index - 1] in ("between", "from")
    link = low[done]
    if not (link in ("to", "-", "–", "—", "or", "through") or (link == "and" and between)):
        return None, done
    place = done + 1
    if not (pieces.digits(place) or low[place] in UNITS or low[place] in TENS):
        return None, done
    if calendar.date_at(pieces, place) is not None or calendar.time_at(pieces, place) is not None:
        return None, done
    second, end = _quantity(pieces, place)
    if second is None:
        return None, done
    if first.kind in ("number", "count") and first.raw is not None and second.raw:
        reading = second.readings[0]
        if reading.kind in ("share", "duration", "money") and isinstance(reading.value, Fraction):
            ratio = reading.value / second.raw
            unit = replace(reading, value=first.raw * ratio)
            facts[-1] = replace(
                first, readings=(unit,), head=second.head, subject=second.subject, role=second.role
            )
        elif reading.kind == "count" and first.kind == "number":
            facts[-1] = replace(
                first, readings=(replace(reading, value=first.raw),), head=second.head, subject=second.subject
            )
    return second, end
