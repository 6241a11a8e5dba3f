"""Whether a revised text states only facts that its context and original allow."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import MENTIONED, Fact, Kind, Reading, Value, describe, spell
from redpen.guards.facts.implied import implied_by
from redpen.guards.facts.knowledge import Knowledge, Known, restated
from redpen.guards.facts.moved import COUNTED, ORIGINAL, Allowed, moved_to, sides_of
from redpen.guards.facts.parties import PLACE
from redpen.guards.facts.reading import read_facts, read_new_facts
from redpen.guards.facts.respelt import is_number_of, phone_in, same_phone
from redpen.guards.facts.said_otherwise import is_asked, is_lack, says_no_more
from redpen.guards.facts.severities import LOOSE, RATED
from redpen.guards.facts.surroundings import DISPLACEABLE, displaced_by
from redpen.guards.report import AllowedFact, Code, Finding
from redpen.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date
    from fractions import Fraction

    from redpen.guards.known import KnownContext
    from redpen.text.views import View


_NEAREST = 3
_MOST_NAMES = 300
"""Identifiers and phone numbers that digits are compared with."""

_MOST_FINDINGS = 30
"""More new facts than anybody reads; a text with so many is blocked whatever else it says."""

_PLURAL_NUMBER = 4
"""Characters of an error number in the plural."""
_FREE_DATES = frozenset({"today"})


def find_new_facts(*, revised: View, original: View, context: KnownContext) -> tuple[Finding, ...]:
    """Return the facts of a revision that neither its original nor the context allows.

    Args:
        revised: the text to judge.
        original: the draft whose facts are allowed.
        context: what is known of the incident context.

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
    # Most revisions state nothing that the original leaves open: the context is read when one does.
    nearest = cache(partial(_nearest, lambda: context.facts, of_original))
    implied = cache(lambda: implied_by(original.text, context.values))
    findings: list[Finding] = []
    for fact in facts:
        if len(findings) == _MOST_FINDINGS:
            break
        reason = ""
        if not _settled(fact, of_original):
            reason = _why_new(fact, revised.text, original.text, (context.facts, of_original))
            if reason and says_no_more(fact, revised.text, implied):
                continue
        if not reason and fact.kind in DISPLACEABLE:
            other = displaced_by(fact, revised.text, original.text, of_original, lambda: context.facts)
            reason = f"what is said of it is said of {other.text} in the original" if other else ""
        if reason:
            near = nearest(fact.kind, fact.readings[0].value, fact.raw)
            findings.append(_finding(fact, reason, revised, near))
    return tuple(findings)


def _why_new(fact: Fact, text: str, original: str, allowed: Allowed) -> str:
    """Return why a fact of a text is not allowed; empty when it is, in whatever spelling."""
    if fact.kind == "quantifier" and is_asked(fact, text):
        return ""
    reason = _objection(fact, text, original, allowed)
    return "" if reason and (_is_respelt(fact, text, allowed) or is_lack(fact, original)) else reason


def allowed_facts(*, original: View, context: KnownContext) -> tuple[Known, ...]:
    """Return every fact that a revision may state: those of the context, then those of the original."""
    known = (*context.facts.facts, *_of_text(original.text).facts)
    return tuple(item for item in known if item.fact.kind != "residue")


@lru_cache(maxsize=32)
def _of_text(text: str) -> Knowledge:
    return Knowledge((Known(fact, ORIGINAL) for fact in read_facts(text)), lambda: _words_of(text))


def _words_of(text: str) -> Iterator[str]:
    tokens = tokenize(text)
    for at, word in enumerate(tokens.folded):
        if word[0].isalpha() or tokens.kind(at) == "word":
            yield word.removesuffix("'s")


def _settled(fact: Fact, knowledge: Knowledge) -> bool:
    """Whether the original alone allows a fact beyond doubt, so that the context need not be read for it."""
    if fact.kind == "party":
        return not _objection_to_party(fact, (knowledge,))
    counted = fact.kind in COUNTED
    roles = ("every",) if fact.role == "every" else ("", fact.role)
    for reading in fact.readings:
        for known in restated(reading, fact, knowledge):
            if counted:
                shared = fact.subject & (known.fact.subject - vocab.generic)
                if not fact.subject or (shared and not sides_of(fact, known.fact)):
                    return True
            elif not fact.role or known.fact.role in roles:
                return True
    return False


def _objection(fact: Fact, text: str, original: str, allowed: Allowed) -> str:
    """Return why a fact is not allowed; empty when it is."""
    unit = fact.readings[0].unit
    if unit == MENTIONED or (unit == LOOSE and not any(map(_is_rated_in_words, allowed))):
        return ""
    if fact.kind == "party":
        return _objection_to_party(fact, allowed)
    matches = [
        known
        for reading in fact.readings
        for knowledge in allowed
        for known in restated(reading, fact, knowledge)
    ]
    if not matches:
        return "" if _free(fact, allowed) else _unknown(fact, allowed)
    if any(_same(fact, known.fact) for known in matches):
        return ""
    if fact.kind in ("share", "count"):
        return moved_to(fact, text, original, matches, allowed)
    return _changed_role(fact, matches, allowed) if fact.kind == "duration" else ""


