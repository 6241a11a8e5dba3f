"""The policy gate: combines the built-in table with the rules, risk score and custom gate of a policy.

The strictest decision wins, so that a decision of the table can only be tightened. All matching rules
count, regardless of their order. Of several equally strict decisions the first is reported, in the order
table, rules, risk score, custom gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import ValidationError

from redpen.gateway.action_policy import RiskScore, Ruling, decide_by_table, normalized_for_table
from redpen.gateway.plan import Action
from redpen.gateway.prose import without_ungrounded_prose
from redpen.gateway.situation import Situation
from redpen.policy import GuardedPolicy, Rule
from redpen.policy.rules import OUTCOMES, GateAnswer, Outcome, Risk
from redpen.text.json_values import copy_object
from redpen.types import JsonObject, JsonValue

RULE_CONFLICT: Final = "policy.rule_conflict"
RISK: Final = "policy.risk"
GATE_ERROR: Final = "policy.gate_error"
CONCERN: Final = "concern"
"""Risk code of an action whose prose the request and the snapshot do not support."""

CustomGate = Callable[[JsonObject, JsonObject], object]
"""Takes the action in the form in which it would run, and its situation.

Returns ``{decision, code, reason, set}``, of which only ``decision`` is required; None if the gate failed."""


@dataclass(slots=True, kw_only=True)
class _PendingDecision:
    """The ruling on one action so far."""

    ruling: Ruling
    approved: Ruling | None
    waived: frozenset[str] = frozenset()
    escalated: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, code: str, reason: str) -> None:
        """Apply a decision if it is stricter than the current one, unless its code is waived or approved."""
        if code in self.waived and code != GATE_ERROR:
            return
        if outcome == "escalate":
            self.escalated.append(code)
            if self.approved is not None and code in self.approved.escalated:
                return
        self.tighten(outcome, code, reason)

    def tighten(self, outcome: Outcome, code: str, reason: str) -> None:
        """Apply a decision if it is stricter than the current one, even if a reviewer approved its code."""
        if OUTCOMES.index(outcome) > OUTCOMES.index(self.ruling.decision):
            self.ruling = replace(self.ruling, decision=outcome, code=code, reason=reason)


def decide(
    action: Action,
    policy: GuardedPolicy,
    situation: Situation,
    *,
    gate: CustomGate | None = None,
    approved: Ruling | None = None,
    waived: frozenset[str] = frozenset(),
) -> Ruling:
    """Return the policy's decision on an action.

    Args:
        action: the proposed action.
        policy: caps, templates and allowlists of the table; rules and risk.
        situation: what the run knows and has done.
        gate: a custom gate; not called for an action that is already denied.
        approved: the earlier escalation, if a reviewer has approved the action. Its codes do not escalate
            again unless the risk score has grown; the table and denials still apply.
        waived: codes of rules, risk score and custom gate that a reviewer waives for an action that the
            reviewer wrote; of the table's codes only ``policy.mass_broadcast`` and ``policy.rewrite``.
    """
    table = decide_by_table(action, policy, situation.known, waived=waived)
    if not policy.rules and policy.risk == Risk() and gate is None:
        return table
    pending = _PendingDecision(ruling=table, approved=approved, waived=waived)
    rules = _apply_rules(pending, action, policy, situation)
    _apply_risk(pending, action, policy.risk, situation, (table.code, *rules))
    if gate is not None and pending.ruling.decision != "deny":
        _apply_gate(pending, gate, policy, situation, action)
    ruling = pending.ruling
    return replace(
        ruling,
        action=None if ruling.decision == "deny" else ruling.action,
        rules=rules,
        escalated=frozenset(pending.escalated),
    )


def _apply_rules(
    pending: _PendingDecision, action: Action, policy: GuardedPolicy, situation: Situation
) -> tuple[str, ...]:
    """Apply the decisions of the matching rules, and return their codes in the order of the policy."""
    safe = pending.ruling.action
    matching = _matching_rules(action, safe, policy, situation, pending.waived)
    changes: dict[str, JsonValue] = {}
    for each in matching:
        pending.add(each.then, each.code, each.reason)
        if safe is None or each.then != "rewrite":
            continue
        _tighten_by_table(pending, _with_arguments(safe, each.set), policy, situation)
        for name, value in each.set.items():
            if changes.setdefault(name, value) != value:
                pending.add("escalate", RULE_CONFLICT, f"rules set {name} to different values")
    if safe is not None and changes:
        rewritten = _tighten_by_table(pending, _with_arguments(safe, changes), policy, situation)
        pending.ruling = replace(pending.ruling, action=rewritten)
    return tuple(each.code for each in matching)


def _matching_rules(
    action: Action,
    safe: Action | None,
    policy: GuardedPolicy,
    situation: Situation,
    waived: frozenset[str],
) -> tuple[Rule, ...]:
    """Return the rules that match any form of an action: proposed, normalised, rewritten by table or rule.

    The form that each rule rewrites is matched against all other rules, so that no rule can bypass another.
    """
    found: dict[str, Rule] = {}
    forms = [action, normalized_for_table(action), *(() if safe is None else (safe,))]
    while forms:
        situations = [situation.for_action(form, policy.clock) for form in forms]
        new = [
            each
            for each in policy.rules
            if each.code not in waived and each.code not in found and any(map(each.when.matches, situations))
        ]
        found |= {each.code: each for each in new}
        rewritten = (_with_arguments(safe, each.set) for each in new if safe is not None and each.set)
        ruled = [decide_by_table(one, policy, situation.known, waived=waived).action for one in rewritten]
        forms = [form for form in ruled if form is not None]
    return tuple(each for each in policy.rules if each.code in found)


def _with_arguments(action: Action, changes: Mapping[str, JsonValue]) -> Action:
    return action.with_args({**action.args, **copy_object(changes)})


def _tighten_by_table(
    pending: _PendingDecision, rewritten: Action, policy: GuardedPolicy, situation: Situation
) -> Action | None:
    """Apply the table's decision on a rewritten action, and return the form of it that may run."""
    ruled = decide_by_table(rewritten, policy, situation.known, waived=pending.waived)
    pending.tighten(ruled.decision, ruled.code, ruled.reason)
    return ruled.action


