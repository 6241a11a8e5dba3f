"""Blame that the writer takes in a turn of its own: who answers for it, what we made, what we let happen.

"An error we made" and "for that we alone answer" hold no phrase of blame in its usual order. They are read by
their parts: the writer, and beside it what only those who are at fault do, or the trouble as its work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.benefit_kinds import forms
from redpen.guards.claims.blame_words import FAILINGS, ORGANISATIONS
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence

_SAYS = "we are at fault"
_WE = frozenset(("we", "i"))
_OURSELVES = frozenset(
    "alone ourselves ourself fully solely squarely must shall should have to as will the".split()
)
"""Words between the writer and what it does, that deny nothing."""
_OPEN = frozenset(
    "not never no nor neither nobody none whether if unless may might without than cannot who's".split()
)
_ANSWERS = frozenset(("answer", "answers"))
_ANSWERED = frozenset("for to before in".split())
_TALKED = frozenset(
    "question questions call calls query queries email emails message messages letter".split()
)
_MADE = forms("~make ~commit ~create ~cause ~introduce ~produce ~bring ~provoke ~inflict") - frozenset(
    "make makes making create creates cause causes bring brings".split()
)
_MADE_OF = FAILINGS | frozenset(
    "problem problems trouble mess chaos delay delays confusion disruption harm damage gap gaps bug bugs "
    "fault faults hole flaw flaws losses hardship inconvenience".split()
)
"""Nouns of failing and of trouble; of whose making they are is told by who made them."""
_COULD = frozenset("could should ought".split())
_PREVENTED = frozenset(
    "prevented avoided averted forestalled foreseen anticipated noticed spotted caught stopped tested acted "
    "prepared spared warned known reacted intervened checked".split()
)
"""What who is not at fault could not have done."""
_RUINS = forms(
    "~ruin ~spoil ~wreck ~bungle ~botch ~mangle ~jeopardise ~damage ~sabotage ~fail ~wrong ~shortchange "
    "~mislead ~forsake ~neglect ~disregard ~abandon ~mistreat ~deceive"
) - frozenset("wrong fail fails spoils ruins damage damages".split())
"""What only those at fault did to readers or what they have."""
_ON_READERS = frozenset("you your".split())
_LEGAL = frozenset("legal legally moral morally full sole entire whole ultimate".split())
_BURDENS = frozenset("responsibility liability blame accountability culpability".split())
_BEARS = forms("~bear ~carry ~have ~hold ~shoulder ~own")
_PROVIDERS = ORGANISATIONS | {"provider", "vendor", "carrier", "bank", "host"}
_LETS = frozenset("looked turned".split())
_AWAY = (["looked", "the", "other", "way"], ["turned", "a", "blind", "eye"])
_BUSINESS = ["had", "no", "business"]
_NEAR = 4
_FAR = 8


def find_blame_taken(sentence: Sentence) -> Iterator[Claim]:
    """Find where the writer of a sentence takes the blame in a turn of its own.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``liability``.
    """
    if sentence.question:
        return
    vocabulary = sentence.vocabulary
    for words, find in _RULES:
        if vocabulary.isdisjoint(words):
            continue
        for at, word in enumerate(sentence.words):
            if word in words and (begin := find(sentence, at)) >= 0:
                yield Claim("liability", *sentence.span(min(begin, at), max(begin, at)), _SAYS)


def _begin(sentence: Sentence, at: int) -> int:
    """Return where the clause begins that the word at ``at`` stands in."""
    return max((k + 1 for k in range(at) if sentence.words[k] in CLAUSE_MARKS), default=0)


def _is_open(sentence: Sentence, begin: int, end: int) -> bool:
    return not _OPEN.isdisjoint(sentence.words[begin:end])


def _writer_before(sentence: Sentence, at: int) -> int:
    """Return where the writer stands as the subject of the verb at ``at``, or -1."""
    words, tags = sentence.words, sentence.tags
    k = at - 1
    while k >= 0 and (words[k] in _OURSELVES or tags[k] & (t.ADVERB | t.HAVE)):
        k -= 1
    if k >= 0 and words[k] in _WE:
        return k
    # "It is we who must answer for that."
    return k - 1 if k > 0 and words[k] in ("who", "that") and words[k - 1] in _WE else -1


def _answers(sentence: Sentence, at: int) -> int:
    """Read that the writer answers for something ("for that we alone answer")."""
    words = sentence.words
    we = _writer_before(sentence, at)
    if we < 0 or not _TALKED.isdisjoint(words[at + 1 :]):
        return -1
    begin = _begin(sentence, at)
    if _is_open(sentence, begin, at):
        return -1
    begin += words[begin] in ("and", "but")
    fronted = words[begin : begin + 2] in (["for", "that"], ["for", "this"], ["for", "it"], ["for", "which"])
    after = words[at + 1 : at + 2]
    elsewhere = at + 2 < len(words) and (sentence.tags[at + 2] & t.NUMBER or words[at + 2] in _ON_READERS)
    if after == ["for"] and not elsewhere:
        return we
    return we if fronted and (not after or after[0] in CLAUSE_MARKS or after[0] in _ANSWERED) else -1


def _made(sentence: Sentence, at: int) -> int:
    """Read that a failing or the trouble is of our making ("an error we made")."""
    words = sentence.words
    we = _writer_before(sentence, at)
    if we < 1:
        return -1
    noun = we - 1 - (words[we - 1] in ("that", "which"))
    begin = _begin(sentence, at)
    if noun < begin or words[noun] not in _MADE_OF or _is_open(sentence, begin, at):
        return -1
    return noun


def _could_have(sentence: Sentence, at: int) -> int:
    """Read that we could have kept it from happening."""
    words = sentence.words
    have = next((k for k in range(at - 1, max(0, at - _NEAR), -1) if words[k] == "have"), -1)
    could = next((k for k in range(have - 1, max(0, have - _NEAR), -1) if words[k] in _COULD), -1)
    if could < 1 or _writer_before(sentence, could) < 0 or _is_open(sentence, _begin(sentence, at), at):
        return -1
    return could - 1


def _ruins(sentence: Sentence, at: int) -> int:
    """Read that the writer ruined what readers have, or failed them."""
    words = sentence.words
    if _ON_READERS.isdisjoint(words[at + 1 : at + 2]):
        return -1
    begin = _begin(sentence, at)
    if _is_open(sentence, begin, at):
        return -1
    having = words[begin:at] == ["having"] and "we" in words[at + 2 :]
    we = _writer_before(sentence, at)
    if having:
        return begin
    return we if not any(tag & (t.WILL | t.MAY | t.CAN) for tag in sentence.tags[begin:at]) else -1


def _bears(sentence: Sentence, at: int) -> int:
    """Read that the writer bears the burden before the law ("the provider bears legal responsibility")."""
    words = sentence.words
    bears = next((k for k in range(at - 1, max(-1, at - _NEAR), -1) if words[k] in _BEARS), -1)
    if bears < 1 or _LEGAL.isdisjoint(words[bears:at]) or words[at + 1 : at + 2] not in ([], ["for"]):
        return -1
    begin = _begin(sentence, at)
    ours = _writer_before(sentence, bears) >= 0 or not _PROVIDERS.isdisjoint(words[begin:bears])
    return bears if ours and not _is_open(sentence, begin, at) else -1


def _answerable(sentence: Sentence, at: int) -> int:
    """Read that something is what we are answerable for ("something we are legally answerable for")."""
    words = sentence.words
    link = next((k for k in range(at - 1, max(0, at - _NEAR), -1) if sentence.tags[k] & t.BE), -1)
    if link < 1 or words[at + 1 : at + 2] != ["for"] or _writer_before(sentence, link) < 0:
        return -1
    gap = at + 2 >= len(words) or words[at + 2] in CLAUSE_MARKS
    legal = not _LEGAL.isdisjoint(words[link:at])
    return link if (gap or legal) and not _is_open(sentence, _begin(sentence, at), at) else -1


def _looks_away(sentence: Sentence, at: int) -> int:
    """Read that the writer's people saw it and let it happen."""
    words = sentence.words
    if words[at : at + 4] not in _AWAY:
        return -1
    before = words[_begin(sentence, at) : at]
    ours = not (_WE | {"our"}).isdisjoint(before)
    return at + 3 if ours and _OPEN.isdisjoint(before) else -1


def _had_no_business(sentence: Sentence, at: int) -> int:
    """Read that the writer did what it had no right to do."""
    words = sentence.words
    if words[at - 2 : at + 1] != _BUSINESS or not words[at + 1 : at + 2] or at < 3:
        return -1
    return at - 3 if words[at - 3] in _WE and words[at + 1].endswith("ing") else -1


_RULES: tuple[tuple[frozenset[str], Callable[[Sentence, int], int]], ...] = (
    (_ANSWERS, _answers),
    (_MADE, _made),
    (_PREVENTED, _could_have),
    (_RUINS, _ruins),
    (_BURDENS, _bears),
    (frozenset("answerable accountable liable responsible".split()), _answerable),
    (_LETS, _looks_away),
    (frozenset(("business",)), _had_no_business),
)
BLAME_TAKEN_CUES = frozenset().union(*(words for words, _ in _RULES))
"""Words without which nobody takes the blame in a turn of its own."""
