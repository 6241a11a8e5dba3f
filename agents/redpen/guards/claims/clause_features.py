"""What the weighing of a clause looks at: its words, and how they stand to what is known.

Each feature is one short text. Some of them name words ("new:melt": a word of content that nothing known
has), some a class of words ("class:healthy"), some the build of the clause ("known:9": nine tenths of what it
speaks of stand together in one known clause), some what became of the nearest known clause ("lost:not").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.prose import amount_names, context_prose
from redpen.guards.claims.reading import Sentence, own_sentences, placed_sentences
from redpen.guards.claims.said import Said, said_in
from redpen.guards.claims.told import clauses

BIAS = "bias"
"""The feature that every clause has."""
_CLASSES: Mapping[str, int] = {
    name.lower(): value
    for name, value in vars(t).items()
    if name.isupper() and isinstance(value, int) and value.bit_count() == 1 and name != "MARK"
}
_MOODS: Mapping[str, int] = {
    name: _CLASSES[name]
    for name in (
        "not", "no", "may", "can", "condition", "hard_condition", "opener", "hedge", "will", "communicates",
        "problem", "determiner",
    )
}  # fmt: skip
"""Classes of words that tell in which mood the rest of a sentence is said."""
_TURNING = frozenset(
    "not no never none nothing nobody cannot without if once until unless when whether may might could can "
    "should would will expect hope hopes expected aim trying try working checking looking check yet still "
    "possible possibly perhaps likely seems appear appears believe think before after while unable fail "
    "fails failed unknown under being".split()
)
"""Words that turn what a clause says where they are dropped."""
_ALIGNED = 0.5
"""Least share of what a clause speaks of that the nearest known clause has."""
_STEPS = 10
_MOST_NEW = 3
_LONGEST = 8
_MOST_CLAUSES = 2


class _Piece(NamedTuple):
    """A clause that is known.

    Attributes:
        words: its words.
        stems: the stems of its content words.
        moods: how it is said.
    """

    words: frozenset[str]
    stems: frozenset[str]
    moods: frozenset[str]


class Background:
    """What is known to the reader of a revision.

    Args:
        original: the original as read.
        texts: what the context says in words, and how it calls its numbers.
        inherit: whether a claim may stand that context or original already makes.

    Attributes:
        stems: the stems of the content words of all clauses.
        words: their words.
        wordings: the clauses of the original, word by word.
        inherit: as given.
        said: the words of the original.
        told: how many words of content the original has, each counted once.
    """

    def __init__(self, original: str, texts: tuple[str, ...], *, inherit: bool) -> None:
        self._pieces = tuple(piece for text in (original, *texts) for piece in _pieces(text))
        self._holding: dict[str, list[int]] = {}
        for at, piece in enumerate(self._pieces):
            for stem in piece.stems:
                self._holding.setdefault(stem, []).append(at)
        self.stems = frozenset(self._holding)
        self.words = frozenset().union(*(piece.words for piece in self._pieces))
        self.wordings = _wordings(original)
        self.inherit = inherit
        self.said = frozenset().union(*(piece.words for piece in _pieces(original)))
        self.told = len(frozenset().union(*(piece.stems for piece in _pieces(original))))

    def nearest(self, words: frozenset[str], stems: frozenset[str]) -> tuple[float, float, _Piece | None]:
        """Return the known clause that holds most of what a clause speaks of.

        Args:
            words: the words of the clause.
            stems: the stems of its content words.

        Returns:
            The share of the stems that it holds, the share of all words of both that both have, and it.
        """
        shared = Counter(at for stem in stems for at in self._holding.get(stem, ()))
        if not shared:
            return 0.0, 0.0, None
        most = max(shared.values())
        likeness, at = max(
            (len(words & self._pieces[at].words) / len(words | self._pieces[at].words), -at)
            for at, count in shared.items()
            if count == most
        )
        return most / len(stems), likeness, self._pieces[-at]


def background(original: str, context: Mapping[str, Any], *, inherit: bool) -> Background:
    """Return what is known to the reader of a revision.

    Args:
        original: the original as read.
        context: the incident context, any JSON object.
        inherit: whether a claim may stand that context or original already makes.
    """
    actions, others = context_prose(context)
    return _background(original, (*actions, *others, *amount_names(context)), inherit)


@lru_cache(maxsize=64)
def _background(original: str, texts: tuple[str, ...], inherit: bool) -> Background:
    return Background(original, texts, inherit=inherit)


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[_Piece, ...]:
    return tuple(
        _Piece(
            frozenset(sentence.words[start:end]),
            content(sentence, start, end),
            _moods(said_in(sentence, start, end), sentence.question),
        )
        for sentence in own_sentences(text)
        for start, end in clauses(sentence)
    )


@lru_cache(maxsize=256)
def _wordings(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(sentence.words[start:end])
        for sentence in own_sentences(text)
        for start, end in clauses(sentence)
    )


class Changed(NamedTuple):
    """A clause of a revision that the original does not hold word by word.

    Attributes:
        begin: where its sentence begins in the text read.
        start: index of its first character there.
        end: index after its last.
        own: what the weighing looks at in the clause itself, each once.
        beside: what it looks at in how the clause stands to what is known, each once.
    """

    begin: int
    start: int
    end: int
    own: frozenset[str]
    beside: frozenset[str]

    @property
    def guarded(self) -> bool:
        """Whether it denies something, or leaves it open: what it says may be no claim at all."""
        return "is:denied" in self.own or "is:open" in self.own


def changed_clauses(revised: str, known: Background) -> Iterator[Changed]:
    """Yield the clauses of a revision that its original does not hold word by word, in order.

    Args:
        revised: the revision as read.
        known: what is known to the reader.
    """
    for begin, sentence in placed_sentences(revised):
        for place, (start, end) in enumerate(clauses(sentence)):
            if tuple(sentence.words[start:end]) not in known.wordings:
                first, last = sentence.span(start, end - 1)
                beside = frozenset(_beside(sentence, place, known))
                yield Changed(begin, begin + first, begin + last, _own(sentence, place), beside)


@lru_cache(maxsize=2048)
def _own(sentence: Sentence, place: int) -> frozenset[str]:
    """Return the features of one of the clauses of a sentence that do not turn on what is known."""
    parts = clauses(sentence)
    start, end = parts[place]
    words, stems = sentence.words[start:end], content(sentence, start, end)
    features = [BIAS, f"length:{min(_LONGEST, len(stems))}", f"place:{min(place, _MOST_CLAUSES)}"]
    features += [f"clauses:{min(len(parts), _MOST_CLAUSES + 1)}"]
    features += [f"word:{word}" for word in words]
    features += [f"about:{stem}" for stem in stems]
    features += [f"pair:{first} {second}" for first, second in zip(["^", *words], [*words, "$"], strict=True)]
    features += [f"is:{mood}" for mood in _moods(said_in(sentence, start, end), sentence.question)]
    features += _classes("class", _mask(sentence.tags[start:end]))
    if place:
        features += _classes("before", _mask(sentence.tags[: parts[place - 1][1]]), moods=True)
    if place + 1 < len(parts):
        features += _classes("after", _mask(sentence.tags[slice(*parts[place + 1])]), moods=True)
    return frozenset(features)


def _beside(sentence: Sentence, place: int, known: Background) -> Iterator[str]:
    """Yield the features of one of the clauses of a sentence that turn on what is known."""
    start, end = clauses(sentence)[place]
    words, stems = sentence.words[start:end], content(sentence, start, end)
    new = stems - known.stems
    yield f"news:{min(_MOST_NEW, len(new))}"
    for stem in new:
        yield f"new:{stem}"
    unheard = [
        tag for word, tag in zip(words, sentence.tags[start:end], strict=True) if word not in known.words
    ]
    yield from _classes("new class", _mask(unheard))
    here = frozenset(words)
    share, likeness, nearest = known.nearest(here, stems)
    step = int(share * _STEPS)
    yield f"known:{step}"
    if known.inherit:
        yield "inherits"
        yield f"known, inherits:{step}"
    if nearest is None or share < _ALIGNED:
        return
    yield f"same:{int(likeness * _STEPS)}"
    for word in nearest.words - here:
        if word in _TURNING:
            yield f"lost:{word}"
    for word in here - nearest.words:
        yield f"put in:{word}"
    moods = _moods(said_in(sentence, start, end), sentence.question)
    for mood in moods ^ nearest.moods:
        yield f"became:{mood}" if mood in moods else f"was:{mood}"


def _moods(said: Said, asks: bool) -> frozenset[str]:
    moods = (
        ("denied", said.denied), ("open", said.opened), ("trouble", said.trouble), ("done", said.done),
        ("asked", asks),
    )  # fmt: skip
    return frozenset(name for name, so in moods if so)


def _mask(tags: list[int]) -> int:
    return reduce(or_, tags, 0)


@lru_cache(maxsize=2048)
def _classes(group: str, mask: int, *, moods: bool = False) -> tuple[str, ...]:
    return tuple(f"{group}:{name}" for name, bit in (_MOODS if moods else _CLASSES).items() if mask & bit)
