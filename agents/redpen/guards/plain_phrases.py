"""Phrases that a policy names, found in what a reader sees: word by word, ``~word`` in any form.

Marks between words do not count, nor do case and the form of an apostrophe; a number is itself alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.claims.clauses import NUMBER, Clause, Sentence, sentences_of
from redpen.guards.text import read
from redpen.guards.words import forms_of
from redpen.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.tokens import Tokens
    from redpen.text.views import View

ANY_FORM = "~"
"""Stands before a word of a phrase that may stand there in any form."""


class Place(NamedTuple):
    """Where a phrase stands in a text.

    Attributes:
        phrase: the phrase as it was given.
        sentence: the sentence, in which one clause holds all of the phrase.
        clause: which of its clauses that is.
        start: the first word of the phrase in it.
        end: the word after its last.
        after: the sentence after, if there is one.
        span: where it stands in the text as read.
    """

    phrase: str
    sentence: Sentence
    clause: int
    start: int
    end: int
    after: Sentence | None
    span: tuple[int, int]


def read_with(text: str, phrases: tuple[str, ...]) -> View:
    """Return what a reader sees of a text, the words of some phrases known in whatever disguise."""
    return read(text, _vocabulary(phrases))


def find_phrases(view: View, phrases: tuple[str, ...]) -> Iterator[Place]:
    """Yield every place where one of some phrases stands in a text, whatever its polarity.

    Args:
        view: the text, as ``read_with`` the same phrases gave it.
        phrases: words, of which ``~`` before one asks for any form.
    """
    by_first = _by_first(phrases)
    tokens = tokenize(view.text)
    sentences = sentences_of(view.text)
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1] if number + 1 < len(sentences) else None
        words, owners = _words_of(sentence, tokens)
        for at, word in enumerate(words):
            for phrase, forms in by_first.get(word, ()):
                end = at + len(forms)
                if end <= len(words) and all(map(_is_in, words[at:end], forms)):
                    held, clause, start, last = _within_one_clause(sentence, owners[at:end])
                    span = held.clauses[clause].span(tokens, start, last)
                    yield Place(phrase, held, clause, start, last, following, span)


def without_phrases(text: str, phrases: tuple[str, ...]) -> str:
    """Return a text of the same length in which none of the words of some phrases is read."""
    view = read_with(text, phrases)
    spans = (view.span(*place.span) for place in find_phrases(view, phrases)) if phrases else ()
    for start, end in spans:
        text = text[:start] + "".join(char if char == "\n" else " " for char in text[start:end]) + text[end:]
    return text


def _is_in(word: str, forms: frozenset[str]) -> bool:
    return word in forms


def _words_of(sentence: Sentence, tokens: Tokens) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the words of a sentence, numbers as they stand, and the clause and place of each."""
    words: list[str] = []
    owners: list[tuple[int, int]] = []
    for number, clause in enumerate(sentence.clauses):
        for place, word in enumerate(clause.words):
            words.append(tokens.folded[clause.tokens[place]] if word == NUMBER else word)
            owners.append((number, place))
    return words, owners


def _within_one_clause(sentence: Sentence, owners: list[tuple[int, int]]) -> tuple[Sentence, int, int, int]:
    """Return a sentence in which one clause holds all words of a phrase, that clause, and start and end.

    Args:
        sentence: as it is read; what says one thing in two of its clauses is judged as one.
        owners: the clause and the place in it of each word of the phrase.
    """
    (first, start), (last, end) = owners[0], owners[-1]
    if first == last:
        return sentence, first, start, end + 1
    joined = sentence.clauses[first : last + 1]
    words = tuple(word for clause in joined for word in clause.words)
    places = tuple(place for clause in joined for place in clause.tokens)
    clauses = (*sentence.clauses[:first], Clause(words, places), *sentence.clauses[last + 1 :])
    before = sum(len(clause.words) for clause in joined[:-1])
    return sentence._replace(clauses=clauses), first, start, before + end + 1


@lru_cache(maxsize=256)
def _by_first(
    phrases: tuple[str, ...],
) -> dict[str, list[tuple[str, tuple[frozenset[str], ...]]]]:
    """Return phrases, each with the forms of its words, by the forms of their first word."""
    found: dict[str, list[tuple[str, tuple[frozenset[str], ...]]]] = {}
    for phrase in phrases:
        forms = tuple(_forms(phrase))
        for word in forms[0] if forms else ():
            found.setdefault(word, []).append((phrase, forms))
    return found


def _forms(phrase: str) -> Iterator[frozenset[str]]:
    for piece in phrase.split():
        words = list(_plain_words(piece.removeprefix(ANY_FORM)))
        if piece.startswith(ANY_FORM) and words:
            yield frozenset(forms_of(words.pop(0)))
        for word in words:
            yield frozenset((word,))


def _plain_words(piece: str) -> Iterator[str]:
    tokens = tokenize(piece)
    for sentence in sentences_of(piece):
        yield from _words_of(sentence, tokens)[0]


@lru_cache(maxsize=256)
def _vocabulary(phrases: tuple[str, ...]) -> str:
    words = {word for phrase in phrases for forms in _forms(phrase) for word in forms}
    return " ".join(sorted(words))
