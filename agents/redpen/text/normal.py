"""Collapsed white space, and the hashes by which a text is recognised."""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache

# Letters by their category, yet drawn as nothing: Hangul fillers and the blank Braille pattern.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"})

_HASH_DIGITS = 12


def collapse(text: str) -> str:
    """Return the text trimmed, every run of white space made one space."""
    return " ".join(text.split())


def reads_blank(text: str) -> bool:
    """Whether a reader sees nothing: white space, controls and invisible characters alone."""
    if text[:1].isascii() and text[:1].isalnum():
        return False
    return all(char in _BLANK_LETTERS or unicodedata.category(char) in _UNSEEN_CATEGORIES for char in text)


def text_hash(text: str) -> str:
    """Return the hash that traces show of a text.

    Args:
        text: any text, lone surrogates included.

    Returns:
        The first 12 hex digits of SHA-256 over the ASCII-escaped JSON string, quotes included, of
        the collapsed text.
    """
    return _digest(json.dumps(collapse(text), ensure_ascii=True).encode("ascii"))


def plain_hash(text: str) -> str:
    """Return the hash that audits show: as ``text_hash``, but over the plain UTF-8 of the collapsed text."""
    return _digest(collapse(text).encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=256)
def exact_hash(text: str) -> str:
    """Return the first 12 hex digits of the SHA-256 of a text as it stands, such as a prompt."""
    return _digest(text.encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> str:
    # The guards read texts and hash none; OpenSSL is slow to load.
    import hashlib

    return hashlib.sha256(data).hexdigest()[:_HASH_DIGITS]
