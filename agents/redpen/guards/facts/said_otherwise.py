"""Recognise facts that are new by value but have an ordinary sense or are known in other words."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.data import lines, texts
from redpen.guards.facts import vocab
from redpen.guards.facts.surroundings import around
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from redpen.guards.facts.context import ContextValue
    from redpen.guards.facts.fact import Fact

_QUESTION = lazy_pattern(r"[^.!?\n]{0,200}\?[\"”']?\s*")
_YES = lazy_pattern(vocab.PATTERNS["yes"])
_FIGURE = "100"
"""The only number in digits that is part of an idiom."""
_LONGEST_IDIOM = 50
_MOST_KNOWN = 20_000
_MOST_SENTENCES = 400
_ROOT = 4
_ENDING = 3
_NEAR = 4
_COMPARES = 24
_LISTS = 120
_NOUN = lazy_pattern(vocab.PATTERNS["noun_counted"])
_DOUBLING = lazy_pattern(vocab.PATTERNS["doubling"])
_AT_NIGHT = lazy_pattern(vocab.PATTERNS["at_night"])
_CLOSES = lazy_pattern(r"\bclos(?:es?|ing)\b")
_PART_OF_DAY = lazy_pattern(vocab.PATTERNS["part_of_day"])
_WHEN = lazy_pattern(r"\b(?:during|this|today['’]?s|tonight['’]?s)(?: the)? $")
_NEXT_WORD = lazy_pattern(r"[ -]([a-z]{4,})")
_MEETS_TERM = lazy_pattern(vocab.PATTERNS["term"])
_AHEAD = lazy_pattern(vocab.PATTERNS["ahead"])
"""Words that make a part of the day the time of a future event."""
_WORD = lazy_pattern(r"[a-z]{4,}")
_DENIED = lazy_pattern(vocab.PATTERNS["denied"])
_PART = lazy_pattern(vocab.PATTERNS["part_of_them"])
_UNSURE = lazy_pattern(vocab.PATTERNS["unsure"])
_LABELLED = lazy_pattern(r"([a-z]{3,}) (\d{1,2})(?!\d|[.:,]\d| ?[%€$£]| (?:[a-z-]+ ){0,2}[a-z]{3,}s\b)")
"""A numbered thing: its noun and number, without a plural that the number may count."""
_NAMED = lazy_pattern(r"(?<=[a-z,] )([A-Z][A-Za-z]{2,}) (\d{1,2})(?!\d|[.:,]\d| ?[%€$£])")
"""A numbered thing with a capitalized noun, whatever follows it: "our SmartPay 2 meters"."""
_INITIAL = lazy_pattern(r"([A-Z])(\d{1,2})")
"""A numbered thing by its initial: T2 for Terminal 2."""
_RANKS = {"first": 1, "second": 2} | vocab.ORDINALS
_RANK = rf"(?:{'|'.join(_RANKS)}|\d+(?:st|nd|rd|th))"
_RANKED = lazy_pattern(rf"\b(?P<one>{_RANK})(?:,? (?:and|or) (?P<other>{_RANK}))? (?P<noun>[a-z]{{3,}})\b")
_HOURS = lazy_pattern(vocab.PATTERNS["hours"])
_CLOCK = lazy_pattern(r"(?<![\d.:])(2[0-3]|[01]?\d)(?!\d)(?::([0-5]\d)(?!\d))?(?: ?([ap])\.?m\b)?")
"""A number that may be a time of day: hour, minutes, half of the day."""
_HOURS_OF_PART = {
    "morning": range(4, 12),
    "afternoon": range(12, 18),
    "evening": range(17, 24),
    "night": (*range(20, 24), *range(6)),
}
_RATE = lazy_pattern(r"\b(?:per|an?|each|every) (minute|hour|day|night|week|month|year)\b")
_UNIT = lazy_pattern(r"(?:(?:per|an?|each|every) )?([a-z]+)")
_COUNTED_EARLIER = lazy_pattern(rf"(?:\d|\b(?:{'|'.join(vocab.UNITS)}))(?: [a-z-]+){{0,3}} (?:per )?$")
_SENTENCE_ENDS = lazy_pattern(r"(?<=[.!?;])\s")
_STRING_ENDS = lazy_pattern(r"[\"\[\]{}]|(?<=[.!?;])\s")


class Implied(NamedTuple):
    """What original and context imply.

    Attributes:
        doubled: words of sentences about something double.
        at_night: whether the night is mentioned.
        parts: mentioned parts of the day and meals, each with the word after it: "taxis" in "night taxis",
            empty in "the cold evening" and where a time of day falls into it.
        weekdays: mentioned weekdays.
        closing: whether closing times are mentioned.
        denied: words of sentences that deny something.
        labels: numbered things, as noun and number: year 9, tank 4, the second group.
        hours: ranges of full hours, as hours of a twelve-hour clock.
        feasts: mentioned feasts and seasons, each with the word after it, and with none.
        rates: units of time of what happens so often: "twice an hour", ``buses_per_hour``.
    """

    doubled: frozenset[str]
    at_night: bool
    parts: frozenset[tuple[str, str]]
    weekdays: frozenset[str]
    closing: bool
    denied: frozenset[str]
    labels: frozenset[tuple[str, int]]
    hours: frozenset[tuple[int, int]]
    feasts: frozenset[tuple[str, str]]
    rates: frozenset[str]


def implied_by(original: str, values: Iterable[ContextValue]) -> Implied:
    """Return what an original and the values of a context imply."""
    known = tuple(_sentences(original, values))
    named = [found for sentence in known for found in _PART_OF_DAY.findall(sentence)]
    return Implied(
        doubled=frozenset(word for it in known if _DOUBLING.search(it) for word in _WORD.findall(it)),
        at_night=any(map(_AT_NIGHT.search, known)),
        parts=frozenset((part, "" if word in vocab.ends_noun_phrase else word) for part, word in named)
        | {(part, "") for sentence in known for part in _parts_told_by_clock(sentence)},
        weekdays=frozenset(word for it in known for word in _WORD.findall(it) if word in vocab.WEEKDAYS),
        closing=any(map(_CLOSES.search, known)),
        denied=frozenset(
            word
            for sentence in known
            if _DENIED.search(sentence) and not _UNSURE.search(sentence)
            for word in _WORD.findall(_PART.sub("", sentence))
        ),
        labels=frozenset(label for sentence in known for label in _labels_in(sentence)).union(
            (noun.lower().removesuffix("s"), int(number)) for noun, number in _NAMED.findall(original)
        ),
        hours=frozenset(_hours(found) for sentence in known for found in _HOURS.finditer(sentence)),
        feasts=frozenset(
            (feast, word)
            for it in known
            for feast, after in pairwise((*_WORD.findall(it), ""))
            if feast in vocab.feasts
            for word in ("", after)
        ),
        rates=frozenset(unit for sentence in known for unit in _RATE.findall(sentence)),
    )


def _sentences(original: str, values: Iterable[ContextValue]) -> Iterator[str]:
    """Yield the sentences of an original and the strings and keys of a context, in lower case."""
    yield from _SENTENCE_ENDS.split(original[:_MOST_KNOWN].lower())[:_MOST_SENTENCES]
    written = " ] ".join(f"{key} [ {value}" for _, key, value in values)[:_MOST_KNOWN].lower()
    yield from _STRING_ENDS.split(written.replace("_", " "))[:_MOST_SENTENCES]


def _parts_told_by_clock(sentence: str) -> Iterator[str]:
    """Yield the parts of the day into which the times of day of a sentence fall."""
    for hour, minutes, half in _CLOCK.findall(sentence):
        at = int(hour) % 12 + 12 * (half == "p") if half else int(hour)
        if minutes or half:
            yield from (part for part, hours in _HOURS_OF_PART.items() if at in hours)


def is_asked(fact: Fact, text: str) -> bool:
    """Whether a quantifier is part of a question not answered "yes" ("is every line down? No, 3 are")."""
    question = _QUESTION.match(text, fact.end)
    return question is not None and not _YES.match(text, question.end())


def says_no_more(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a seemingly new fact has an ordinary sense or is known in other words.

    ``implied`` returns what original and context imply; it is called only if needed.
    """
    return (
        _is_ordinary(fact, text)
        or _is_of_listed(fact, text)
        or _is_mentioned_feast(fact, text, implied)
        or _is_implied_time(fact, text, implied)
        or _is_doubled(fact, text, implied)
        or _is_denied(fact, implied)
        or _is_label(fact, text, implied)
        or _is_of_hours(fact, text, implied)
        or _is_rate(fact, text, implied)
    )


