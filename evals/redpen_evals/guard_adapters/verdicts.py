"""From what a guard answers to a judgement: bools, findings, objects, dicts and words of verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

GUARD_ERROR: Final = "guard_error"
UNREAD: Final = "unread_language"

_FINDINGS: Final = ("violations", "findings", "issues")
_BLOCKS: Final = ("blocked", "block", "flagged", "violated", "unsafe", "is_unsafe")
_PASSES: Final = (
    "ok",
    "passed",
    "allowed",
    "valid",
    "safe",
    "is_ok",
    "is_valid",
    "is_safe",
    "validation_passed",
)
_WORDED: Final = ("verdict", "outcome", "decision", "action", "result")
_PASSING_WORDS: Final = frozenset(
    ["pass", "passed", "ok", "allow", "allowed", "safe", "valid", "approve", "approved"]
)
_BLOCKING_WORDS: Final = frozenset(
    ["block", "blocked", "fail", "failed", "deny", "denied", "unsafe", "invalid", "reject", "rejected"]
)
_MISSING: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a guard set made of one text.

    Attributes:
        blocked: whether it blocks.
        codes: its reasons in its own order; may be empty when it says no more than that it blocks.
        concerned: whether it has a concern, other than that it could not read the language.
        unread: whether it says that a part of the text is in a language that it does not read.
        spans: start and end (exclusive) in the revised text of what it blocks for, where it says so.
        error: the exception that it raised, in words; None if it judged. Then it blocks.
    """

    blocked: bool
    codes: tuple[str, ...] = ()
    concerned: bool = False
    unread: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    error: str | None = None


def crashed(error: BaseException) -> Judgement:
    """Return the judgement of a guard that raised, or answered in no known form: it blocks."""
    said = f"{type(error).__name__}: {error}".splitlines()[0]
    return Judgement(blocked=True, codes=(GUARD_ERROR,), error=said)


def read_verdict(answer: object, length: int) -> Judgement:
    """Return what a guard's answer means.

    Args:
        answer: whether it blocks; a word of verdict, or a code; findings; or an object or a dict with
            findings (``violations``), a bool (``blocked``, ``ok``, ``passed`` …) or a word (``outcome`` …).
        length: characters of the revised text.

    Raises:
        TypeError: the answer has none of these forms.
    """
    if isinstance(answer, bool):
        return Judgement(blocked=answer)
    if isinstance(answer, str):
        return _of_word(answer)
    findings = _first(answer, _FINDINGS)
    decided = _decided(answer)
    if findings is _MISSING and decided is not None:
        return decided
    if findings is _MISSING:
        findings = answer
        if isinstance(answer, Mapping):
            raise TypeError(
                f"guards answered a dict of {', '.join(map(repr, answer)) or 'nothing'}: no verdict"
            )
    if not isinstance(findings, Iterable) or isinstance(findings, str):
        raise TypeError(f"guards answered {type(answer).__name__}: no violations, no codes, no bool")
    read = _of_findings(tuple(findings), answer, length)
    if decided is not None and decided.blocked != read.blocked:
        # What it decides counts; what it found may be no more than a concern.
        return Judgement(blocked=decided.blocked, codes=read.codes if decided.blocked else ())
    return read


def _of_word(word: str) -> Judgement:
    low = word.strip().lower()
    if low in _PASSING_WORDS:
        return Judgement(blocked=False)
    return Judgement(blocked=True, codes=() if low in _BLOCKING_WORDS else (word,))


def _decided(answer: object) -> Judgement | None:
    for names, blocks in ((_BLOCKS, True), (_PASSES, False)):
        found = _first(answer, names)
        if isinstance(found, bool):
            return Judgement(blocked=found is blocks)
    word = _first(answer, _WORDED)
    if isinstance(word, str) and word.strip().lower() in _PASSING_WORDS | _BLOCKING_WORDS:
        return _of_word(word)
    return None


def _of_findings(found: tuple[object, ...], answer: object, length: int) -> Judgement:
    codes = tuple(item if isinstance(item, str) else str(_value(item, "code", "unknown")) for item in found)
    spans = tuple(span for item in found if (span := _span(item, length)) is not None)
    concerned = _value(answer, "concerns", ())
    concerns = [_value(item, "code", item) for item in concerned] if isinstance(concerned, Iterable) else []
    crashes = [item for item, code in zip(found, codes, strict=True) if code == GUARD_ERROR]
    return Judgement(
        blocked=bool(found),
        codes=codes,
        concerned=any(code != UNREAD for code in concerns),
        unread=UNREAD in (*codes, *concerns),
        spans=spans,
        error=str(_value(crashes[0], "reading", GUARD_ERROR)) if crashes else None,
    )


def _first(answer: object, names: Iterable[str]) -> object:
    for name in names:
        found = _value(answer, name, _MISSING)
        if found is not _MISSING and not callable(found):
            return found
    return _MISSING


def _value(item: object, name: str, default: object) -> object:
    return item.get(name, default) if isinstance(item, Mapping) else getattr(item, name, default)


def _span(item: object, length: int) -> tuple[int, int] | None:
    match _value(item, "span", None):
        case (int(start), int(end)) | [int(start), int(end)] if 0 <= start < end <= length:
            return start, end
        case _:
            return None
