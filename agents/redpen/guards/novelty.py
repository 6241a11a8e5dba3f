"""Statements about state or outcome in words that nothing explains: concerns, worth a person's look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.lexicon import lexicon
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.other_senses import entangled
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, own_sentences, placed_sentences
from redpen.guards.claims.told import known_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import main_verb
from redpen.guards.neutral_words import neutral_forms, neutral_stems
from redpen.guards.place_names import PLACES
from redpen.guards.quantities_numbers import TENS, UNITS
from redpen.guards.quantities_units import MULTIPLIERS
from redpen.guards.report import Finding
from redpen.guards.statement_sorts import hides_no_claim
from redpen.text.lazy_pattern import lazy_pattern
from redpen.text.views import View

_FUNCTION = (
    t.BE | t.BEEN | t.BEING | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN | t.TO | t.NOT | t.NO | t.AND | t.BUT
    | t.CONDITION | t.HARD_CONDITION | t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.NUMBER | t.COMPLEMENT
    | t.HEDGE | t.AGENT | t.PARTIAL | t.COMMUNICATES | t.OPENER | t.BAD | t.PROBLEM | t.REMOTE | t.HINDERS
)  # fmt: skip
"""Words that say nothing of the state by themselves, or nothing good."""
_VERB = t.BE | t.HAVE | t.DO | t.WILL
_OURS = frozenset("we our team teams engineers i staff".split())
_TAKES_BACK = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.NOT | t.NO
_UNSURE = frozenset("possible soon unless depending attempt attempts subject estimate estimated".split())
_NO_STATEMENT = frozenset(
    "please kindly thank thanks sorry contact check visit see note if to by while so dear hello hi hey ask "
    "give take bring save keep leave come refrain tell let wait try use ring call phone send show choose "
    "pick allow avoid type enter tap click press download print switch mail email catch put whoever "
    "whatever".split()
)
"""Words that begin a clause which greets, asks or leaves open, and states nothing."""
_GREETINGS = frozenset("hail hi hello hey dear good greetings sorry thanks welcome ahoy attention".split())
_LONGEST_CALL = 4
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_APART = t.REMOTE & ~t.AGENT
"""What is no part of the service: pages, desks, estimates, updates."""
_RESTATED = Fraction(2, 3)
"""How much of a clause stands together in a sentence that it says in other words."""
_UNDONE = lazy_pattern(r"(?:un|mis|dis|mal)[a-z]{3,}(?:ed|able|ible|ent)|[a-z]{3,}less")
_GOOD_WITHOUT = frozenset(
    "undisturbed untroubled uninterrupted unhindered unimpeded unspoiled unharmed unblemished unfazed "
    "undamaged unaffected unlocked unblocked unclogged untangled unchanged unabated unperturbed unlimited "
    "discovered distributed dispatched dispersed dissipated disappeared displayed undoubted unrestricted "
    "undaunted flawless faultless seamless painless harmless effortless spotless blameless limitless endless "
    "tireless cloudless unexposed uncompromised untouched undiminished unparalleled".split()
)
"""Words so formed that say nothing bad."""
_TURNS = {
    "well": frozenset(("as",)),
    "free": frozenset(("feel",)),
    "forward": frozenset(("look", "looking", "looks", "looked")),
    "tight": frozenset(("sit", "sitting")),
    "birds": frozenset(("early",)),
    "bird": frozenset(("early",)),
}
"""Words that say nothing by themselves after certain others."""
_MIN_LETTERS = 3
_SUBJECT = 3
_CURRENCY = 3


def find_new_statements(
    *, revised: View, original: View, context: Mapping[str, Any], violations: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Find statements of a revised text whose words neither original, context nor neutral vocabulary hold.

    Args:
        revised: the text to judge.
        original: the text it revises.
        context: the incident context, any JSON object.
        violations: what is found already; a sentence that holds one raises no concern.

    Returns:
        Concerns ``new_statement``, at most one a sentence, in the order of the text.
    """
    covered = [item.span for item in violations]
    found = []
    given = own_sentences(original.text)
    for begin, sentence in placed_sentences(revised.text):
        # What the original says in the very words is no news.
        places = () if sentence in given else _unexplained(sentence)
        if not places:
            continue
        first, last = sentence.span(0, -1)
        span = revised.span(begin + first, begin + last)
        if any(start < span[1] and span[0] < end for start, end in covered):
            continue
        news = _news({sentence.words[at] for at in places}, original.text, context)
        new = [at for at in places if sentence.words[at] in news]
        if new and not all(_is_restated(sentence, at, original.text, context) for at in new):
            found.append(_finding(revised, span, sentence, new))
    return tuple(found)


def _news(words: set[str], original: str, context: Mapping[str, Any]) -> set[str]:
    """Return the words of which neither the original nor, where that does not do, the context has a form."""
    news = {word for word in words if stem(word) not in _stems_of(original)}
    actions, others = context_prose(context) if news else ((), ())
    for text in (*actions, *others):
        if not news:
            break
        known = _stems_of(text)
        news = {word for word in news if stem(word) not in known}
    return news


@lru_cache(maxsize=1024)
def _stems_of(text: str) -> frozenset[str]:
    words: frozenset[str] = frozenset().union(*[sentence.vocabulary for sentence in own_sentences(text)])
    return frozenset(map(stem, words))


