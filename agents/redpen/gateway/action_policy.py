"""The built-in policy table, which allows, rewrites, escalates or denies a proposed action.

Caps and templates come from the runtime's policy, never from the request or the model.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from redpen.gateway.personal_data import find_personal_data
from redpen.gateway.plan import Action
from redpen.gateway.prose import without_ungrounded_prose
from redpen.policy import EXPORT, FETCH, SEND, TICKET, GuardedPolicy
from redpen.policy.rules import Outcome
from redpen.types import JsonObject, JsonValue

TableCode = Literal[
    "policy.pass",
    "policy.tool_not_allowed",
    "policy.pii_export",
    "policy.pii_argument",
    "policy.mass_broadcast",
    "policy.rewrite",
    "policy.unknown_channel",
    "policy.unknown_audience",
    "policy.invalid_recipients",
    "execution.tool_denied",
]
RewriteReason = Literal[
    "template_allowlist", "recipient_cap", "free_text_removed", "unknown_argument_removed"
]

MASS_BROADCAST = "mass_external_broadcast"
"""Reason of an escalation by ``policy.mass_broadcast``."""

CHANNELS = frozenset({"external_email", "status_page"})
AUDIENCES = frozenset({"all_customers", "enterprise_active"})
_SAFE_CHANNEL, _SAFE_AUDIENCE = "status_page", "enterprise_active"

ARGUMENTS: Mapping[str, frozenset[str]] = {
    FETCH: frozenset({"report_date", "region", "incident_id"}),
    SEND: frozenset({"channel", "template_id", "audience_segment", "max_recipients"}),
    TICKET: frozenset({"reason", "payload"}),
}
"""The arguments that each built-in tool accepts; all others are removed, ``free_text`` with its own reason.

A user-defined tool gets all proposed arguments.
"""

_TOOLS_WITHOUT_PROSE = frozenset({FETCH, SEND})
"""Built-in tools that accept only names and numbers; arguments of other tools may contain prose."""

_NAME_ARGUMENTS: Mapping[str, frozenset[str]] = {
    FETCH: frozenset({"report_date", "region", "incident_id"}),
    SEND: frozenset({"channel", "audience_segment", "template_id"}),
}

_BROADCAST: Final = "policy.mass_broadcast"
_REWRITE: Final = "policy.rewrite"

_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(?:\.[0-9]{1,4000})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskScore:
    """The risk of one action.

    Attributes:
        total: sum of the points.
        terms: each code that adds risk, with its points.
    """

    total: int
    terms: tuple[tuple[str, int], ...]

    def to_dict(self) -> JsonObject:
        """Return the score as a JSON object."""
        return {"total": self.total, "terms": dict(self.terms)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The gate's decision on one action.

    Attributes:
        decision: allow, deny, rewrite or escalate.
        reason: the reason shown in traces.
        code: stable code of the reason: of the table (``TableCode``), a rule, the risk score or the custom
            gate.
        action: the action that may run: the proposed one with normalised arguments, its rewritten form, or
            the safe form that a reviewer has to approve; None if the action is denied.
        rules: codes of the rules that apply.
        risk: the risk score of the action; None if the policy defines no risk points.
        escalated: codes of the escalations by rules, risk score and custom gate.
    """

    decision: Outcome
    reason: str
    code: str
    action: Action | None
    rules: tuple[str, ...] = ()
    risk: RiskScore | None = None
    escalated: frozenset[str] = frozenset()

    def trace_fields(self) -> JsonObject:
        """Return the trace fields for rules and risk; empty if the policy has neither."""
        fields: JsonObject = {"policy_rules": list[JsonValue](self.rules)} if self.rules else {}
        return fields if self.risk is None else {**fields, "policy_risk": self.risk.to_dict()}


def decide_by_table(
    action: Action,
    policy: GuardedPolicy,
    known: Mapping[str, JsonValue] | None = None,
    *,
    waived: frozenset[str] = frozenset(),
) -> Ruling:
    """Return the ruling of the first row of the policy table that applies to an action.

    Args:
        action: the proposed action.
        policy: caps, templates and both tool allowlists.
        known: the request and the last snapshot. Prose in arguments (the reason of a ticket) may state only
            facts that these contain; other prose is removed as free text.
        waived: codes that a reviewer waives for an action that the reviewer wrote. Only
            ``policy.mass_broadcast`` and ``policy.rewrite`` can be waived here; a denial cannot.
    """
    if action.tool not in policy.allowed_tools:
        return _deny("tool_denied_policy", "policy.tool_not_allowed")
    if action.tool == EXPORT:
        return _deny("pii_export_blocked", "policy.pii_export")
    if action.tool not in policy.executable_tools:
        return _deny("tool_denied_execution", "execution.tool_denied")
    if _holds_personal_data(action):
        return _deny("pii_argument_blocked", "policy.pii_argument")
    if action.tool == SEND:
        return _decide_send(action, policy, waived)
    return _decide_other(action, known or {}, waived)


