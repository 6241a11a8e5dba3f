"""A person's decision on a text: what is asked, and what of the answer goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from redpen.agents.writing import Escalation, Task
from redpen.gateway.texts import concern_stop, revision_stop
from redpen.gateway.waivers import without_waived
from redpen.guards import RevisionRules, check_revision
from redpen.review.model import Question
from redpen.text.normal import text_hash

HUMAN_REVIEW: Final = "human_review"
"""Phase and step of a run in which a person decided on a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A text that goes on to be published, and how it came about.

    Attributes:
        text: the text.
        outcome: of the run.
        waived: codes of findings that a reviewer lets stand in it.
    """

    text: str
    outcome: Literal["approved_direct", "revised_once", "approved_by_reviewer", "edited_by_reviewer"]
    waived: tuple[str, ...] = ()


def decided_text(
    task: Task,
    escalation: Escalation,
    *,
    draft: str,
    rules: RevisionRules,
    phrases_reason: str,
) -> Accepted:
    """Have a person decide on a text, and return the one that goes on; of the run it is the third step.

    Args:
        task: the run.
        escalation: what a person is asked about.
        draft: the accepted draft.
        rules: that a revision of the draft is held to, and so is a text that the person writes.
        phrases_reason: what a required change that is not applied is called.

    Raises:
        Stop: the escalation itself, in a run without reviews; ``pending_review``, ``review_rejected`` or
            ``review_expired``; the stop of the first check that the person's text fails.
    """
    if task.run.journal is None:
        raise escalation
    details = escalation.details
    judgement = details.get("critique") or details.get("review")
    found = details.get("concerns") or _items(judgement)
    code = details.get("policy_code") or _first_code(details.get("concerns")) or escalation.reason
    question = Question(
        phase=escalation.phase or "revise",
        code=str(code),
        reason=str(details.get("escalation_reason")),
        original=draft,
        proposed=escalation.revised,
        findings=tuple(found) if isinstance(found, list) else (),
        judgement=judgement if isinstance(judgement, dict) else None,
        context=task.context,
    )
    decision = task.run.ask_person(question, details=details)
    waived = tuple(override.code for override in decision.overrides)
    text = question.shown if decision.kind == "approve" else (decision.text or "").strip()
    if concerns := details.get("concerns"):
        task.run.notes["concerns"] = concerns
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
    # What would have a person asked is asked of one already.
    if stop is not None and stop.reason != "policy_escalation":
        stop.phase = HUMAN_REVIEW
        raise stop
    task.run.notes.pop("concerns", None)
    if report.concerns:
        task.run.notes["concerns"] = report.to_dict()["concerns"]
