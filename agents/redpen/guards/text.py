"""Views of texts, with disguised words recognised by the vocabulary of the guards."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.data import read_words
from redpen.text.views import View, read_as_given, view_of
from redpen.text.vocabulary import Vocabulary


@lru_cache(maxsize=1)
def prose_words() -> frozenset[str]:
    """Return the words of claims, quantities and updates in all forms, in lower case."""
    return frozenset(read_words("known_words"))


@lru_cache(maxsize=1)
def name_words() -> frozenset[str]:
    """Return the words of names of places, companies, months and days, in lower case."""
    return frozenset(read_words("name_words"))


@lru_cache(maxsize=64)
def read(text: str, beside: str = "") -> View:
    """Return the view of a text.

    Args:
        text: any text, lone surrogates included.
        beside: a text that adds to the vocabulary, e.g. the original of a revision.

    Returns:
        The view; see ``redpen.text.views``.
    """
    return view_of(text, Vocabulary(prose_words(), name_words(), beside))


def read_all(texts: list[str]) -> list[str]:
    """Return ``read(text).text`` of each text, faster than one by one if few are disguised.

    Args:
        texts: e.g. the strings of a context.
    """
    if read_as_given(texts, Vocabulary(prose_words(), name_words())):
        return texts
    return [read(text).text for text in texts]
