"""Removes HTML and Markdown from a text: entities, tags, emphasis, links, code, escapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from redpen.text.hidden import hidden_edits
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Edit = tuple[int, int, str]
"""Start, end (exclusive) and the replacement."""

_HINT = lazy_pattern(r"[&<\\`*~\[_](?:(?<!_)|(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))")
_QUOTED_LINE = lazy_pattern(r"(?m:^[ \t]*>)")

_ENTITY = lazy_pattern(
    r"&(?:(?>(?:amp;)*)(?:#\d{1,7}+;?|#[xX][0-9A-Fa-f]{1,6}+;?|[A-Za-z][A-Za-z0-9]{1,31}+;)|(?>(?:amp;)+))"
)
_TAG = r"</?[A-Za-z][^<>]{0,400}+>|<[!?][^<>]{0,400}+>"
_MARKUP = lazy_pattern(
    r"(?P<comment><!--(?>(?:[^-]|-(?!->)){0,400})-->)"
    rf"|(?P<tag>{_TAG})"
    r"|(?P<auto><(?=[^<>\s]{3,300}+>))"
    r"|(?P<nowhere>(?<=\])\((?:#[^()\s<>]{0,100}+)?\))"
    r"|(?P<inside>(?<=[A-Za-z]\])\([^()\s<>]{1,500}+\)(?=\[?[A-Za-z]))"
    r"|(?P<link>(?<=\])\((?=[^()\s<>]{1,500}+(?:\s\"[^\"\n]{0,100}+\")?\)))"
    r"|(?P<ref>(?<=\])\[[^\[\]\n]{0,60}+\])"
    r"|(?P<dot>\s?\[(?:\.|dot)\]\s?(?=\w))"
    r"|(?P<board>\[/?(?:b|i|u|s|color|size|font|url|quote|code)(?:=[^\[\]\n]{0,60}+)?\](?!\())"
    r"|(?P<escape>\\(?=[!-/:-@\[-`{-~]))"
    r"|(?P<code>`+)"
    r"|(?P<strike>~~+)"
    r"|(?P<marked>(?<!=)==(?!=)(?:(?<=\w==)|(?=\w)))"
    r"|(?P<stars>\*+)"
    r"|(?P<lines>_+)"
    r"|(?P<quote>(?m:^[ \t]*>[> \t]*))"
)
_ANY_TAG = lazy_pattern(_TAG)
_HREF = lazy_pattern(r"(?:href|src|action)\s{0,4}=\s{0,4}[\"']?([^\"'\s<>]{1,300})", re.IGNORECASE)
_BREAKING = frozenset(
    "address article aside blockquote body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr "
    "html li "
    "main nav ol p pre section table tbody td tfoot th thead title tr ul".split()
)
_TAG_NAME = lazy_pattern(r"</?([A-Za-z][A-Za-z0-9]*)")
_LINK_LABEL = lazy_pattern(r"!?\[([^\[\]\n]{0,300}+)\](?=\(|\[)")
_BOARD_ADDRESS = lazy_pattern(r"=\"?(\w{2,10}:[^\"\]\s]{1,60})")
_SPACE = lazy_pattern(r"\s")


def may_hold_markup(text: str) -> bool:
    """Whether a text can hold any markup at all."""
    return (
        _HINT.search(text) is not None
        or "==" in text
        or (">" in text and _QUOTED_LINE.search(text) is not None)
    )


def entity_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that replace entities (``&#114;``), in order and without overlap."""
    for match in _ENTITY.finditer(text) if "&" in text else ():
        piece = match.group()
        plain = _unescape(re.sub(r"&(?:amp;)+", "&", piece))
        if plain != piece:
            yield match.start(), match.end(), plain


def _unescape(text: str) -> str:
    # The table of entities is slow to load, and few texts contain one.
    import html

    return html.unescape(text)


def markup_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that remove tags and Markdown, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
    """
    hidden = list(hidden_edits(text))
    if hidden:
        # Hidden text is removed first; the rest is read without it in the next round.
        yield from hidden
        return
    starred = text.count("*") > 1
    brackets = [(place, place + 1, "") for place in _label_brackets(text)]
    edits: list[Edit] = []
    last = word_end = 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        if start < last:
            continue
        replacement = _replacement(
            text, match, starred, after_tag=bool(edits) and edits[-1][1] == start == last
        )
        if replacement is None:
            continue
        edits.append((start, end, replacement.text))
        last = end
        if replacement.address:
            if end > word_end:
                # The address is inserted after the word, which may continue behind the markup.
                space = _SPACE.search(text, end)
                word_end = space.start() if space else len(text)
            edits.append((word_end, word_end, replacement.address))
    yield from _in_order((*edits, *brackets))


def _in_order(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits by their place; an insertion inside another edit is moved behind it."""
    last = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        if start >= last:
            yield start, end, replacement
            last = end
        elif start == end:
            yield last, last, replacement


def _label_brackets(text: str) -> list[int]:
    """Return the places of the brackets around link labels; the address after them is kept."""
    if "](" not in text and "][" not in text:
        return []
    places: list[int] = []
    for match in _LINK_LABEL.finditer(text):
        places.append(match.start(1) - 1)
        places.append(match.end(1))
    return places


class _Replacement(NamedTuple):
    """The replacement of a piece of markup, and an address in it that is inserted after the word."""

    text: str
    address: str = ""


_NOTHING = _Replacement("")


def _replacement(text: str, match: re.Match[str], starred: bool, *, after_tag: bool) -> _Replacement | None:
    kind = match.lastgroup
    piece = match.group()
    start, end = match.span()
    before = text[start - 1 : start] if start else ""
    after = text[end : end + 1]
    replacement: _Replacement | None = _NOTHING
    match kind:
        case "tag":
            replacement = _tag(piece, inside=before.isalpha() and after.isalpha())
        case "auto" | "quote":
            replacement = _Replacement(" ")
        case "link":
            replacement = _Replacement(" (")
        case "inside":
            replacement = _Replacement("", f" {piece}")
        case "dot":
            replacement = _Replacement(".")
        case "board":
            address = _BOARD_ADDRESS.search(piece)
            replacement = _Replacement(f" ({address[1]}) ") if address else _NOTHING
        case "stars":
            touching = (before and not before.isspace()) or (after and not after.isspace())
            replacement = _NOTHING if starred and touching else None
        case "lines":
            # The word may continue behind a tag; the next round decides, without the tag.
            continues = after_tag or _ANY_TAG.match(text, end)
            replacement = None if continues or (before.isalnum() and after.isalnum()) else _NOTHING
        case _:
            pass
    return replacement


def _tag(piece: str, *, inside: bool) -> _Replacement:
    address = _HREF.search(piece)
    named = _TAG_NAME.match(piece)
    if address is not None and address.group(1)[:1] != "#":
        return _Replacement("", f" ({address[1]})") if inside else _Replacement(f" ({address[1]}) ")
    if "@" in piece or "://" in piece:
        return _Replacement(f" {piece[1:-1]} ")
    return _Replacement("\n" if named is not None and named[1].lower() in _BREAKING else "")
