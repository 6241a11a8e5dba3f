"""Find words in letters that do not belong in English text and that no rule reads."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, fact_in
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = lazy_pattern(r"[^\W\d_]{2,60}")
_PHONETIC = (range(0x0250, 0x02B0), range(0x1D00, 0x1DC0))


def unread_words(text: str) -> Iterator[Fact]:
    """Yield the words that mix scripts or are written in ornamental, turned or phonetic letters.

    Look-alike letters are already replaced by Latin ones in the text as read.
    """
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii() or not _is_unread(word):
            continue
        yield fact_in(text, *match.span(), "residue", word.lower())


def _is_unread(word: str) -> bool:
    scripts = {_script(char) for char in word}
    return not scripts.isdisjoint(vocab.ornamental_scripts) or ("LATIN" in scripts and len(scripts) > 1)


@lru_cache(maxsize=1024)
def _script(char: str) -> str:
    if char in vocab.also_turned or any(ord(char) in block for block in _PHONETIC):
        return "TURNED"
    # Modifiers and marks go with the letters of any script.
    if char in vocab.of_units or unicodedata.category(char) in ("Lm", "Mn", "Mc"):
        return "LATIN"
    return unicodedata.name(char, "UNKNOWN").split()[0]
