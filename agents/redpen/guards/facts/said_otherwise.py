"""Whether what no allowed fact equals is no fact in its sentence, or one that is known in other words."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import lines
from redpen.guards.facts.fact import Fact
from redpen.guards.facts.implied import is_implied
from redpen.guards.facts.knowledge import restated
from redpen.guards.facts.quantifiers.amounts import HIT
from redpen.guards.facts.quantities.numbers import COMPARED, ENDS_NOUN_PHRASE, TIME
from redpen.guards.facts.subjects import CLASSES, GENERIC, stem
from redpen.guards.facts.surroundings import around
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from redpen.guards.facts.fact import Fact, Kind
    from redpen.guards.facts.implied import Implied
    from redpen.guards.facts.knowledge import Knowledge, Known


_SENTENCE = lazy_pattern(r"[^.!?:;\n]+")
_LETTERS = lazy_pattern(r"[a-z]+")
_QUESTION = lazy_pattern(r"[^.!?\n]{0,200}\?[\"”']?\s*")
_YES = lazy_pattern(
    r"(?:yes|yep|yeah|indeed|absolutely|correct"
    r"|(?:it|they|that|he|she|we) (?:is|are|was|were|has|have|do|does)(?= *[.,;:!–—-]|$))(?![a-z])",
    re.IGNORECASE,
)
_DENIED = frozenset("not cannot no without unavailable missing off".split())
_NEAR = 4
_IN_PART = frozenset("some few several part half many".split())


def is_asked(fact: Fact, text: str) -> bool:
    """Whether a quantifier stands in a question that no "yes" answers ("is every line down? No, 3 are").

    Args:
        fact: a quantifier of a text.
        text: that text.
    """
    question = _QUESTION.match(text, fact.end)
    return question is not None and not _YES.match(text, question.end())


def is_lack(fact: Fact, original: str) -> bool:
    """Whether a quantifier only says that a thing is missing, as a sentence of the original does.

    Args:
        fact: a quantifier of a revision.
        original: the original as a reader sees it.
    """
    if fact.readings[0].value != "none" or not fact.head or CLASSES.get(fact.head) == "people":
        return False
    return any(_lacks(sentence, fact.head) for sentence in _SENTENCE.findall(original.lower()))


def _lacks(sentence: str, head: str) -> bool:
    """Whether a sentence denies something of a whole kind of things, and of no part of it."""
    words = _LETTERS.findall(sentence)
    if _DENIED.isdisjoint(words) or head not in map(stem, words):
        return False
    # "640 bookings without a seat number" have no seat number.
    if any(
        word == "without" and head in map(stem, words[at + 1 : at + _NEAR]) for at, word in enumerate(words)
    ):
        return True
    return _IN_PART.isdisjoint(words) and not any(map(str.isdigit, sentence))


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
_WISHED = lazy_pattern(
    r"\b(?:your|good|nice|great|lovely|pleasant|restful|relaxing|wonderful|enjoyable|quiet|peaceful|happy"
    r"|have an?|enjoy the)\s+$"
)
_PARTS_OF_DAY = frozenset({"weekend", "evening", "morning", "afternoon", "night"})
_WHO_WORKS = lazy_pattern(r"[ -](?:team|shift|crew|staff|desk|nurse|porter|guard|clerk|manager|doctor)s?\b")
"""Whom a part of the day names: the night team."""

_TWICE = lazy_pattern(
    r"\b(?:think|check|read|look|ask|count|say|sorry|apologise|apologize|apology)\b[\w\s,]{0,20}$"
)
_LIKES = lazy_pattern(
    r"\s+(?:(?:really|ever|much|of us|here)\s+)?(?:likes?|enjoys?|wants?|loves?|hates?|deserves?|wishes|needs"
    r"|fancies|should|ought|is fond|looks forward|dreams)\b"
)
_DENIED_BY_US = lazy_pattern(
    r"\b(?:we|you|i|nobody|staff|team|colleagues|agents)\s+(?:\w+ )?(?:cannot|can['’]t|can not|do not"
    r"|don['’]t|did not|didn['’]t|could not|couldn['’]t|may not|might not|are not able to|need not)\b"
    r"[^.;:!?]{0,40}$"
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
            return (piece in _PARTS_OF_DAY and _WISHED.search(before) is not None) or (
                piece in _PARTS_OF_DAY and _WHO_WORKS.match(after) is not None
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
    if span["unit"] != "hour" and _DATED.search(before):
        return True
    if _SHOWN.search(before) and not _LATER.match(after) and "'" not in piece and "’" not in piece:
        return True
    if not _LASTING.search(before) and _NAMED_AFTER.match(after):
        return True
    return bool(span["quality"]) and span["unit"] != "hour" and not _LASTING.search(before)


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
    return value == "all" and bool(_DENIED_BY_US.search(before))


OPPOSITES: dict[str, frozenset[str]] = {
    word: frozenset(others.split())
    for pair in lines("kept_subjects", "opposed")
    for words, _, others in (pair.partition("|"), pair.partition("|")[::-1])
    for word in words.split()
}
"""Things of one class that are never each other."""

_CUT = lazy_pattern(r"[.;:!?,()–—]| (?:and|but|while|as|where|so) ")
_WORD = lazy_pattern(r"[a-z]+")
_LACKING = frozenset({"missing", "lost", "lacking", "unsent", "affected"})
_NO_SORT = frozenset({*TIME, "time", "s", "sent", "given", "made", "found", "seen", "counted", "known"})
_MODIFIERS = 4
_ROOT = 5
_SHORT = 3
_GROUPS: dict[str, tuple[int, ...]] = {}
"""The rows of words that name one thing in which a word stands."""
for _at, _row in enumerate(lines("kept_subjects", "alike")):
    for _word in _row.split():
        _GROUPS[_word] = (*_GROUPS.get(_word, ()), _at)


def keeps_subject(
    fact: Fact, text: str, matches: Sequence[Known], others: Collection[str], words: Collection[str]
) -> bool:
    """Whether a share or a count is still said of its own subject.

    Args:
        fact: a number of the text that is allowed for ``matches``.
        text: what a reader sees.
        matches: the allowed facts with that number.
        others: stems of what other shares and counts are of.
        words: the words of original and context, in lower case.
    """
    own = {word for known in matches for word in known.fact.subject} - GENERIC
    if not own or not fact.head or not own.isdisjoint(OPPOSITES.get(fact.head, ())):
        return False
    before, after = around(text, fact.start, fact.end)
    clause = _CUT.split(after)[0]
    if fact.head in own:
        return _is_no_other_sort(fact, before, clause, own)
    near = frozenset(_WORD.findall(clause))
    shown = {stem(word) for word in near}
    if any(len(known.fact.subject) > 1 and known.fact.subject - _LACKING <= shown for known in matches):
        return True
    if fact.head in others:
        return False
    if fact.head not in CLASSES and fact.head not in {stem(word) for word in words}:
        return not {word[:_ROOT] for word in words if len(word) > _SHORT}.isdisjoint(
            word[:_ROOT] for word in near - ENDS_NOUN_PHRASE if len(word) > _SHORT
        )
    groups = set(_GROUPS.get(fact.head, ()))
    return any(not groups.isdisjoint(_GROUPS.get(word, ())) for word in own)


def _is_no_other_sort(fact: Fact, before: str, clause: str, own: set[str]) -> bool:
    """Whether words before the noun tell no sort of it from another: smart meters may be offline ones."""
    told = [stem(word) for word in _WORD.findall(clause)]
    if fact.head not in told:
        told = [stem(word) for word in _WORD.findall(before)]
    if fact.head not in told:
        return False
    place = told.index(fact.head)
    sorts = set(told[max(0, place - _MODIFIERS) : place]) - ENDS_NOUN_PHRASE - own - _NO_SORT
    alike = {at for word in own for at in _GROUPS.get(word, ())}
    if not alike.isdisjoint(at for word in sorts for at in _GROUPS.get(word, ())):
        return True
    return not sorts or own - {fact.head} <= HIT | _NO_SORT


_COUNTED: tuple[Kind, ...] = ("share", "count")


def says_no_more(
    fact: Fact, text: str, allowed: tuple[Knowledge, ...], implied: Callable[[], Implied]
) -> bool:
    """Whether what seems new in a text is no fact there, or one that is known in other words.

    Args:
        fact: a fact of the text that no allowed one equals, or whose number seems to be moved.
        text: what a reader sees of the revision.
        allowed: the facts of context and original.
        implied: returns what they imply; asked for only when it decides.
    """
    return is_ordinary(fact, text) or is_implied(fact, text, implied) or _is_kept(fact, text, allowed)


def _is_kept(fact: Fact, text: str, allowed: tuple[Knowledge, ...]) -> bool:
    """Whether a share or a count that seems to be moved is still said of its own, in other words."""
    if fact.kind not in _COUNTED:
        return False
    matches = [
        known for reading in fact.readings for each in allowed for known in restated(reading, fact, each)
    ]
    if not (matches and fact.head):
        return False
    own = {known.fact.head for known in matches}
    named = {stem for knowledge in allowed for kind in _COUNTED for stem in knowledge.heads.get(kind, ())}
    words = {word for knowledge in allowed for word in knowledge.words}
    return keeps_subject(fact, text, matches, named - own, words)
