"""The word diff of two texts, as all of their stretches or as one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

from rapidfuzz.distance import Indel

from redpen.screen import escaped

_TOKEN = re.compile(r"\n|[^\S\n]+|\w+(?:[.,'’-]\w+)*|[^\w\s]")
_MAX_CELLS = 25_000_000
_MAX_ISLAND_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A stretch of both texts: start and end (exclusive) in each, and whether the two are equal."""

    same: bool
    old: tuple[int, int]
    new: tuple[int, int]


class _Step(NamedTuple):
    """A hunk, counted in tokens."""

    same: bool
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def size(self) -> int:
        return max(self.old_end - self.old_start, self.new_end - self.new_start)


def hunks(before: str, after: str) -> tuple[Hunk, ...]:
    """Return the equal and the changed stretches, in turn; together they are both texts.

    Texts with too many different words to align are one change between their common start and end.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    old_at = list(accumulate(map(len, old), initial=0))
    new_at = list(accumulate(map(len, new), initial=0))
    changed = list(_merged(_aligned(old, new)))
    for longest in (1, _MAX_ISLAND_CHARS):
        changed = list(_merged(_without_islands(changed, old_at, longest)))
    steps = _merged(part for step in changed for part in _trimmed(step, old, new))
    return tuple(
        Hunk(
            same=step.same,
            old=(old_at[step.old_start], old_at[step.old_end]),
            new=(new_at[step.new_start], new_at[step.new_end]),
        )
        for step in steps
    )


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    start = common_prefix(old, new)
    end = common_prefix(old[start:][::-1], new[start:][::-1])
    old_end, new_end = len(old) - end, len(new) - end
    if start:
        yield _Step(True, 0, start, 0, start)
    if (old_end - start) * (new_end - start) > _MAX_CELLS:
        yield _Step(False, start, old_end, start, new_end)
    else:
        for code in Indel.opcodes(old[start:old_end], new[start:new_end]):
            spans = (code.src_start, code.src_end, code.dest_start, code.dest_end)
            yield _Step(code.tag == "equal", *(at + start for at in spans))
    if end:
        yield _Step(True, old_end, len(old), new_end, len(new))


def common_prefix(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many items at the start of two sequences are equal."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _trimmed(step: _Step, old: Sequence[str], new: Sequence[str]) -> Iterator[_Step]:
    """Yield a change with its equal start and end as steps of their own."""
    same, i, j, k, m = step
    if same:
        yield step
        return
    start = common_prefix(old[i:j], new[k:m])
    end = common_prefix(old[i + start : j][::-1], new[k + start : m][::-1])
    yield _Step(True, i, i + start, k, k + start)
    yield _Step(False, i + start, j - end, k + start, m - end)
    yield _Step(True, j - end, j, m - end, m)


def _merged(steps: Iterable[_Step]) -> Iterator[_Step]:
    """Yield the steps with adjacent ones of a kind merged, and without empty ones."""
    last: _Step | None = None
    for step in steps:
        if not step.size:
            continue
        if last is not None and last.same == step.same:
            last = _Step(step.same, last.old_start, step.old_end, last.new_start, step.new_end)
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last


def _without_islands(steps: Sequence[_Step], old_at: Sequence[int], longest: int) -> Iterator[_Step]:
    """Yield the steps with short equal stretches between two changes, equal only by chance, as changed.

    An island has at most `longest` characters; it must not be longer than its neighbours either.
    """
    for before, step, after in zip((None, *steps), steps, (*steps[1:], None), strict=False):
        if not step.same or before is None or after is None:
            yield step
            continue
        length = old_at[step.old_end] - old_at[step.old_start]
        is_small = length <= 1 or step.size <= min(before.size, after.size)
        yield step._replace(same=length > longest or not is_small)


_WORD: Final = re.compile(r"\s+|\w+(?:[.,'’-]\w+)*|[^\s\w]")
_MAX_CHANGED_CHARS: Final = 200
_CONTEXT_TOKENS: Final = 12
_MAX_EQUAL_TOKENS: Final = 16
_MAX_CHARS: Final = 200
_MARKS: Final = {"\\n": "⏎", "\\t": "⇥"}


def word_diff(before: str, after: str) -> str:
    """Return the first differences between a recorded and a live text in one line.

    Returns:
        One line such as `… only facts from the [-context-] {+given context+} and …`: removed words in
        `[-…-]`, added ones in `{+…+}`, cut ends as `…`, line breaks as `⏎`, invisible characters escaped.
        Empty for equal texts.
    """
    text, changed = "", 0
    all_hunks = hunks(before, after)
    for at, hunk in enumerate(all_hunks):
        removed, added = before[slice(*hunk.old)], after[slice(*hunk.new)]
        if not hunk.same:
            text += replacement(removed, added)
            changed += max(len(removed), len(added))
            continue
        words = _WORD.findall(removed)
        last = at == len(all_hunks) - 1
        if not text:
            head = _visible("".join(words[-_CONTEXT_TOKENS:]))
            text = f"… {head.lstrip()}" if len(words) > _CONTEXT_TOKENS else head
        elif changed > _MAX_CHANGED_CHARS and not last:
            return f"{text.rstrip()} …"
        elif len(words) > (_CONTEXT_TOKENS if last else _MAX_EQUAL_TOKENS):
            return f"{text}{_visible(''.join(words[:_CONTEXT_TOKENS])).rstrip()} …"
        else:
            text += _visible(removed)
    return text if changed else ""


def replacement(removed: str, added: str) -> str:
    """Return the notation for a replaced text, cut to the surroundings of the first difference."""
    # A single changed word may be as long as a page.
    if len(removed) > _MAX_CHARS or len(added) > _MAX_CHARS:
        removed, added = _narrow(removed, added)
    parts = [mark.format(_visible(text)) for mark, text in (("[-{}-]", removed), ("{{+{}+}}", added)) if text]
    return " ".join(parts)


def _narrow(removed: str, added: str) -> tuple[str, str]:
    start = max(0, common_prefix(removed, added) - _MAX_CHARS // 2)
    return _window(removed, start), _window(added, start)


def _window(text: str, start: int) -> str:
    end = start + _MAX_CHARS
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


def _visible(text: str) -> str:
    return "".join(_MARKS.get(piece, piece) for piece in escaped(text))
