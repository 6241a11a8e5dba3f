"""Words of time, number and amount in their ordinary senses, in which they state no fact."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts.clause_around import around
from redpen.guards.facts.quantities.units import COMPARED
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from redpen.guards.facts.fact import Fact

_FIGURE = "100"
"""The figures of the only idiom that is written with any."""
_IDIOMS = lazy_pattern(
    r"\b(?:no two ways about|(?:in|of) two minds|two and two together|kill\w* two birds|two sides of"
    r"|(?:a|one) (?:hundred|thousand|million) (?:thanks|thank-yous|apologies|pardons|times (?:sorry|over))"
    r"|(?:thanks|sorry) a million|half[- ](?:baked|heart\w+|measures?|truths?)|half the (?:battle|fun)"
    r"|half an (?:eye|ear)|seventh heaven|sixth sense|third time lucky|second to none|sixes and sevens"
    r"|(?:our|your|these|those|within|outside|beyond|of|the)(?: own)? four walls|on all fours|cloud nine"
    r"|(?:our|your) two cents|(?:back to|from) square one|two steps ahead|a million miles away"
    r"|(?:the )?eleventh hour|(?:one|a) hundred per ?cent (?:behind|with) you"
    rf"|{_FIGURE} ?% (?:seriously|behind|with you)"
    r"|one day at a time|from one (?:day|hour|week|minute) to the next|once a year|day (?:by|after|in) day"
    r"|to this day|these days)\b"
)
_SPAN = lazy_pattern(
    r"(?:(?:an?|one)\s+)?(?P<quality>(?:good|long)\s+)?(?P<unit>day|hour|week|month|year)(?:['’]s)?"
)
_LASTING = lazy_pattern(
    r"(?:^|[\s(])(?:in|within|for|takes?|took|needs?|about|around|over|under|than|least|most|to|by|lasts?|until"
    r"|roughly|nearly|almost|every|per|each|only|just|or|and|another|give (?:us|it|them))\s+$"
)
"""What stands before a span that is measured."""
_DATED = lazy_pattern(
    r"\b(?:on|for which|what|such|which|quite) (?:(?:a|an|any|another|each|every|some|the same|a different"
    r"|some other|that|the) )?$"
)
"""What stands before a day that is one of the calendar, or a week that somebody has."""
_SHOWN = lazy_pattern(
    r"\b(?:shows?|showing|shown|displays?|displaying|states?|prints?|lists?|names?|naming|picks?"
    r"|chooses?|suggests?|agree on|settle on|quote"
    r"|(?:cannot|can['’]t|unable to|not)(?: yet)? (?:give|offer|tell)(?: you)?"
    r"|(?:promis(?:e|es|ing)|predict|announce|pin down|commit to)(?: you| anyone| anybody| everyone)?"
    r"|(?:no|not|don['’]t|cannot|can['’]t)(?: yet)? (?:have|know|see)) $"
)
"""What is done with an hour or a day that is one of the clock or the calendar."""
_LATER = lazy_pattern(
    r"[\s-]*(?:['’]s\b|(?:later|late|earlier|early|more|longer|behind|or so|off|of|free|extra|at no|without"
    r"|to (?:lose|spare|waste))\b)"
)
_NAMED_AFTER = lazy_pattern(
    r" (?:(?:for|when) (?:[\w'’-]+ ){1,6}?)?(?:is (?:nothing|not something|something) )?(?:that )?"
    r"(?:we|i|nobody) (?:cannot|can['’]t|can not|can|could|are unable to|do not|don['’]t)(?: yet)?"
    r" (?:name|promise|give|offer|tell|set|pin down|commit to|predict|announce|choose|fix|have|know)\b"
)
"""What says after a day that nobody can name it."""
_BEGINS = lazy_pattern(r"(?:^|[:;,–—(]\s|\b(?:and|but|that|as)\s)$")
_SPENT = lazy_pattern(
    r"\b(?:(?:no|a poor|a bad|the wrong|hardly a|not the) way to (?:start|begin|end|finish|spend|face) "
    r"|(?:a|an|the) \w+ (?:end|ending|start|beginning|finish) to "
    r"|how (?:you|anyone|anybody) (?:wants?|hoped?|planned|meant)(?: you)? to (?:start|begin|end|spend) "
    r"|(?:start|begin|end|spoil|ruin|lose|losing|lost|plan|brighten|having|have|had) (?:\w+ ){0,6}?)$"
)
_GOES_ON = lazy_pattern(
    r"[\s,]*(?:['’]s|s['’])?\s*(?:at|without|with|of|in|on|like|off|when|spent|that|away|out|under"
    r"|wait|delay|outing|trip|visit|rest)\b"
)
_FEELING = lazy_pattern(
    r"\b(?:hard|fun|last thing|poor|rotten|soggy|awkward|difficult|enough|tough|trying|tiring|miserable"
    r"|frustrating|annoying"
    r"|unpleasant|painful|pain|pleasure|joy|easy|pity|shame|worry|worries|worrying|stress|stressful"
    r"|burden|nuisance|inconvenient|ruins?|spoils?|spoilt|hurts?|worst|nobody|no one"
    r"|shouldn['’]t|should not|should|ought|way to|feels?|patience|means a lot|welcome|you wanted"
    r"|you hoped|you planned|want to)\b"
)
_TOLD = lazy_pattern(
    r"\b(?:will|shall|['’]ll|expect\w*|estimat\w*|takes|took|needs?|until|ahead|left|remain\w*|lies|awaits?"
    r"|down|delayed|closed)\b"
)
_WISHED = lazy_pattern(
    r"\b(?:your|good|nice|great|lovely|pleasant|restful|relaxing|wonderful|enjoyable|quiet|peaceful|happy"
    r"|have an?|enjoy the)\s+$"
)
_PARTS_OF_DAY = frozenset({"weekend", "evening", "morning", "afternoon", "night"})
_WHO_WORKS = lazy_pattern(r"[ -](?:team|shift|crew|staff|desk|nurse|porter|guard|clerk|manager|doctor)s?\b")
"""Whom a part of the day names: the night team."""
_OF_EVENT = lazy_pattern(
    r" of (?:the |this |our |your |its )?+(?!(?:day|week|month|quarter|year|january|february|march|april|may"
    r"|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b)[a-z]"
)
_TERM = lazy_pattern(
    r"\b(?:on|by|until|till|before|after|from|since|in|within|over|for|to)(?: the| its| our| your)? $"
)
_TWICE = lazy_pattern(
    r"\b(?:think|check|read|look|ask|count|say|sorry|apologise|apologize|apology)\b[\w\s,]{0,20}$"
)
_LIKES = lazy_pattern(
    r"\s+(?:(?:really|ever|much|of us|here)\s+)?(?:likes?|enjoys?|wants?|loves?|hates?|deserves?|wishes|needs"
    r"|fancies|should|ought|is fond|looks forward|dreams)\b"
)
_GIVEN = lazy_pattern(
    r"\b(?:give|share|tell|send|pass|hand|show|disclose|reveal|forward|read|entrust|lend|say|talk|speak|open)\b"
    r"[^.;:!?]{0,60}$"
)
_DENIED_BY_US = lazy_pattern(
    r"\b(?:we|you|i|nobody|staff|team|colleagues|agents)\s+(?:\w+ )?(?:cannot|can['’]t|can not|do not"
    r"|don['’]t|did not|didn['’]t|could not|couldn['’]t|may not|might not|are not able to|need not)\b"
    r"[^.;:!?]{0,40}$"
)
_OPEN = lazy_pattern(
    r"\b(?:whether|if|unclear|unknown|don['’]t (?:yet )?know"
    r"|not (?:yet )?(?:know|known|clear|certain|established))\b"
)
_TWO = Fraction(2)


def is_ordinary(fact: Fact, text: str) -> bool:
    """Whether a fact of a text is none, for its words stand there in an ordinary sense.

    Args:
        fact: a fact of the text.
        text: what a reader sees.

    Returns:
        True for "a long day", "on another day", "no two ways about it", "have a good weekend", "think twice",
        "nobody likes to wait": words that measure and count nothing.
    """
    if _FIGURE not in fact.text and not any(map(str.isalpha, fact.text)):
        # Of what is written without letters no idiom, day or span holds any but this figure.
        return False
    before, after = around(text, fact.start, fact.end)
    sentence = before + fact.text.lower() + after
    start, end = len(before), len(before) + len(fact.text)
    in_idiom = any(match.start() < end and match.end() > start for match in _IDIOMS.finditer(sentence))
    return in_idiom or _measures_nothing(fact, before, after)


def _measures_nothing(fact: Fact, before: str, after: str) -> bool:
    """Whether a fact is none by what stands before and after it in its sentence."""
    match fact.kind:
        case "duration":
            return _is_unmeasured(fact.text.lower(), before, after)
        case "date" | "time" if isinstance(fact.readings[0].value, str):
            piece = fact.text.lower()
            return (
                _is_spent(piece, before, after)
                or _is_end_of(piece, before, after)
                or (piece in _PARTS_OF_DAY and _WHO_WORKS.match(after) is not None)
            )
        case "multiplier" if fact.readings[0].value == _TWO:
            return _is_advice(fact.text.lower(), before, after)
        case "quantifier":
            return _counts_nobody(fact, before, after)
        case _:
            return False


def _is_unmeasured(piece: str, before: str, after: str) -> bool:
    """Whether a span of time is lived through or is one of the calendar, so that no length is told."""
    span = _SPAN.fullmatch(piece)
    if span is None:
        return False
    if span["unit"] != "hour" and (_DATED.search(before) or _is_spent(piece, before, after)):
        return True
    if _SHOWN.search(before) and not _LATER.match(after) and "'" not in piece and "’" not in piece:
        return True
    if not _LASTING.search(before) and _NAMED_AFTER.match(after):
        return True
    return bool(span["quality"]) and span["unit"] != "hour" and not _LASTING.search(before)


def _is_end_of(piece: str, before: str, after: str) -> bool:
    """Whether a day is the last one of what is named, and no term: "14 September is the last day of term"."""
    return piece in ("last day", "last week", "last weekend") and bool(
        _OF_EVENT.match(after) and not _TERM.search(before)
    )


def _is_spent(piece: str, before: str, after: str) -> bool:
    """Whether a sentence only tells how it feels to live through a day, a weekend, or wishes a good one."""
    if piece in _PARTS_OF_DAY and _WISHED.search(before):
        return True
    begins = _BEGINS.search(before.removesuffix("a ").removesuffix("an ")) and _GOES_ON.match(after)
    if not begins and not _SPENT.search(before):
        return False
    return bool(_FEELING.search(before + after)) and not _TOLD.search(before + after)


def _is_advice(piece: str, before: str, after: str) -> bool:
    """Whether "twice" says how carefully something is to be done ("read it twice")."""
    following = after.split(maxsplit=1)[:1]
    return (
        piece == "twice"
        and not COMPARED.intersection(following)
        and bool(_TWICE.search(before) or following in (["sorry"], ["over"]))
    )


def _counts_nobody(fact: Fact, before: str, after: str) -> bool:
    """Whether a quantifier is about what everybody feels, or about whom something is told or kept from."""
    value = fact.readings[0].value
    if fact.head == "people" and _LIKES.match(after):
        return True
    if value == "none" and before.endswith((" to ", " with ")):
        return bool(_GIVEN.search(before))
    return value == "all" and bool(_DENIED_BY_US.search(before))


def is_left_open(text: str, start: int) -> bool:
    """Whether a sentence asks about what stands at a place, or says that it is not known.

    Args:
        text: what a reader sees.
        start: index of its first character.
    """
    before, after = around(text, start, start)
    return bool(_OPEN.search(before)) or after.rstrip().endswith("?")
