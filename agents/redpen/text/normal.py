"""Collapses white space, and hashes texts."""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache

# Invisible, although letters or symbols by category: Hangul fillers and the blank Braille pattern.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"})

_HASH_DIGITS = 12


def collapse(text: str) -> str:
    """Return the text trimmed, with every run of white space replaced by one space."""
    return " ".join(text.split())


def reads_blank(text: str) -> bool:
    """Whether a text consists only of white space, controls and invisible characters."""
    if text[:1].isascii() and text[:1].isalnum():
        return False
    return all(char in _BLANK_LETTERS or unicodedata.category(char) in _UNSEEN_CATEGORIES for char in text)


def text_hash(text: str) -> str:
    """Return the hash of a text for traces.

    Args:
        text: any text, lone surrogates included.

    Returns:
        The first 12 hex digits of SHA-256 over the ASCII-escaped JSON string, quotes included, of
        the collapsed text.
    """
    return _digest(json.dumps(collapse(text), ensure_ascii=True).encode("ascii"))


def plain_hash(text: str) -> str:
    """Return the hash of a text for audits: over the UTF-8 of the collapsed text."""
    return _digest(collapse(text).encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=256)
def exact_hash(text: str) -> str:
    """Return the first 12 hex digits of the SHA-256 of an unchanged text, such as a prompt."""
    return _digest(text.encode("utf-8", "surrogatepass"))


def _digest(data: bytes) -> str:
    # Imported here because OpenSSL is slow to load, and the guards do not hash.
    import hashlib

    return hashlib.sha256(data).hexdigest()[:_HASH_DIGITS]
