"""Verbs of bringing about that stand in another sense, in which nothing is harmed.

"Trains *have stopped* running", "phone support *has* a long queue", "the app *lets* you choose", "ferries
*leave* the pier late", "the last count *put* it at 300", "a drink *makes* the wait easier".
"""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_words import BRINGS, forms_of, kinds_of_forms, no_actors
from redpen.guards.claims.clauses import is_glued
from redpen.guards.claims.content import is_content
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told_verbs import is_past
from redpen.guards.claims.word_classes import WORD_CLASSES

_READERS = frozenset(WORD_CLASSES["readers"].split())
_STOP = "stop halt quit"
_LEFT = frozenset(
    "depot station pier hub port harbour harbor dock warehouse gate terminal house home building yard base "
    "quay platform shop store office airport stop town city room hall site road".split()
)
"""What is left by what departs."""
_UNITS = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months % percent point points third "
    "half quarter metre metres mile miles".split()
)
_AMOUNTS = frozenset(
    "half quarter couple few several number little bit good most more less than up around roughly some "
    "nearly almost close".split()
)
"""What may stand before a measure."""
_EASED = frozenset(
    "shorter easier better lighter bearable quicker faster nicer brighter warmer simpler smoother calmer "
    "sweeter".split()
)
"""What is made good of something."""
_WAY = frozenset("way do sure use sense".split())
"""What is made without harm ("makes way")."""
_NOUNS = frozenset(
    "delays stops cuts hits breaks blocks locks knocks slips trips drops strikes jams leaks cracks stalls "
    "crashes halts burns bumps shakes".split()
)
"""Nouns that look like verbs."""
_REFUSED = frozenset("turned rejected refused declined denied".split())
_DOORKEEPERS = frozenset(
    "scanner scanners reader readers gate gates terminal terminals till tills kiosk kiosks machine machines "
    "turnstile turnstiles barrier barriers bank banks issuer app page form site portal system "
    "checkout".split()
)
"""What turns people, cards and tickets down where the trouble shows."""
_OUTAGES = frozenset(
    "outage outages problem problems trouble troubles fault faults failure failures issues "
    "difficulties".split()
)
"""What a thing that is named nowhere else has, and we suffer from."""
_RATES = frozenset("rate rates".split())
_ACCOUNTS = frozenset(("account", "accounts"))
_PARTICLES = frozenset("out up down away back off over in on along around together".split())
_FINITE = t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO
_STARTS_OBJECT = t.DETERMINER | t.PRONOUN
_NEAR = 4
_PLACE_IN = 3


def does_no_harm(sentence: Sentence, at: int, end: int) -> bool:
    """Whether the verb at ``at`` harms nothing in the sense in which it stands.

    Args:
        sentence: the sentence.
        at: index of a verb of harming or bringing about.
        end: where its clause ends.
    """
    word, after = sentence.words[at], sentence.words[at + 1 : at + 2]
    if word in forms_of(_STOP):
        return bool(after) and (after[0].endswith("ing") or after[0] in _UNITS)
    test = next((test for lemmas, test in _TESTS if word in forms_of(lemmas)), None)
    return test is not None and test(sentence, at, end)


def _has_nothing(sentence: Sentence, at: int, end: int) -> bool:
    near = sentence.words[at + 1 : min(end, at + _NEAR)]
    own = not _OUTAGES.isdisjoint(near) and _RATES.isdisjoint(near)
    return not (own or _has_done(sentence, at, end) or _has_down(sentence, at, end))


def _permits(sentence: Sentence, at: int, end: int) -> bool:
    return not (_READERS | no_actors()).isdisjoint(sentence.words[at + 1 : min(end, at + 1 + _NEAR)])


def _departs(sentence: Sentence, at: int, end: int) -> bool:
    """Whether something leaves a place, or at a time ("ferries leave the pier late")."""
    near = sentence.words[at + 1 : min(end, at + 1 + _NEAR)]
    timed = not _UNITS.isdisjoint(near) and not sentence.tags[at + 1] & t.DETERMINER
    return timed or not _LEFT.isdisjoint(near[:_PLACE_IN])


def _eases(sentence: Sentence, at: int, end: int) -> bool:
    return not _EASED.isdisjoint(sentence.words[at + 1 : end]) or not _WAY.isdisjoint(
        sentence.words[at + 1 : at + 2]
    )


