"""Check that a revised text states only facts that its context and original allow."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Fact, Kind, Reading, Value, describe, spell
from redpen.guards.facts.knowledge import ANY_ZONE, Knowledge, Known, restated, words_in
from redpen.guards.facts.moved import COUNTED, ORIGINAL, Allowed, moved_to, sides_of
from redpen.guards.facts.parties import PLACE
from redpen.guards.facts.quantities.calendar import day_of
from redpen.guards.facts.reading import read_facts, read_new_facts
from redpen.guards.facts.respelt import is_number_of, phone_in, same_phone
from redpen.guards.facts.said_otherwise import implied_by, is_asked, says_no_more
from redpen.guards.facts.severities import LOOSE, RATED
from redpen.guards.facts.surroundings import DISPLACEABLE, displaced_by
from redpen.guards.report import AllowedFact, Code, Finding
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from redpen.guards.known import KnownContext
    from redpen.text.views import View


_NEAREST = 3
_MOST_NAMES = 300
"""Maximum number of identifiers and phone numbers with which digits are compared."""

_MOST_FINDINGS = 30
"""Maximum number of reported facts; a text with so many is blocked in any case."""

_LONGEST_SIDE = 24
"""Maximum number of characters of a code before and after a fact in it."""
_OUT_OF = " out of "
_PLURAL = lazy_pattern(r"\d{3}s|(?<=[Uu]nder[ -])\d{1,3}s|(?<=[Oo]ver[ -])\d{1,3}s|(?<=[A-Z]-)\d{1,3}s")
"""Numbers in the plural, which look like seconds: errors ("502s"), ages ("under 18s") and codes ("W-2s")."""
_CODE_ENDS = lazy_pattern(r"[\w-]+\Z")
_CODE_BEGINS = lazy_pattern(r"[\w-]+")
_LONGEST_SHORT = 4
_NOON = 12
_LEAD = 10
_BEFORE_HOUR = lazy_pattern(r"(?i)(?<!\w)(?:at|by|from|until|till|between|since|before|after|to|and) \Z")
_AFTER_HOUR = lazy_pattern(r" (?:to|till|until) ")
_CAPITALIZED = lazy_pattern(r"[A-Z][a-z]+")
_MILLIONS = lazy_pattern(r"[\d.]+ ?m")
"""A number of millions, which looks like minutes."""
_DOTTED_TIME = lazy_pattern(r"([01]?\d|2[0-3])\.([0-5]\d)")
"""A time of day as it is written in some countries, which looks like a number."""


def find_new_facts(*, revised: View, original: View, context: KnownContext) -> tuple[Finding, ...]:
    """Return the facts of a revision that neither its original nor the context allows.

    Returns:
        One violation for each new fact, in the order of the text, with codes ``no_new_facts``,
        ``new_incident_id``, ``new_severity_label`` or ``new_region``. A text against itself has none.
    """
    if revised.text == original.text:
        return ()
    facts = read_new_facts(revised.text, original.text)
    if not facts:
        return ()
    of_original = _of_text(original.text)
    # The facts of the context are computed on demand, because the original settles most revisions.
    nearest = cache(lambda *sought: _nearest((context.facts, of_original), *sought))
    implied = cache(lambda: implied_by(original.text, context.values))
    found: list[tuple[Fact, str]] = []
    swapped: list[tuple[Fact, Fact]] = []
    for fact in facts:
        if len(found) == _MOST_FINDINGS:
            break
        reason = ""
        if not _settled(fact, of_original):
            reason = _why_new(fact, revised.text, original.text, (context.facts, of_original))
            if reason and says_no_more(fact, revised.text, implied):
                continue
        if not reason and fact.kind in DISPLACEABLE:
            other = displaced_by(fact, revised.text, original.text, of_original, lambda: context.facts)
            swapped += [(fact, other)] if other else []
        if reason:
            found.append((fact, reason))
    return tuple(
        _finding(fact, reason, revised, nearest(fact.kind, fact.readings[0].value, fact.raw))
        for fact, reason in sorted((*found, *_exchanged(swapped)), key=lambda item: item[0].start)
    )


def _exchanged(swapped: list[tuple[Fact, Fact]]) -> Iterator[tuple[Fact, str]]:
    """Yield the numbers that changed places, with the reason: each is surrounded by the words of another.

    A share always needs its own words beside it. Any other single number beside the words of another number
    may be an honest rewrite: "from €34 to €38".
    """
    values = [fact.readings[0].value for fact, _ in swapped]
    for fact, other in swapped:
        value = other.readings[0].value
        if fact.kind == "share" or (value in values and value != fact.readings[0].value):
            yield fact, f"what is said of it is said of {other.text} in the original"


def _why_new(fact: Fact, text: str, original: str, allowed: Allowed) -> str:
    """Return why a fact of a text is not allowed, in any spelling; empty if it is allowed."""
    if fact.kind == "quantifier" and is_asked(fact, text):
        return ""
    reason = _objection(fact, text, original, allowed)
    return "" if reason and _is_respelt(fact, text, allowed) else reason


@lru_cache(maxsize=32)
def _of_text(text: str) -> Knowledge:
    return Knowledge((Known(fact, ORIGINAL) for fact in read_facts(text)), lambda: words_in(text))


def _settled(fact: Fact, knowledge: Knowledge) -> bool:
    """Whether the original alone clearly allows a fact, so that the context is not needed."""
    if fact.kind == "party":
        return _is_named(fact, knowledge)
    for known in (it for reading in fact.readings for it in restated(reading, fact, knowledge)):
        if fact.kind in COUNTED:
            shared = fact.subject & (known.fact.subject - vocab.generic)
            if not fact.subject or (shared and not sides_of(fact, known.fact)):
                return True
        elif fact.role in ("", known.fact.role) or (fact.role, known.fact.role) == ("until", ""):
            return True
    return False


def _objection(fact: Fact, text: str, original: str, allowed: Allowed) -> str:
    """Return why a fact is not allowed; empty if it is."""
    unit = fact.readings[0].unit
    if unit == MENTIONED or (unit == LOOSE and not any(map(_is_rated_in_words, allowed))):
        return ""
    if fact.kind == "party":
        is_known = any(_is_named(fact, knowledge) for knowledge in allowed)
        return "" if is_known else "no name in the context or the original"
    matches = [
        known
        for reading in fact.readings
        for knowledge in allowed
        for known in restated(reading, fact, knowledge)
    ]
    if not matches:
        known = (
            _is_known_day(fact, allowed)
            or _is_known_hour(fact, text, allowed)
            or _is_named_month(fact, original)
            or _is_named_language(fact, allowed)
        )
        return "" if known else _unknown(fact, allowed)
    said = (fact.head, fact.subject, fact.role)
    if any((it.fact.head, it.fact.subject, it.fact.role) == said for it in matches):
        return ""
    if fact.kind in ("share", "count"):
        return moved_to(fact, text, original, matches, allowed)
    return _changed_role(fact, matches, allowed) if fact.kind == "duration" else ""


def _is_rated_in_words(knowledge: Knowledge) -> bool:
    """Whether the severity of an incident is a word (high, major), so that another such word changes it."""
    return any(str(it.fact.readings[0].value).endswith(RATED) for it in knowledge.of_kind("severity"))


def _is_respelt(fact: Fact, text: str, allowed: Allowed) -> bool:
    """Whether digits that are not an allowed number belong to an allowed identifier or phone number."""
    if _is_written_alike(fact, text, allowed) or _is_of_known_code(fact, text, allowed):
        return True
    if fact.kind == "share" and _OUT_OF in fact.text:
        # "64 out of 310" has the same meaning as "64 of 310".
        numbers = [_number_of(side) for side in fact.text.lower().split(_OUT_OF)]
        return all(raw is not None and any(it.find_number(raw) for it in allowed) for raw in numbers)
    if fact.kind not in ("number", "count", "residue", "contact") or not any(map(str.isdecimal, fact.text)):
        return False
    if fact.kind == "number" and is_number_of(text, fact.start, fact.end, _values("identifier", allowed)):
        return True
    regions = _values("region", allowed[:1])
    phones = {phone_in(text, fact.start, fact.end, regions), same_phone(fact.text, regions)} - {""}
    if not phones:
        return False
    contacts = islice(chain.from_iterable(knowledge.of_kind("contact") for knowledge in allowed), _MOST_NAMES)
    return any(same_phone(known.fact.text, regions) in phones for known in contacts)


def _number_of(text: str) -> Fraction | None:
    """Return the number with which a text begins: "4", "one zone"; None for any other text."""
    unit = vocab.UNITS.get(text.split(maxsplit=1)[0])
    if unit is not None:
        return Fraction(unit)
    read = [it.raw for it in read_facts(text)]
    return read[0] if len(read) == 1 else None


def _is_of_known_code(fact: Fact, text: str, allowed: Allowed) -> bool:
    """Whether a fact is a part of a known code in any case: "tr-25b" for TR-25B."""
    before = _CODE_ENDS.search(text[max(0, fact.start - _LONGEST_SIDE) : fact.start])
    after = _CODE_BEGINS.match(text[fact.end : fact.end + _LONGEST_SIDE])
    code = "".join((before[0] if before else "", fact.text, after[0] if after else "")).lower()
    known = (code in knowledge.words for knowledge in allowed)
    return len(code) > len(fact.text) and any(map(str.isdigit, code)) and any(known)


def _is_written_alike(fact: Fact, text: str, allowed: Allowed) -> bool:
    """Whether a seeming duration is a known number in the plural or in millions, or a number is a time."""
    raw = fact.raw
    if raw is not None and fact.kind == "duration":
        size = 10**6 if _MILLIONS.fullmatch(fact.text) else 1
        is_number = size > 1 or _PLURAL.fullmatch(text, fact.start, fact.end) is not None
        known = chain.from_iterable(knowledge.find_number(raw) for knowledge in allowed)
        if size > 1 and " " in fact.text and any(it.fact.kind in ("number", "count") for it in known):
            # Metres.
            return True
        return is_number and any(knowledge.find_number(raw * size) for knowledge in allowed)
    dotted = _DOTTED_TIME.fullmatch(fact.text) if fact.kind in ("number", "count") else None
    if dotted is None:
        return False
    minutes = Fraction(60 * int(dotted[1]) + int(dotted[2]))
    return any(knowledge.find_key("time", minutes, ANY_ZONE) for knowledge in allowed)


def _values(kind: Kind, allowed: Allowed) -> list[str]:
    found = chain.from_iterable(knowledge.of_kind(kind) for knowledge in reversed(allowed))
    return [str(known.fact.readings[0].value) for known in islice(found, _MOST_NAMES)]


def _is_known_day(fact: Fact, allowed: Allowed) -> bool:
    """Whether a date is today, or allowed without its year."""
    if fact.kind != "date":
        return False
    value = fact.readings[0].value
    if value == "today":
        return True
    today = _report_date(allowed[0])
    if today is None:
        return False
    values = [it.value for it in fact.readings if isinstance(it.value, tuple) and None not in it.value]
    short = [(None, month, day) for year, month, day in values if year == today.year]
    known = (it for date in short for knowledge in allowed for it in knowledge.find_key("date", date))
    return any(reading.value in short for it in known for reading in it.fact.readings)


def _is_known_hour(fact: Fact, text: str, allowed: Allowed) -> bool:
    """Whether a number is a known hour: "since Friday at 10", "nine till half past four"."""
    hour = fact.raw
    if hour is None or fact.kind not in ("number", "count"):
        return False
    # "And 9 buses" is no hour.
    is_led = fact.kind == "number" and fact.text.isalpha() and _is_between_hours(fact, text)
    if not is_led and not text[: fact.start].endswith(" at "):
        return False
    # "At 10" may be at 22:00.
    hours = (hour, hour + _NOON) if hour < _NOON else (hour,)
    return any(knowledge.find_key("time", 60 * it, ANY_ZONE) for it in hours for knowledge in allowed)


def _is_between_hours(fact: Fact, text: str) -> bool:
    led = _BEFORE_HOUR.search(text, max(0, fact.start - _LEAD), fact.start)
    return led is not None or _AFTER_HOUR.match(text, fact.end) is not None


def _is_named_month(fact: Fact, original: str) -> bool:
    """Whether a month is a word of the original that was not read as one: "March statements"."""
    is_month = isinstance(fact.readings[0].value, tuple) and fact.text.lower() in vocab.MONTHS
    # "May" begins questions too.
    return is_month and fact.text != "May" and fact.text in _CAPITALIZED.findall(original)


def _is_named_language(fact: Fact, allowed: Allowed) -> bool:
    """Whether a seeming place is a language that is mentioned: "the Portuguese page" for "in Portuguese"."""
    name = fact.text.lower()
    return fact.kind == "region" and name in vocab.languages and any(name in it.words for it in allowed)


def _report_date(knowledge: Knowledge) -> date | None:
    """Return the first full date that the context gives under a key that contains "date"."""
    dates = (it.fact.readings[0].value for it in knowledge.of_kind("date") if "date" in it.path)
    return next(filter(None, (day_of(value) for value in dates if isinstance(value, tuple))), None)


def _is_named(fact: Fact, knowledge: Knowledge) -> bool:
    """Whether every word of the name of a party is known."""
    words = [it.removesuffix("'s") for it in str(fact.readings[0].value).replace("-", " ").split()]
    forms = [(word, f"{word}s", word.removesuffix("s"), vocab.SAME.get(word, word)) for word in words]
    return all(
        not knowledge.words.isdisjoint(same) or (place and _is_short(same[0], knowledge.words))
        for place, same in enumerate(forms)
    )


def _is_short(word: str, known: Iterable[str]) -> bool:
    """Whether the end of a name abbreviates a known word: "Mill Rd" beside "Mill Road"."""
    if not 1 < len(word) <= _LONGEST_SHORT:
        return False
    ends = word[0], word[-1]
    return any(
        len(it) > len(word) and (it.startswith(word) or (len(word) == len(ends) and (it[0], it[-1]) == ends))
        for it in known
    )


def _changed_role(fact: Fact, matches: list[Known], allowed: Allowed) -> str:
    """Return why a duration may not be a repetition interval or a wait; empty if it may."""
    roles = {known.fact.role for known in matches}
    if fact.role == "until" and roles == {"every"}:
        return "this time is allowed as the step of a repetition, not as the wait for a recovery"
    if fact.role != "every" or "every" in roles:
        return ""
    if roles == {"until"}:
        return "this time is allowed as the wait for a recovery, not as the step of a repetition"
    lasting = chain.from_iterable(knowledge.of_kind("duration") for knowledge in allowed)
    is_known = any(known.fact.role == "every" for known in lasting)
    return "this time is not the step of the repetition that is allowed" if is_known else ""


def _unknown(fact: Fact, allowed: Allowed) -> str:
    raw = fact.raw
    if raw is not None and fact.kind != "number":
        for knowledge in allowed:
            for known in knowledge.find_number(raw):
                return f"{spell(raw)} is allowed as {known.fact.kind} ({known.path}), not as {fact.kind}"
    if fact.kind == "residue":
        return "no rule could read it, and the original does not have it"
    return f"neither the context nor the original has this {fact.kind}"


def _finding(fact: Fact, reason: str, revised: View, nearest: tuple[AllowedFact, ...]) -> Finding:
    start, end = revised.span(fact.start, fact.end)
    first = fact.readings[0]
    if first.unit == PLACE:
        fact = replace(fact, readings=(Reading(kind="region", value=first.value),))
    return Finding(
        code=_code(fact),
        family=fact.kind,
        span=(start, end),
        text=revised.given[start:end],
        reading=describe(fact),
        reason=reason,
        nearest=nearest,
    )


def _code(fact: Fact) -> Code:
    match fact.kind:
        case "identifier" if fact.readings[0].unit == "incident":
            return "new_incident_id"
        case "severity":
            return "new_severity_label"
        case "region":
            return "new_region"
        case _:
            return "no_new_facts"


def _nearest(allowed: Allowed, kind: Kind, value: Value, raw: Fraction | None) -> tuple[AllowedFact, ...]:
    """Return the allowed facts nearest to a value of a kind, by the written number and by the value."""
    as_written = [it for knowledge in allowed if raw is not None for it in knowledge.find_number(raw)[:1]]
    as_meant = [item for knowledge in allowed for item in knowledge.nearest(kind, value, _NEAREST)]
    as_meant.sort(key=lambda item: item[0])
    found = (*as_written, *(known for _, known in as_meant))
    return tuple(dict.fromkeys(AllowedFact(reading=describe(it.fact), path=it.path) for it in found))[
        :_NEAREST
    ]