def _is_restated(sentence: Sentence, at: int, original: str, context: Mapping[str, Any]) -> bool:
    """Whether the clause around a new word says in other words what a sentence tells, trouble as trouble."""
    start, end = next((start, end) for start, end in _clauses(sentence) if start <= at < end)
    stems = content(sentence, start, end)
    actions, others = context_prose(context)
    known = known_of((original, *actions, *others))
    return any(
        len(stems & told.stems) >= _RESTATED * len(stems) and stems & told.stems <= told.fine
        for told in known.sentences
    )


def _clauses(sentence: Sentence) -> Iterator[tuple[int, int]]:
    words, tags = sentence.words, sentence.tags
    start = 0
    for at in range(len(words) + 1):
        if at == len(words) or words[at] in CLAUSE_MARKS or (tags[at] & t.BUT and at > start):
            if at > start:
                yield start, at
            start = at + 1


def _is_undone(word: str) -> bool:
    """Whether a word says by how it is formed that something is amiss (unsaved, mislaid, useless)."""
    return bool(_UNDONE.fullmatch(word)) and word not in _GOOD_WITHOUT


@lru_cache(maxsize=1)
def _neutral_alone() -> frozenset[str]:
    """Return the words that are neutral as they stand in a table."""
    return frozenset((*UNITS, *TENS, *MULTIPLIERS, *neutral_forms()))


@lru_cache(maxsize=8192)
def _is_neutral(word: str) -> bool:
    """Whether a word says nothing of the state of things, whatever stands around it."""
    if len(word) < _MIN_LETTERS or not word[0].isalpha() or word in _neutral_alone():
        return True
    return bool(lexicon().get(word, 0) & _FUNCTION) or stem(word) in neutral_stems()


@lru_cache(maxsize=1024)
def _unexplained(sentence: Sentence) -> tuple[int, ...]:
    """Return the places of words that are not neutral, in clauses that state something."""
    if sentence.question or _greets(sentence):
        return ()
    news = {word for word in sentence.vocabulary - _neutral_alone() if not _is_neutral(word)}
    words = sentence.words
    found: list[int] = []
    for start, end in _clauses(sentence) if news else ():
        if not news.isdisjoint(words[start:end]):
            told = _told(sentence, start, end)
            found += (at for at in range(*told) if words[at] in news and not _is_aside(sentence, at))
    return tuple(found)


def _greets(sentence: Sentence) -> bool:
    """Whether a sentence only turns to its readers, whatever it calls them: "Good morning, snow lovers"."""
    words = sentence.words
    turns = words[0] in _GREETINGS and "," in words
    called = list(words[words.index(",") + 1 :]) if turns else []
    called = called[: called.index("of")] if "of" in called else called
    return (
        0 < len(called) <= _LONGEST_CALL
        and called[-1].endswith("s")
        and not any(tag & _VERB for tag in sentence.tags)
        and not any(word.endswith(("ed", "ing")) for word in called)
    )


def _is_aside(sentence: Sentence, at: int) -> bool:
    """Whether a new word is a name, or belongs to a turn of phrase that says nothing ("as well")."""
    words = sentence.words
    turn = at and words[at] in _TURNS and words[at - 1] in _TURNS[words[at]]
    return bool(turn) or _is_name(sentence, at) or entangled(sentence, at, at + 2)


def _is_name(sentence: Sentence, at: int) -> bool:
    """Whether a capital inside a sentence marks a name; names are judged as facts."""
    raw, places = sentence.tokens.raw, sentence.at
    text = raw[places[at]]
    if sentence.words[at] in PLACES and text[0].isupper():
        return True
    if not at or not text[0].isupper():
        return False
    return not text.isupper() or not raw[places[0]].isupper() or len(text) == _CURRENCY


def _told(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the places where the clause tells the state of things, and neither an aim nor our work."""
    words, tags = sentence.words, sentence.tags
    if words[start] in _NO_STATEMENT or any(tag & (_TAKES_BACK | _TROUBLE) for tag in tags[start:end]):
        return end, end
    if any(tag & _APART for tag in tags[start : start + _SUBJECT]) or not _UNSURE.isdisjoint(
        words[start:end]
    ):
        return end, end
    if hides_no_claim(sentence, start, end):
        return end, end
    verb = next((at for at in range(start, end) if tags[at] & _VERB or words[at] == "'s"), start)
    if not _OURS.isdisjoint(words[start : max(verb, start + 2)]) and any(
        word.endswith("ing") for word in words[verb:end]
    ):
        return end, end
    if tells_trouble(sentence, verb, end) or any(map(_is_undone, words[verb:end])):
        # Trouble in other words is no news, but something new that brings it may be its cause.
        verb = main_verb(sentence, start, end)[0]
        return (start, verb) if verb > start else (end, end)
    infinitive = words.index("to", start, end) if "to" in words[start:end] else end
    return verb, infinitive


def _finding(view: View, span: tuple[int, int], sentence: Sentence, places: list[int]) -> Finding:
    new = ", ".join(dict.fromkeys(f"'{sentence.words[at]}'" for at in places))
    return Finding(
        code="new_statement",
        family="statement",
        span=span,
        text=view.given[span[0] : span[1]],
        reading=f"a statement about the state of things, with {new}",
        reason="neither the original nor the context uses these words, and updates do not need them",
    )
