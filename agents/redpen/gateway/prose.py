"""Prose in the arguments of an action: it says only what the request and the last snapshot say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from redpen.gateway.texts import ungrounded_findings
from redpen.guards.text import read
from redpen.types import JsonObject, JsonValue

REMOVED = "text removed by policy"
"""What stands in place of prose that is taken out: some tools need the argument."""

MAX_TEXTS = 100
"""Texts of one action that are read; a short one takes half a thousandth of a second."""

MAX_CHARS = 20_000
"""Characters of all these texts."""

_FEWEST_WORDS = 2
# No name has so many: they are words without blanks, too many to find where each ends.
_LETTERS_IN_A_ROW = re.compile(r"[^\W\d_]{60}")


def grounded(args: JsonObject, known: Mapping[str, JsonValue]) -> JsonObject:
    """Return the arguments of an action without the prose that what is known does not allow.

    Args:
        args: texts at any depth are looked at. One word alone is a name and no prose. Prose beyond
            ``MAX_TEXTS`` and ``MAX_CHARS`` goes unread, and so it does not go out.
        known: what facts and claims may be taken from: the request and the last snapshot.

    Returns:
        The same where nothing has to go.
    """
    reader = _Reader(known=known)
    return {name: reader.read(value) for name, value in args.items()}


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reads the texts of one action, as many as there is time for."""

    known: Mapping[str, JsonValue]
    texts: int = 0
    chars: int = 0

    def read(self, value: JsonValue) -> JsonValue:
        match value:
            case dict():
                return {key: self.read(item) for key, item in value.items()}
            case list():
                return [self.read(item) for item in value]
            case str() if self._has_to_go(value):
                return REMOVED
            case _:
                return value

    def _has_to_go(self, text: str) -> bool:
        seen = read(text).text if len(text) <= MAX_CHARS else ""
        if _LETTERS_IN_A_ROW.search(seen):
            return True
        if seen and not _is_prose(seen):
            return False
        self.texts += 1
        self.chars += len(text)
        if self.texts > MAX_TEXTS or self.chars > MAX_CHARS:
            return True
        return bool(ungrounded_findings(text, self.known, claims="inherit"))


def _is_prose(seen: str) -> bool:
    words = (word for word in seen.split() if any(map(str.isalpha, word)))
    return sum(1 for _ in words) >= _FEWEST_WORDS
