"""What a reader sees of a text, its disguised words recognised by the words that guards know."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.data import read_words
from redpen.text.views import View, read_as_given, view_of
from redpen.text.vocabulary import Vocabulary


@lru_cache(maxsize=1)
def prose_words() -> frozenset[str]:
    """Return the words of claims, of quantities and of updates, in their forms and in lower case."""
    return frozenset(read_words("known_words"))


@lru_cache(maxsize=1)
def name_words() -> frozenset[str]:
    """Return the words of the names of places, companies, months and days in lower case."""
    return frozenset(read_words("name_words"))


@lru_cache(maxsize=64)
def read(text: str, beside: str = "") -> View:
    """Return the view of a text.

    Args:
        text: any text, lone surrogates included.
        beside: a text whose words are known as well, such as the original of a revision.

    Returns:
        The text as read; see ``redpen.text.views``.
    """
    return view_of(text, Vocabulary(prose_words(), name_words(), beside))


def read_all(texts: list[str]) -> list[str]:
    """Return ``read(text).text`` of each of some texts, by one look at all of them where that will do.

    Args:
        texts: the texts, such as the strings of a context; most of them read as they stand.
    """
    if read_as_given(texts, Vocabulary(prose_words(), name_words())):
        return texts
    return [read(text).text for text in texts]