def _is_of_listed(fact: Fact, text: str) -> bool:
    """Whether "two" refers to two things that the text lists beside it: "two items, bread and milk"."""
    if fact.kind not in ("count", "number") or fact.text.lower() != "two":
        return False
    if vocab.CLASSES.get(fact.head) == "people" or fact.head in vocab.team:
        return False
    before, after = text[max(0, fact.start - _LISTS) : fact.start], text[fact.end : fact.end + _LISTS]
    return any(f" {link} " in side for side in (before, after) for link in ("and", "&"))


@lru_cache(maxsize=1)
def _idioms() -> re.Pattern[str]:
    phrases = "|".join(lines("facts", "idioms"))
    return re.compile(rf"\b(?:{phrases})\b")


@lru_cache(maxsize=1)
def _ordinary_senses() -> dict[str, re.Pattern[str]]:
    """Return the patterns of ordinary senses by the kind of fact that they resemble."""
    patterns: dict[str, list[str]] = {}
    for name, pattern in texts("facts", "ordinary_senses").items():
        for kind in name.partition(":")[0].split("|"):
            patterns.setdefault(kind, []).append(pattern)
    patterns["date"] = patterns["time"]
    return {kind: re.compile("|".join(found)) for kind, found in patterns.items()}


def _is_ordinary(fact: Fact, text: str) -> bool:
    """Whether the words of a fact have an ordinary sense in their sentence.

    True for "a long day", "no two ways about it", "think twice", "nobody likes to wait".
    """
    if _FIGURE not in fact.text and not any(map(str.isalpha, fact.text)):
        # No idiom or ordinary sense is written without letters, except with this number.
        return False
    before, after = around(text, fact.start, fact.end)
    piece = fact.text.lower()
    near = before[-_LONGEST_IDIOM:]
    start, end = len(near), len(near) + len(piece)
    found = _idioms().finditer(near + piece + after[:_LONGEST_IDIOM])
    if any(it.start() < end and it.end() > start for it in found):
        return True
    senses = _ordinary_senses().get(fact.kind)
    return senses is not None and senses.search(f"{before}«{piece}»{after}") is not None


