"""Fix plans of a review: the quoted phrases that a revision must contain, and those that it must remove."""

from __future__ import annotations

import re
from collections.abc import Iterable

from redpen.guards.required_phrases import RequiredPhrases
from redpen.text.quotes import Quoted, outside_quotes, quoted_pieces

MIN_PHRASE_CHARS, MAX_PHRASE_CHARS = 3, 120

_EDITS = re.compile(r"\b(?:replace|modify|change|update|rewrite|remove|delete)\b", re.IGNORECASE)
_REPLACES = re.compile(r"\breplace\b", re.IGNORECASE)
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"\bsuch as\b|\bfor example\b|\be\.g\.", re.IGNORECASE)


def required_phrases(items: Iterable[str]) -> RequiredPhrases:
    """Return the phrases that a fix plan enforces.

    An item with an editing verb (*replace, modify, change, update, rewrite, remove, delete*) removes the
    first phrase that it quotes; *replace "A" with "B"* also requires B, unless B is only an example. Every
    other item requires all phrases that it quotes. Verbs inside quotes do not count. A quoted phrase
    shorter than 3 or longer than 120 characters keeps its position but is not enforced.
    """
    include: list[str] = []
    remove: list[str] = []
    replacements: list[tuple[str, str]] = []
    for item in items:
        pieces = quoted_pieces(item)
        words = outside_quotes(item)
        if not _EDITS.search(words):
            include += _in_bounds(pieces)
            continue
        remove += _in_bounds(pieces[:1])
        if _REPLACES.search(words) and not _EXAMPLE.search(words) and _joined_by_with(item, pieces):
            include += _in_bounds(pieces[1:2])
            replacements.append((pieces[0].text, pieces[1].text))
    return RequiredPhrases(include=tuple(include), remove=tuple(remove), replacements=tuple(replacements))


def unquoted_items(items: Iterable[str]) -> tuple[str, ...]:
    """Return the items that quote no enforceable phrase, so that only a model can check them."""
    return tuple(item for item in items if not required_phrases([item]).phrases)


def _joined_by_with(item: str, pieces: tuple[Quoted, ...]) -> bool:
    return len(pieces) > 1 and bool(_WITH.search(item[pieces[0].end : pieces[1].start]))


def _in_bounds(pieces: Iterable[Quoted]) -> list[str]:
    return [piece.text for piece in pieces if MIN_PHRASE_CHARS <= len(piece.text) <= MAX_PHRASE_CHARS]
