"""Names of people who are greeted, who sign, or who are introduced as colleagues: never new parties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts import vocab

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


def is_person(pieces: Pieces, start: int, end: int) -> bool:
    """Whether a name is that of a person who takes no part in what is reported.

    Args:
        pieces: the text.
        start: index of the first piece of a name that no list knows.
        end: index after its last piece.
    """
    low = pieces.low
    before = start - 1 - (low[start - 1] == ",")
    word = low[before] if before >= 0 else ""
    if word in vocab.titles or (word == "." and low[before - 1] in vocab.titles):
        before -= 1 + (word == ".")
        word = low[before] if before >= 0 else ""
    if word == "to" and (low[before - 1] in vocab.salutations or "shout" in low[max(0, before - 3) : before]):
        return True
    return (
        word in vocab.salutations
        or word in vocab.staff
        or (word in vocab.closings and _ends_line(pieces, end))
        or (word in ("is", "am", "m") and low[before - 1] in ("name", "i", "'"))
    )


def _ends_line(pieces: Pieces, end: int) -> bool:
    """Whether nothing but a signature goes on after a name: it closes the text, its line or its sentence."""
    return end >= pieces.count or pieces.broken(end - 1) or pieces.low[end] in vocab.after_signatures
