"""Line patches: every changed line has to be requested by one required change."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.claims.clauses import content_of, sentences_of
from redpen.guards.data import word_set
from redpen.guards.report import Finding, part_of_text, whole_text
from redpen.guards.text import read
from redpen.guards.words import stem
from redpen.text.phrases import contains_phrase, phrase_key
from redpen.text.similarity import similarity
from redpen.text.tokens import sentences, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.views import View

_SHARE_OF_WORDS = 0.5
"""Least share of the content words of an instruction that a line it requested contains."""
_FEWEST_WORDS = 2
"""Fewest content words that a line shares with its instruction, if the instruction has so many."""
_MOST_COMPARED = 400
"""Most pairs of lines of one hunk that are compared; in larger hunks lines are paired in order."""
_ORDERS = frozenset(map(stem, word_set("lines", "orders")))
"""Stems of words of instructions that refer to any line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One required change.

    Attributes:
        include: phrases to include; it requests lines that contain one.
        remove: phrases to remove; it requests changes of lines that contain one.
        words: its content words without quotes; used if it quotes nothing.
    """

    include: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    words: str = ""


class _Line(NamedTuple):
    text: str
    key: tuple[str, ...]
    span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedLines:
    """The lines that a revision may change; a line of several sentences counts as several.

    Attributes:
        instructions: the required changes.
        most: maximum number of changed lines; None for no limit.
    """

    instructions: tuple[Instruction, ...]
    most: int | None = None

    def check(self, original: str, revised: str) -> tuple[Finding, ...]:
        """Return the changed lines that no instruction requests, and a finding if there are too many.

        Args:
            original: the text before the revision.
            revised: the revision. A moved line has changed; a line that differs only in case, white
                space or punctuation has not.
        """
        before, after = _lines(read(original)), _lines(read(revised, original))
        pairs = list(_changes(before, after))
        found = []
        if self.most is not None and len(pairs) > self.most:
            reading, reason = f"{len(pairs)} changed lines", f"at most {self.most} may change"
            found.append(whole_text("too_many_changed_lines", revised, reading, reason))
        found += (_unasked(revised, old, new, at) for old, new, at in pairs if not self._asks_for(old, new))
        return tuple(found)

    def _asks_for(self, old: _Line | None, new: _Line | None) -> bool:
        return any(_owns(instruction, old, new) for instruction in self.instructions)


def _owns(instruction: Instruction, old: _Line | None, new: _Line | None) -> bool:
    if instruction.include or instruction.remove:
        brought = new is not None and any(
            _holds(new, phrase) and not (old is not None and _holds(old, phrase))
            for phrase in instruction.include
        )
        dropped = old is not None and any(_holds(old, phrase) for phrase in instruction.remove)
        return brought or dropped
    asked = _content(instruction.words) - _ORDERS
    line = frozenset[str]().union(*(_content(item.text) for item in (old, new) if item is not None))
    shared = len(asked & line)
    return shared >= max(min(_FEWEST_WORDS, len(asked)), _SHARE_OF_WORDS * len(asked), 1)


def _holds(line: _Line, phrase: str) -> bool:
    # Lines are compared without accents, so the phrase is too.
    return contains_phrase(line.text, phrase) or contains_phrase(line.text, read(phrase).text)


def _content(text: str) -> frozenset[str]:
    clauses = (clause for sentence in sentences_of(text) for clause in sentence.clauses)
    return frozenset(word for clause in clauses for word in content_of(clause.words))


def _lines(view: View) -> list[_Line]:
    tokens = tokenize(view.text)
    found = []
    for start, end in sentences(tokens):
        first, last = tokens[start].start, tokens[end - 1].end
        text = view.text[first:last]
        found.append(_Line(text, phrase_key(text), view.span(first, last)))
    return found


def _changes(before: list[_Line], after: list[_Line]) -> Iterator[tuple[_Line | None, _Line | None, int]]:
    """Yield each changed line: before, after, and its position in the revision."""
    from rapidfuzz.distance import Indel

    old: list[_Line] = []
    new: list[_Line] = []
    at = 0
    for piece in Indel.opcodes([line.key for line in before], [line.key for line in after]):
        if piece.tag == "equal":
            yield from _paired(old, new, at)
            at, old, new = after[piece.dest_end - 1].span[1], [], []
        else:
            old += before[piece.src_start : piece.src_end]
            new += after[piece.dest_start : piece.dest_end]
    yield from _paired(old, new, at)


def _paired(old: list[_Line], new: list[_Line], at: int) -> Iterator[tuple[_Line | None, _Line | None, int]]:
    """Yield the lines of one hunk, paired by similarity, and unpaired lines alone."""
    left, right = dict.fromkeys(range(len(old))), dict.fromkeys(range(len(new)))
    pairs = (
        list(product(left, right))
        if len(left) * len(right) <= _MOST_COMPARED
        else list(zip(left, right, strict=False))
    )
    likeness = {(a, b): similarity(old[a].text, new[b].text) for a, b in pairs}
    for a, b in sorted(likeness, key=lambda pair: (-likeness[pair], abs(pair[0] - pair[1]), pair)):
        if a in left and b in right:
            del left[a], right[b]
            yield old[a], new[b], at
    yield from ((old[a], None, at) for a in left)
    yield from ((None, new[b], at) for b in right)


def _unasked(revised: str, old: _Line | None, new: _Line | None, at: int) -> Finding:
    span = new.span if new is not None else (at, at)
    said = (new or old or _Line("", (), span)).text
    done = "is new" if old is None else ("is gone" if new is None else "has changed")
    reading, reason = f"{' '.join(said.split())[:160]!r} {done}", "no required change asks for it"
    return part_of_text("line_not_requested", revised, span, reading, reason, family="line")