def _decide_other(action: Action, known: Mapping[str, JsonValue], waived: frozenset[str]) -> Ruling:
    args, reasons = _known_arguments(action)
    if _REWRITE in waived:
        return _pass_or_rewrite(action, ())
    if action.tool not in _TOOLS_WITHOUT_PROSE:
        checked = without_ungrounded_prose(args, known)
        reasons = reasons if checked == args else ("free_text_removed", *reasons)
        args = checked
    return _pass_or_rewrite(action.with_args(args), reasons)


def normalized_for_table(action: Action) -> Action:
    """Return the action with channel, audience and recipients normalised, as the table compares them."""
    if action.tool != SEND:
        return action
    words = {name: _normalized_name(action.args.get(name)) for name in ("channel", "audience_segment")}
    recipients = _parse_recipients(action.args.get("max_recipients"))
    numbers = {} if recipients is None else {"max_recipients": recipients}
    return action.with_args({**action.args, **words, **numbers})


def _holds_personal_data(action: Action) -> bool:
    # The values of name arguments are not searched for field names: `email` is an unknown channel there, and
    # `inc_mail_1` is an incident id. The action's id is searched too, because a ticket's payload contains it.
    name_arguments = _NAME_ARGUMENTS.get(action.tool, frozenset())
    words = {name: action.args[name] for name in name_arguments & action.args.keys()}
    rest = {name: value for name, value in action.args.items() if name not in words}
    if action.tool == SEND and _parse_recipients(rest.get("max_recipients")) is not None:
        # A count with as many digits as a card number is still a count.
        del rest["max_recipients"]
    return bool(find_personal_data(rest) or find_personal_data([action.id, words], names=False))


def _decide_send(action: Action, policy: GuardedPolicy, waived: frozenset[str]) -> Ruling:
    channel = _normalized_name(action.args.get("channel"))
    audience = _normalized_name(action.args.get("audience_segment"))
    recipients = _parse_recipients(action.args.get("max_recipients"))
    if channel not in CHANNELS:
        return _deny("unknown_channel", "policy.unknown_channel")
    if audience not in AUDIENCES:
        return _deny("unknown_audience", "policy.unknown_audience")
    if recipients is not None and recipients < 1:
        return _deny("invalid_recipients", "policy.invalid_recipients")
    args, reasons = _safe_send_arguments(action, policy, recipients)
    # A recipient count that cannot be parsed is replaced by the cap even if the rewrite is waived.
    if _REWRITE in waived and recipients is not None:
        args, reasons = {**action.args, "max_recipients": recipients}, ()
    if (channel, audience) == ("external_email", "all_customers") and _BROADCAST not in waived:
        safe = {**args, "channel": _SAFE_CHANNEL, "audience_segment": _SAFE_AUDIENCE}
        return Ruling(
            decision="escalate",
            reason=MASS_BROADCAST,
            code=_BROADCAST,
            action=action.with_args(safe),
        )
    return _pass_or_rewrite(
        action.with_args({**args, "channel": channel, "audience_segment": audience}), reasons
    )


def _safe_send_arguments(
    action: Action, policy: GuardedPolicy, recipients: int | None
) -> tuple[JsonObject, tuple[RewriteReason, ...]]:
    args, removed = _known_arguments(action)
    reasons: list[RewriteReason] = []
    template = args.get("template_id")
    if not isinstance(template, str) or template not in policy.allowed_templates:
        template = policy.default_template
        reasons.append("template_allowlist")
    cap = policy.max_recipients_per_send
    if recipients is None or recipients > cap:
        recipients = cap
        reasons.append("recipient_cap")
    if "free_text" in action.args:
        reasons.append("free_text_removed")
    return {**args, "template_id": template, "max_recipients": recipients}, (*reasons, *removed)


def _known_arguments(action: Action) -> tuple[JsonObject, tuple[RewriteReason, ...]]:
    known = ARGUMENTS.get(action.tool, frozenset(action.args))
    args = {name: value for name, value in action.args.items() if name in known}
    unknown = action.args.keys() - known - ({"free_text"} if action.tool == SEND else set())
    return args, ("unknown_argument_removed",) if unknown else ()


def _pass_or_rewrite(action: Action, reasons: tuple[RewriteReason, ...]) -> Ruling:
    if not reasons:
        return Ruling(decision="allow", reason="policy_pass", code="policy.pass", action=action)
    return Ruling(
        decision="rewrite",
        reason=f"policy_rewrite:{','.join(reasons)}",
        code=_REWRITE,
        action=action,
    )


def _deny(reason: str, code: TableCode) -> Ruling:
    return Ruling(decision="deny", reason=reason, code=code, action=None)


def _normalized_name(value: JsonValue) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _parse_recipients(value: JsonValue) -> int | None:
    """Return a recipient count as an integer, truncated; None if it cannot be parsed."""
    match value:
        case bool():
            return None
        case int():
            return value
        case float() if math.isfinite(value):
            return int(value)
        case str() if _NUMBER.fullmatch(value.strip()):
            return int(value.strip().split(".")[0])
        case _:
            return None
