"""The main verb of a clause: where it stands, and whether it tells of now or of the past."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.reading import Sentence

Tense = Literal["present", "perfect", "past", "pluperfect"]
"""When a clause is true; the present of *can* and *will* counts as present."""

_AUXILIARY = t.BE | t.HAVE | t.CAN | t.DO | t.WILL
_NO_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.AND | t.NUMBER
_AFTER_VERB = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.TO | t.ADVERB
_PAST = frozenset(("was", "were", "did"))
_RELATIVE = frozenset(("that", "which", "who"))
_SUBJECTS = frozenset("we i you they it this these those".split())
"""Pronouns after which the verb stands."""
_NOT_FINITE = t.DETERMINER | t.PREPOSITION | t.PRONOUN | t.BE | t.HAVE
"""What a participle follows that is no past form ("the *delayed* sailings")."""
_IRREGULAR = frozenset(
    "slept swept crept wept kept leapt dreamt burnt learnt spelt spilt spoilt bent lent sent "
    "spent woke woken sat spat rang rung sang sung swam swum drank drunk began begun ran spun "
    "clung flung slung stung strung swung wound wove woven bound fed fled bled bred led met lit "
    "slid split hung flew flown blew blown grew grown threw thrown knew known drew drawn bit "
    "bitten hidden ridden driven risen drove rode rose wrote written arose broke broken spoke "
    "spoken froze frozen stole stolen chose chosen shook shaken took taken gave given came went "
    "gone fell fallen felt dealt meant left held told sold stood understood taught caught "
    "bought brought thought fought sought got gotten lost shot stuck struck dug won saw seen "
    "sank sunk shrank shrunk sprang sprung stank tore torn wore worn bore borne swore sworn "
    "made paid said laid heard built found ground shone shown".split()
)
"""Past forms and participles that are no infinitive."""
_NO_PAST = frozenset(
    "hundred seed need speed feed weed breed shed bed red sled greed creed deed reed steed biped embed shred "
    "newlywed naked sacred wicked rugged".split()
)
"""Words that end like past forms."""
_PARTICLES = frozenset("out off up down away back over".split())
_OBJECTS = frozenset(
    "them him her us me aside apart along around together ahead open shut home above below beside".split()
)
"""Words without a tag of grammar that stand after verbs."""
_WITHIN = 4


def is_past(word: str, tag: int) -> bool:
    """Whether a word can only be a past form or a participle."""
    if tag & _NO_VERB:
        return False
    if tag & t.PAST and not tag & t.BASE:
        return True
    return (word.endswith("ed") and word not in _NO_PAST) or word in _IRREGULAR


@lru_cache(maxsize=4096)
def main_verb(sentence: Sentence, start: int, end: int) -> tuple[int, Tense]:
    """Return where the main verb of a clause stands, -1 without one, and when the clause is true.

    Args:
        sentence: the sentence.
        start: index of the first word of the clause.
        end: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    for at in range(start, end):
        if tags[at] & _AUXILIARY and words[at - 1] not in _RELATIVE:
            return at, _tense_of(sentence, at, end)
    if words[start] in _SUBJECTS:
        verb = next((at for at in range(start + 1, end) if not tags[at] & t.ADVERB), -1)
        return verb, "past" if verb > 0 and is_past(words[verb], tags[verb]) else "present"
    for at in range(start + 1, end):
        if tags[at] & (_NO_VERB | t.ADVERB) or words[at - 1] in _RELATIVE:
            continue
        if is_past(words[at], tags[at]) and not tags[at - 1] & _NOT_FINITE:
            return at, "past"
        if tags[at] & t.COPULAR and tags[at] & t.BASE and is_content(words[at - 1], tags[at - 1]):
            return at, "present"
        noun = at + 1 < end and is_past(words[at + 1], tags[at + 1])
        if not noun and (tags[at] & t.THIRD or _is_bare_verb(sentence, at, end)):
            return at, "present"
    return _after_plural(sentence, start, end), "present"


def _after_plural(sentence: Sentence, start: int, end: int) -> int:
    """Return where a verb stands that only its place shows ("the gates *greet* members"), or -1."""
    words, tags = sentence.words, sentence.tags
    for k in range(start + 2, end - 1):
        third = words[k].endswith("s") and not words[k].endswith("ss") and not words[k - 1].endswith("s")
        if third and all(is_content(words[j], tags[j]) for j in range(start + 1, k + 2)):
            return k
    at = start + 2
    if at + 1 >= end or not tags[start] & t.DETERMINER or not words[start + 1].endswith("s"):
        return -1
    plain = is_content(words[at], tags[at]) and not words[at].endswith("s")
    return at if plain and is_content(words[at + 1], tags[at + 1]) else -1


def _tense_of(sentence: Sentence, at: int, end: int) -> Tense:
    """Return the tense of the verb group whose auxiliary stands at ``at``."""
    words, tags = sentence.words, sentence.tags
    if words[at] in _PAST:
        return "past"
    participle = tags[at] & t.HAVE and any(
        is_past(words[k], tags[k]) or tags[k] & (t.BEEN | t.PAST)
        for k in range(at + 1, min(end, at + _WITHIN))
    )
    if words[at] == "had":
        return "pluperfect" if participle else "past"
    return "perfect" if participle else "present"


def _is_bare_verb(sentence: Sentence, at: int, end: int) -> bool:
    """Whether a word between a noun and what verbs take is read as a verb ("cards *beep* at the desk")."""
    words, tags = sentence.words, sentence.tags
    if words[at] in _PARTICLES:
        return False
    before = at - 1
    while before >= 0 and tags[before] & t.ADVERB:
        before -= 1
    if before < 0 or not is_content(words[at], tags[at]) or not is_content(words[before], tags[before]):
        return False
    return at + 1 < end and (bool(tags[at + 1] & _AFTER_VERB) or words[at + 1] in _OBJECTS)
