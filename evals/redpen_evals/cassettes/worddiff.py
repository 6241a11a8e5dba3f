"""A short word-level diff of two texts, centred on their first difference."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN: Final = re.compile(r"\s+|\w+(?:[.,'’-]\w+)*|[^\s\w]")
_MAX_TOKENS: Final = 80
_CONTEXT_TOKENS: Final = 12
_MAX_EQUAL_TOKENS: Final = 16
_MAX_CHARS: Final = 200
_MARKS: Final = {"\n": "⏎", "\t": "⇥"}


def word_diff(before: str, after: str) -> str:
    """Show where two texts first differ.

    Args:
        before: the recorded text.
        after: the live text.

    Returns:
        One line such as `… only facts from the [-context-] {+given context+} and …`: removed words in
        `[-…-]`, added ones in `{+…+}`, cut ends as `…`, line breaks as `⏎`, invisible characters escaped.
        Empty for equal texts.
    """
    if before == after:
        return ""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    tail = old[len(old) - end :]
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    clipped = len(old_middle) > _MAX_TOKENS or len(new_middle) > _MAX_TOKENS
    shown, complete = _changes(old_middle[:_MAX_TOKENS], new_middle[:_MAX_TOKENS])
    head = old[max(0, start - _CONTEXT_TOKENS) : start]
    text = _visible("".join(head)) + shown
    if start > _CONTEXT_TOKENS:
        text = f"… {text.lstrip()}"
    if clipped or not complete:
        return f"{text.rstrip()} …"
    text += _visible("".join(tail[:_CONTEXT_TOKENS]))
    return f"{text.rstrip()} …" if end > _CONTEXT_TOKENS else text


def _common(old: list[str], new: list[str]) -> int:
    length = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        length += 1
    return length


def _changes(old: list[str], new: list[str]) -> tuple[str, bool]:
    # autojunk would drop frequent words such as "the" from long texts.
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    text = ""
    for tag, old_from, old_to, new_from, new_to in _merged(matcher.get_opcodes(), old):
        removed, added = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if tag != "equal":
            text += replacement(removed, added)
        elif old_to - old_from > _MAX_EQUAL_TOKENS and text:
            return text + _visible("".join(old[old_from : old_from + _CONTEXT_TOKENS])), False
        else:
            text += _visible(removed)
    return text, True


def _merged(
    opcodes: Sequence[tuple[str, int, int, int, int]], old: list[str]
) -> list[tuple[str, int, int, int, int]]:
    # A lone space between two changed words would only tear one change into two.
    merged: list[tuple[str, int, int, int, int]] = []
    for index, (tag, *span) in enumerate(opcodes):
        lone_space = (
            tag == "equal" and 0 < index < len(opcodes) - 1 and not "".join(old[span[0] : span[1]]).strip()
        )
        kind = "replace" if lone_space or tag != "equal" else "equal"
        if merged and kind == "replace" and merged[-1][0] == "replace":
            _, old_from, _, new_from, _ = merged[-1]
            merged[-1] = (kind, old_from, span[1], new_from, span[3])
        else:
            merged.append((kind, span[0], span[1], span[2], span[3]))
    return merged


def replacement(removed: str, added: str) -> str:
    """Show one text in the place of another, long ones around their first difference."""
    # A single changed word may be as long as a page; what differs in it is what counts.
    if len(removed) > _MAX_CHARS or len(added) > _MAX_CHARS:
        removed, added = _narrow(removed, added)
    parts = [mark.format(_visible(text)) for mark, text in (("[-{}-]", removed), ("{{+{}+}}", added)) if text]
    return " ".join(parts)


def _narrow(removed: str, added: str) -> tuple[str, str]:
    start = max(0, _common(list(removed), list(added)) - _MAX_CHARS // 2)
    return _window(removed, start), _window(added, start)


def _window(text: str, start: int) -> str:
    end = start + _MAX_CHARS
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


def _visible(text: str) -> str:
    return "".join(
        _MARKS.get(char) or (char if char.isprintable() else char.encode("unicode_escape").decode("ascii"))
        for char in text
    )
