"""The vocabulary of stop reasons, and the reasons that only a direct call can cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import SecretStr

from redpen import build_incident_context, build_request, run_guarded_policy_agent, run_reflection_agent
from redpen.agents.guarded_policy import GuardedPolicyResult
from redpen.chat.client import ChatClient
from redpen.chat.settings import ChatSettings
from redpen.databases import DatabaseError, open_database
from redpen.errors import Stop
from redpen.gateway.critique import read_critique
from redpen.gateway.review import read_review
from redpen.gateway.texts import check_answer, revision_stop
from redpen.guards import RevisionRules, check_revision
from redpen.policy import ReflectionPolicy, SelfCritiquePolicy
from redpen.review import Decision, ReviewQueue
from redpen.review.tables import TABLES
from redpen.stop_reasons import STOP_REASONS, StopReason, find_stop_reason
from redpen.types import AgentName
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

AGENTS: tuple[AgentName, ...] = get_args(AgentName)


def test_stop_reasons_are_unique_per_agent() -> None:
    counts = Counter((agent, row.code) for row in STOP_REASONS for agent in row.agents)
    assert [key for key, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("row", STOP_REASONS, ids=[row.code for row in STOP_REASONS])
def test_stop_reason_matches_only_its_own_row(row: StopReason) -> None:
    reason = row.code if row.argument is None else f"{row.code}:what it was"
    for agent in AGENTS:
        matching = [other for other in STOP_REASONS if agent in other.agents and other.matches(reason)]
        assert matching == ([row] if agent in row.agents else [])
        assert find_stop_reason(agent, reason) is (row if agent in row.agents else None)
    assert not row.matches(f"{row.code}:" if row.argument else f"{row.code}:more")
    assert not row.matches(row.code if row.argument else f"{row.code} ")


# Every reason that the agents are specified to give, so that a removal is noticed.
LLM = (
    "llm_timeout llm_invalid_json llm_rate_limited llm_auth llm_bad_request llm_server_error llm_no_choices "
    "llm_truncated llm_refused llm_content_filtered"
).split()
TEXT = (
    "invalid_judgement:answers invalid_judgement:answer invalid_judgement:quote "
    "llm_invalid_schema llm_empty policy_escalation policy_denied:severity_budget invalid_draft:empty "
    "invalid_draft:too_long invalid_draft:ungrounded invalid_draft:restricted_phrase "
    "invalid_draft:unread_language invalid_revised:empty invalid_revised:too_long "
    "invalid_revised:no_changes invalid_answer:empty invalid_answer:too_long "
    "invalid_answer:restricted_phrase missing_disclaimer:x guard_error:x"
).split() + [
    f"patch_violation:{code}"
    for code in (
        "too_many_changed_lines line_not_requested restricted_phrase too_large_edit no_new_facts "
        "new_incident_id new_severity_label new_region restricted_claims new_statement judged unread_language"
    ).split()
]
CRITIQUE = [
    f"invalid_critique:{code}"
    for code in (
        "not_object decision severity risks too_many_risks risk_item risk_type risk_note required_changes "
        "too_many_required_changes required_change_item reason approve_with_required_changes "
        "approve_with_high_risk revise_without_required_changes required_changes_not_enforceable "
        "high_risk_requires_escalate escalate_reason_required"
    ).split()
] + (
    "critique_decision_not_allowed_policy:x critique_risk_not_allowed_policy:x "
    "critique_decision_denied_execution:x patch_violation:length_increase_limit "
    "patch_violation:required_changes_not_applied"
).split()
REVIEW = [
    f"invalid_review:{code}"
    for code in (
        "not_object decision severity issues too_many_issues issue_item issue_type issue_note fix_plan "
        "too_many_fix_items fix_item reason approve_with_high_risk_issue revise_without_issues "
        "revise_without_fix_plan high_risk_requires_escalate escalate_reason_required"
    ).split()
] + (
    "review_decision_not_allowed_policy:x review_issue_not_allowed_policy:x "
    "review_decision_denied_execution:x patch_violation:fix_plan_not_applied"
).split()
ACTIONS = (
    "invalid_plan:actions invalid_plan:too_many_actions invalid_plan:duplicate_action_id "
    "invalid_action:not_object invalid_action:id invalid_action:tool invalid_action:args tool_timeout:x "
    "tool_error:x:ValueError tool_invalid_output:x tool_status_not_ok:x tool_unmapped:x "
    "policy_escalation_rejected missing_required_observation:snapshot "
    "missing_required_observation:send_status_update planner_error:x "
    "invalid_answer:ungrounded"
).split()
ALL = [
    *"success max_seconds events_unavailable pending_review review_rejected review_expired".split(),
    "review_unavailable",
    *LLM,
]
EXPECTED: dict[AgentName, list[str]] = {
    "self-critique": [*ALL, *TEXT, *CRITIQUE],
    "reflection": [*ALL, *TEXT, *REVIEW],
    "guarded-policy": [*ALL, *ACTIONS, "tool_outcome_unknown:x"],
}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_specified_stop_reason_is_known(agent: AgentName) -> None:
    found = [find_stop_reason(agent, reason) for reason in EXPECTED[agent]]
    assert None not in found
    assert {row.code for row in found if row} == {row.code for row in STOP_REASONS if agent in row.agents}


@pytest.mark.parametrize(
    "reason",
    ["", "ok", "SUCCESS", "llm_", "llm_unknown", "tool_error", "invalid_plan", "patch_violation:", "x:y"],
)
def test_unknown_text_is_no_stop_reason(reason: str) -> None:
    assert [find_stop_reason(agent, reason) for agent in AGENTS] == [None, None, None]


def reason_of(check: Callable[[], object]) -> str:
    with pytest.raises(Stop) as caught:
        check()
    return caught.value.reason


def crash(*_: Any) -> Any:
    raise LookupError("no plan today")


def reason_of_planner() -> str:
    result = run_guarded_policy_agent(goal="Inform.", request=build_request(), planner=crash)
    return str(result.stop_reason)


def reason_of_guard(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("redpen.guards.revision.find_new_facts", lambda **_: crash())
    report = check_revision(original="We wait.", revised="We wait now.", context=build_incident_context())
    stop = revision_stop(report, phrases_reason="fix_plan_not_applied")
    assert stop is not None
    return stop.reason


FOREIGN = "El problema está resuelto y le reembolsaremos todo."


def reason_of_unread_draft() -> str:
    with ScriptedEndpoint(parse_replies([{"json": {"draft": FOREIGN}}])) as endpoint:
        chat = ChatClient(ChatSettings(api_key=SecretStr("k-1"), base_url=endpoint.base_url, retries=0))
        result = run_reflection_agent(
            goal="Inform.",
            incident_context=build_incident_context(),
            chat=chat,
            policy={"unread_language": "block"},
        )
    return str(result.stop_reason)


def reason_of_unread_revision() -> str:
    report = check_revision(
        original="We wait.",
        revised=FOREIGN,
        context=build_incident_context(),
        rules=RevisionRules(unread_language="block"),
    )
    stop = revision_stop(report, phrases_reason="fix_plan_not_applied")
    assert stop is not None
    return stop.reason


def reason_without_events() -> str:
    policy = {"events": "required"}
    return str(run_guarded_policy_agent(goal="Inform.", request=build_request(), policy=policy).stop_reason)


class LosingQueue(ReviewQueue):
    """A review queue that fails to store a review."""

    def add(self, *_: Any, **__: Any) -> Any:
        raise DatabaseError("disk full")


def reasons_of_reviews(folder: Path) -> Iterator[str]:
    def escalated(review: Any) -> GuardedPolicyResult:
        return run_guarded_policy_agent(goal="Inform.", request=build_request(), review=review)

    yield escalated(lambda _: Decision(kind="reject", by="ann")).stop_reason
    yield escalated(lambda _: Decision(kind="expire", by="ann")).stop_reason
    yield escalated(f"sqlite:///{folder}/reviews.db").stop_reason
    yield escalated(LosingQueue(open_database(f"sqlite:///{folder}/reviews.db", TABLES))).stop_reason


def test_direct_calls_give_every_direct_stop_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given = {
        *reasons_of_reviews(tmp_path),
        # Needs a killed process, which evals/tests/review tests.
        "tool_outcome_unknown:send_status_update",
        reason_of(lambda: read_critique([], SelfCritiquePolicy())),
        reason_of(lambda: read_review(None, ReflectionPolicy())),
        reason_of(lambda: check_answer(" ", max_chars=10)),
        reason_of_planner(),
        reason_without_events(),
        reason_of_unread_draft(),
        reason_of_unread_revision(),
        reason_of_guard(monkeypatch),
    }
    assert given == {
        "pending_review",
        "review_rejected",
        "review_expired",
        "review_unavailable",
        "tool_outcome_unknown:send_status_update",
        "invalid_critique:not_object",
        "invalid_review:not_object",
        "invalid_answer:empty",
        "planner_error:LookupError",
        "events_unavailable",
        "invalid_draft:unread_language",
        "patch_violation:unread_language",
        "guard_error:facts",
    }
    direct = {row.code for row in STOP_REASONS if row.reach == "direct"}
    assert {row.code for row in STOP_REASONS for reason in given if row.matches(reason)} == direct
