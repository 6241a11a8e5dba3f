"""What was in trouble, with its good news in one breath ("the guides that were mute are talking")."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import mask_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past

_RELATIVE = frozenset(("that", "which", "who"))
_PAST = frozenset("was were had did could would".split())
_OPEN = t.HEDGE | t.MAY | t.WILL | t.CONDITION | t.HARD_CONDITION | t.BEING | t.NOT | t.NO
_NO_NEWS = frozenset("still yet sorry welcome asked invited entitled".split())
_PRESENT = frozenset("is are has have can".split())
_LONGEST = 9
_SHORTEST = 2


def _is_verb(sentence: Sentence, at: int, start: int) -> bool:
    """Whether the main verb may stand at ``at``, after a relative clause that begins at ``start``."""
    words, tags = sentence.words, sentence.tags
    if words[at] in _PRESENT:
        return True
    return at > start + 3 and words[at + 1 : at + 2] in (["you"], ["your"]) and not tags[at] & t.PREPOSITION


@lru_cache(maxsize=1024)
def find_turns(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """Return where it begins and ends that something which was in trouble is in a good state.

    Args:
        sentence: a sentence of a revision that puts trouble into the past.
    """
    words, tags = sentence.words, sentence.tags
    found = []
    for at in range(1, len(words) - _SHORTEST):
        if words[at] not in _RELATIVE or words[at + 1] not in _PAST or tags[at - 1] & t.AGENT:
            continue
        stop = min(len(words), at + _LONGEST)
        verb = next((k for k in range(at + _SHORTEST, stop) if _is_verb(sentence, k, at)), -1)
        if verb < 0 or not _was_in_trouble(sentence, at + 1, verb) or _is_done_to(sentence, verb):
            continue
        end = next((k for k in range(verb, len(words)) if words[k] in CLAUSE_MARKS), len(words))
        fine = not mask_of(sentence, verb, end) & _OPEN and not tells_trouble(sentence, verb, end)
        if fine and end - verb > 1 and _NO_NEWS.isdisjoint(words[verb:end]):
            found.append((at, end))
    return tuple(found)


def _was_in_trouble(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words between tell of trouble before any time or place that they name."""
    stop = next((at for at in range(start, end) if sentence.words[at] in ("during", "in", "for", "by")), end)
    return tells_trouble(sentence, start, stop)


def _is_done_to(sentence: Sentence, verb: int) -> bool:
    """Whether the verb at ``verb`` tells what is done as a rule ("are returned")."""
    words, tags = sentence.words, sentence.tags
    return bool(tags[verb] & t.BE) and verb + 1 < len(words) and is_past(words[verb + 1], tags[verb + 1])
