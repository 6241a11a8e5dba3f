"""Phrases that a policy restricts: always a violation when affirmed.

Neither the original nor the detector nor standing text can allow them. Only polarity ("not yet resolved"
passes) and, if the rule permits it, an approved action can.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.claims.phrases import Hit, Phrase, floor
from redpen.guards.claims.polarity import is_said
from redpen.guards.plain_phrases import ANY_FORM, Place, find_phrases, read_with
from redpen.guards.report import Finding, part_of_text
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_TO_COME = lazy_pattern(r"(?:will|shall|going to) (?:\S+ ){0,2}(?:be|become|get|have|have been) (?:\S+ )?$")
"""Words before a future state."""
_SUBJECTS = (("it",), ("the", "incident"))
"""A subject with which the floor is asked whether a phrase names a state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restricted:
    """Phrases restricted under one code.

    Attributes:
        code: the family of its findings.
        phrases: as a reader sees them; ``~word`` matches any form of the word.
        unless_approved: whether an approved action that affirms a phrase allows it.
        always: whether any mention is a violation, even if denied.
        use: suggested replacement.
    """

    code: str
    phrases: tuple[str, ...]
    unless_approved: bool = False
    always: bool = False
    use: str | None = None


def find_restricted(
    text: str, restricted: tuple[Restricted, ...], *, approved: Sequence[str]
) -> tuple[Finding, ...]:
    """Return the restricted phrases of a text that violate the rules.

    Args:
        text: the text as given.
        restricted: the rules; a phrase that violates two is reported for both.
        approved: the approved actions of the context.
    """
    found = [finding for rule in restricted for finding in _breaches(text, rule, approved)]
    return tuple(sorted(found, key=lambda finding: finding.span))


def _breaches(text: str, rule: Restricted, approved: Sequence[str]) -> Iterator[Finding]:
    view = read_with(text, rule.phrases)
    for place in find_phrases(view, rule.phrases):
        if not (rule.always or _is_affirmed(place)):
            continue
        if rule.unless_approved and place.phrase in _affirmed_in(tuple(approved), rule.phrases):
            continue
        said = " ".join(view.text[slice(*place.span)].split())
        reading = f"{said!r} = the phrase {place.phrase!r}"
        span = view.span(*place.span)
        yield part_of_text("restricted_phrase", text, span, reading, _reason(rule), family=rule.code)


def _reason(rule: Restricted) -> str:
    allowed = "no approved action says it" if rule.unless_approved else "the policy restricts it"
    return f"{allowed} ({rule.code})" + (f"; use {rule.use!r}" if rule.use else "")


@lru_cache(maxsize=64)
def _affirmed_in(texts: tuple[str, ...], phrases: tuple[str, ...]) -> frozenset[str]:
    """Return the phrases that at least one of some texts affirms."""
    return frozenset(
        place.phrase
        for text in texts
        for place in find_phrases(read_with(text, phrases), phrases)
        if _is_affirmed(place)
    )


def _is_affirmed(place: Place) -> bool:
    if _is_to_come(place):
        return False
    hit = Hit(_ANY_PHRASE, place.start, place.end)
    return is_said(place.sentence, place.clause, hit, place.after)


def _is_to_come(place: Place) -> bool:
    """Whether a phrase names a state in the future, which is not yet true: "it will be resolved".

    A phrase with ``~``, or one that does not name a state, is a promise in the future: "we will refund it".
    """
    words = place.sentence.clauses[place.clause].words
    before = " ".join(words[: place.start]) + " "
    return _TO_COME.search(before) is not None and _is_state(words[place.start : place.end], place.phrase)


@lru_cache(maxsize=256)
def _is_state(words: tuple[str, ...], phrase: str) -> bool:
    if ANY_FORM in phrase:
        return False
    said = (floor().find((*subject, "is", *words)) for subject in _SUBJECTS)
    return any(hit.phrase.family == "resolution" for hits in said for hit in hits)


_ANY_PHRASE = Phrase(family="resolution", say="", block="", passes="", own=True)
"""The row passed to ``polarity`` for phrases of a policy: a denial inside the phrase does not count."""
