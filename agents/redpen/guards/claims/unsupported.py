"""Statements that nothing in context and original supports, and that can only be claims.

Word lists end where the next paraphrase begins ("rides end when riders end them"). A revision restates: the
content words of each of its clauses stand together in some sentence of its original or of the context. A
clause that stands alone is a claim where it tells a good state of what is affected, or what something did
that is named nowhere else; any other is at most a concern, see ``redpen.guards.novelty``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from redpen.guards.claims.actors import find_actors
from redpen.guards.claims.found import Claim
from redpen.guards.claims.fronted import left_open
from redpen.guards.claims.new_faults import find_new_faults
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, own_sentences, placed_sentences
from redpen.guards.claims.reasons import find_reasons
from redpen.guards.claims.told import Known, alone, known_of
from redpen.guards.claims.told_events import tells_new_event
from redpen.guards.claims.told_good import Change, find_good_news, may_hold_good_news
from redpen.guards.claims.told_topics import find_topics

_SAYS_OF_EVENT = "this is what happened, which nothing supports"
_LEAST_PIECES = 3


def find_unsupported(
    revised: str, original: str, context: Mapping[str, Any], quiet: frozenset[int] = frozenset()
) -> tuple[Claim, ...]:
    """Find the statements of a revision that nothing supports and that can only be claims.

    Args:
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.
        quiet: where sentences of the revision begin that are known to hold none.

    Returns:
        Claims in the order of the text.
    """
    by_original, kept = known_of((original,)), _wordings(original)
    change = Change(revised, original)
    every = placed_sentences(revised)
    # Most sentences stand in the original, most clauses of the others too: for these the context is not read.
    news = [
        (begin, sentence, before)
        for before, (begin, sentence) in zip((None, *own_sentences(revised)), every, strict=False)
        if begin not in quiet
        and not sentence.question
        and tuple(sentence.words) not in kept
        and _may_tell(sentence, by_original, change=change)
    ]
    if not news:
        return ()
    actions, others = context_prose(context)
    known = known_of((original, *actions, *others))
    if len(known.all) < _LEAST_PIECES:
        return ()
    return tuple(
        claim.moved(begin)
        for begin, sentence, before in news
        for claim in _told(sentence, known, change=change, before=before)
    )


@lru_cache(maxsize=256)
def _wordings(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset([tuple(sentence.words) for sentence in own_sentences(text)])


def _may_tell(sentence: Sentence, known: Known, *, change: Change) -> bool:
    # The cheapest first: most of what may tell something stands alone.
    return (
        any(True for _ in alone(sentence, known))
        or may_hold_good_news(sentence, known, change=change)
        or any(True for _ in find_actors(sentence, known))
        or any(True for _ in find_new_faults(sentence, known))
        or any(True for _ in find_reasons(sentence, known))
        or any(True for _ in find_topics(sentence, known))
    )


def _told(sentence: Sentence, known: Known, *, change: Change, before: Sentence | None) -> Iterator[Claim]:
    """Yield what a sentence tells that nothing supports; an actor once, however its clause reads besides."""
    actors = list(find_actors(sentence, known))
    for cause in (*find_new_faults(sentence, known), *find_reasons(sentence, known)):
        if not any(cause.start < actor.end and actor.start < cause.end for actor in actors):
            actors.append(cause)
    yield from actors
    yield from find_topics(sentence, known)
    for claim in (*find_good_news(sentence, known, change=change, before=before), *_events(sentence, known)):
        if any(claim.start < actor.end and actor.start < claim.end for actor in actors):
            continue
        if not left_open(sentence, *sentence.places(claim.start, claim.end)):
            yield claim


def _events(sentence: Sentence, known: Known) -> Iterator[Claim]:
    for clause in alone(sentence, known):
        if not clause.turned and tells_new_event(sentence, clause, known):
            yield Claim("cause", *sentence.span(clause.start, clause.end - 1), _SAYS_OF_EVENT)
