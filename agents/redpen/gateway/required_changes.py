"""Required changes of a critique: parses them, and applies them to a text by editing it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redpen.guards.required_phrases import RequiredPhrases
from redpen.text.phrases import append_phrase, contains_phrase, delete_phrase
from redpen.text.quotes import outside_quotes, quoted_pieces

MIN_PHRASE_CHARS, MAX_PHRASE_CHARS = 3, 160

MAX_ITEM_CHARS = 10_000
"""Maximum length of a required change; a longer one is not parsed, because a run parses each many times."""

MAX_QUESTION_CHARS = 500
"""Maximum length of a required change that a model may be asked to check."""

_MUST_REMOVE = re.compile("MUST_REMOVE", re.IGNORECASE)
_MUST_INCLUDE = re.compile("MUST_INCLUDE", re.IGNORECASE)
_STARTS_WITH_REMOVE = re.compile(r"\s*REMOVE[\s:\-]", re.IGNORECASE)
_STARTS_WITH_ADD = re.compile(r"\s*ADD[\s:\-]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseChange:
    """One enforceable change: a phrase that the revision must contain, or must not."""

    phrase: str
    remove: bool


def parse_change(item: str) -> PhraseChange | None:
    """Parse one required change.

    Args:
        item: e.g. ``MUST_INCLUDE "We'll share updates"``. Markers inside quotes do not count; an item with
            both markers is a removal.

    Returns:
        The change, or None if the item has no marker, does not have exactly one quoted phrase of
        3 to 160 characters, or is longer than ``MAX_ITEM_CHARS``.
    """
    if len(item) > MAX_ITEM_CHARS:
        return None
    words = outside_quotes(item)
    phrases = [
        piece.text for piece in quoted_pieces(item) if MIN_PHRASE_CHARS <= len(piece.text) <= MAX_PHRASE_CHARS
    ]
    if len(phrases) != 1:
        return None
    if _MUST_REMOVE.search(words) or _STARTS_WITH_REMOVE.match(item):
        return PhraseChange(phrase=phrases[0], remove=True)
    if _MUST_INCLUDE.search(words) or _STARTS_WITH_ADD.match(item):
        return PhraseChange(phrase=phrases[0], remove=False)
    return None


def is_enforceable(item: str, *, ask_model: bool = False) -> bool:
    """Whether a required change can be checked, by its phrase or (with ``ask_model``) by a model."""
    return parse_change(item) is not None or (ask_model and len(item) <= MAX_QUESTION_CHARS)


def unquoted_changes(items: Iterable[str]) -> tuple[str, ...]:
    """Return the required changes without an enforceable phrase, which only a model can check."""
    return tuple(item for item in items if parse_change(item) is None)


def required_phrases(items: Iterable[str]) -> RequiredPhrases:
    """Return the phrases that a list of required changes enforces."""
    changes = _changes(items)
    return RequiredPhrases(
        include=tuple(change.phrase for change in changes if not change.remove),
        remove=tuple(change.phrase for change in changes if change.remove),
    )


def apply_changes(text: str, items: Sequence[str]) -> str:
    """Return the text with the changes applied: deletions first, then additions.

    Args:
        text: the model's last candidate.
        items: the required changes, in order; one that cannot be parsed is skipped.
    """
    changes = _changes(items)
    for change in changes:
        if change.remove:
            text = delete_phrase(text, change.phrase)
    for change in changes:
        if not change.remove and not contains_phrase(text, change.phrase):
            text = append_phrase(text, change.phrase)
    return text


def _changes(items: Iterable[str]) -> list[PhraseChange]:
    return [change for item in items if (change := parse_change(item)) is not None]
