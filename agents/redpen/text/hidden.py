"""Removes text that a reader does not see, or sees crossed out: hidden elements, a crossed-out "not"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.text.markup import Edit

_OPENING = lazy_pattern(r"<(?P<name>[A-Za-z][A-Za-z0-9]{0,20}+)(?P<rest>(?:[\s/][^<>]{0,400}+)?)>")
_NEVER_SHOWN = frozenset("script style template".split())
_HIDING = lazy_pattern(
    r"(?<![\w-])hidden(?![\w-])"
    r"|(?:display|visibility)\s{0,4}:\s{0,4}(?:none|hidden|collapse)"
    r"|(?<![\w-])(?:font-size|opacity|width|height|max-width|max-height)\s{0,4}:\s{0,4}0(?![\d.]{0,4}[1-9])"
    r"|(?<![\w-])color\s{0,4}:\s{0,4}transparent",
    re.IGNORECASE,
)
_MAX_ELEMENT_CHARS = 2_000

_WEAKENING = (
    "not|n't|never|no|hardly|yet|nearly|almost|may|might|could|should|would|if|once|when|until|unless|expect|"
    "expected|expects|estimated|probably|likely|possibly|perhaps|maybe|hopefully|partly|partially|to|be|is|"
    "are|we|it|isn't|aren't|hasn't|haven't|wasn't|weren't|cannot|can't|won't"
)
_CROSSED_OUT = lazy_pattern(
    r"(?<!\w)(?:(?P<tilde>~~)|<(?P<tag>del|s|strike)(?:\s[^<>]{0,100}+)?>|\[s\])\s{0,3}"
    rf"(?:{_WEAKENING})(?:\s{{1,3}}(?:{_WEAKENING})){{0,4}}"
    r"\s{0,3}(?(tilde)~~|(?(tag)</(?P=tag)>|\[/s\]))(?!\w)",
    re.IGNORECASE,
)
_CROSSED_OUT_LETTERS = lazy_pattern(
    r"(?<![\w\u0300-\u036f])[A-Za-z](?P<stroke>[\u0335-\u0338])(?>(?:['’ ]?[A-Za-z](?P=stroke)){1,24})(?!\w)"
)
_WEAKENING_ONLY = lazy_pattern(rf"(?:{_WEAKENING})(?: (?:{_WEAKENING})){{0,4}}", re.IGNORECASE)
_STROKES = str.maketrans(dict.fromkeys("\u0335\u0336\u0337\u0338"))


def hidden_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that remove hidden and crossed-out text, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
    """
    last = 0
    for match in _CROSSED_OUT.finditer(text) if "~~" in text or "<" in text or "[s]" in text.lower() else ():
        yield from _hidden_elements(text[last : match.start()], last)
        yield match.start(), match.end(), ""
        last = match.end()
    yield from _hidden_elements(text[last:], last)


def crossed_out_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that remove negations and hedges that are crossed out letter by letter."""
    for match in _CROSSED_OUT_LETTERS.finditer(text):
        if _WEAKENING_ONLY.fullmatch(match.group().translate(_STROKES)):
            yield match.start(), match.end(), ""


def _hidden_elements(text: str, offset: int) -> Iterator[Edit]:
    if "<" not in text:
        return
    last = 0
    for match in _OPENING.finditer(text):
        if match.start() < last:
            continue
        name = match["name"].lower()
        if name in _NEVER_SHOWN or _HIDING.search(match["rest"]):
            end = _end_of(text, name, match.end())
            if end:
                yield offset + match.start(), offset + end, ""
                last = end


def _end_of(text: str, name: str, start: int) -> int:
    """Return the index after the element whose content begins at ``start``; 0 if it is not closed."""
    depth = 1
    tag = re.compile(rf"<(/?){name}(?:[\s/][^<>]{{0,400}}+)?>", re.IGNORECASE)
    for match in tag.finditer(text, start, start + _MAX_ELEMENT_CHARS):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end()
    return 0
