"""Split texts into sentences and clauses, and find the known clauses that are nearest to a clause."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.data import count_map, word_map, word_set
from redpen.guards.words import stem
from redpen.text.tokens import BREAKS, sentences, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redpen.text.tokens import Tokens

NUMBER = "#"
"""Replaces every number and month; these are judged as facts."""
_CUTTING = frozenset(",;:()–—")
_JOINING = frozenset(("and", "but", "so"))
_SEAMS = _CUTTING | _JOINING | {"-"}
"""Tokens before which a clause may end."""
_PAIRS = (
    ["up", "and", "running"],
    ["safe", "and", "sound"],
    ["over", "and", "done"],
    ["alive", "and", "well"],
)
"""Pairs that do not end a clause."""
_GREETING = frozenset("dear hi hello hey greetings".split())
"""First words of a greeting, which a comma ends however short it is."""
_ANSWERS = ["no"], ["yes"], ["a"], ["a", "no"], ["a", "yes"]
"""Words of an answer, which a comma or a colon ends; a question may be answered after "A:"."""
_KEPT_MARKS = frozenset("%?$€£")
_BETWEEN = " ! "
_MONTHS = frozenset(count_map("facts", "months"))
_SAYING = frozenset("say said think hope believe do did does not if".split())
"""Words after which "so" begins no clause: "we cannot say so for certain"."""
_NAMING = frozenset("id ref reference ticket case nr number code".split())
"""Words of the keys of identifiers."""
_SHORTEST = 3
"""Fewest words of a clause that a comma ends; shorter ones belong to the next clause."""
_SHORTEST_JOINED = 4
"""Fewest words on each side of a conjunction that separates clauses."""
_LONGEST_CLAUSE = 60
"""Most words of a clause; bounds the work for texts without punctuation."""
_LONGEST_LABEL = 6
_ENDINGS = word_map("clauses", "endings")
_WHOLE = {word: tuple(meant.split()) for word, meant in word_map("clauses", "contractions").items()}
"""Contractions that are replaced as a whole."""
_MARKED = _JOINING | _MONTHS | frozenset(_WHOLE)
"""Words of letters alone that may end a clause or stand for other words."""
_THEY = frozenset("it that there what everything he she here where who how this all nothing someone".split())
FUNCTION_WORDS = word_set("clauses", "function_words")
_NO_CONTENT = FUNCTION_WORDS | _KEPT_MARKS | {NUMBER}
"""Tokens without content; all others begin with a letter."""


class Clause(NamedTuple):
    """A clause of a sentence.

    Attributes:
        words: its words in lower case, contractions expanded, numbers as ``NUMBER``.
        tokens: for each word the index of its token in the text.
        capitals: indexes of capitalized words that neither begin the sentence nor are all capitals.
        numbers: its numbers as written, in order.
    """

    words: tuple[str, ...]
    tokens: tuple[int, ...]
    capitals: frozenset[int] = frozenset()
    numbers: tuple[str, ...] = ()

    def span(self, tokens: Tokens, start: int, end: int) -> tuple[int, int]:
        """Return the span of some of its words in the tokenized text."""
        last = self.tokens[end - 1]
        return tokens.starts[self.tokens[start]], tokens.starts[last] + len(tokens.raw[last])

    def is_hyphenated(self, at: int) -> bool:
        """Return whether a mark, such as a hyphen, stands between a word and the next one."""
        following = self.tokens[at + 1 : at + 2]
        return following != () and following[0] - self.tokens[at] > 1


class Sentence(NamedTuple):
    """A sentence as clauses.

    Attributes:
        clauses: in the order of the text; at least one.
        asks: whether it is a question.
        is_label: whether it is a heading or a label: short, and ended by a line end or a colon.
    """

    clauses: tuple[Clause, ...]
    asks: bool
    is_label: bool


@lru_cache(maxsize=64)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a view's text that contain words."""
    tokens = tokenize(text)
    found = (_sentence(tokens, start, end) for start, end in sentences(tokens))
    return tuple(sentence for sentence in found if sentence.clauses)


