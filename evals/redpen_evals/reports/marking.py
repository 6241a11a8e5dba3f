"""Texts with findings marked: one text, the changes between two, or all texts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from redpen.screen import shortened
from redpen.text.json_values import objects
from redpen_evals.text_diff import Hunk, hunks

Sort: TypeAlias = Literal["violation", "ungrounded", "concern"]

State: TypeAlias = Literal["same", "removed", "added", "left out", "cut"]
"""``left out``: unchanged lines; ``cut``: characters at the end. The text of both is their number."""

MAX_TEXT_CHARS = 20_000
"""Characters of a text that are shown; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The place of a finding in its text; `number` is that of the finding, from 1, and `end` is exclusive."""

    number: int
    sort: Sort
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of text with one state and the same findings.

    `sorts` are those of the findings in it, `ending` the numbers of those that end with it.
    """

    text: str
    state: State
    sorts: tuple[Sort, ...] = ()
    ending: tuple[int, ...] = ()


def marked(text: str, marks: Sequence[Mark] = (), *, most: int = MAX_TEXT_CHARS) -> tuple[Piece, ...]:
    """Return the first ``most`` characters of a text, cut where findings begin and end."""
    return (*_cut(text[:most], "same", marks), *_left_out(most, text))


def compared(
    before: str,
    after: str,
    old_marks: Sequence[Mark] = (),
    new_marks: Sequence[Mark] = (),
    *,
    most: int = MAX_TEXT_CHARS,
) -> tuple[Piece, ...]:
    """Return the changes between the first ``most`` characters of two texts, with the findings of both."""
    old, new = before[:most], after[:most]
    pieces = (piece for hunk in hunks(old, new) for piece in _pieces(hunk, old, new, old_marks, new_marks))
    return (*pieces, *_left_out(most, before, after))


def _left_out(most: int, *texts: str) -> Iterator[Piece]:
    if (count := max(map(len, texts)) - most) > 0:
        yield Piece(text=f"{count:,}", state="cut")


def _pieces(
    hunk: Hunk, before: str, after: str, old_marks: Sequence[Mark], new_marks: Sequence[Mark]
) -> Iterator[Piece]:
    old, new = list(_within(old_marks, hunk.old)), list(_within(new_marks, hunk.new))
    if hunk.same:
        yield from _cut(before[slice(*hunk.old)], "same", [*old, *new])
    else:
        yield from _cut(before[slice(*hunk.old)], "removed", old)
        yield from _cut(after[slice(*hunk.new)], "added", new)


def _within(marks: Iterable[Mark], span: tuple[int, int]) -> Iterator[Mark]:
    """Yield the marks that overlap a span, relative to its start; they may extend beyond it."""
    for mark in marks:
        if mark.start < span[1] and span[0] < mark.end:
            yield Mark(number=mark.number, sort=mark.sort, start=mark.start - span[0], end=mark.end - span[0])


def _cut(text: str, state: State, marks: Sequence[Mark]) -> Iterator[Piece]:
    inside = {at for mark in marks for at in (mark.start, mark.end) if 0 < at < len(text)}
    edges = [0, *sorted(inside), len(text)]
    for start, end in pairwise(edges):
        if start == end:
            continue
        here = [mark for mark in marks if mark.start < end and start < mark.end]
        yield Piece(
            text=text[start:end],
            state=state,
            sorts=tuple(dict.fromkeys(mark.sort for mark in here)),
            ending=tuple(mark.number for mark in here if mark.end == end),
        )


_MAX_FINDINGS = 100
_MAX_QUOTE_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding, as it is shown.

    Attributes:
        number: from 1, over all findings of the run.
        text: the piece of the judged text.
        reading: how the guard read it.
        reason: why it is not allowed.
        nearest: the nearest allowed facts.
        placed: whether it is marked in the shown text.
    """

    number: int
    sort: Sort
    code: str
    family: str
    text: str
    reading: str
    reason: str
    nearest: tuple[str, ...]
    placed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TextView:
    """The texts of a run, and the findings in them.

    Attributes:
        caption: e.g. ``Draft → answer``; empty if the record has no text.
        pieces: of the text, or of its changes.
        findings: all of them, marked or not.
        more: findings that are left out.
    """

    caption: str
    pieces: tuple[Piece, ...]
    findings: tuple[FindingView, ...]
    more: int


def view_texts(detail: Mapping[str, Any], answer: str | None, refused: str | None = None) -> TextView:
    """Return the texts of a run with their findings.

    The draft is in the history, and the findings ``ungrounded`` belong to it. ``concerns`` belong to the
    revision, ``violations`` to the refused text, or to the answer if none was refused; findings in an unknown
    text are listed with their words. The detail, the agent's result, may have any shape.
    """
    draft = text_of_history(detail, "draft")
    last = next(
        (text for text in (answer, refused, text_of_history(detail, "revised_answer")) if text is not None),
        None,
    )
    findings: list[FindingView] = []
    old_marks = list(_place(detail, "ungrounded", "ungrounded", draft, findings))
    new_marks = list(_place(detail, "concerns", "concern", last, findings))
    new_marks += _place(detail, "violations", "violation", answer if refused is None else refused, findings)
    caption, pieces = _shown(draft, last, answer is not None, old_marks, new_marks)
    kept = findings[:_MAX_FINDINGS]
    return TextView(caption=caption, pieces=pieces, findings=tuple(kept), more=len(findings) - len(kept))


def text_of_history(detail: Mapping[str, Any], key: str) -> str | None:
    """Return the last string of the history under a key."""
    for entry in reversed(objects(detail.get("history"))):
        if isinstance(entry.get(key), str):
            return str(entry[key])
    return None


def _shown(
    draft: str | None, last: str | None, is_answer: bool, old_marks: Sequence[Mark], new_marks: Sequence[Mark]
) -> tuple[str, tuple[Piece, ...]]:
    name = "answer" if is_answer else "revision, not published"
    if draft is not None and last is not None:
        return f"Draft → {name}", compared(draft, last, old_marks, new_marks)
    if last is not None:
        return name.capitalize(), marked(last, new_marks)
    if draft is not None:
        return "Draft, not published", marked(draft, old_marks)
    return "", ()


def _place(
    detail: Mapping[str, Any], key: str, sort: Sort, text: str | None, findings: list[FindingView]
) -> Iterator[Mark]:
    for finding in objects(detail.get(key)):
        number = len(findings) + 1
        words = finding.get("text")
        span = _span(finding.get("span"))
        # A span without the words of its finding belongs to another text.
        placed = (
            text is not None
            and span is not None
            and text[slice(*span)] == words != ""
            and number <= _MAX_FINDINGS
        )
        if placed and span is not None:
            yield Mark(number=number, sort=sort, start=span[0], end=span[1])
        findings.append(
            FindingView(
                number=number,
                sort=sort,
                nearest=tuple(
                    f"{_text(fact, 'reading')} ({_text(fact, 'path')})"
                    for fact in objects(finding.get("nearest"))
                ),
                placed=placed,
                **{name: _text(finding, name) for name in ("code", "family", "text", "reading", "reason")},
            )
        )


def _span(value: Any) -> tuple[int, int] | None:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(at) is int for at in value):
        start, end = value
        return (start, end) if 0 <= start < end <= MAX_TEXT_CHARS else None
    return None


def _text(value: Mapping[str, Any], key: str) -> str:
    item = value.get(key)
    return shortened(item, _MAX_QUOTE_CHARS) if isinstance(item, str) else ""