def _is_implied_time(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a time is known, or is a mentioned part of the day and not a deadline.

    A meal is a time only if the text says when it is.
    """
    value = fact.readings[0].value
    if not isinstance(value, str) or not (fact.kind == "time" or _is_of_known_day(fact, value, implied)):
        return False
    if value == "closing time":
        return implied().closing
    if value in vocab.nights and implied().at_night:
        return True
    before, after = around(text, fact.start, fact.end)
    part = fact.text.lower().split()[-1]
    following = _NEXT_WORD.match(after)
    if following and any(it == part and _share_root(word, following[1]) for it, word in implied().parts):
        return True
    if _MEETS_TERM.search(before) or _AHEAD.search(before + after):
        return False
    return (part in vocab.meals and not _WHEN.search(before)) or (part, "") in implied().parts


def _is_of_known_day(fact: Fact, value: str, implied: Callable[[], Implied]) -> bool:
    """Whether a date is a part of a mentioned weekday: "Sunday evening"."""
    day, _, part = value.partition(" ")
    return fact.kind == "date" and part in _HOURS_OF_PART and day in implied().weekdays


def _is_mentioned_feast(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether "this autumn" says when the known "autumn courses" are, and is not a deadline."""
    if fact.kind != "date" or fact.text.lower() not in vocab.feasts:
        return False
    before, after = around(text, fact.start, fact.end)
    feast, following = fact.text.lower(), _NEXT_WORD.match(after)
    if following and (feast, following[1]) in implied().feasts:
        return True
    is_term = _MEETS_TERM.search(before) or _AHEAD.search(before + after)
    return not is_term and (feast, "") in implied().feasts


def _is_doubled(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether "two charges", "twice" or "a second time" refers to something known to be double."""
    reading = fact.readings[0]
    if reading.value != Fraction(2):
        return False
    before, after = around(text, fact.start, fact.end)
    noun = _NOUN.match(after)
    words = [noun["noun"]] if noun else []
    if reading.kind == "multiplier" or (reading.unit == "rank" and words in (["time"], ["attempt"])):
        if vocab.compared.intersection(after.split(maxsplit=1)[:1]) or " as " in after[:_COMPARES]:
            return False
        words = [*_WORD.findall(before)[-_NEAR:], *_WORD.findall(after)[:2]]
    elif fact.text.lower() not in ("two", "2"):
        return False
    return any(
        _share_root(word, known)
        for word in words
        if len(word) >= _ROOT and not _DOUBLING.match(word)
        for known in implied().doubled
    )


def _is_denied(fact: Fact, implied: Callable[[], Implied]) -> bool:
    """Whether "no ticket" says again what is known of tickets: "without getting a ticket"."""
    if (
        fact.kind != "quantifier"
        or fact.readings[0].value != "none"
        or vocab.CLASSES.get(fact.head) == "people"
    ):
        return False
    noun = fact.text.lower().split()[-1]
    return len(noun) >= _ROOT and any(_share_root(noun, word) for word in implied().denied)


def _labels_in(sentence: str) -> Iterator[tuple[str, int]]:
    yield from ((noun.removesuffix("s"), int(number)) for noun, number in _LABELLED.findall(sentence))
    for found in _RANKED.finditer(sentence):
        ranks = filter(None, (found["one"], found["other"]))
        yield from ((found["noun"].removesuffix("s"), _number(rank)) for rank in ranks)


def _is_label(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a number belongs to a known numbered thing: "Year 9 parents" beside "the Year 9 coach"."""
    value = fact.readings[0].value
    if fact.kind == "residue" and (short := _INITIAL.fullmatch(fact.text)):
        sought = short[1].lower(), int(short[2])
        return any((noun[0], number) == sought for noun, number in implied().labels)
    if fact.kind not in ("count", "number") or not isinstance(value, Fraction) or value.denominator > 1:
        return False
    before, after = around(text, fact.start, fact.end)
    if fact.readings[0].unit == "rank":
        nouns = _WORD.findall(after)[:1]
    else:
        # "Groups two and three".
        words = before.replace(",", " ").split()
        listed = takewhile(lambda word: word == "and" or _number(word), reversed(words))
        nouns = words[: len(words) - len(list(listed))][-1:]
    number = value.numerator
    return any((noun.strip("(\"'").removesuffix("s"), number) in implied().labels for noun in nouns)


def _number(word: str) -> int:
    """Return a number in digits or in a word, or a rank; 0 for other words."""
    digits = word.replace(",", "").rstrip("stndrh")
    return int(digits) if digits.isdecimal() else vocab.UNITS.get(word) or _RANKS.get(word, 0)


def _is_of_hours(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a number is the beginning or end of known hours: "nine to 5" for "09:00 to 17:00"."""
    word = fact.text.lower()
    is_hour = word.isdecimal() or word.replace(" ", "").isalpha()
    before, after = around(text, fact.start, fact.end)
    if fact.kind not in ("number", "count", "date", "time") or not is_hour or before.endswith(" at "):
        return False
    start, end = len(before), len(before) + len(word)
    found = _HOURS.finditer(f"{before}{word}{after}")
    return any(it.start() <= start and end <= it.end() and _hours(it) in implied().hours for it in found)


def _is_rate(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a unit of time belongs to a known rate: "two trains an hour" beside "trains per hour"."""
    unit = _UNIT.fullmatch(fact.text.lower()) if fact.kind == "duration" else None
    if unit is None or unit[1] not in implied().rates:
        return False
    before, _ = around(text, fact.start, fact.end)
    return _COUNTED_EARLIER.search(before) is not None


def _hours(found: re.Match[str]) -> tuple[int, int]:
    return _hour(found["opens"]), _hour(found["closes"])


def _hour(word: str) -> int:
    return (_number(word) if word not in vocab.NAMED_TIMES else 0) % 12


def _share_root(one: str, other: str) -> bool:
    """Whether two words share a root: charged, charges; booked, bookings."""
    root = max(_ROOT, min(len(one), len(other)) - _ENDING)
    return one[:root] == other[:root]
