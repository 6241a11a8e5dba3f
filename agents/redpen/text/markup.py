"""HTML and Markdown off a text: entities, tags, emphasis, links, code, escapes."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Edit = tuple[int, int, str]
"""Start, end (exclusive) and what stands there instead."""

HINT = re.compile(r"[&<\\`*~\[]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?m:^[ \t]*>)")
"""Whether a text can hold any markup at all."""

_ENTITY = re.compile(
    r"&(?:(?:amp;)*+(?:#\d{1,7}+;?|#[xX][0-9A-Fa-f]{1,6}+;?|[A-Za-z][A-Za-z0-9]{1,31}+;)|(?:amp;)++)"
)
_MARKUP = re.compile(
    r"(?P<comment><!--[^<>]{0,400}+-->)"
    r"|(?P<tag></?[A-Za-z][^<>]{0,400}+>|<[!?][^<>]{0,400}+>)"
    r"|(?P<auto><(?=[^<>\s]{3,300}+>))"
    r"|(?P<nowhere>(?<=\])\((?:#[^()\s<>]{0,100}+)?\))"
    r"|(?P<link>(?<=\])\((?=[^()\s<>]{1,500}+(?:\s\"[^\"\n]{0,100}+\")?\)))"
    r"|(?P<ref>(?<=\])\[[^\[\]\n]{0,60}+\])"
    r"|(?P<escape>\\(?=[!-/:-@\[-`{-~]))"
    r"|(?P<code>`+)"
    r"|(?P<strike>~~+)"
    r"|(?P<stars>\*+)"
    r"|(?P<lines>_+)"
    r"|(?P<quote>(?m:^[ \t]*>[> \t]*))"
)
_HREF = re.compile(r"(?:href|src|action)\s{0,4}=\s{0,4}[\"']?([^\"'\s<>]{1,300})", re.IGNORECASE)
_BREAKING = frozenset(
    "address article aside blockquote body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr "
    "html li "
    "main nav ol p pre section table tbody td tfoot th thead title tr ul".split()
)
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
_LINK_LABEL = re.compile(r"!?\[([^\[\]\n]{0,300}+)\](?=\(|\[)")


def entity_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that write out entities (``&#114;``), in order and without overlap."""
    for match in _ENTITY.finditer(text) if "&" in text else ():
        piece = match.group()
        plain = html.unescape(re.sub(r"&(?:amp;)+", "&", piece))
        if plain != piece:
            yield match.start(), match.end(), plain


def markup_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that take tags and Markdown off, in order and without overlap.

    Args:
        text: any text; every pattern is bounded, so the time is linear.
    """
    brackets = _label_brackets(text)
    starred = text.count("*") > 1
    pending = iter(brackets)
    bracket = next(pending, None)
    last = 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        while bracket is not None and bracket < start:
            if bracket >= last:
                yield bracket, bracket + 1, ""
            bracket = next(pending, None)
        if start < last:
            continue
        instead = _instead(text, match, starred)
        if instead is not None:
            yield start, end, instead
            last = end
    while bracket is not None:
        if bracket >= last:
            yield bracket, bracket + 1, ""
        bracket = next(pending, None)


def _label_brackets(text: str) -> list[int]:
    """Return the places of the brackets round link labels; the address after them stays readable."""
    if "](" not in text and "][" not in text:
        return []
    places: list[int] = []
    for match in _LINK_LABEL.finditer(text):
        places.append(match.start(1) - 1)
        places.append(match.end(1))
    return places


def _instead(text: str, match: re.Match[str], starred: bool) -> str | None:
    kind = match.lastgroup
    piece = match.group()
    start, end = match.span()
    before = text[start - 1 : start] if start else ""
    after = text[end : end + 1]
    instead: str | None = ""
    match kind:
        case "tag":
            instead = _tag(piece)
        case "auto" | "quote":
            instead = " "
        case "link":
            instead = " ("
        case "stars":
            touching = (before and not before.isspace()) or (after and not after.isspace())
            instead = "" if starred and touching else None
        case "lines":
            instead = None if before.isalnum() and after.isalnum() else ""
        case _:
            pass
    return instead


def _tag(piece: str) -> str:
    address = _HREF.search(piece)
    named = _TAG_NAME.match(piece)
    if address is not None and address.group(1)[:1] != "#":
        return f" ({address.group(1)}) "
    if "@" in piece or "://" in piece:
        return f" {piece[1:-1]} "
    return "\n" if named is not None and named.group(1).lower() in _BREAKING else ""
