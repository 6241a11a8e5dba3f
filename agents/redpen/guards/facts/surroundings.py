"""The sentence around a fact."""

from __future__ import annotations

from redpen.text.lazy_pattern import lazy_pattern

_SENTENCE_REACH = 240
_END = lazy_pattern(r"[.!?](?=\s|$)|\n")


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands before and after a piece in its sentence, in lower case.

    Args:
        text: what a reader sees.
        start: index of the first character of the piece.
        end: index after its last.
    """
    before = text[max(0, start - _SENTENCE_REACH) : start]
    begin = max((match.end() for match in _END.finditer(before)), default=0)
    after = text[end : end + _SENTENCE_REACH]
    stop = _END.search(after)
    return before[begin:].lower().lstrip(), after[: stop.end() if stop else _SENTENCE_REACH].lower()
