"""What a draft, a revision and an answer have to be before they go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redpen.errors import Stop
from redpen.guards import Report, RevisionRules, check_revision
from redpen.guards.report import Code
from redpen.text.normal import reads_blank

_INVALID: frozenset[Code] = frozenset({"empty", "too_long", "no_changes"})


def check_draft(draft: str, *, max_chars: int) -> None:
    """Raise the stop for a draft that reads blank or is longer than ``max_chars`` characters."""
    _check_text(draft, kind="draft", phase="draft", max_chars=max_chars)


def check_answer(answer: str, *, max_chars: int) -> None:
    """Raise the stop for an answer that reads blank or is longer than ``max_chars`` characters."""
    _check_text(answer, kind="answer", phase="finalize", max_chars=max_chars)


def revision_stop(report: Report, *, phrases_reason: str) -> Stop | None:
    """Return the stop that a report on a revision calls for, or None.

    Args:
        report: what the guards found.
        phrases_reason: what a missing or left phrase is called (``required_changes_not_applied`` or
            ``fix_plan_not_applied``).
    """
    if report.ok:
        return None
    first = report.violations[0]
    match first.code:
        case "guard_error":
            reason = f"guard_error:{first.family}"
        case "required_changes_not_applied":
            reason = f"patch_violation:{phrases_reason}"
        case code if code in _INVALID:
            reason = f"invalid_revised:{code}"
        case code:
            reason = f"patch_violation:{code}"
    return Stop(reason, phase="revise", violations=report.to_dict()["violations"])


def judge_revision(
    *, draft: str, revised: str, context: Mapping[str, Any], rules: RevisionRules, phrases_reason: str
) -> Stop | None:
    """Return the stop of the first check that a revision of a draft fails, or None."""
    report = check_revision(original=draft, revised=revised, context=context, rules=rules)
    return revision_stop(report, phrases_reason=phrases_reason)


def _check_text(text: str, *, kind: str, phase: str, max_chars: int) -> None:
    if reads_blank(text):
        raise Stop(f"invalid_{kind}:empty", phase=phase)
    if len(text.strip()) > max_chars:
        raise Stop(f"invalid_{kind}:too_long", phase=phase)
