"""Orders with what comes of them: "tap your card and out comes the ticket"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Known, mask_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past

_OPEN = t.HEDGE | t.MAY | t.CONDITION | t.HARD_CONDITION | t.WILL | t.AGENT | t.COMMUNICATES | t.NOT | t.NO
_OBJECT = frozenset("yours mine it them in on up out off again your the a an any that this".split())
_SUBJECTS = frozenset("it they you".split())
_OUT = frozenset("out up in on off away open down back through".split())
_WATCH = frozenset("watch see hear feel enjoy find".split())
_MOVES = frozenset("walk go step drive roll sail pass come carry ride stroll march head hop".split())
_ON = frozenset("on through in straight right along ahead past aboard".split())
_PERSUADES = frozenset(
    "call phone ring contact write email mail message tell ask text show see visit".split()
)
"""Orders to turn to someone, who then does the rest."""
_NO_ORDER = (
    t.DETERMINER | t.PRONOUN | t.PREPOSITION | t.NUMBER | t.THIRD | t.GERUND | t.CONDITION | t.BE | t.HAVE
)
_LONGEST = 9
_SHORTEST = 2


def find_outcomes(sentence: Sentence, known: Known, *, over: bool) -> Iterator[tuple[int, int]]:
    """Yield where the orders of a sentence and what comes of them begin and end.

    Args:
        sentence: the sentence.
        known: what a revision may restate; an outcome that it holds is none.
        over: whether the revision puts the trouble into the past, which leaves nothing to restate.
    """
    for start, at, end in _outcomes(sentence):
        outcome = content(sentence, at + 1, end)
        if not over and _is_known_way(sentence, start, at, known):
            continue
        told = not over and any(outcome <= other.stems for other in known.sentences)
        if over or _is_turned_round(sentence, at + 1) or (outcome - talk_stems() - known.all and not told):
            yield start, end


@lru_cache(maxsize=1024)
def _outcomes(sentence: Sentence) -> tuple[tuple[int, int, int], ...]:
    """Return where an order begins, what joins the outcome to it, and where that ends."""
    if not sentence.mask & t.AND:
        return ()
    words, tags = sentence.words, sentence.tags
    found = []
    for at in range(_SHORTEST, len(words) - _SHORTEST):
        if not tags[at] & t.AND or words[at] in ("or", "nor"):
            continue
        start = _clause_start(words, at)
        end = next((k for k in range(at + 1, len(words)) if words[k] in CLAUSE_MARKS), len(words))
        if end - at <= _SHORTEST or not _orders(sentence, start, at) or not _comes(sentence, at + 1, end):
            continue
        if not mask_of(sentence, start, end) & _OPEN and not tells_trouble(sentence, at + 1, end):
            found.append((start, at, end))
    return tuple(found)


def _is_known_way(sentence: Sentence, start: int, end: int, known: Known) -> bool:
    """Whether the order is a way round the trouble that is known ("send it by post and we see it")."""
    order = content(sentence, start, end)
    fine = any(len(order & told.fine) * 2 >= len(order) for told in known.sentences)
    opening = sentence.tags[0] & (t.CONDITION | t.HARD_CONDITION)
    return fine or bool(start and opening)


def _clause_start(words: list[str], at: int) -> int:
    return next((k + 1 for k in range(at - 1, -1, -1) if words[k] in CLAUSE_MARKS), 0)


def _orders(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from ``start`` to ``end`` tell readers to do something to what is affected."""
    words, tags = sentence.words, sentence.tags
    while start < end and (words[start] in ("you", "just", "simply", "then", "please", "so", "now")):
        start += 1
    if end - start < _SHORTEST or end - start > _LONGEST or words[start] in _PERSUADES:
        return False
    if (tags[start] & _NO_ORDER and not tags[start] & t.BASE) or is_past(words[start], tags[start]):
        return False
    if any(tags[k] & (t.BE | t.HAVE | t.DO | t.WILL) for k in range(start, end)):
        return False
    after = words[start + 1]
    return after in _OBJECT or (is_content(after, tags[start + 1]) and words[start - 1 : start] == ["you"])


def _comes(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from ``start`` to ``end`` tell in the present what comes about."""
    words, tags = sentence.words, sentence.tags
    first, second = words[start], words[start + 1]
    if first in _SUBJECTS:
        return not is_past(second, tags[start + 1]) and second not in ("can", "need", "want")
    if first in _WATCH:
        return second in ("it", "them", "the", "your", "how")
    if _is_turned_round(sentence, start):
        return True
    if first in _MOVES:
        return second in _ON
    if not tags[start] & t.DETERMINER:
        return False
    verb = next(
        (k for k in range(start + 2, end) if tags[k] & (t.THIRD | t.BE) or words[k].endswith("s")), -1
    )
    return verb > 0 and words[verb] not in ("was", "were")


def _is_turned_round(sentence: Sentence, start: int) -> bool:
    """Whether the words at ``start`` tell what comes about, particle first ("out comes", "in you go")."""
    first, second = sentence.words[start : start + 2]
    if first in ("there", "here"):
        return second in _SUBJECTS
    comes = second.endswith("s") and not sentence.tags[start + 1] & t.DETERMINER
    return first in _OUT and (comes or second in _SUBJECTS)
