"""Checks of drafts, revisions and answers; each failed check stops the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from redpen.errors import Stop
from redpen.gateway.contract import ESCALATION_REASON_CHARS
from redpen.gateway.text_policy import floor_findings, with_phrases
from redpen.gateway.waivers import without_waived
from redpen.guards import Report, RevisionRules, check_revision
from redpen.guards.report import Code
from redpen.guards.revision import ClaimRule
from redpen.policy import TextPolicy
from redpen.policy.model import MEASURES, Measure
from redpen.text.normal import reads_blank

_INVALID_REVISION_CODES: frozenset[Code] = frozenset({"empty", "too_long", "no_changes"})
_WORDING_CODES: frozenset[Code] = frozenset({"restricted_claims", "unread_language", "guard_error"})


def check_draft(draft: str, *, max_chars: int) -> None:
    """Raise ``Stop`` for a draft that is visibly blank or longer than ``max_chars`` characters."""
    _check_text(draft, kind="draft", phase="draft", max_chars=max_chars)


def check_answer(
    answer: str,
    *,
    max_chars: int,
    policy: TextPolicy | None = None,
    context: Mapping[str, Any] | None = None,
    waived: Iterable[str] = (),
) -> None:
    """Raise ``Stop`` for an answer that must not be published.

    Args:
        answer: the finished text, an approved draft or a revision.
        max_chars: maximum length of the answer, in characters.
        policy: defines the restricted phrases and the required disclaimers.
        context: the incident context.
        waived: codes of findings that a reviewer waives for a text that the reviewer wrote.

    Raises:
        Stop: ``invalid_answer:*`` if the answer is visibly blank, too long or contains a restricted phrase;
            ``missing_disclaimer:*``; ``guard_error:*`` if a guard crashed.
    """
    _check_text(answer, kind="answer", phase="finalize", max_chars=max_chars)
    if policy is None:
        return
    found = without_waived(floor_findings(answer, policy, context or {}), waived)
    if found.ok:
        return
    first = found.violations[0]
    reason = f"invalid_answer:{first.code}"
    if first.code == "missing_disclaimer":
        reason = f"missing_disclaimer:{first.family}"
    elif first.code == "guard_error":
        reason = f"guard_error:{first.family}"
    raise Stop(reason, phase="finalize", violations=found.to_dict()["violations"])


def revision_stop(report: Report, *, phrases_reason: str) -> Stop | None:
    """Return the stop for the first violation in a report on a revision; None if there is none.

    Args:
        report: the findings of the guards.
        phrases_reason: stop reason if a required phrase is missing or a phrase to remove is still there
            (``required_changes_not_applied`` or ``fix_plan_not_applied``).
    """
    if report.ok:
        return None
    first = report.violations[0]
    match first.code:
        case "guard_error":
            reason = f"guard_error:{first.family}"
        case "missing_disclaimer":
            reason = f"missing_disclaimer:{first.family}"
        case "required_changes_not_applied":
            reason = f"patch_violation:{phrases_reason}"
        case code if code in _INVALID_REVISION_CODES:
            reason = f"invalid_revised:{code}"
        case code:
            reason = f"patch_violation:{code}"
    return Stop(reason, phase="revise", violations=report.to_dict()["violations"])


def check_brief(brief: str, observed: Mapping[str, Any], *, frame: str = "") -> None:
    """Raise ``Stop`` for a brief that makes a claim, e.g. in a text value of the snapshot.

    The snapshot is a tool's result and therefore untrusted. Only wording is checked, not figures, because
    the template rounds them.

    Args:
        brief: the part of the text to be published that comes from the snapshot.
        observed: the snapshot.
        frame: the template of the brief without its values; its wording is trusted.
    """
    context = {**observed, "policy_hints": {"avoid_absolute_guarantees": True}}
    found = ungrounded_findings(brief, context, claims="hint", original=frame)
    if claims := [finding for finding in found if finding["code"] in _WORDING_CODES]:
        raise Stop("invalid_answer:ungrounded", phase="finalize", violations=claims)


def ungrounded_findings(
    draft: str,
    context: Mapping[str, Any],
    *,
    claims: ClaimRule,
    policy: TextPolicy | None = None,
    original: str = "",
) -> list[dict[str, Any]]:
    """Return the statements of a text that the context does not support, and its unreadable parts, as JSON.

    Args:
        draft: the text.
        context: the known facts.
        claims: which claims are allowed.
        policy: defines the restricted and the allowed phrases.
        original: a text whose statements are also allowed.
    """
    rules = RevisionRules(claims=claims, concerns=False, unread_language="block")
    rules = rules if policy is None else with_phrases(rules, policy)
    report = check_revision(original=original, revised=draft, context=context, rules=rules)
    return list(report.to_dict()["violations"])


def concern_stop(report: Report, policy: TextPolicy) -> Stop | None:
    """Return the stop that the policy prescribes for a report's concerns; None if they are only recorded."""
    measures: list[Measure] = [policy.concerns.of(concern.code) for concern in report.concerns]
    strictest: Measure = max(measures, key=MEASURES.index, default="record")
    if strictest == "record":
        return None
    first = report.concerns[measures.index(strictest)]
    concerns = report.to_dict()["concerns"]
    if strictest == "block":
        return Stop(f"patch_violation:{first.code}", phase="revise", concerns=concerns)
    reason = f"concern: {first.reading}"[:ESCALATION_REASON_CHARS]
    return Stop("policy_escalation", phase="revise", escalation_reason=reason, concerns=concerns)


def _check_text(text: str, *, kind: str, phase: str, max_chars: int) -> None:
    if reads_blank(text):
        raise Stop(f"invalid_{kind}:empty", phase=phase)
    if len(text.strip()) > max_chars:
        raise Stop(f"invalid_{kind}:too_long", phase=phase)
