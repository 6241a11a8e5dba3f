"""Standing text of a project, which is never a finding: greetings, links, product names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from redpen.guards.report import Finding, Report
from redpen.guards.severity_scale import SEVERITIES
from redpen.guards.text import name_words, prose_words
from redpen.types import LONGEST_STANDING, MOST_STANDING

STANDING: Final = "standing"
KINDS: Final = ("greetings", "sign_offs", "headings", "links", "product_names")
NAME: Final = "{name}"
"""Placeholder for a person's name in greetings and sign-offs."""

_PERSON = r"(?P<name>[^\W\d_a-z][^\W\d_]{1,30}(?:[-'’][^\W\d_]{1,30})?(?: [^\W\d_a-z][^\W\d_]{1,30})?)"
_BLANKS = r"[^\S\n]{1,4}"
_CLOSED = r"[^\S\n]{0,8}(?:[,.!:;–—-]|(?=\n)|\Z)"
_HEADED = r"(?m:^)[^\S\n]{0,8}(?:#{1,6}[^\S\n]{1,4}|[*_]{1,3})?"
_FILLERS: Final = ("product", "it")
"""Replacements for masked product names; the longest that fits is used."""


def standing_in(context: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the standing text of a context; None if the key has another form and is an ordinary fact."""
    given = context.get(STANDING)
    return given if isinstance(given, Mapping) and given and set(given) <= set(KINDS) else None


class StandingText:
    """The standing text of a context.

    Args:
        given: lists of texts under some of ``KINDS``; values that are not texts are ignored.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        entries = tuple((kind, _texts(given.get(kind))) for kind in KINDS)
        self._patterns = _compiled(entries)

    def spans(self, text: str) -> list[tuple[int, int, bool]]:
        """Return the spans of standing text in order: start, end, and whether it is a product name."""
        found: list[tuple[int, int, bool]] = []
        end = 0
        matches = (
            (match, kind)
            for kind, pattern in self._patterns
            for match in pattern.finditer(text)
            if _is_person(match)
        )
        for match, kind in sorted(matches, key=lambda item: (item[0].start(), -item[0].end())):
            if match.start() >= end:
                end = match.end()
                found.append((match.start(), end, kind == "product_names"))
        return found

    def masked(self, text: str) -> str:
        """Return a text of the same length with standing text masked."""
        pieces: list[str] = []
        last = 0
        for start, end, is_product in self.spans(text):
            pieces += (text[last:start], _filler(text[start:end], is_product=is_product))
            last = end
        return "".join((*pieces, text[last:]))

    def of_both(self, read: Report, masked: Report) -> Report:
        """Return the findings that remain when standing text is masked.

        Args:
            read: the verdict on the text.
            masked: the verdict on the masked text.
        """
        return Report(
            violations=tuple(in_both(read.violations, masked.violations)),
            concerns=tuple(in_both(read.concerns, masked.concerns)),
        )


def facts_of(context: Mapping[str, Any], scale: tuple[str, ...]) -> Mapping[str, Any]:
    """Return a context without its standing text and severity scale, which are not facts."""
    left_out = {STANDING} if standing_in(context) is not None else set()
    left_out |= {SEVERITIES} if scale else set()
    return {key: value for key, value in context.items() if key not in left_out} if left_out else context


def in_both(read: Iterable[Finding], masked: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that have a finding of the same code at the same place in a masked text.

    Args:
        read: findings on the text.
        masked: findings on a masked text of the same length.
    """
    spans = {(item.code, item.span) for item in masked}
    for finding in read:
        start, end = finding.span
        if any(code == finding.code and first < end and start < last for code, (first, last) in spans):
            yield finding


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(
        text
        for text in value[:MOST_STANDING]
        if isinstance(text, str) and text.strip() and len(text) <= LONGEST_STANDING
    )


@lru_cache(maxsize=32)
def _compiled(entries: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, _pattern(kind, text)) for kind, texts in entries for text in texts)


def _pattern(kind: str, entry: str) -> re.Pattern[str]:
    words = _words(entry, people=kind in ("greetings", "sign_offs"))
    match kind:
        case "greetings" | "sign_offs":
            return re.compile(
                rf"(?m:^)[^\S\n]{{0,8}}{words}{_CLOSED}", re.IGNORECASE if "name" not in words else 0
            )
        case "headings":
            return re.compile(
                rf"{_HEADED}{words}(?:[*_]{{1,3}})?[^\S\n]{{0,8}}(?::|(?=\n)|\Z)(?:[*_]{{1,3}})?"
            )
        case "links":
            bare = re.sub(r"^(?:https?://)?(?:www\.)?|/$", "", entry.strip())
            scheme = r"(?<![\w@./-])(?:https?://)?(?:www\.)?"
            return re.compile(rf"{scheme}{re.escape(bare)}/?(?![\w@/?#%&=+-]|\.\w)", re.IGNORECASE)
        case _:
            # Case-sensitive: a claim in lower case is not a name.
            return re.compile(rf"(?<![\w-]){words}(?:['’]s)?(?![\w-])")


def _words(entry: str, *, people: bool) -> str:
    parts = entry.strip().split(NAME, 1) if people else [entry.strip()]
    written = [_BLANKS.join(map(re.escape, part.split(" "))) for part in parts]
    return _PERSON.join(written)


def _is_person(match: re.Match[str]) -> bool:
    """Whether the text at a name placeholder can be a name; words of updates cannot."""
    if "name" not in match.re.groupindex:
        return True
    words = re.split(r"[-'’ ]", match["name"].lower())
    return all(word in name_words() or word not in prose_words() for word in words)


def _filler(piece: str, *, is_product: bool) -> str:
    if not is_product:
        # Line breaks are kept, because texts are read line by line.
        return "".join(char if char == "\n" else " " for char in piece)
    named = next((word for word in _FILLERS if len(word) <= len(piece)), "")
    return named.ljust(len(piece))
