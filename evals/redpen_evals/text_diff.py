"""The word diff of two texts, as all of their stretches or as one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, takewhile
from typing import Final, NamedTuple

from rapidfuzz.distance import Indel

from redpen.screen import escaped

_TOKEN = re.compile(r"\n|[^\S\n]+|\w+(?:[.,'’-]\w+)*|[^\w\s]")
_MAX_CELLS = 25_000_000
_MAX_ISLAND_CHARS = 24


class Hunk(NamedTuple):
    """A stretch of both texts: start and end (exclusive) in each, and whether the two are equal."""

    same: bool
    old: tuple[int, int]
    new: tuple[int, int]

    @property
    def size(self) -> int:
        """The longer of its two lengths."""
        return max(end - start for start, end in (self.old, self.new))


def hunks(before: str, after: str) -> tuple[Hunk, ...]:
    """Return the equal and the changed stretches, in turn; together they are both texts.

    Texts with too many different words to align are one change between their common start and end.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    old_at = list(accumulate(map(len, old), initial=0))
    new_at = list(accumulate(map(len, new), initial=0))
    # Until the end, positions are those of tokens.
    changed = list(_merged(_aligned(old, new)))
    for longest in (1, _MAX_ISLAND_CHARS):
        changed = list(_merged(_without_islands(changed, old_at, longest)))
    return tuple(
        Hunk(same, (old_at[i], old_at[j]), (new_at[k], new_at[m]))
        for same, (i, j), (k, m) in _merged(part for hunk in changed for part in _trimmed(hunk, old, new))
    )


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    start = common_prefix(old, new)
    end = common_prefix(old[start:][::-1], new[start:][::-1])
    old_end, new_end = len(old) - end, len(new) - end
    yield Hunk(True, (0, start), (0, start))
    if (old_end - start) * (new_end - start) > _MAX_CELLS:
        yield Hunk(False, (start, old_end), (start, new_end))
    else:
        for code in Indel.opcodes(old[start:old_end], new[start:new_end]):
            old_span = start + code.src_start, start + code.src_end
            yield Hunk(code.tag == "equal", old_span, (start + code.dest_start, start + code.dest_end))
    yield Hunk(True, (old_end, len(old)), (new_end, len(new)))


def common_prefix(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many items at the start of two sequences are equal."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _trimmed(hunk: Hunk, old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    """Yield a change with its equal start and end as hunks of their own."""
    same, (i, j), (k, m) = hunk
    if same:
        yield hunk
        return
    start = common_prefix(old[i:j], new[k:m])
    end = common_prefix(old[i + start : j][::-1], new[k + start : m][::-1])
    yield Hunk(True, (i, i + start), (k, k + start))
    yield Hunk(False, (i + start, j - end), (k + start, m - end))
    yield Hunk(True, (j - end, j), (m - end, m))


def _merged(parts: Iterable[Hunk]) -> Iterator[Hunk]:
    """Yield the hunks with adjacent ones of a kind merged, and without empty ones."""
    for same, group in groupby((part for part in parts if part.size), key=lambda part: part.same):
        merged = list(group)
        first, last = merged[0], merged[-1]
        yield Hunk(same, (first.old[0], last.old[1]), (first.new[0], last.new[1]))


def _without_islands(parts: Sequence[Hunk], old_at: Sequence[int], longest: int) -> Iterator[Hunk]:
    """Yield the hunks with short equal stretches between two changes, equal only by chance, as changed.

    An island has at most `longest` characters; it must not be longer than its neighbours either.
    """
    for before, part, after in zip((None, *parts), parts, (*parts[1:], None), strict=False):
        if not part.same or before is None or after is None:
            yield part
            continue
        length = old_at[part.old[1]] - old_at[part.old[0]]
        is_small = length <= 1 or part.size <= min(before.size, after.size)
        yield part._replace(same=length > longest or not is_small)


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
