"""A short word-level diff of two texts, centred on their first difference."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

from redpen.screen import escaped
from redpen_evals.text_diff import hunks

_TOKEN: Final = re.compile(r"\s+|\w+(?:[.,'’-]\w+)*|[^\s\w]")
_MAX_CHANGED_CHARS: Final = 200
_CONTEXT_TOKENS: Final = 12
_MAX_EQUAL_TOKENS: Final = 16
_MAX_CHARS: Final = 200
_MARKS: Final = {"\\n": "⏎", "\\t": "⇥"}


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
    text, changed = "", 0
    found = hunks(before, after)
    for at, hunk in enumerate(found):
        removed, added = before[slice(*hunk.old)], after[slice(*hunk.new)]
        if not hunk.same:
            text += replacement(removed, added)
            changed += max(len(removed), len(added))
            continue
        words = _TOKEN.findall(removed)
        last = at == len(found) - 1
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
    """Show one text in the place of another, long ones around their first difference."""
    # A single changed word may be as long as a page; what differs in it is what counts.
    if len(removed) > _MAX_CHARS or len(added) > _MAX_CHARS:
        removed, added = _narrow(removed, added)
    parts = [mark.format(_visible(text)) for mark, text in (("[-{}-]", removed), ("{{+{}+}}", added)) if text]
    return " ".join(parts)


def _narrow(removed: str, added: str) -> tuple[str, str]:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(removed, added, strict=False))
    start = max(0, sum(1 for _ in same) - _MAX_CHARS // 2)
    return _window(removed, start), _window(added, start)


def _window(text: str, start: int) -> str:
    end = start + _MAX_CHARS
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


def _visible(text: str) -> str:
    return "".join(_MARKS.get(piece, piece) for piece in escaped(text))
