"""The words by which a disguised word is recognised: those of updates, of claims, and of names."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.data import read_words


@lru_cache(maxsize=1)
def prose_words() -> frozenset[str]:
    """Return the words of claims, of quantities and of updates, in their forms and in lower case."""
    return frozenset(read_words("known_words"))


@lru_cache(maxsize=1)
def name_words() -> frozenset[str]:
    """Return the words of the names of places, companies, months and days in lower case."""
    return frozenset(read_words("name_words"))
