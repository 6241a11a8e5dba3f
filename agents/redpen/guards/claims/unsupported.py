"""Statements that nothing in context and original supports, and that can only be claims.

Word lists end where the next paraphrase begins ("rides end when riders end them"). A revision restates: the
content words of each of its clauses stand together in some sentence of its original or of the context. A
clause that stands alone is a claim where it tells a good state of what is affected, or what something did
that is named nowhere else; any other is at most a concern, see ``redpen.guards.novelty``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from redpen.guards.claims.allowance import context_prose
from redpen.guards.claims.found import Claim
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.told import Clause, Known, alone, known_of
from redpen.guards.claims.told_events import tells_new_event
from redpen.guards.claims.told_states import tells_good_state

_SAYS = "things are as they should be, which nothing supports"
_SAYS_OF_EVENT = "this is what happened, which nothing supports"
_LEAST_PIECES = 3


def find_unsupported(revised: str, original: str, context: Mapping[str, Any]) -> tuple[Claim, ...]:
    """Find the statements of a revision that nothing supports and that can only be claims.

    Args:
        revised: the revision as read.
        original: the original as read.
        context: the incident context, any JSON object.

    Returns:
        Claims in the order of the text.
    """
    by_original = known_of((original,))
    # Most clauses stand in the original: the context need not be read for them.
    sentences = [
        sentence
        for sentence in read_sentences(revised)
        if not sentence.question and any(True for _ in alone(sentence, by_original))
    ]
    if not sentences:
        return ()
    actions, others = context_prose(context)
    known = known_of((original, *actions, *others))
    if len(known.all) < _LEAST_PIECES:
        return ()
    return tuple(
        claim
        for sentence in sentences
        for clause in alone(sentence, known)
        for claim in _claims(sentence, clause, known)
    )


def _claims(sentence: Sentence, clause: Clause, known: Known) -> Iterator[Claim]:
    span = sentence.span(clause.start, clause.end - 1)
    if tells_good_state(sentence, clause, known):
        yield Claim("resolution", *span, _SAYS)
    elif tells_new_event(sentence, clause, known):
        yield Claim("cause", *span, _SAYS_OF_EVENT)
