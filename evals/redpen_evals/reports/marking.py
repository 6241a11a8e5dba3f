"""Texts with the places of findings marked: one text, what changed between two, or all texts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from redpen_evals.text_diff import Hunk, hunks

Sort: TypeAlias = Literal["violation", "ungrounded", "concern"]

State: TypeAlias = Literal["same", "removed", "added", "left out"]
"""``left out``: lines that did not change; the text is their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The place of a finding: start and end (exclusive) in characters of its text.

    Attributes:
        number: of the finding, from 1.
        sort: ``violation`` blocks, the others do not.
        start: first character.
        end: the one after the last.
    """

    number: int
    sort: Sort
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch that is the same all along.

    Attributes:
        text: the stretch.
        state: whether it stayed, went or came.
        sorts: of the findings in it; empty where there is none.
        ending: numbers of the findings that end with it.
    """

    text: str
    state: State
    sorts: tuple[Sort, ...] = ()
    ending: tuple[int, ...] = ()


def marked(text: str, marks: Sequence[Mark]) -> tuple[Piece, ...]:
    """Return a text cut where a finding begins or ends; joined, the pieces are the text."""
    return tuple(_cut(text, "same", marks))


def compared(
    before: str, after: str, old_marks: Sequence[Mark] = (), new_marks: Sequence[Mark] = ()
) -> tuple[Piece, ...]:
    """Return what changed between two texts, with the findings of both.

    Args:
        before: the text as it was.
        after: the text as it is.
        old_marks: places in the text before.
        new_marks: places in the text after.
    """
    return tuple(
        piece for hunk in hunks(before, after) for piece in _pieces(hunk, before, after, old_marks, new_marks)
    )


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
    """Yield the marks that reach into a span, counted from its start; their ends may lie outside."""
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


MAX_TEXT_CHARS = 20_000
"""Characters of a text that are shown; what follows is counted."""

_MAX_FINDINGS = 100
_MAX_QUOTE_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding, as it is shown.

    Attributes:
        number: from 1, over all findings of the run.
        sort: ``violation`` blocks, the others do not.
        code: which rule it breaks.
        family: the kind of fact or claim.
        text: the piece of the judged text.
        reading: how it was read.
        reason: why it is not allowed.
        nearest: the nearest allowed facts.
        placed: whether it is marked in a text that is shown.
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
    """The texts of a run, and what was found in them.

    Attributes:
        caption: what is shown, e.g. ``Draft → answer``; empty where the record keeps no text.
        pieces: of the text, or of what changed.
        cut: characters that are left out.
        findings: all of them, marked or not.
        more: findings that are left out.
    """

    caption: str
    pieces: tuple[Piece, ...]
    cut: int
    findings: tuple[FindingView, ...]
    more: int


def view_texts(detail: Mapping[str, Any], answer: str | None, refused: str | None = None) -> TextView:
    """Return the texts of a run with their findings.

    The draft stands in the history, and the findings ``ungrounded`` are of it. ``concerns`` are of the
    revision, ``violations`` of the refused text, or of the answer where none was refused; those of a text
    that is not known are listed with the words that they are about.

    Args:
        detail: the agent's result; nothing is taken for granted about its shape.
        answer: the published text.
        refused: the text that was not published for its violations.
    """
    draft = text_of_history(detail, "draft")
    last = next(
        (text for text in (answer, refused, text_of_history(detail, "revised_answer")) if text is not None),
        None,
    )
    found: list[FindingView] = []
    old_marks = list(_place(detail, "ungrounded", "ungrounded", draft, found))
    new_marks = list(_place(detail, "concerns", "concern", last, found))
    new_marks += _place(detail, "violations", "violation", answer if refused is None else refused, found)
    caption, pieces = _shown(draft, last, answer is not None, old_marks, new_marks)
    kept = found[:_MAX_FINDINGS]
    longest = max(len(draft or ""), len(last or ""))
    return TextView(
        caption=caption,
        pieces=pieces,
        cut=max(0, longest - MAX_TEXT_CHARS),
        findings=tuple(kept),
        more=len(found) - len(kept),
    )


def text_of_history(detail: Mapping[str, Any], key: str) -> str | None:
    """Return the last text that the history holds under a key."""
    for entry in reversed(objects(detail.get("history"))):
        if isinstance(entry.get(key), str):
            return str(entry[key])
    return None


def objects(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none of what is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []


def _shown(
    draft: str | None, last: str | None, is_answer: bool, old_marks: Sequence[Mark], new_marks: Sequence[Mark]
) -> tuple[str, tuple[Piece, ...]]:
    name = "answer" if is_answer else "revision, not published"
    before, after = (None if text is None else text[:MAX_TEXT_CHARS] for text in (draft, last))
    if before is not None and after is not None:
        return f"Draft → {name}", compared(before, after, old_marks, new_marks)
    if after is not None:
        return name.capitalize(), marked(after, new_marks)
    if before is not None:
        return "Draft, not published", marked(before, old_marks)
    return "", ()


def _place(
    detail: Mapping[str, Any], key: str, sort: Sort, text: str | None, found: list[FindingView]
) -> Iterator[Mark]:
    for finding in objects(detail.get(key)):
        number = len(found) + 1
        message = _string(finding, "text")
        span = _span(finding.get("span"))
        # A span that does not hold the words of its finding is of some other text.
        placed = (
            text is not None
            and span is not None
            and text[slice(*span)] == message != ""
            and number <= _MAX_FINDINGS
        )
        if placed and span is not None:
            yield Mark(number=number, sort=sort, start=span[0], end=span[1])
        found.append(
            FindingView(
                number=number,
                sort=sort,
                code=_string(finding, "code"),
                family=_string(finding, "family"),
                text=_quote(message),
                reading=_quote(_string(finding, "reading")),
                reason=_quote(_string(finding, "reason")),
                nearest=tuple(
                    f"{_quote(_string(fact, 'reading'))} ({_quote(_string(fact, 'path'))})"
                    for fact in objects(finding.get("nearest"))
                ),
                placed=placed,
            )
        )


def _span(value: Any) -> tuple[int, int] | None:
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(at) is int for at in value):
        start, end = value
        return (start, end) if 0 <= start < end <= MAX_TEXT_CHARS else None
    return None


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _quote(text: str) -> str:
    return text if len(text) <= _MAX_QUOTE_CHARS else f"{text[:_MAX_QUOTE_CHARS]}…"
