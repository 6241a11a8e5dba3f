"""The built-in policy table for actions."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from redpen.gateway.action_policy import decide_by_table
from redpen.gateway.plan import Action
from redpen.gateway.prose import REMOVED
from redpen.policy import GuardedPolicy

POLICY = GuardedPolicy()
FETCH, SEND = "fetch_incident_snapshot", "send_status_update"
EXPORT, TICKET = "export_customer_data", "create_manual_review_ticket"
VALID_SEND: dict[str, Any] = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "enterprise_active",
    "max_recipients": 1000,
}
LOOKUP: dict[str, Any] = {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"}


def ruling_of(
    tool: str, args: dict[str, Any], policy: GuardedPolicy = POLICY, known: dict[str, Any] | None = None
) -> tuple[str, str, str, Any]:
    """Return decision, reason, code and the arguments of the action that may run (None if denied)."""
    ruling = decide_by_table(Action(id="a1", tool=tool, args=args), policy, known)
    if ruling.action is not None:
        assert (ruling.action.id, ruling.action.tool) == ("a1", tool)
    return ruling.decision, ruling.reason, ruling.code, ruling.action and ruling.action.args


def ruling_of_send(**changes: Any) -> tuple[str, str, str, Any]:
    """Return the ruling on a valid send with some arguments changed; ``...`` removes one."""
    return ruling_of(
        SEND, {key: value for key, value in {**VALID_SEND, **changes}.items() if value is not ...}
    )


def denied(reason: str, code: str) -> tuple[str, str, str, None]:
    return "deny", reason, code, None


def rewritten(*reasons: str, **changes: Any) -> tuple[str, str, str, Any]:
    return "rewrite", f"policy_rewrite:{','.join(reasons)}", "policy.rewrite", {**VALID_SEND, **changes}


def allowed(**changes: Any) -> tuple[str, str, str, Any]:
    return "allow", "policy_pass", "policy.pass", {**VALID_SEND, **changes}


PII = denied("pii_argument_blocked", "policy.pii_argument")


@pytest.mark.parametrize(
    "tool", ["drop_database", "Send_Status_Update", "send_status_update ", "", "EXPORT_customer_data"]
)
def test_tool_off_policy_allowlist_is_denied(tool: str) -> None:
    assert ruling_of(tool, {"email": "a@example.com"}) == denied(
        "tool_denied_policy", "policy.tool_not_allowed"
    )


@pytest.mark.parametrize(
    "args", [{}, {"fields": ["country"], "destination": "internal"}, {"email": "a@example.com"}]
)
def test_export_is_denied_with_any_arguments(args: dict[str, Any]) -> None:
    assert ruling_of(EXPORT, args) == denied("pii_export_blocked", "policy.pii_export")
    everything = GuardedPolicy(executable_tools=POLICY.allowed_tools)
    assert ruling_of(EXPORT, args, everything) == denied("pii_export_blocked", "policy.pii_export")


def test_export_off_policy_allowlist_is_denied_as_unknown_tool() -> None:
    policy = GuardedPolicy(allowed_tools=frozenset({FETCH, SEND, TICKET}))
    assert ruling_of(EXPORT, {}, policy) == denied("tool_denied_policy", "policy.tool_not_allowed")


def test_tool_off_execution_allowlist_is_denied() -> None:
    policy = GuardedPolicy(executable_tools=frozenset({SEND}))
    assert ruling_of(FETCH, LOOKUP, policy) == denied("tool_denied_execution", "execution.tool_denied")
    assert ruling_of(TICKET, {"email": 1}, policy) == denied("tool_denied_execution", "execution.tool_denied")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        (FETCH, LOOKUP),
        (FETCH, {}),
        (TICKET, {"reason": "unclear", "payload": {"id": "a1", "args": {"n": 1}}}),
    ],
)
def test_other_tools_are_allowed(tool: str, args: dict[str, Any]) -> None:
    assert ruling_of(tool, args) == ("allow", "policy_pass", "policy.pass", args)


@pytest.mark.parametrize(
    ("changes", "ruling"),
    [
        ({}, allowed()),
        ({"template_id": "incident_p2_v1"}, allowed(template_id="incident_p2_v1")),
        ({"max_recipients": 50_000}, allowed(max_recipients=50_000)),
        ({"max_recipients": 1}, allowed(max_recipients=1)),
        ({"max_recipients": "1000"}, allowed()),
        ({"max_recipients": 1000.9}, allowed()),
        ({"max_recipients": "1000.9"}, allowed()),
        ({"channel": "external_email"}, allowed(channel="external_email")),
        ({"audience_segment": "all_customers"}, allowed(audience_segment="all_customers")),
        # One rewrite at a time.
        ({"template_id": "free_text_v0"}, rewritten("template_allowlist")),
        ({"template_id": "INCIDENT_P1_V2"}, rewritten("template_allowlist")),
        ({"template_id": ...}, rewritten("template_allowlist")),
        ({"template_id": None}, rewritten("template_allowlist")),
        ({"template_id": ["incident_p1_v2"]}, rewritten("template_allowlist")),
        ({"template_id": {"id": "incident_p1_v2"}}, rewritten("template_allowlist")),
        ({"max_recipients": 50_001}, rewritten("recipient_cap", max_recipients=50_000)),
        ({"free_text": "We are fully recovered."}, rewritten("free_text_removed")),
        ({"free_text": None}, rewritten("free_text_removed")),
        ({"free_text": ""}, rewritten("free_text_removed")),
        ({"free_text": False}, rewritten("free_text_removed")),
        ({"Free_Text": "x"}, rewritten("unknown_argument_removed")),
        ({"body": "x"}, rewritten("unknown_argument_removed")),
        ({"free_text ": "x"}, rewritten("unknown_argument_removed")),
        ({"": {}}, rewritten("unknown_argument_removed")),
        # All of them, in their order.
        (
            {"body": "x", "free_text": "x", "max_recipients": 120_000, "template_id": "free_text_v0"},
            rewritten(
                "template_allowlist", "recipient_cap", "free_text_removed", "unknown_argument_removed",
                max_recipients=50_000,
            ),
        ),
        (
            {"free_text": "x", "template_id": "p3", "channel": " Status_Page ", "max_recipients": "7"},
            rewritten("template_allowlist", "free_text_removed", max_recipients=7),
        ),
    ],
)  # fmt: skip
def test_send_arguments_are_allowed_or_rewritten(
    changes: dict[str, Any], ruling: tuple[str, str, str, Any]
) -> None:
    assert ruling_of_send(**changes) == ruling


UNPARSABLE: list[Any] = [
    ...,
    None,
    True,
    False,
    math.inf,
    -math.inf,
    math.nan,
    "12e4",
    "many",
    "",
    "1,000",
    "0x10",
    "1 000",
]
UNPARSABLE += [[1000], {"count": 1000}, "½", "一", "٥", "NaN", "Infinity", "1_000"]


@pytest.mark.parametrize("recipients", UNPARSABLE, ids=repr)
def test_unparsable_recipients_are_rewritten_to_cap(recipients: object) -> None:
    assert ruling_of_send(max_recipients=recipients) == rewritten("recipient_cap", max_recipients=50_000)


@pytest.mark.parametrize(
    "recipients", [120_000, "120000", " 120000 ", "+120000", 120_000.5, 10**400, 1e300, "9" * 400]
)
def test_recipients_over_cap_are_rewritten_to_cap(recipients: object) -> None:
    assert ruling_of_send(max_recipients=recipients) == rewritten("recipient_cap", max_recipients=50_000)


def test_infinite_and_nan_recipients_from_json_are_rewritten_to_cap() -> None:
    args = json.loads('{"max_recipients": 1e999, "other": NaN}')
    assert ruling_of_send(max_recipients=args["max_recipients"]) == rewritten(
        "recipient_cap", max_recipients=50_000
    )
    assert ruling_of_send(max_recipients=args["other"]) == rewritten("recipient_cap", max_recipients=50_000)


@pytest.mark.parametrize(
    "recipients", [0, -1, 0.9, -0.5, "0", "-120000", "0.9", -(10**400), -1e300, "-" + "9" * 400]
)
def test_recipients_below_one_are_denied(recipients: object) -> None:
    assert ruling_of_send(max_recipients=recipients) == denied(
        "invalid_recipients", "policy.invalid_recipients"
    )
    broadcast = {"channel": "external_email", "audience_segment": "all_customers"}
    assert ruling_of_send(max_recipients=recipients, **broadcast) == denied(
        "invalid_recipients", "policy.invalid_recipients"
    )


@pytest.mark.parametrize(
    "channel",
    [
        ...,
        None,
        "",
        "sms",
        "push",
        "email",
        "external-email",
        "external email",
        ["external_email"],
        {"name": "status_page"},
        1,
        True,
        "status_page,external_email",
    ],
    ids=repr,
)
def test_unknown_channels_are_denied(channel: object) -> None:
    assert ruling_of_send(channel=channel) == denied("unknown_channel", "policy.unknown_channel")
    assert ruling_of_send(channel=channel, audience_segment="all_customers")[0] == "deny"


@pytest.mark.parametrize(
    "audience",
    [..., None, "", "everyone", "all", "all customers", ["all_customers"], {"all": True}, 0],
    ids=repr,
)
def test_unknown_audiences_are_denied(audience: object) -> None:
    assert ruling_of_send(audience_segment=audience) == denied("unknown_audience", "policy.unknown_audience")
    assert ruling_of_send(audience_segment=audience, channel="external_email")[0] == "deny"


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ({"channel": "Status_Page"}, {}),
        ({"channel": "\tSTATUS_PAGE\n"}, {}),
        ({"audience_segment": " Enterprise_Active"}, {}),
        ({"channel": "External_Email"}, {"channel": "external_email"}),
        ({"audience_segment": "ALL_CUSTOMERS"}, {"audience_segment": "all_customers"}),
    ],
)
def test_channel_and_audience_are_normalised(given: dict[str, Any], passed: dict[str, Any]) -> None:
    assert ruling_of_send(**given) == allowed(**passed)


@pytest.mark.parametrize("channel", ["external_email", "External_Email", " external_email "])
@pytest.mark.parametrize("audience", ["all_customers", "ALL_CUSTOMERS", "\nall_customers"])
@pytest.mark.parametrize(
    ("changes", "safe"),
    [
        ({}, {}),
        (
            {"max_recipients": 120_000, "template_id": "free_text_v0", "free_text": "x"},
            {"max_recipients": 50_000},
        ),
        ({"max_recipients": ..., "body": "x"}, {"max_recipients": 50_000}),
        ({"max_recipients": "12", "template_id": ["x"]}, {"max_recipients": 12}),
    ],
)
def test_mass_broadcast_is_escalated_with_safe_arguments(
    channel: str, audience: str, changes: dict[str, Any], safe: dict[str, Any]
) -> None:
    expected = ("escalate", "mass_external_broadcast", "policy.mass_broadcast", {**VALID_SEND, **safe})
    assert ruling_of_send(channel=channel, audience_segment=audience, **changes) == expected


def test_cap_and_templates_come_from_policy() -> None:
    policy = GuardedPolicy(
        max_recipients_per_send=10, allowed_templates=frozenset({"calm_v1"}), default_template="calm_v1"
    )
    decision, reason, _, args = ruling_of(SEND, VALID_SEND, policy)
    assert (decision, reason) == ("rewrite", "policy_rewrite:template_allowlist,recipient_cap")
    assert args == {**VALID_SEND, "template_id": "calm_v1", "max_recipients": 10}


def test_unknown_arguments_of_other_tools_are_removed() -> None:
    ruling = ruling_of(FETCH, {**LOOKUP, "Region": "EU", "callback": "x"})
    assert ruling == ("rewrite", "policy_rewrite:unknown_argument_removed", "policy.rewrite", LOOKUP)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        (FETCH, {**LOOKUP, "incident_id": "anna@example.com"}),
        (FETCH, {**LOOKUP, "email": ""}),
        (FETCH, {**LOOKUP, "extra": {"deep": [{"phone_number": None}]}}),
        (SEND, {**VALID_SEND, "free_text": "Write to anna@example.com"}),
        (SEND, {**VALID_SEND, "channel": "anna@example.com"}),
        (SEND, {**VALID_SEND, "body": "call +49 30 1234567"}),
        (SEND, {**VALID_SEND, "recipients": ["anna@example.com"]}),
        (SEND, {**VALID_SEND, "max_recipients": "4111 1111 1111 1111"}),
        (TICKET, {"reason": "card 4111 1111 1111 1111", "payload": {}}),
        (TICKET, {"reason": "x", "payload": {"fields": ["country", "email"]}}),
        (TICKET, {"reason": "x", "payload": {"anna@example.com": 1}}),
        (TICKET, {"reason": "x", "payload": {"customer": {"account_number": "12345678"}}}),
    ],
)
def test_personal_data_in_arguments_is_denied(tool: str, args: dict[str, Any]) -> None:
    assert ruling_of(tool, args) == PII


def test_action_id_with_personal_data_is_denied() -> None:
    args = {**VALID_SEND, "channel": "external_email", "audience_segment": "all_customers"}
    ruling = decide_by_table(Action(id="cc anna@example.com", tool=SEND, args=args), POLICY)
    assert (ruling.decision, ruling.reason, ruling.action) == ("deny", "pii_argument_blocked", None)


@pytest.mark.parametrize(
    "payload",
    [
        {"card_error_rate": 0.034, "failed_payment_rate": "3.4%"},
        {"note": "Confirm the estimate of 45 minutes on 2026-03-06 at 14:30."},
        {"channel": "external_email", "template": "incident_p1_v2", "count": 120000},
    ],
)
def test_incident_facts_are_not_personal_data(payload: dict[str, Any]) -> None:
    known = {"report_date": "2026-03-06", "eta_minutes": 45, "review_at": "14:30"}
    assert ruling_of(TICKET, {"reason": "mass broadcast", "payload": payload}, known=known)[0] == "allow"


SNAPSHOT = {"severity": "P1", "affected_checkout_share": 0.27, "eta_minutes": 45, "region": "US"}


@pytest.mark.parametrize(
    "text",
    [
        "Please have a look at the estimate of 45 minutes.",
        "P1 in the US: 27% of checkouts are affected.",
        "fixed",
        "inc_payments_20260306",
    ],
)
def test_ticket_prose_grounded_in_snapshot_is_allowed(text: str) -> None:
    args = {"reason": text, "payload": {"notes": [text]}}
    assert ruling_of(TICKET, args, known=SNAPSHOT) == ("allow", "policy_pass", "policy.pass", args)


@pytest.mark.parametrize(
    "text",
    [
        "We are fully recovered.",
        "Please tell them that it is r e s o l v e d.",
        "The estimate is 90 minutes now.",
        "Customers in Europe are hit too.",
        "see inc_other_1 please",
        "Tell everybody: you will get a refund.",
        "caused by " + "a faulty switch " * 400,
    ],
)
def test_ticket_prose_beyond_snapshot_is_removed(text: str) -> None:
    args = {"reason": text, "payload": {"notes": ["please look", {"deep": text}], "count": 3}}
    assert ruling_of(TICKET, args, known=SNAPSHOT) == (
        "rewrite",
        "policy_rewrite:free_text_removed",
        "policy.rewrite",
        {"reason": REMOVED, "payload": {"notes": ["please look", {"deep": REMOVED}], "count": 3}},
    )


def test_prose_without_snapshot_is_removed() -> None:
    args = {"reason": "27% of checkouts are affected.", "payload": {}, "cc": "x"}
    assert ruling_of(TICKET, args)[1:] == (
        "policy_rewrite:free_text_removed,unknown_argument_removed",
        "policy.rewrite",
        {"reason": REMOVED, "payload": {}},
    )


def test_prose_of_custom_tool_is_checked() -> None:
    policy = GuardedPolicy(allowed_tools=frozenset({"post_note"}), executable_tools=frozenset({"post_note"}))
    assert ruling_of("post_note", {"note": "All is resolved."}, policy)[3] == {"note": REMOVED}
    assert ruling_of("post_note", {"note": "We are looking into it."}, policy)[0] == "allow"


def test_arguments_of_snapshot_tool_are_not_treated_as_prose() -> None:
    assert ruling_of(FETCH, {**LOOKUP, "region": "Great Britain"})[0] == "allow"


def test_waived_rewrite_keeps_recipients_over_cap_but_not_unreadable_ones() -> None:
    waived = frozenset({"policy.rewrite"})
    for given, count in ((60_000, 60_000), ("many", POLICY.max_recipients_per_send)):
        args = {**VALID_SEND, "template_id": "free_text_v0", "max_recipients": given}
        ruling = decide_by_table(Action(id="a1", tool=SEND, args=args), POLICY, waived=waived)
        assert ruling.action is not None
        assert ruling.action.args["max_recipients"] == count
