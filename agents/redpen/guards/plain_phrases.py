"""Match phrases of a policy in the text that a reader sees, word by word; ``~word`` matches any form.

Punctuation between words, case and the form of apostrophes are ignored; numbers match exactly.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.claims.clauses import NUMBER, Clause, Sentence, sentences_of
from redpen.guards.text import read
from redpen.guards.words import all_forms_of
from redpen.text.tokens import BREAKS, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.tokens import Tokens
    from redpen.text.views import View

ANY_FORM = "~"
"""Prefix of a word that matches in any form."""


class Place(NamedTuple):
    """A match of a phrase in a text.

    Attributes:
        phrase: the phrase as given.
        sentence: its sentence, with the whole phrase in one clause.
        clause: index of that clause.
        start: index of the first word of the phrase in it.
        end: index after its last word.
        after: the next sentence, if any.
        span: its place in the text as read.
    """

    phrase: str
    sentence: Sentence
    clause: int
    start: int
    end: int
    after: Sentence | None
    span: tuple[int, int]


class _Word(NamedTuple):
    text: str
    joined: str
    """With the word after it, where a hyphen joins the two."""
    sentence: int
    clause: int
    place: int
    token: int


def read_with(text: str, phrases: tuple[str, ...]) -> View:
    """Return the view of a text in which disguised words of some phrases are recognised."""
    return read(text, _vocabulary(phrases))


def find_phrases(view: View, phrases: tuple[str, ...]) -> Iterator[Place]:
    """Yield every match of some phrases in a text, whatever its polarity.

    Args:
        view: the text, from ``read_with`` with the same phrases.
        phrases: their words; ``~`` before a word matches any form.
    """
    compiled = _compiled(phrases)
    tokens = tokenize(view.text)
    sentences = sentences_of(view.text)
    for words in _runs(sentences, tokens):
        for at, word in enumerate(words):
            for phrase, forms in (*compiled.get(word.text, ()), *compiled.get(word.joined, ())):
                end = _end(words, at, forms)
                if end is not None:
                    yield _place(phrase, sentences, words[at:end], tokens)


def _end(words: list[_Word], at: int, forms: tuple[frozenset[str], ...]) -> int | None:
    """Return the end of a phrase that starts at a word; None if it does not match."""
    for wanted in forms:
        if at >= len(words):
            return None
        if words[at].text in wanted:
            at += 1
        elif words[at].joined in wanted:
            at += 2
        else:
            return None
    return at


def without_phrases(text: str, phrases: tuple[str, ...]) -> str:
    """Return a text of the same length with some phrases masked."""
    view = read_with(text, phrases)
    for start, end in (view.span(*place.span) for place in find_phrases(view, phrases)):
        text = text[:start] + "".join(char if char == "\n" else " " for char in text[start:end]) + text[end:]
    return text


def _runs(sentences: tuple[Sentence, ...], tokens: Tokens) -> Iterator[list[_Word]]:
    """Yield the words in which phrases are matched: a sentence, joined with the next if only a line end
    separates them, as in a heading of two lines."""
    words: list[_Word] = []
    for number, sentence in enumerate(sentences):
        new = list(_words_of(sentence, number, tokens))
        if words and not _is_parted_by_line_end(tokens, words[-1].token, new[0].token):
            yield _with_joints(words, tokens)
            words = []
        words += new
    yield _with_joints(words, tokens)


def _words_of(sentence: Sentence, number: int, tokens: Tokens) -> Iterator[_Word]:
    """Yield the words of a sentence, with numbers as written."""
    for count, clause in enumerate(sentence.clauses):
        for place, (word, at) in enumerate(zip(clause.words, clause.tokens, strict=True)):
            yield _Word(tokens.folded[at] if word == NUMBER else word, "", number, count, place, at)


def _with_joints(words: list[_Word], tokens: Tokens) -> list[_Word]:
    for at, (one, other) in enumerate(pairwise(words)):
        if _is_hyphenated(tokens, one.token, other.token):
            words[at] = one._replace(joined=one.text + other.text)
    return words


def _is_parted_by_line_end(tokens: Tokens, one: int, other: int) -> bool:
    between = tokens.raw[one + 1 : other]
    if _is_hyphenated(tokens, one, other):
        return True
    return len(between) == 1 and between[0][0] in BREAKS and len(between[0].splitlines()) == 1


def _is_hyphenated(tokens: Tokens, one: int, other: int) -> bool:
    """Whether a hyphen joins two words, even across a line end."""
    between = tokens.raw[one + 1 : other]
    if not between or between[0] != "-" or any(piece[0] not in BREAKS for piece in between[1:]):
        return False
    return tokens.starts[one + 1] == tokens.starts[one] + len(tokens.raw[one])


def _place(phrase: str, sentences: tuple[Sentence, ...], held: list[_Word], tokens: Tokens) -> Place:
    """Return the match of a phrase over some words; the clauses that it spans are joined."""
    first, last = held[0], held[-1]
    sentence = sentences[first.sentence]
    after = sentences[last.sentence + 1] if last.sentence + 1 < len(sentences) else None
    clauses = [clause for item in sentences[first.sentence : last.sentence + 1] for clause in item.clauses]
    earlier = sum(len(item.clauses) for item in sentences[first.sentence : last.sentence])
    start, end = first.place, last.place + 1
    joined = clauses[first.clause : earlier + last.clause + 1]
    if len(joined) > 1:
        end += sum(len(clause.words) for clause in joined[:-1])
        words = tuple(word for clause in joined for word in clause.words)
        places = tuple(place for clause in joined for place in clause.tokens)
        clauses[first.clause : earlier + last.clause + 1] = [Clause(words, places)]
        sentence = Sentence(tuple(clauses), sentences[last.sentence].asks, is_label=False)
    span = sentence.clauses[first.clause].span(tokens, start, end)
    return Place(phrase, sentence, first.clause, start, end, after, span)


@lru_cache(maxsize=256)
def _compiled(
    phrases: tuple[str, ...],
) -> dict[str, list[tuple[str, tuple[frozenset[str], ...]]]]:
    """Return phrases with the forms of their words, indexed by the forms of the first word."""
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
            yield frozenset(all_forms_of(words.pop(0)))
        for word in words:
            yield frozenset((word,))


def _plain_words(piece: str) -> Iterator[str]:
    seen = read(piece).text
    tokens = tokenize(seen)
    for sentence in sentences_of(seen):
        yield from (word.text for word in _words_of(sentence, 0, tokens))


@lru_cache(maxsize=256)
def _vocabulary(phrases: tuple[str, ...]) -> str:
    words = {word for phrase in phrases for forms in _forms(phrase) for word in forms}
    return " ".join(sorted(words))
