"""Server-sent events, and how a text is cut into the pieces that a stream sends."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from typing import Final, Self

EVENT_STREAM: Final = "text/event-stream; charset=utf-8"

_WORDS_A_PIECE: Final = 3
# A long run of letters or of spaces counts as several words.
_WORD: Final = re.compile(r"\S{1,24}\s{0,24}|\s{1,24}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One server-sent event.

    Attributes:
        data: one line of text.
        name: kind of event, where the API names its events.
    """

    data: str
    name: str | None = None

    @classmethod
    def of_json(cls, value: object, name: str | None = None) -> Self:
        """Return an event whose data is a JSON value."""
        # ASCII escapes carry every string, lone surrogates included, and no client takes a character of the
        # text for the end of a line.
        return cls(data=json.dumps(value), name=name)

    def encode(self) -> bytes:
        """Return the bytes of the event, the empty line at its end included."""
        head = "" if self.name is None else f"event: {self.name}\n"
        return f"{head}data: {self.data}\n\n".encode("ascii")


def split_text(text: str) -> list[str]:
    """Return the pieces in which a stream sends a text: a few words each, the same every time.

    A text of two characters or more makes at least two pieces; an empty one makes none.
    """
    words = _WORD.findall(text)
    pieces = ["".join(group) for group in _grouped(words)]
    if len(pieces) == 1 and len(text) > 1:
        middle = len(words[0]) if len(words) > 1 else len(text) // 2
        pieces = [text[:middle], text[middle:]]
    return pieces


def _grouped(words: list[str]) -> list[list[str]]:
    starts = range(0, len(words) + _WORDS_A_PIECE, _WORDS_A_PIECE)
    return [words[start:end] for start, end in itertools.pairwise(starts) if words[start:end]]
