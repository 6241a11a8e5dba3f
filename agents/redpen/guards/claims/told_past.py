"""Whether a revision puts into the past what its original tells of now ("doors stay shut", "stayed shut").

Nothing is claimed by that alone; beside a good state that nothing supports it shows what is meant.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.told import clauses
from redpen.guards.claims.told_verbs import main_verb

_BREAKS = frozenset(
    "after while as which who that where since because though although when until before".split()
)
"""Words at which a clause with a verb of its own may begin."""
_SUPPOSES = frozenset("if whether once unless should until before with leaving".split())
_PAST = frozenset("was were had did".split())
_WOULD = frozenset(("could", "would"))
_AUXILIARIES = _PAST | _WOULD
_ORDERS = frozenset(("please", "kindly", "must", "should"))
"""Words of what is to be done ("keep units out of use, please")."""
_MARKED = frozenset(("at", "since", "from", "until"))
"""What stands before the time that something was so at ("48,000 messages were waiting at 10:20")."""
_LEAST_SHARED = 0.4
_SHORTEST = 2


class Piece(NamedTuple):
    """A part of a sentence with one verb.

    Attributes:
        stems: the stems of its content words.
        past: its past form, empty where it tells of now.
    """

    stems: frozenset[str]
    past: str


def _pieces(text: str) -> list[Piece]:
    return [piece for sentence in own_sentences(text) for piece in _pieces_of(sentence)]


@lru_cache(maxsize=1024)
def _pieces_of(sentence: Sentence) -> tuple[Piece, ...]:
    """Return the parts of a sentence that hold a word of content."""
    pieces = ((content(sentence, *place), place, supposed) for place, supposed in _parts_of(sentence))
    return tuple(
        [
            Piece(stems, "" if supposed else _past_form(sentence, *place))
            for stems, place, supposed in pieces
            if stems
        ]
    )


@lru_cache(maxsize=1024)
def _past_pieces_of(sentence: Sentence) -> tuple[Piece, ...]:
    """Return of these parts those that are told as past."""
    pasts = ((place, _past_form(sentence, *place)) for place, supposed in _parts_of(sentence) if not supposed)
    pieces = [Piece(content(sentence, *place), past) for place, past in pasts if past]
    return tuple([piece for piece in pieces if piece.stems])


def _parts_of(sentence: Sentence) -> list[tuple[tuple[int, int], bool]]:
    """Return where the parts of a sentence begin and end, and whether each is only supposed."""
    if sentence.question:
        return []
    words, tags = sentence.words, sentence.tags
    breaks: list[int] = []
    found = []
    for start, end in clauses(sentence):
        if sentence.mask & t.NO or not _BREAKS.isdisjoint(sentence.vocabulary):
            breaks = [
                at
                for at in range(start + 1, end)
                if words[at] in _BREAKS or (words[at] == "and" and at + 1 < end and tags[at + 1] & t.NO)
            ]
        for begin, stop in zip((start, *breaks), (*breaks, end), strict=True):
            opening = begin + (words[begin] in _BREAKS)
            if stop - opening < _SHORTEST or (tags[opening] | tags[opening + 1]) & t.AGENT:
                continue
            found.append(((opening, stop), words[begin] in _SUPPOSES))
    return found


def _past_form(sentence: Sentence, start: int, end: int) -> str:
    words, tags, vocabulary = sentence.words, sentence.tags, sentence.vocabulary
    marked = sentence.mask & t.NUMBER and not _MARKED.isdisjoint(vocabulary)
    if marked and any(words[at] in _MARKED and tags[at + 1] & t.NUMBER for at in range(start, end - 1)):
        return ""
    would = "not" in vocabulary and not _WOULD.isdisjoint(vocabulary)
    if would and any(words[at] in _WOULD and words[at + 1] == "not" for at in range(start, end - 1)):
        return "could"
    if not (_ORDERS.isdisjoint(vocabulary) or _ORDERS.isdisjoint(words[start:end])):
        return ""
    if words[start] in _PAST:
        return words[start]
    verb, tense = main_verb(sentence, start, end)
    if tense == "perfect" and any(tags[at] & t.MAY for at in range(start, verb)):
        return " ".join(words[verb : verb + 2])
    return words[verb] if tense in ("past", "pluperfect") else ""


def puts_trouble_into_past(revised: str, original: str) -> bool:
    """Whether some clause of a revision tells as past what its original tells of now.

    Args:
        revised: the revision as read.
        original: the original as read.
    """
    given = own_sentences(original)
    # What stands in both as it is puts nothing into the past.
    new = [sentence for sentence in own_sentences(revised) if sentence not in given]
    past = [piece for sentence in new for piece in _past_pieces_of(sentence)]
    if not past:
        return False
    # "Are declined" and "declined" are one participle, whatever stands before it.
    same = frozenset().union(*[sentence.vocabulary for sentence in given]) - _AUXILIARIES
    past = [piece for piece in past if piece.past not in same]
    pieces = _pieces(original) if past else []
    return any(_nearest(piece, pieces) for piece in past)


def _nearest(piece: Piece, given: list[Piece]) -> bool:
    """Whether the clauses that share most with one told as past are told of now."""
    shared = [(len(piece.stems & other.stems), other.past) for other in given]
    most = max((count for count, _ in shared), default=0)
    if most < max(1, _LEAST_SHARED * len(piece.stems)):
        return False
    return not any(past for count, past in shared if count == most)
