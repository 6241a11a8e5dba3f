"""Where the noun stands that a clause makes the doer of something."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_words import kinds_of_forms
from redpen.guards.claims.content import is_content
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told_verbs import is_past

RELATIVE = frozenset(("that", "which", "who"))
AUXILIARY = t.BE | t.BEEN | t.BEING | t.HAVE | t.DO
_ASKED = frozenset(
    "if unless whether when whenever why how what where once until till lest please whoever whatever "
    "whichever".split()
)
_OPENERS = _ASKED | {"because", "since", "as"}
_TO_CURSE = t.CAN | t.MAY
_CURSED_IN = 2
_WHOSE = frozenset("we you they i".split())
_WAS = frozenset("was were been being got gets getting".split())
_TO_COME = t.WILL | t.MAY | t.CAN | t.NOT | t.TO
_DONE = ("ten", "ken", "sen", "zen", "ven", "den", "wn", "nt", "pt", "ght", "ung", "uck", "ade", "aid")
_DONE_IN = 3
_GROUP = 3
_STARTS_OBJECT = t.DETERMINER | t.PRONOUN | t.PREPOSITION | t.TO | t.ADVERB | t.AND | t.PARTIAL | t.NUMBER
_WITH = frozenset(("with",))
REASONS = frozenset("since as because".split()) | _WITH
"""Words before what is told as a reason; "as" and "with" may also tell other things."""
_OUT_OF_ORDER = frozenset("down out off full gone offline away over low short shut dead asleep dark".split())
_AS_EVER = (["usual"], ["before"], ["planned"], ["expected"], ["ever"], ["normal"], ["always"], ["possible"])
_SHARES = frozenset("half most all both".split())
_TO_READERS = frozenset(
    "choose pick tap press go head open visit try scan show bring keep leave take write call phone ring ask "
    "tell check email enter select click use put have let get make send turn switch update restart sign log "
    "reply follow find see note wait come move place hold set type look read print pay book return".split()
)
"""Verbs with which readers are asked for something."""
_FARING = frozenset(
    "going staying remaining standing lying sitting falling turning getting being running".split()
)
_LONGEST_REASON = 5
_MAX_NOUN = 7
_MAX_SUBJECT = 16


def subject_of(sentence: Sentence, stop: int) -> tuple[int, int] | None:
    """Return the noun that is the subject of the verb whose group begins at ``stop``.

    Args:
        sentence: the sentence.
        stop: index of the first word of the verb group.

    Returns:
        Start and end (exclusive) of the noun; None where the clause is a question or condition.
    """
    words, tags = sentence.words, sentence.tags
    if words[stop - 1] == "what" and stop > 1 and tags[stop - 2] & t.BE:
        stop -= 2
    if not stop:
        return None
    if words[stop - 1] in RELATIVE:
        return _antecedent(sentence, stop - 1)
    begin = stop
    if words[stop - 1] == ",":
        begin = next((k for k in range(stop - 2, -1, -1) if words[k] in CLAUSE_MARKS), 0)
    while begin > 0 and stop - begin < _MAX_SUBJECT and not _opens(sentence, begin - 1):
        begin -= 1
    if begin > 0 and (words[begin - 1] in _ASKED or tags[begin - 1] & (t.CONDITION | t.HARD_CONDITION)):
        return None
    if words[begin] in _ASKED:
        # "If possible, have a torch at hand" asks for something.
        return None
    return _noun(sentence, begin, stop)


def _antecedent(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return the noun that the relative pronoun at ``at`` stands for."""
    words, tags = sentence.words, sentence.tags
    aside = words[at - 1 : at] == [","]
    if aside and words[at] == "that":
        return None
    begin = end = at - aside
    while begin > 0 and end - begin < _MAX_NOUN and is_content(words[begin - 1], tags[begin - 1]):
        begin -= 1
    return (begin, end) if begin < end else None