def _sentence(tokens: Tokens, start: int, end: int) -> Sentence:
    folded = tokens.folded
    clauses: list[Clause] = []
    words: list[str] = []
    places: list[int] = []
    for at in range(start, end):
        word = folded[at]
        if word.isalpha() and word not in _MARKED and len(words) < _LONGEST_CLAUSE:
            words.append(word)
            places.append(at)
            continue
        if (word in _SEAMS or len(words) >= _LONGEST_CLAUSE) and _ends_clause(tokens, at, end, words):
            clauses.append(_clause(tokens, start, words, places))
            words, places = [], []
        if word in _MONTHS and at > start and tokens.raw[at].istitle():
            parts: tuple[str, ...] = (NUMBER,)
        else:
            parts = _parts(word, folded[at + 1] if at + 1 < end else "")
        words += parts
        places += [at] * len(parts)
    if words:
        last = _clause(tokens, start, words, places)
        if clauses and len(words) < _SHORTEST:
            before = clauses.pop()
            last = Clause(
                before.words + last.words,
                before.tokens + last.tokens,
                before.capitals,
                before.numbers + last.numbers,
            )
        clauses.append(last)
    asks = "?" in folded[max(start, end - 3) : end]
    return Sentence(tuple(clauses), asks, _is_label(tokens, start, end))


def _ends_clause(tokens: Tokens, at: int, end: int, words: list[str]) -> bool:
    """Whether a clause that has some words so far ends before a token."""
    word, count = tokens.folded[at], len(words)
    if word in _CUTTING:
        is_whole = count >= _SHORTEST or (count > 0 and (words[0] in _GREETING or words in _ANSWERS))
        return is_whole and not (word == ":" and _is_glued(tokens, at))
    if word in _JOINING:
        before = tokens.folded[at - 1]
        if tokens.folded[at - 1 : at + 2] in _PAIRS or (word == "so" and before in _SAYING):
            return False
        return count >= _SHORTEST_JOINED and end - at >= _SHORTEST_JOINED
    if word == "-":
        return count >= _SHORTEST and not _is_glued(tokens, at)
    return count >= _LONGEST_CLAUSE


def _clause(tokens: Tokens, start: int, words: list[str], places: list[int]) -> Clause:
    raw, folded = tokens.raw, tokens.folded
    capitals: frozenset[int] = frozenset()
    numbers: tuple[str, ...] = ()
    first, last = places[0], places[-1] + 1
    if raw[first:last] != folded[first:last]:
        capitals = frozenset(
            number
            for number, at in enumerate(places)
            if raw[at] != folded[at] and at > start and raw[at][0].isupper() and raw[at][1:2].islower()
        )
    if NUMBER in words:
        numbers = tuple(folded[at] for word, at in zip(words, places, strict=True) if word == NUMBER)
    return Clause(tuple(words), tuple(places), capitals, numbers)


def _is_glued(tokens: Tokens, at: int) -> bool:
    """Whether a hyphen is part of a word, or a colon of a time."""
    starts = tokens.starts
    return (
        0 < at < len(starts) - 1
        and starts[at - 1] + len(tokens.raw[at - 1]) == starts[at]
        and starts[at + 1] == starts[at] + 1
    )


def _is_label(tokens: Tokens, start: int, end: int) -> bool:
    while end > start and tokens.raw[end - 1][0] in BREAKS:
        end -= 1
    return end - start <= _LONGEST_LABEL and end > start and tokens.raw[end - 1] not in ".!?"


def _parts(word: str, following: str) -> tuple[str, ...]:
    """Return the words of a token: two for ``isn't``, ``NUMBER`` for a number, none for most marks."""
    if word[0].isdigit():
        return (NUMBER,)
    if not word[0].isalpha():
        return (word,) if word in _KEPT_MARKS else ()
    if word in _WHOLE or "'" not in word:
        return _WHOLE.get(word, (word,))
    for ending, meant in _ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return (word.removesuffix(ending), meant)
    stripped = word.removesuffix("'s")
    if stripped != word and stripped in _THEY:
        return (stripped, "has" if following == "been" else "is")
    return (stripped.replace("'", "") or word,)


