"""Claims that the incident is over: ended, repaired, healthy, working again; and that it surely will be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.ended import achieves, deploys, done, ends, ends_trouble, remedies, resumes
from redpen.guards.claims.found import AS_USUAL, GOES_ON, Claim
from redpen.guards.claims.healthy import fine, healthy
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.running import MARKERS, marked, marks_return, runs
from redpen.guards.claims.statements import Statement
from redpen.guards.claims.trouble import no_longer, trouble_gone

_TROUBLE, _DENIES = t.BAD | t.PROBLEM, t.NOT | t.NO
_READERS: tuple[tuple[int, Callable[[Sentence, int], Statement | None]], ...] = (
    (t.REMEDIES, remedies),
    (t.ACHIEVES, achieves),
    (t.ENDS, ends),
    (t.DEPLOYS, deploys),
    (t.DONE, done),
    (t.HEALTHY, healthy),
    (t.FINE, fine),
    (t.RUNS, runs),
    (_TROUBLE, trouble_gone),
    (t.ENDS_PROBLEM, ends_trouble),
    (t.RESUMES, resumes),
)
_UNDENIED_ANCHORS = sum({tag for tag, _ in _READERS if tag != _TROUBLE})
RESOLUTION_ANCHORS = _UNDENIED_ANCHORS | _TROUBLE
"""What words of these claims can be; trouble by itself is claimed to be gone only by a denial."""


_MARKS = MARKERS | {"longer", "more"}
_LIKENESS = frozenset(("as", "like", "on"))
"""What begins "as usual", "like before" and "on schedule", which is said of desks and deliveries too."""
_NEAR = 4


def find_resolution(sentence: Sentence) -> Iterator[Claim]:
    """Find the claims of a sentence that the trouble is over, or surely will be.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the families ``resolution`` and ``guarantee``; a remedy carried out has its stem as key.
    """
    words, tags, mask = sentence.words, sentence.tags, sentence.mask
    anchors = RESOLUTION_ANCHORS if mask & _DENIES else _UNDENIED_ANCHORS
    marks = _MARKS & sentence.vocabulary
    if not (mask & anchors or marks):
        return
    for index in [at for at, tag in enumerate(tags) if tag & anchors or (marks and words[at] in marks)]:
        word, tag = words[index], tags[index]
        if word in MARKERS and marks_return(sentence, index):
            for claim in claims_of(sentence, marked(sentence, index), index, index):
                yield claim._replace(offered=AS_USUAL) if word in _LIKENESS else claim
        if word in ("longer", "more"):
            yield from claims_of(sentence, no_longer(sentence, index), index, index)
        if tag & RESOLUTION_ANCHORS:
            yield from _anchored(sentence, index, tag)


def _anchored(sentence: Sentence, index: int, tag: int) -> Iterator[Claim]:
    for reader in _readers_of(tag):
        if reader is trouble_gone and not sentence.mask & _DENIES:
            return
        for claim in claims_of(sentence, reader(sentence, index), index, index):
            said = stem(sentence.words[index])
            key = frozenset((said,)) if reader is remedies else claim.key
            yield claim._replace(key=key, offered=_offered(sentence, index, reader, said))
            return


@cache
def _readers_of(tag: int) -> tuple[Callable[[Sentence, int], Statement | None], ...]:
    return tuple([reader for wanted, reader in _READERS if tag & wanted])


def _offered(sentence: Sentence, index: int, reader: object, said: str) -> str:
    """Return what stands in ``offered`` of the claim that a reader finds at ``index``."""
    if reader is fine and sentence.tags[index] & t.OFFERED:
        return said
    after = sentence.words[index + 1 : index + _NEAR]
    if reader is runs and not _LIKENESS.isdisjoint(after):
        return AS_USUAL
    return GOES_ON if reader is fine and "again" not in after else ""


def claims_of(sentence: Sentence, statement: Statement | None, start: int, end: int) -> Iterator[Claim]:
    """Yield the claim that a statement of a good state makes, if nothing takes it back.

    Args:
        sentence: the sentence.
        statement: what is said of the words ``start`` to ``end`` (inclusive); None yields nothing.
        start: index of the first word.
        end: index of the last word.

    Yields:
        At most one claim, ``guarantee`` for what is to come.
    """
    if statement is None or statement.force in ("denied", "open"):
        return
    span = sentence.span(min(start, statement.group.start), end)
    if statement.force == "promised":
        yield Claim("guarantee", *span, "it will surely be over")
    else:
        yield Claim("resolution", *span, "the incident or a part of it is over")
