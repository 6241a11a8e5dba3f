"""Removes prose from action arguments that the request and the last snapshot do not support."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from redpen.gateway.texts import ungrounded_findings
from redpen.guards.text import read
from redpen.types import JsonObject, JsonValue

REMOVED = "text removed by policy"
"""Replaces removed prose; the argument is kept, because some tools require it."""

MAX_TEXTS = 100
"""Maximum number of texts of one action that are checked; a short one takes about 0.5 ms."""

MAX_CHARS = 20_000
"""Maximum total length of these texts, in characters."""

_MIN_PROSE_WORDS = 2
# Longer than any name, so probably words without spaces, which cannot be split reliably.
_LONG_LETTER_RUN = re.compile(r"[^\W\d_]{60}")


def without_ungrounded_prose(args: JsonObject, known: Mapping[str, JsonValue]) -> JsonObject:
    """Return the arguments of an action without prose that the known facts do not support.

    Args:
        args: texts at any depth are checked. A single word is a name, not prose. Prose beyond
            ``MAX_TEXTS`` and ``MAX_CHARS`` is removed unchecked.
        known: the known facts, i.e. the request and the last snapshot.

    Returns:
        A copy in which ``REMOVED`` replaces unsupported prose; equal to ``args`` if there is none.
    """
    prose_filter = _ProseFilter(known=known)
    return {name: prose_filter.apply(value) for name, value in args.items()}


@dataclass(slots=True, kw_only=True)
class _ProseFilter:
    """Checks the texts of one action, and counts them."""

    known: Mapping[str, JsonValue]
    texts: int = 0
    chars: int = 0

    def apply(self, value: JsonValue) -> JsonValue:
        match value:
            case dict():
                return {key: self.apply(item) for key, item in value.items()}
            case list():
                return [self.apply(item) for item in value]
            case str() if self._must_remove(value):
                return REMOVED
            case _:
                return value

    def _must_remove(self, text: str) -> bool:
        seen = read(text).text if len(text) <= MAX_CHARS else ""
        if _LONG_LETTER_RUN.search(seen):
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
    return sum(1 for _ in words) >= _MIN_PROSE_WORDS
