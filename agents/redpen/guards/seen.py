"""What a reader sees of a text, its disguised words recognised by the words that guards know."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.known_words import name_words, prose_words
from redpen.text.views import View, view_of
from redpen.text.vocabulary import Vocabulary


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