def _is_rated_in_words(knowledge: Knowledge) -> bool:
    """Whether an incident is rated by a word (high, major), so that another such word rates it anew."""
    return any(str(it.fact.readings[0].value).endswith(RATED) for it in knowledge.of_kind("severity"))


def _same(fact: Fact, other: Fact) -> bool:
    return fact.head == other.head and fact.subject == other.subject and fact.role == other.role


def _is_respelt(fact: Fact, text: str, allowed: Allowed) -> bool:
    """Whether digits that are no allowed number belong to an allowed identifier or phone number."""
    if fact.kind == "duration" and fact.text.endswith("s") and len(fact.text) == _PLURAL_NUMBER:
        # "502s" are several errors 502.
        numbers = (*_values("count", allowed), *_values("number", allowed))
        return fact.text[:-1] in numbers
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


def _values(kind: Kind, allowed: Allowed) -> list[str]:
    found = chain.from_iterable(knowledge.of_kind(kind) for knowledge in reversed(allowed))
    return [str(known.fact.readings[0].value) for known in islice(found, _MOST_NAMES)]


def _free(fact: Fact, allowed: Allowed) -> bool:
    """Whether a day that hangs on today needs no leave, or is a day that is allowed by its date."""
    value = fact.readings[0].value
    if fact.kind != "date":
        return False
    today = _report_date(allowed[0])
    if isinstance(value, tuple):
        return today is not None and any(
            _this_year(reading, today.year, allowed) for reading in fact.readings
        )
    if value in _FREE_DATES:
        return True
    from datetime import timedelta

    shift = {"tomorrow": 1, "yesterday": -1}.get(str(value))
    if shift is None or today is None:
        return False
    try:
        day = today + timedelta(days=shift)
    except OverflowError:
        return False
    return any(knowledge.find_key("date", (day.year, day.month, day.day)) for knowledge in allowed)


def _this_year(reading: Reading, year: int, allowed: Allowed) -> bool:
    """Whether a date in full is one that was given without its year, in the year of the report."""
    if not isinstance(reading.value, tuple) or reading.value[0] != year or None in reading.value:
        return False
    short = (None, *reading.value[1:])
    return any(
        item.value == short
        for knowledge in allowed
        for known in knowledge.find_key("date", short)
        for item in known.fact.readings
    )


def _report_date(knowledge: Knowledge) -> date | None:
    from datetime import date

    for known in knowledge.facts:
        value = known.fact.readings[0].value
        if (
            known.fact.kind == "date"
            and isinstance(value, tuple)
            and None not in value
            and "date" in known.path
        ):
            try:
                return date(value[0] or 1, value[1] or 1, value[2] or 1)
            except ValueError:
                continue
    return None


def _objection_to_party(fact: Fact, allowed: Allowed) -> str:
    words = [word.removesuffix("'s") for word in str(fact.readings[0].value).replace("-", " ").split()]
    if any(all(word in knowledge.words for word in words) for knowledge in allowed):
        return ""
    return "no name in the context or the original"


def _changed_role(fact: Fact, matches: list[Known], allowed: Allowed) -> str:
    roles = {known.fact.role for known in matches}
    if fact.role == "every" and roles == {"until"}:
        return "this time is allowed as the wait for a recovery, not as the step of a repetition"
    if fact.role == "every" and "every" not in roles:
        lasting = chain.from_iterable(knowledge.of_kind("duration") for knowledge in allowed)
        if any(known.fact.role == "every" for known in lasting):
            return "this time is not the step of the repetition that is allowed"
    if fact.role == "until" and roles == {"every"}:
        return "this time is allowed as the step of a repetition, not as the wait for a recovery"
    return ""


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


def _nearest(
    of_context: Callable[[], Knowledge],
    of_original: Knowledge,
    kind: Kind,
    value: Value,
    raw: Fraction | None,
) -> tuple[AllowedFact, ...]:
    """Return the allowed facts that are the nearest to a value of a kind, as written and as meant."""
    allowed = (of_context(), of_original)
    found: list[AllowedFact] = []
    if raw is not None:
        found += (_allowed(known) for knowledge in allowed for known in knowledge.find_number(raw)[:1])
    near = [item for knowledge in allowed for item in knowledge.nearest(kind, value, _NEAREST)]
    near.sort(key=lambda item: item[0])
    found += (_allowed(known) for _, known in near)
    return tuple(dict.fromkeys(found))[:_NEAREST]


def _allowed(known: Known) -> AllowedFact:
    return AllowedFact(reading=known.describe(), path=known.path)