def without_lead(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a clause without a conjunction before them."""
    return words[1:] if words[0] in _JOINING and len(words) > 1 else words


@lru_cache(maxsize=4096)
def content_of(words: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of the content words of a clause."""
    return frozenset(map(stem, frozenset(words) - _NO_CONTENT))


@lru_cache(maxsize=4096)
def items_of(words: tuple[str, ...], numbers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct stems of content words and numbers of a clause, in order."""
    values = iter(numbers)
    told = (word for word in words if word == NUMBER or word not in _NO_CONTENT)
    items = (next(values, word) if word == NUMBER else stem(word) for word in told)
    return tuple(dict.fromkeys(items))


class Piece(NamedTuple):
    """A known clause.

    Attributes:
        words: its words in order.
        numbers: its numbers as written, in order.
        vocabulary: its distinct words.
        stems: the stems of its content words.
        source: ``o`` original, ``a`` approved action, ``x`` any other value of the context.
        asks: whether its sentence is a question.
        sentence: index of its sentence in its text, from 0.
    """

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    vocabulary: frozenset[str]
    stems: frozenset[str]
    source: str
    asks: bool
    sentence: int


@lru_cache(maxsize=1024)
def _pieces(text: str, source: str) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            clause.words,
            clause.numbers,
            frozenset(clause.words),
            content_of(clause.words),
            source,
            sentence.asks,
            number,
        )
        for number, sentence in enumerate(sentences_of(text))
        for clause in sentence.clauses
    )


class Known:
    """The known statements: the clauses of the original and of the context.

    Args:
        original: the original as read.
        actions: the approved actions, as read.
        others: all other texts of the context.
        inherit: whether claims of context and original may be repeated.

    Attributes:
        pieces: all clauses.
        words: their words.
        stems: the stems of their content words.
        stems_of_original: those of the original.
        wordings: the clauses of the original, verbatim, without a conjunction before them.
        names: the letters of the identifiers in the context, such as ``inc`` of INC-12.
        inherit: as given.
    """

    def __init__(
        self, original: str, actions: Iterable[str], others: Iterable[str], *, inherit: bool
    ) -> None:
        own = _pieces(original, "o")
        # Joined and split once: the mark between two texts ends a sentence and is not a word.
        self.pieces = (*own, *_pieces(_BETWEEN.join(actions), "a"), *_pieces(_BETWEEN.join(others), "x"))
        self.inherit = inherit
        self.wordings = frozenset(without_lead(piece.words) for piece in own)
        named = (piece.words for piece in self.pieces if piece.source == "x" and piece.words[-1] == NUMBER)
        names = {words[-2] for words in named if not _NAMING.isdisjoint(words[:-2])}
        if names:
            every = (pair for piece in self.pieces for pair in pairwise((*piece.words, "")))
            names -= {word for word, following in every if following != NUMBER}
        self.names = frozenset(map(stem, names))
        self._own = frozenset((piece.words, piece.numbers) for piece in own)
        self.words = frozenset(chain.from_iterable(piece.words for piece in self.pieces))
        self.stems_of_original = frozenset(chain.from_iterable(piece.stems for piece in own))
        self._holding: dict[str, list[int]] = {}
        for at, piece in enumerate(self.pieces):
            for word in piece.stems:
                self._holding.setdefault(word, []).append(at)
        self.stems = frozenset(self._holding)

    def sentence_stems(self, piece: Piece) -> frozenset[str]:
        """Return the stems of the content words of the sentence of a known clause."""
        place = (piece.source, piece.sentence)
        return frozenset().union(*(it.stems for it in self.pieces if (it.source, it.sentence) == place))

    def holds(self, clause: Clause) -> bool:
        """Return whether the original contains a clause verbatim."""
        return (clause.words, clause.numbers) in self._own

    def nearest(self, vocabulary: frozenset[str], stems: frozenset[str]) -> tuple[float, float, Piece | None]:
        """Return the known clause that contains most of the content of a clause.

        Args:
            vocabulary: the words of the clause.
            stems: the stems of its content words.

        Returns:
            The share of the stems that it contains, the Jaccard similarity of the words of both, and it.
        """
        shared: dict[int, int] = {}
        for word in stems & self.stems:
            for at in self._holding[word]:
                shared[at] = shared.get(at, 0) + 1
        if not shared:
            return 0.0, 0.0, None
        most = max(shared.values())
        likeness, at = max((self._likeness(at, vocabulary), -at) for at, n in shared.items() if n == most)
        return most / len(stems), likeness, self.pieces[-at]

    def _likeness(self, at: int, vocabulary: frozenset[str]) -> float:
        other = self.pieces[at].vocabulary
        both = len(vocabulary & other)
        return both / (len(vocabulary) + len(other) - both)
