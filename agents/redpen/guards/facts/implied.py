"""What known texts imply: small counts of what they tell of twice; the night."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.facts import vocab
from redpen.guards.facts.surroundings import around
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from redpen.guards.facts.context import ContextValue
    from redpen.guards.facts.fact import Fact

_MOST = 6
_MOST_KNOWN = 20_000
_MOST_SENTENCES = 400
_TWO = Fraction(2)
_ROOT = 4
_ENDING = 3


_NOUN = lazy_pattern(
    r"[\s-]+(?:(?:other|more|further|separate|different|main|small|quick|short|simple|brief|visible|possible"
    r"|linked|such|big) )*(?P<noun>[a-z]+)"
)
_DOUBLING = lazy_pattern(
    r"\b(?:twice|double\w*|duplicat\w*|repeat\w*|more than one|two times|(?:a|the) second|two \w+ each)\b"
)
_DENIED = lazy_pattern(
    r"\b(?:do not|don['’]t|never|avoid\w*|no need to|need not|needn['’]t|without|refrain\w*|rather than|not"
    r"|nor|cannot|can['’]t|can not|won['’]t|should not|shouldn['’]t|must not|mustn['’]t|nobody|no one|nothing"
    r"|instead of)\b[^.;:!?]*$"
)
_AT_NIGHT = lazy_pattern(r"\b(?:overnight|(?:during|in|by|at|through|over) (?:the )?night)\b")
_CLOSES = lazy_pattern(r"\bclos(?:es?|ing)\b")
_PART = lazy_pattern(
    r"(?<!good )(?<!hello )(?<!dear )\b(morning|afternoon|evening|night|lunch|dinner|supper|tea|breakfast)\b"
    r"(?:[ -]([a-z]+))?"
)
_WHEN = lazy_pattern(r"\b(?:during|this|today['’]?s|tonight['’]?s)(?: the)? $")
_NEXT_WORD = lazy_pattern(r"[ -][a-z]{4,}")
_MEETS_TERM = lazy_pattern(
    r"\b(?:by|until|till|before|after|from|since|towards?|around|at|over)(?: the| this)? $"
)
_AHEAD = lazy_pattern(
    r"\b(?:will|shall|['’]ll|expect\w*|estimat\w*|hop(?:e|es|ing)|plan\w*|aim\w*|ready|done|back|finish\w*|due)\b"
)
"""What makes a part of the day the time of something to come."""
_WORD = lazy_pattern(r"[a-z]{4,}")
_SENTENCES = lazy_pattern(r"(?<=[.!?;])\s")
_STRINGS = lazy_pattern(r"[\"\[\]{}]|(?<=[.!?;])\s")
_COMPARES = 24
_NEAR = 4
_SHORT = 7


class Implied(NamedTuple):
    """What the texts that are known imply.

    Attributes:
        doubled: words of sentences that tell of something double, by their first letters.
        at_night: whether something is said of the night.
        parts: parts of the day and meals that are named, with the words that follow them: taxis, of "night
            taxis"; nothing, of "the cold evening".
        closing: whether something is said of when a house closes.
    """

    doubled: Mapping[str, tuple[str, ...]]
    at_night: bool
    parts: Mapping[str, tuple[str, ...]]
    closing: bool


def implied_by(original: str, values: Iterable[ContextValue]) -> Implied:
    """Return what an original and a context imply.

    Args:
        original: what a reader sees of the original.
        values: the values of the incident context.
    """
    doubled: dict[str, tuple[str, ...]] = {}
    at_night = False
    closing = False
    parts: dict[str, tuple[str, ...]] = {}
    for known in _known(original, values):
        at_night = at_night or bool(_AT_NIGHT.search(known))
        closing = closing or bool(_CLOSES.search(known))
        for part, following in _PART.findall(known):
            if len(parts.get(part, ())) < _MOST:
                parts[part] = (*parts.get(part, ()), "" if following in vocab.ends_noun_phrase else following)
        for word in _WORD.findall(known) if _DOUBLING.search(known) else ():
            alike = doubled.get(word[:_ROOT], ())
            if word not in alike and len(alike) < _MOST:
                doubled[word[:_ROOT]] = (*alike, word)
    return Implied(doubled, at_night, parts, closing)


def is_implied(fact: Fact, text: str, implied: Callable[[], Implied]) -> bool:
    """Whether a small count, or that it was night, says no more than the texts do.

    Args:
        fact: a fact of the text.
        text: what a reader sees of the revision.
        implied: returns what original and context imply; asked for only when it decides.

    Returns:
        True for "two charges" or "a second time" after "charged twice", "do not send it twice".
    """
    reading = fact.readings[0]
    value = reading.value
    if reading.kind == "time" and isinstance(value, str):
        if value == "closing time":
            return implied().closing
        return (value in vocab.nights and implied().at_night) or _is_named_part(fact, text, implied())
    if reading.kind not in ("count", "number", "multiplier") or not isinstance(value, Fraction):
        return False
    if not _TWO <= value <= _MOST:
        return False
    before, after = around(text, fact.start, fact.end)
    if reading.kind == "multiplier" or reading.unit == "rank":
        return _is_repeated(fact, before, after, implied)
    two = value == _TWO and fact.text.lower() in ("two", "2")
    return two and _is_doubled(_noun(after), implied())


def _is_named_part(fact: Fact, text: str, implied: Implied) -> bool:
    """Whether a part of the day or a meal is one that the texts name, and no term.

    A meal is a time only where something is told of when it is. "By night taxis" after "night taxis",
    "speeds in the evening" after "evening speeds", "look in on them this evening" after "sorry for the cold
    evening".
    """
    before, after = around(text, fact.start, fact.end)
    part = fact.text.lower().split()[-1]
    named = implied.parts.get(part, ())
    following = _NEXT_WORD.match(after)
    if following and any(word and _akin(word, following[0].strip()) for word in named):
        return True
    if _MEETS_TERM.search(before) or _AHEAD.search(before + after):
        return False
    if part in vocab.meals and not _WHEN.search(before):
        return True
    said = (*_WORD.findall(before), *_WORD.findall(after))
    of_it = "in the" in before[-_SHORT:] and any(
        word and _akin(word, near) for word in named for near in said
    )
    return of_it or "" in named


def _noun(after: str) -> str:
    found = _NOUN.match(after)
    return found["noun"] if found else ""


def _is_repeated(fact: Fact, before: str, after: str, implied: Callable[[], Implied]) -> bool:
    """Whether "twice" and "a second time" are advised against, or tell of what is known to be double."""
    reading = fact.readings[0]
    following = after.split(maxsplit=1)[:1]
    if reading.unit == "rank":
        noun = _noun(after)
        if after.startswith(",") and not before:
            return True
        if noun not in ("time", "attempt"):
            return False
    elif reading.value != _TWO or vocab.compared.intersection(following) or " as " in after[:_COMPARES]:
        return False
    if _DENIED.search(before):
        return True
    words = [*_WORD.findall(before)[-_NEAR:], *_WORD.findall(after)[:2]]
    return reading.value == _TWO and any(_is_doubled(word, implied()) for word in words)


def _is_doubled(noun: str, implied: Implied) -> bool:
    """Whether a sentence that is known tells of a thing or deed that was double."""
    if len(noun) < _ROOT or _DOUBLING.match(noun):
        return False
    return any(_akin(word, noun) for word in implied.doubled.get(noun[:_ROOT], ()))


def _akin(one: str, other: str) -> bool:
    """Whether two words share a root: charged, charges; booked, bookings."""
    root = max(_ROOT, min(len(one), len(other)) - _ENDING)
    return one[:root] == other[:root]


def _known(original: str, values: Iterable[ContextValue]) -> Iterator[str]:
    """Yield the sentences of an original and the strings and keys of a context, in lower case."""
    yield from _SENTENCES.split(original[:_MOST_KNOWN].lower())[:_MOST_SENTENCES]
    written = " ] ".join(f"{key} [ {value}" for _, key, value in values)[:_MOST_KNOWN].lower()
    yield from _STRINGS.split(written.replace("_", " "))[:_MOST_SENTENCES]