def _apply_risk(
    pending: _PendingDecision, action: Action, risk: Risk, situation: Situation, codes: tuple[str, ...]
) -> None:
    if risk == Risk():
        return
    terms = dict(_risk_terms(risk, action, situation, codes))
    score = RiskScore(total=sum(terms.values()), terms=tuple(terms.items()))
    pending.ruling = replace(pending.ruling, risk=score)
    if RISK in pending.waived:
        return
    before = pending.approved.risk if pending.approved is not None else None
    if risk.escalate_at is not None and score.total >= risk.escalate_at:
        reason = f"risk {score.total} reaches {risk.escalate_at}"
        escalate = pending.tighten if before is not None and score.total > before.total else pending.add
        escalate("escalate", RISK, reason)
    if risk.deny_at is not None and score.total >= risk.deny_at:
        pending.add("deny", RISK, f"risk {score.total} reaches {risk.deny_at}")


def _risk_terms(
    risk: Risk, action: Action, situation: Situation, codes: tuple[str, ...]
) -> Iterator[tuple[str, int]]:
    for code in codes:
        if points := risk.points.get(code, 0):
            yield code, points
    points = risk.points.get(CONCERN, 0)
    if points and without_ungrounded_prose(action.args, situation.known) != action.args:
        yield CONCERN, points


def _apply_gate(
    pending: _PendingDecision, gate: CustomGate, policy: GuardedPolicy, situation: Situation, proposed: Action
) -> None:
    action = pending.ruling.action or proposed
    gate_situation = {**situation.for_action(action, policy.clock), "proposed": proposed.to_dict()}
    try:
        answer = GateAnswer.model_validate(gate(action.to_dict(), copy_object(gate_situation)))
    except (ValidationError, ValueError):
        pending.add("deny", GATE_ERROR, "gate_error")
        return
    if answer.code in pending.waived:
        return
    pending.add(answer.decision, answer.code, answer.reason)
    if answer.set:
        rewritten = _tighten_by_table(pending, _with_arguments(action, answer.set), policy, situation)
        pending.ruling = replace(pending.ruling, action=rewritten)
