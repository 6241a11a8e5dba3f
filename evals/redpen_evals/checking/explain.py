"""Render a report: the judged text with marks, and an explanation of each mark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import click

from redpen.guards.report import Code, Finding, Report
from redpen.screen import counted, shown

MAX_SHOWN_CHARS = 20_000
"""Maximum number of characters shown."""

WHOLE_TEXT_CODES: frozenset[Code] = frozenset(
    {
        "empty",
        "too_long",
        "no_changes",
        "too_large_edit",
        "length_increase_limit",
        "too_many_changed_lines",
        "guard_error",
    }
)
"""Codes of findings about the whole text, without a span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of the text with the same findings throughout.

    Attributes:
        text: the piece; empty for a finding between two characters.
        numbers: numbers of its findings, from 1, ascending; empty for none.
        blocks: whether one of them is a violation.
    """

    text: str
    numbers: tuple[int, ...]
    blocks: bool


def numbered(report: Report) -> Iterator[tuple[int, Finding]]:
    """Yield every finding with its number: violations from 1, then concerns."""
    yield from enumerate((*report.violations, *report.concerns), start=1)


def pieces(text: str, report: Report) -> Iterator[Piece]:
    """Split a text where a finding begins or ends, so that overlapping spans never cross."""
    spans: list[tuple[int, int, int]] = []
    for number, finding in numbered(report):
        if finding.code not in WHOLE_TEXT_CODES:
            start, end = (min(max(position, 0), len(text)) for position in finding.span)
            spans.append((number, start, max(start, end)))
    edges = sorted({0, len(text), *(edge for _, *span in spans for edge in span)})
    for at, after in zip(edges, [*edges[1:], None], strict=True):
        if between := [number for number, start, end in spans if start == end == at]:
            yield _piece("", between, report)
        if after is not None:
            covering = [number for number, start, end in spans if start < after and at < end]
            yield _piece(text[at:after], covering, report)


def marked(text: str, report: Report, *, colour: bool) -> str:
    """Return the first ``MAX_SHOWN_CHARS`` characters of a text with its findings marked, for a terminal.

    Without colours, violations are ``[[…]]{1}`` and concerns ``((…)){2}``, with the number of the finding.
    """
    mark = _coloured if colour else _bracketed
    cut = text[:MAX_SHOWN_CHARS]
    lines = "".join(_lines(piece, mark) for piece in pieces(cut, report)).rstrip("\n")
    hidden = len(text) - len(cut)
    return f"{lines}\n[{hidden} more characters are not shown]" if hidden else lines


def _lines(piece: Piece, mark: Callable[[Piece], str]) -> str:
    # Marks end at line breaks, since colours would fill the line and brackets stay open on it.
    lines = piece.text.replace("\r\n", "\n").split("\n")
    if not piece.numbers:
        return "\n".join(map(shown, lines))
    if not piece.text:
        return mark(piece)
    return "\n".join(mark(replace(piece, text=line)) if line else "" for line in lines)


def _bracketed(piece: Piece) -> str:
    before, after = ("[[", "]]") if piece.blocks else ("((", "))")
    return f"{before}{shown(piece.text)}{after}{_label(piece)}"


def _coloured(piece: Piece) -> str:
    colour = "red" if piece.blocks else "yellow"
    text = click.style(shown(piece.text) or "^", fg=colour, bold=piece.blocks, underline=True)
    return text + click.style(_label(piece), fg=colour)


def _label(piece: Piece) -> str:
    return f"{{{','.join(map(str, piece.numbers))}}}"


def _piece(text: str, numbers: Sequence[int], report: Report) -> Piece:
    blocks = any(number <= len(report.violations) for number in numbers)
    return Piece(text=text, numbers=tuple(numbers), blocks=blocks)


_MAX_QUOTE_CHARS = 200


def explain(text: str, report: Report, *, colour: bool) -> str:
    """Return a text with its findings marked and explained, then their numbers, escaped for a terminal."""
    blocks = [marked(text, report, colour=colour)]
    for number, finding in numbered(report):
        blocks.append("\n".join(_explanation(number, finding, report, colour=colour)))
    blocks.append(_verdict(report, colour=colour))
    return "\n\n".join(block for block in blocks if block)


def _explanation(number: int, finding: Finding, report: Report, *, colour: bool) -> Iterator[str]:
    is_violation = number <= len(report.violations)
    kind = "violation" if is_violation else "concern"
    head = f"{number}. {kind}: {finding.code} ({shown(finding.family)})"
    yield f"{_painted(head, blocks=is_violation) if colour else head}, {_place(finding)}"
    yield f"   read: {_quote(finding.reading)}"
    yield f"   why: {_quote(finding.reason)}"
    for fact in finding.nearest:
        yield f"   nearest allowed: {_quote(fact.reading)}, from {_quote(fact.path)}"


def _place(finding: Finding) -> str:
    start, end = finding.span
    if finding.code in WHOLE_TEXT_CODES:
        return "the whole text"
    if end <= start:
        return f"at character {start}"
    return f'characters {start} to {end}: "{_quote(finding.text)}"'


def _quote(text: str) -> str:
    if len(text) <= _MAX_QUOTE_CHARS:
        return shown(text)
    return f"{shown(text[:_MAX_QUOTE_CHARS])}..."


def _verdict(report: Report, *, colour: bool) -> str:
    summary = f"{counted(len(report.violations), 'violation')}, {counted(len(report.concerns), 'concern')}"
    unread = sum(item.code == "unread_language" for _, item in numbered(report))
    if unread:
        summary += (
            f"; {unread} {'sentence is' if unread == 1 else 'sentences are'} not in English, and not judged"
        )
    return _painted(summary, blocks=True) if colour and report.violations else summary


def _painted(text: str, *, blocks: bool) -> str:
    return click.style(text, fg="red" if blocks else "yellow", bold=blocks)
