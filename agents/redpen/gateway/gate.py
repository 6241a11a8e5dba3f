"""The gate: combines the built-in table with the rules, risk score and custom gate of a policy.

The strictest decision wins; nothing here can loosen a decision of the table. Every rule that applies counts,
regardless of order. Among equally strict decisions the first one is reported: table, rules in their order,
risk score, custom gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import ValidationError

from redpen.gateway.action_policy import RiskScore, Ruling, normalized_for_table, rule
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
"""Risk code for prose in an action that the request and the snapshot do not support."""

AskGate = Callable[[JsonObject, JsonObject], object]
"""A custom gate: takes the action as it would run and its situation.

Returns ``{decision, code, reason, set}``, of which only ``decision`` is required; None if the gate failed."""


@dataclass(slots=True, kw_only=True)
class _PendingDecision:
    """The decision on one action while it is being made."""

    ruling: Ruling
    asked: Ruling | None
    waived: frozenset[str] = frozenset()
    escalated: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, code: str, reason: str) -> None:
        """Add a decision; it takes effect if it is stricter than the current one and not waived."""
        if code in self.waived and code != GATE_ERROR:
            return
        if outcome == "escalate":
            self.escalated.append(code)
            if self.asked is not None and code in self.asked.escalated:
                return
        self.tighten(outcome, code, reason)

    def tighten(self, outcome: Outcome, code: str, reason: str) -> None:
        """Take a decision if it is stricter than the current one, even if a reviewer already approved it."""
        if OUTCOMES.index(outcome) > OUTCOMES.index(self.ruling.decision):
            self.ruling = replace(self.ruling, decision=outcome, code=code, reason=reason)


def decide(
    action: Action,
    policy: GuardedPolicy,
    situation: Situation,
    *,
    gate: AskGate | None = None,
    asked: Ruling | None = None,
    waived: frozenset[str] = frozenset(),
) -> Ruling:
    """Return the policy's decision on an action.

    Args:
        action: the proposed action.
        policy: caps, templates and allowlists of the table; rules and risk.
        situation: what the run knows and has done.
        gate: a custom gate; not called for an action that is denied already.
        asked: the earlier ruling that escalated an action which a reviewer has approved. Its escalations
            are not repeated unless the risk score has grown; the table and denials still apply.
        waived: codes of rules, of risk and of a custom gate that a reviewer waives for an action that the
            reviewer wrote; of the table's codes only ``policy.mass_broadcast`` and ``policy.rewrite``.
    """
    table = rule(action, policy, situation.known, waived=waived)
    if not policy.rules and policy.risk == Risk() and gate is None:
        return table
    pending = _PendingDecision(ruling=table, asked=asked, waived=waived)
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
    """Add the decisions of the rules that apply, and return their codes in the order of the policy."""
    safe = pending.ruling.action
    matching = _matching_rules(action, safe, policy, situation, pending.waived)
    changes: dict[str, JsonValue] = {}
    for each in matching:
        pending.add(each.then, each.code, each.reason)
        if safe is None or each.then != "rewrite":
            continue
        _add_table_ruling(
            pending, rule(_with_arguments(safe, each.set), policy, situation.known, waived=pending.waived)
        )
        for name, value in each.set.items():
            if changes.setdefault(name, value) != value:
                pending.add("escalate", RULE_CONFLICT, f"rules set {name} to different values")
    if safe is not None and changes:
        ruled = rule(_with_arguments(safe, changes), policy, situation.known, waived=pending.waived)
        _add_table_ruling(pending, ruled)
        pending.ruling = replace(pending.ruling, action=ruled.action)
    return tuple(each.code for each in matching)


def _matching_rules(
    action: Action,
    safe: Action | None,
    policy: GuardedPolicy,
    situation: Situation,
    waived: frozenset[str],
) -> tuple[Rule, ...]:
    """Return the rules that match any form of an action: proposed, normalised, rewritten by table or rule.

    The rewritten form of each rule is matched against all others, so that no rule can bypass another.
    """
    found: dict[str, Rule] = {}
    forms = [action, normalized_for_table(action), *(() if safe is None else (safe,))]
    while forms:
        situations = [situation.of(form, policy.clock) for form in forms]
        new = [
            each
            for each in policy.rules
            if each.code not in waived and each.code not in found and any(map(each.when.hold, situations))
        ]
        found |= {each.code: each for each in new}
        rewritten = (_with_arguments(safe, each.set) for each in new if safe is not None and each.set)
        ruled = [rule(one, policy, situation.known, waived=waived).action for one in rewritten]
        forms = [form for form in ruled if form is not None]
    return tuple(each for each in policy.rules if each.code in found)


def _with_arguments(action: Action, changes: Mapping[str, JsonValue]) -> Action:
    return action.with_args({**action.args, **copy_object(changes)})


def _add_table_ruling(pending: _PendingDecision, ruled: Ruling) -> None:
    pending.tighten(ruled.decision, ruled.code, ruled.reason)


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
    before = pending.asked.risk if pending.asked is not None else None
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
    pending: _PendingDecision, gate: AskGate, policy: GuardedPolicy, situation: Situation, proposed: Action
) -> None:
    action = pending.ruling.action or proposed
    gate_situation = {**situation.of(action, policy.clock), "proposed": proposed.to_dict()}
    try:
        answer = GateAnswer.model_validate(gate(action.to_dict(), copy_object(gate_situation)))
    except (ValidationError, ValueError):
        pending.add("deny", GATE_ERROR, "gate_error")
        return
    if answer.code in pending.waived:
        return
    pending.add(answer.decision, answer.code, answer.reason)
    if answer.set:
        ruled = rule(_with_arguments(action, answer.set), policy, situation.known, waived=pending.waived)
        _add_table_ruling(pending, ruled)
        pending.ruling = replace(pending.ruling, action=ruled.action)
