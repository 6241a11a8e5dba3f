"""The content of a review's page: marked text, findings, facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from redpen.review import Review
from redpen_evals.reports.marking import Mark, Piece, compared, marked
from redpen_evals.reviewing.rendering import as_text

MAX_CHARS: Final = 60_000
"""Characters of a text that are marked and shown."""
_MAX_FACTS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A text or an action as the page shows it.

    Attributes:
        pieces: of the text, with findings and changes marked.
        text: the same as plain text, to be edited.
        findings: of guards, gate or model, as stored; the marks have their numbers, from 1.
        is_compared: whether changes against the original are marked.
    """

    pieces: Sequence[Piece]
    text: str
    findings: Sequence[Mapping[str, Any]]
    is_compared: bool


def shown_review(review: Review) -> Shown:
    """Return the text or action that a review proposes."""
    return _shown(
        as_text(review.shown),
        review.findings,
        original=None if review.proposed is None else as_text(review.original),
    )


def shown_edit(review: Review, text: str, findings: Sequence[Mapping[str, Any]]) -> Shown:
    """Return a reviewer's own text, or action as JSON, with its findings."""
    return _shown(text, findings, original=as_text(review.original))


def facts(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the paths and values of a context; at most 500."""
    for number, row in enumerate(_rows(value, name)):
        if number == _MAX_FACTS:
            yield "…", "more are stored"
            return
        yield row


def _shown(text: str, findings: Sequence[Mapping[str, Any]], *, original: str | None) -> Shown:
    marks = []
    for number, finding in enumerate(findings, start=1):
        span = finding.get("span")
        if isinstance(span, list | tuple) and len(span) == 2 and all(isinstance(at, int) for at in span):
            sort: Any = "concern" if finding.get("level") == "concern" else "violation"
            marks.append(Mark(number=number, sort=sort, start=span[0], end=span[1]))
    is_compared = original is not None and original != text
    pieces = (
        compared(original or "", text, (), marks, most=MAX_CHARS)
        if is_compared
        else marked(text, marks, most=MAX_CHARS)
    )
    return Shown(pieces=pieces, text=text, findings=findings, is_compared=is_compared)


def _rows(value: object, name: str) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for key, item in value.items():
                yield from _rows(item, f"{name}.{key}" if name else str(key))
        case list() if any(isinstance(item, dict | list) for item in value):
            for number, item in enumerate(value, start=1):
                yield from _rows(item, f"{name}[{number}]")
        case list():
            yield name, ", ".join(map(as_text, value)) or "none"
        case _:
            yield name, as_text(value)