def answer_of(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return what is named as the thing that does what the verb at ``at`` says ("what shut it is rust")."""
    words, tags = sentence.words, sentence.tags
    be = next((k for k in range(at + 1, clause_end(sentence, at)) if tags[k] & t.BE), len(words))
    if be + 1 >= len(words) or tags[be + 1] & (t.PREPOSITION | t.ADVERB | t.BEING | t.PAST | t.GERUND):
        return None
    begin, end = noun_after(sentence, be + 1) or (be, be)
    return None if words[end - 1].endswith(("ed", "ing")) else (begin, end)


def reasons_of(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield the nouns that are told to do or suffer something that is a reason ("as the sync job trips")."""
    words, tags = sentence.words, sentence.tags
    for at, word in enumerate(words):
        if word not in REASONS or (word == "as" and words[at + 1 : at + 2] in _AS_EVER):
            continue
        begin = at + 1
        while begin < len(words) and (tags[begin] & (t.DETERMINER | t.NUMBER) or words[begin] in _SHARES):
            begin += 1
        end = begin
        while end < min(len(words), begin + _LONGEST_REASON) and not _is_told(sentence, end, word):
            if not is_content(words[end], tags[end]):
                break
            end += 1
        if begin < end < len(words) and _is_told(sentence, end, word):
            # "With 870 homes going dark" names homes, however they are told to fare.
            yield begin, end - (end - begin > 1 and words[end - 1] in _FARING)


def _is_told(sentence: Sentence, at: int, reason: str) -> bool:
    """Whether the word at ``at`` says what a noun before it does, or after "with" how it is."""
    words, tags = sentence.words, sentence.tags
    word, tag = words[at], tags[at]
    after = tags[at + 1] if at + 1 < len(tags) else 0
    done = word.endswith("ed") or bool(tag & t.PAST and not tag & t.BASE)
    if done and is_content(word, after) and at + 1 < len(words) and is_content(words[at + 1], after):
        return False
    if reason in _WITH:
        return done or word in _OUT_OF_ORDER
    does = word.endswith("s") and bool(after & (t.PREPOSITION | t.DETERMINER))
    return done or does or bool(tag & (t.BE | t.HAVE | t.THIRD)) or word in kinds_of_forms()


def cursed_of(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return what the reader or we may thank or curse for the trouble."""
    words, tags = sentence.words, sentence.tags
    before = range(max(0, at - _CURSED_IN), at)
    may = any(tags[k] & _TO_CURSE for k in before) or [words[k] for k in before] == ["have", "to"]
    if not may or any(tags[k] & t.NOT for k in before) or at + 1 >= len(words):
        return None
    return noun_after(sentence, at + 1)


def done_by(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield the nouns after the "by" of what was done to something ("were overwritten by a backup")."""
    words, tags = sentence.words, sentence.tags
    for at in range(2, len(words) - 2):
        if words[at] != "by" or tags[at + 1] & t.NUMBER or not tags[at + 1] & t.DETERMINER:
            continue
        done = next(
            (
                k
                for k in range(at - 1, max(0, at - _DONE_IN), -1)
                if is_past(words[k], tags[k]) or words[k].endswith(_DONE)
            ),
            -1,
        )
        group = range(max(0, done - _GROUP), done)
        if (
            done < 1
            or words[done] in kinds_of_forms()
            or not any(words[k] in _WAS for k in group)
            or any(tags[k] & _TO_COME for k in group)
        ):
            continue
        noun = noun_after(sentence, at + 1)
        if noun is not None:
            yield noun


def clause_end(sentence: Sentence, at: int) -> int:
    """Return where the clause of the verb at ``at`` ends."""
    return next(
        (k for k in range(at + 1, len(sentence.words)) if sentence.words[k] in CLAUSE_MARKS),
        len(sentence.words),
    )


def noun_after(sentence: Sentence, begin: int) -> tuple[int, int] | None:
    """Return the noun that begins at ``begin``, without what describes it; None for a pronoun."""
    words, tags = sentence.words, sentence.tags
    if tags[begin] & t.PRONOUN and not tags[begin] & t.DETERMINER:
        return None
    end = begin
    while end < len(words) and (end == begin or not _describes(sentence, end, len(words))):
        if tags[end] & (t.AND | t.BUT | AUXILIARY | t.COMPLEMENT) and end > begin:
            break
        end += 1
    return begin, end


def _noun(sentence: Sentence, begin: int, stop: int) -> tuple[int, int] | None:
    """Return the first noun between two places, without what describes it from behind."""
    words, tags = sentence.words, sentence.tags
    while begin < stop and tags[begin] & (t.AND | t.ADVERB) and not tags[begin] & t.DETERMINER:
        begin += 1
    if asks_for(sentence, begin, stop):
        return None
    if begin < stop and tags[begin] & t.PREPOSITION:
        begin = next((k for k in range(stop - 1, begin + 1, -1) if tags[k] & t.DETERMINER), stop)
    if begin >= stop or words[begin].endswith("ing"):
        return None
    end = begin
    while end < stop and not (end > begin and _describes(sentence, end, stop)):
        if tags[end] & (AUXILIARY | t.WILL | t.MAY | t.CAN) and words[end] != "'s":
            # "The filter has become strict and is knocking cards back" has one subject.
            return (begin, end) if tags[stop - 1] & t.AND and end > begin else None
        end += 1
    return begin, end


def asks_for(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause begins by asking the reader to do something ("choose a slot and have ...").

    Args:
        sentence: the sentence.
        begin: index of the first word of the clause.
        stop: index after the last that may be its subject.
    """
    words, tags = sentence.words, sentence.tags
    if begin + 1 >= len(words) or words[begin] not in _TO_READERS:
        return False
    # "Put blocked cards in the box" asks for it, "call volumes crippled the desk" tells it.
    object_next = bool(tags[begin + 1] & _STARTS_OBJECT)
    return object_next or stop <= begin + 1


def _opens(sentence: Sentence, at: int) -> bool:
    """Whether a clause begins after the word at ``at``."""
    words, tags = sentence.words, sentence.tags
    if at and tags[at - 1] & t.DETERMINER and not tags[at - 1] & t.PRONOUN:
        # The till of a shop opens no clause.
        return False
    if words[at] in CLAUSE_MARKS or words[at] in _OPENERS:
        return True
    if tags[at] & (t.BUT | t.CONDITION | t.HARD_CONDITION):
        return True
    return bool(tags[at] & t.AND and tags[at + 1] & (t.DETERMINER | t.PRONOUN | t.AGENT))


def _describes(sentence: Sentence, at: int, stop: int) -> bool:
    """Whether what begins at ``at`` only describes the noun before it."""
    words, tags = sentence.words, sentence.tags
    if words[at] in RELATIVE or words[at] in CLAUSE_MARKS or tags[at] & t.TO:
        return True
    if words[at] in _WHOSE and all(is_content(words[k], tags[k]) for k in (at - 1, min(at + 1, stop - 1))):
        # "The update *we shipped* locks people out."
        return True
    if tags[at] & t.PREPOSITION and not tags[at] & (t.ADVERB | t.DETERMINER):
        return not tags[at - 1] & t.DETERMINER
    done = words[at].endswith(("ed", "ing")) or (tags[at] & t.PAST and not tags[at] & t.THIRD)
    if not done or not is_content(words[at - 1], tags[at - 1]):
        return False
    return at + 1 >= stop or not is_content(words[at + 1], tags[at + 1])
