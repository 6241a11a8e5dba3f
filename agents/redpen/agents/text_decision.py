"""A reviewer's decision on a text: the question, and the text that is then accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from redpen.agents.text_steps import Escalation, Task
from redpen.gateway.texts import check_answer, concern_stop, revision_stop
from redpen.gateway.waivers import without_waived
from redpen.guards import RevisionRules, check_revision
from redpen.review.model import Question
from redpen.text.json_values import copy_json
from redpen.text.normal import text_hash

HUMAN_REVIEW: Final = "human_review"
"""Phase and step name of a reviewer's decision on a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A text that was accepted for publication.

    Attributes:
        text: the text.
        outcome: outcome of the run.
        waived: codes of findings that the reviewer waived.
    """

    text: str
    outcome: Literal["approved_direct", "revised_once", "approved_by_reviewer", "edited_by_reviewer"]
    waived: tuple[str, ...] = ()


def check_accepted(task: Task, accepted: Accepted) -> None:
    """Raise ``Stop`` for an accepted text that must not be published."""
    policy = task.policy
    check_answer(
        accepted.text,
        max_chars=policy.max_answer_chars,
        policy=policy,
        context=task.context,
        waived=accepted.waived,
    )


def reviewed_text(
    task: Task,
    escalation: Escalation,
    *,
    draft: str,
    rules: RevisionRules,
    phrases_reason: str,
) -> Accepted:
    """Ask a reviewer about a text, and return the accepted text; this is the third step of the run.

    Args:
        task: the run.
        escalation: the escalation to decide on.
        draft: the accepted draft.
        rules: rules for revisions, which also apply to a text that the reviewer writes.
        phrases_reason: stop reason if a required change is not applied.

    Raises:
        Stop: the escalation itself if the run has no review queue; ``pending_review``, ``review_rejected``,
            ``review_expired`` or ``review_unavailable``; or the first check that the reviewer's text fails.
    """
    if task.run.journal is None:
        raise escalation
    details = escalation.details
    judgement = details.get("critique") or details.get("review")
    found = copy_json(details.get("concerns") or _items(judgement))
    code = details.get("policy_code") or _first_code(details.get("concerns")) or escalation.reason
    question = Question(
        phase=escalation.phase or "revise",
        code=str(code),
        reason=str(details.get("escalation_reason")),
        original=draft,
        proposed=escalation.revised,
        findings=tuple(item for item in found if isinstance(item, dict)) if isinstance(found, list) else (),
        judgement=judgement if isinstance(judgement, dict) else None,
        context=task.context,
    )
    decision = task.run.ask_person(question, details=details)
    waived = tuple(override.code for override in decision.overrides)
    text = question.shown if decision.kind == "approve" else (decision.text or "").strip()
    if concerns := details.get("concerns"):
        task.run.result_fields["concerns"] = concerns
    if decision.kind == "edit":
        _check_edit(task, draft, text, rules=rules, phrases_reason=phrases_reason, waived=waived)
    task.run.log(
        3,
        trace={
            "phase": HUMAN_REVIEW,
            "decision": decision.kind,
            "overrides": list(waived),
            "text_hash": text_hash(text),
            "ok": True,
        },
        history={
            "action": HUMAN_REVIEW,
            "decision": decision.kind,
            "by": decision.by,
            "reason": decision.reason,
            "text": text,
        },
    )
    outcome: Literal["approved_by_reviewer", "edited_by_reviewer"] = (
        "approved_by_reviewer" if decision.kind == "approve" else "edited_by_reviewer"
    )
    return Accepted(text=text, outcome=outcome, waived=waived)


def _items(judgement: object) -> object:
    if not isinstance(judgement, dict):
        return None
    return judgement.get("risks") or judgement.get("issues")


def _first_code(concerns: object) -> object:
    return concerns[0].get("code") if isinstance(concerns, list) and concerns else None


def _check_edit(
    task: Task,
    draft: str,
    text: str,
    *,
    rules: RevisionRules,
    phrases_reason: str,
    waived: tuple[str, ...],
) -> None:
    report = check_revision(original=draft, revised=text, context=task.context, rules=rules)
    report = without_waived(report, waived)
    stop = revision_stop(report, phrases_reason=phrases_reason) or concern_stop(report, task.policy)
    # A finding that would only escalate to a reviewer is ignored, because a reviewer has decided.
    if stop is not None and stop.reason != "policy_escalation":
        stop.phase = HUMAN_REVIEW
        raise stop
    task.run.result_fields.pop("concerns", None)
    if report.concerns:
        task.run.result_fields["concerns"] = report.to_dict()["concerns"]
