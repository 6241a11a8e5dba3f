"""The gate: the built-in table, then the rules, the risk and the gate of a policy; the strictest wins.

Nothing here can loosen what the table says. All rules that apply are heard, whatever their order; among
equally strict ones the first decides: the table, the rules in their order, the risk, a gate of the team's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import ValidationError

from redpen.gateway.action_policy import RiskScore, Ruling, as_read, rule
from redpen.gateway.plan import Action
from redpen.gateway.prose import grounded
from redpen.gateway.situation import Situation
from redpen.policy import GuardedPolicy, Rule
from redpen.policy.rules import OUTCOMES, GateAnswer, Outcome, Risk
from redpen.text.json_values import copy_object
from redpen.types import JsonObject, JsonValue

RULE_CONFLICT: Final = "policy.rule_conflict"
RISK: Final = "policy.risk"
GATE_ERROR: Final = "policy.gate_error"
CONCERN: Final = "concern"
"""What risk calls prose in an action that request and snapshot do not bear out."""

AskGate = Callable[[JsonObject, JsonObject], object]
"""Takes the action as it would run and its situation; returns ``{decision, code, reason, set}``, of which
all but ``decision`` may be left out, or None where the gate of the team's own failed."""


@dataclass(slots=True, kw_only=True)
class _Hearing:
    """The decision on one action while it is being made."""

    ruling: Ruling
    asked: Ruling | None
    waived: frozenset[str] = frozenset()
    escalated: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome, code: str, reason: str) -> None:
        """Hear one more decision; it counts where it is stricter than all before, and is not waived."""
        if code in self.waived and code != GATE_ERROR:
            return
        if outcome == "escalate":
            self.escalated.append(code)
            if self.asked is not None and code in self.asked.escalated:
                return
        self.tighten(outcome, code, reason)

    def tighten(self, outcome: Outcome, code: str, reason: str) -> None:
        """Take a decision that is stricter than all before, whatever a person was asked."""
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
    """Return what the policy makes of an action.

    Args:
        action: the proposed action.
        policy: caps, templates and allowlists of the table; rules and risk.
        situation: what the run knows and has done.
        gate: what else is asked, of the team's own; not asked about what is denied already.
        asked: what a person was asked about, for an action that comes back approved: what escalated it
            then need not be asked again, unless its risk has grown. The table and denials bind a person
            as well.
        waived: codes of rules, of risk and of a gate of the team's that a person lets stand in an action of
            the person's own; of the table only ``policy.mass_broadcast`` and ``policy.rewrite``.
    """
    table = rule(action, policy, situation.known, waived=waived)
    if not policy.rules and policy.risk == Risk() and gate is None:
        return table
    hearing = _Hearing(ruling=table, asked=asked, waived=waived)
    rules = _apply_rules(hearing, action, policy, situation)
    _apply_risk(hearing, action, policy.risk, situation, (table.code, *rules))
    if gate is not None and hearing.ruling.decision != "deny":
        _apply_gate(hearing, gate, policy, situation, action)
    ruling = hearing.ruling
    return replace(
        ruling,
        action=None if ruling.decision == "deny" else ruling.action,
        rules=rules,
        escalated=frozenset(hearing.escalated),
    )


def _apply_rules(
    hearing: _Hearing, action: Action, policy: GuardedPolicy, situation: Situation
) -> tuple[str, ...]:
    """Hear the rules that apply, and return their codes in the order of the policy."""
    safe = hearing.ruling.action
    applying = _applying(action, safe, policy, situation, hearing.waived)
    changes: dict[str, JsonValue] = {}
    for each in applying:
        hearing.add(each.then, each.code, each.reason)
        if safe is None or each.then != "rewrite":
            continue
        _hear_table(hearing, rule(_with(safe, each.set), policy, situation.known, waived=hearing.waived))
        for name, value in each.set.items():
            if changes.setdefault(name, value) != value:
                hearing.add("escalate", RULE_CONFLICT, f"rules set {name} to different values")
    if safe is not None and changes:
        ruled = rule(_with(safe, changes), policy, situation.known, waived=hearing.waived)
        _hear_table(hearing, ruled)
        hearing.ruling = replace(hearing.ruling, action=ruled.action)
    return tuple(each.code for each in applying)


def _applying(
    action: Action,
    safe: Action | None,
    policy: GuardedPolicy,
    situation: Situation,
    waived: frozenset[str],
) -> tuple[Rule, ...]:
    """Return the rules that hold of an action as proposed, as read, as the table or a rule leaves it.

    What one rule rewrites is read by all others, so that none can lead past another.
    """
    found: dict[str, Rule] = {}
    forms = [action, as_read(action), *(() if safe is None else (safe,))]
    while forms:
        situations = [situation.of(form, policy.clock) for form in forms]
        new = [
            each
            for each in policy.rules
            if each.code not in waived and each.code not in found and any(map(each.when.hold, situations))
        ]
        found |= {each.code: each for each in new}
        rewritten = (_with(safe, each.set) for each in new if safe is not None and each.set)
        ruled = [rule(one, policy, situation.known, waived=waived).action for one in rewritten]
        forms = [form for form in ruled if form is not None]
    return tuple(each for each in policy.rules if each.code in found)


def _with(action: Action, changes: Mapping[str, JsonValue]) -> Action:
    return action.with_args({**action.args, **copy_object(changes)})


def _hear_table(hearing: _Hearing, ruled: Ruling) -> None:
    hearing.tighten(ruled.decision, ruled.code, ruled.reason)


def _apply_risk(
    hearing: _Hearing, action: Action, risk: Risk, situation: Situation, codes: tuple[str, ...]
) -> None:
    if risk == Risk():
        return
    terms = dict(_terms(risk, action, situation, codes))
    score = RiskScore(total=sum(terms.values()), terms=tuple(terms.items()))
    hearing.ruling = replace(hearing.ruling, risk=score)
    if RISK in hearing.waived:
        return
    before = hearing.asked.risk if hearing.asked is not None else None
    if risk.escalate_at is not None and score.total >= risk.escalate_at:
        reason = f"risk {score.total} reaches {risk.escalate_at}"
        hear = hearing.tighten if before is not None and score.total > before.total else hearing.add
        hear("escalate", RISK, reason)
    if risk.deny_at is not None and score.total >= risk.deny_at:
        hearing.add("deny", RISK, f"risk {score.total} reaches {risk.deny_at}")


def _terms(
    risk: Risk, action: Action, situation: Situation, codes: tuple[str, ...]
) -> Iterator[tuple[str, int]]:
    for code in codes:
        if points := risk.points.get(code, 0):
            yield code, points
    points = risk.points.get(CONCERN, 0)
    if points and grounded(action.args, situation.known) != action.args:
        yield CONCERN, points


def _apply_gate(
    hearing: _Hearing, gate: AskGate, policy: GuardedPolicy, situation: Situation, proposed: Action
) -> None:
    action = hearing.ruling.action or proposed
    told = {**situation.of(action, policy.clock), "proposed": proposed.to_dict()}
    try:
        answer = GateAnswer.model_validate(gate(action.to_dict(), copy_object(told)))
    except (ValidationError, ValueError):
        hearing.add("deny", GATE_ERROR, "gate_error")
        return
    if answer.code in hearing.waived:
        return
    hearing.add(answer.decision, answer.code, answer.reason)
    if answer.set:
        ruled = rule(_with(action, answer.set), policy, situation.known, waived=hearing.waived)
        _hear_table(hearing, ruled)
        hearing.ruling = replace(hearing.ruling, action=ruled.action)