def _estimates(sentence: Sentence, at: int, end: int) -> bool:
    """Whether something is only put at a number ("our last count put it at 300")."""
    words, tags = sentence.words, sentence.tags
    return any(
        words[k] == "at" and (tags[k + 1] & t.NUMBER or not _UNITS.isdisjoint(words[k + 1 : k + _NEAR]))
        for k in range(at + 1, end - 1)
    )


def _has_done(sentence: Sentence, at: int, end: int) -> bool:
    """Whether "has" helps a verb to say that something was done to an object ("has emptied the list")."""
    words, tags = sentence.words, sentence.tags
    verb = at + 1
    while verb < end and tags[verb] & t.ADVERB:
        verb += 1
    if verb + 1 >= end or words[verb] == "had":
        return False
    if not (is_past(words[verb], tags[verb]) or "participle" in kinds_of_forms().get(words[verb], ())):
        return False
    after = verb + 1
    if words[after] in _UNITS | _PARTICLES or words[after].endswith("ing") or tags[after] & t.NUMBER:
        return False
    return bool(tags[after] & _STARTS_OBJECT) or is_content(words[after], tags[after])


def _has_down(sentence: Sentence, at: int, end: int) -> bool:
    """Whether something "has" an object in a bad way ("fog has 14 flights grounded")."""
    words, tags = sentence.words, sentence.tags
    for k in range(at + 2, end):
        if is_past(words[k], tags[k]) or words[k] == "down" or words[k].endswith("ing"):
            alone = k + 1 == end or not is_content(words[k + 1], tags[k + 1]) or words[k].endswith("ing")
            if alone and is_content(words[k - 1], tags[k - 1]):
                return True
    return False


_TESTS = (
    ("have", _has_nothing),
    ("let", _permits),
    ("leave", _departs),
    ("make", _eases),
    ("put set", _estimates),
)


def is_noun_here(sentence: Sentence, at: int) -> bool:
    """Whether a word that can be a verb of harm is a noun, or part of one ("bus *stops* are moved").

    Args:
        sentence: the sentence.
        at: index of the word.
    """
    words, tags = sentence.words, sentence.tags
    if is_glued(sentence, at) or is_glued(sentence, at - 1):
        return True
    if at + 1 >= len(words):
        return False
    owned = words[at] in _ACCOUNTS and at and tags[at - 1] & t.DETERMINER
    if owned or _describes(sentence, at):
        return True
    if words[at] not in _NOUNS:
        return False
    if words[at - 1 : at] == [","] and is_content(words[at + 1], tags[at + 1]):
        return True
    return bool(tags[at + 1] & _FINITE) or words[at + 1] in forms_of(BRINGS)


def _describes(sentence: Sentence, at: int) -> bool:
    """Whether a participle at ``at`` describes the noun after it ("2,150 *delayed* codes")."""
    words, tags = sentence.words, sentence.tags
    if "participle" not in kinds_of_forms().get(words[at], ()) or not at:
        return False
    before, after = tags[at - 1], tags[at + 1]
    if after & t.DETERMINER or not is_content(words[at + 1], after):
        return False
    if before & (t.NUMBER | t.DETERMINER | t.TO) and not before & t.PRONOUN:
        return True
    return words[at - 1] in forms_of(BRINGS) and words[at - 1] not in forms_of("have get")


def is_measure(sentence: Sentence, at: int) -> bool:
    """Whether what stands at ``at``, after "by", is how much ("by around an hour", "by up to a third").

    Args:
        sentence: the sentence.
        at: index of the first word after "by".
    """
    words, tags = sentence.words, sentence.tags
    for k in range(at, min(len(words), at + 2 * _NEAR)):
        if words[k] in _UNITS or tags[k] & t.NUMBER:
            return True
        if is_content(words[k], tags[k]) and words[k] not in _AMOUNTS:
            return False
    return False


def is_turned_down(sentence: Sentence, at: int, by: int) -> bool:
    """Whether something was turned down by what it was shown to ("declined by the terminal").

    Args:
        sentence: the sentence.
        at: index of the participle.
        by: index of "by".
    """
    near = sentence.words[by + 1 : by + 1 + _NEAR]
    return sentence.words[at] in _REFUSED and not _DOORKEEPERS.isdisjoint(near)
