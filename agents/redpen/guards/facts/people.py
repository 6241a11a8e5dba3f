"""Names of people: those who are greeted, who sign or of whom a text tells a story are no new parties."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.data import read_words
from redpen.guards.facts import vocab

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    return frozenset(read_words("given_names"))


def is_bystander(pieces: Pieces, start: int, end: int, *, acts: bool) -> bool:
    """Whether a name is that of a person who takes no part in what is reported.

    Args:
        pieces: the text.
        start: index of the first piece of a name that is not that of a known company.
        end: index after its last piece.
        acts: whether the name is said to report on the trouble or to work on it.
    """
    low = pieces.low
    before = _before(low, start)
    dot = low[before] == "." and low[before - 1] in vocab.titles
    is_titled = dot or low[before] in vocab.titles
    if is_titled:
        before = _before(low, before - dot)
    word = low[before] if before >= 0 else ""
    if word == "to" and low[before - 1] in vocab.salutations:
        return True
    if (
        word in vocab.salutations
        or word in vocab.staff
        or (word in vocab.closings and _ends_line(pieces, end))
        or word == "i'm"
    ):
        return True
    if acts or word in vocab.officers or word in vocab.contacting or word in vocab.cues:
        return False
    return is_titled or (_is_name(low, start, end) and not _is_firm(pieces, end))


def _is_name(low: list[str], start: int, end: int) -> bool:
    """Whether a given name begins a name, or stands before it, as where a sentence begins with one."""
    first = low[start].removesuffix("'s")
    if first in vocab.titles or first in vocab.staff or (first in vocab.names_and_words and end > start + 1):
        return True
    return first in _given_names() or (start > 0 and low[start - 1] in _given_names())


def _before(low: list[str], index: int) -> int:
    """Return the place before one, past a comma; -1 at the beginning."""
    return index - 1 - (index > 1 and low[index - 1] == ",")


def _ends_line(pieces: Pieces, end: int) -> bool:
    """Whether nothing but a signature goes on after a name: it closes the text, its line or its sentence."""
    return end >= pieces.count or pieces.broken(end - 1) or pieces.low[end] in vocab.after_signatures


def _is_firm(pieces: Pieces, end: int) -> bool:
    """Whether a name goes on as that of a firm does: "Ross & Sons", "Kelly Couriers", "Henry Ltd"."""
    following = pieces.raw[end]
    return (following == "&" or following in vocab.company or pieces.raw[end - 1] in vocab.company) or (
        end < pieces.count and pieces.is_word[end] and pieces.is_capital(end) and not pieces.broken(end - 1)
    )
