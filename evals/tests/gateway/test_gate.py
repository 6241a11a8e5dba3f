"""Policy rules, risk scores and custom gates: they can only tighten the built-in table."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.plans import action_plans
from redpen.gateway.action_policy import decide_by_table
from redpen.gateway.gate import decide
from redpen.gateway.plan import Action, read_plan
from redpen.gateway.situation import Situation
from redpen.policy import GuardedPolicy
from redpen.policy.rules import OUTCOMES

SEND, TICKET = "send_status_update", "create_manual_review_ticket"
VALID_SEND: dict[str, Any] = {
    "channel": "status_page",
    "template_id": "incident_p1_v2",
    "audience_segment": "all_customers",
    "max_recipients": 1000,
}
SITUATION = Situation(
    request={"region": "US"},
    snapshot={"eta_minutes": 180, "severity": "P1"},
    now=datetime(2026, 3, 6, 22, 30, tzinfo=UTC),
    sends=1,
    denied=2,
)
LONG_ETA = {
    "code": "policy.long_eta",
    "when": {"snapshot.eta_minutes": {"gt": 120}},
    "then": "escalate",
    "reason": "long outage",
}
NIGHT = {
    "code": "policy.night",
    "when": {"args.audience_segment": "all_customers", "clock.hour": {"outside": [8, 20]}},
    "then": "rewrite",
    "set": {"audience_segment": "enterprise_active"},
    "reason": "at night",
}


def decide_send(*rules: dict[str, Any], args: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Return the ruling on a valid send with some arguments changed."""
    policy = GuardedPolicy.model_validate({"rules": rules, **fields})
    return decide(Action(id="a1", tool=SEND, args={**VALID_SEND, **(args or {})}), policy, SITUATION)


def make_rule(code: str, then: str, **rest: Any) -> dict[str, Any]:
    return {"code": code, "then": then, "reason": code, **rest}


def test_matching_rule_decides_with_its_code_and_reason() -> None:
    ruling = decide_send(LONG_ETA)
    assert (ruling.decision, ruling.code, ruling.reason) == ("escalate", "policy.long_eta", "long outage")
    assert ruling.action.args == VALID_SEND
    assert ruling.trace_fields() == {"policy_rules": ["policy.long_eta"]}


@pytest.mark.parametrize(
    "when",
    [
        {"snapshot.eta_minutes": {"lt": 120}},
        {"action.tool": "export_customer_data"},
        {"clock.hour": {"inside": [8, 20]}},
        {"clock.weekday": 1},
        {"request.region": "EU"},
        {"history.sends": 0},
        {"args.max_recipients": {"gt": 1000}},
    ],
)
def test_rule_that_does_not_match_changes_nothing(when: dict[str, Any]) -> None:
    ruling = decide_send(make_rule("policy.x", "deny", when=when))
    assert (ruling.decision, ruling.code, ruling.trace_fields()) == ("allow", "policy.pass", {})


def test_rewrite_sets_arguments_and_reapplies_table() -> None:
    ruling = decide_send(NIGHT)
    assert (ruling.decision, ruling.code) == ("rewrite", "policy.night")
    assert ruling.action.args == {**VALID_SEND, "audience_segment": "enterprise_active"}
    unknown = decide_send({**NIGHT, "set": {"audience_segment": "nobody"}})
    assert (unknown.decision, unknown.code, unknown.action) == ("deny", "policy.unknown_audience", None)
    broad = decide_send(make_rule("policy.x", "rewrite", set={"channel": "external_email"}))
    assert (broad.decision, broad.code) == ("escalate", "policy.mass_broadcast")


def test_first_of_the_strictest_rules_decides() -> None:
    first, second = make_rule("policy.one", "deny"), make_rule("policy.two", "deny")
    assert decide_send(NIGHT, LONG_ETA, first, second).code == "policy.one"
    assert decide_send(second, first, LONG_ETA, NIGHT).code == "policy.two"
    assert decide_send(NIGHT, LONG_ETA, first).rules == ("policy.night", "policy.long_eta", "policy.one")
    # The table is applied before the rules.
    assert decide_send(
        make_rule("policy.x", "rewrite", set={"max_recipients": 5}), args={"template_id": "x"}
    ).code == ("policy.rewrite")


def test_allow_rule_does_not_loosen_table() -> None:
    ruling = decide_send(make_rule("policy.ok", "allow"), args={"channel": "sms"})
    assert (ruling.decision, ruling.code, ruling.action) == ("deny", "policy.unknown_channel", None)


@pytest.mark.parametrize("value", ["ALL_CUSTOMERS", " all_customers "])
def test_rule_normalises_arguments_like_table(value: str) -> None:
    assert decide_send(NIGHT, args={"audience_segment": value}).code == "policy.night"
    many = make_rule("policy.many", "deny", when={"args.max_recipients": {"gt": 60_000}})
    assert decide_send(many, args={"max_recipients": "120000"}).code == "policy.many"


def test_rule_is_matched_against_rewrites_of_other_rules() -> None:
    stopped = make_rule("policy.x", "deny", when={"args.audience_segment": "enterprise_active"})
    assert decide_send(NIGHT, stopped).code == decide_send(stopped, NIGHT).code == "policy.x"


def test_conflicting_rewrites_are_escalated() -> None:
    one = make_rule("policy.one", "rewrite", set={"max_recipients": 10})
    two = make_rule("policy.two", "rewrite", set={"max_recipients": 20})
    ruling = decide_send(one, two)
    assert (ruling.decision, ruling.code) == ("escalate", "policy.rule_conflict")
    assert ruling.action.args["max_recipients"] == 10
    assert decide_send(one, {**two, "set": {"max_recipients": 10}}).decision == "rewrite"


def test_clock_hour_is_in_policy_time_zone() -> None:
    late = make_rule("policy.late", "deny", when={"clock.hour": 22})
    assert decide_send(late).decision == "deny"
    assert decide_send(late, clock={"zone": "Asia/Tokyo"}).decision == "allow"
    assert decide_send(
        make_rule("policy.x", "deny", when={"clock.hour": 7}), clock={"zone": "Asia/Tokyo"}
    ).code == ("policy.x")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone of a process cannot be set")
def test_naive_time_is_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    situation = Situation(now=datetime(2026, 3, 6, 22, 30))  # noqa: DTZ001 - what the test is about
    monkeypatch.setenv("TZ", "UTC-5")
    time.tzset()
    try:
        found = situation.for_action(Action(id="a1", tool=SEND, args={}), GuardedPolicy().clock)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert found["clock"] == {"hour": 22, "weekday": 5, "zone": "UTC"}


RISK = {"points": {"policy.long_eta": 30, "policy.seen": 15, "policy.mass_broadcast": 50, "concern": 10}}
SEEN = make_rule("policy.seen", "allow")


@pytest.mark.parametrize(
    ("bounds", "outcome"),
    [
        ({}, ("allow", "policy.pass")),
        ({"escalate_at": 16}, ("allow", "policy.pass")),
        ({"escalate_at": 15}, ("escalate", "policy.risk")),
        ({"escalate_at": 10, "deny_at": 15}, ("deny", "policy.risk")),
    ],
)
def test_risk_sums_points_of_codes(bounds: dict[str, int], outcome: tuple[str, str]) -> None:
    ruling = decide_send(SEEN, risk={**RISK, **bounds})
    assert (ruling.decision, ruling.code) == outcome
    assert ruling.trace_fields()["policy_risk"] == {"total": 15, "terms": {"policy.seen": 15}}


def test_trace_lists_every_risk_term() -> None:
    mass = decide_send(LONG_ETA, SEEN, args={"channel": "external_email"}, risk={**RISK, "deny_at": 95})
    assert mass.trace_fields()["policy_risk"] == {
        "total": 95,
        "terms": {"policy.mass_broadcast": 50, "policy.long_eta": 30, "policy.seen": 15},
    }
    assert (mass.decision, mass.action) == ("deny", None)
    flagged = decide_send(args={"free_text": "We are fully recovered."}, risk=RISK)
    assert flagged.risk.terms == (("concern", 10),)


def decide_with_gate(gate: Any, args: dict[str, Any] | None = None, *rules: dict[str, Any]) -> Any:
    policy = GuardedPolicy.model_validate({"rules": rules})
    return decide(
        Action(id="a1", tool=SEND, args={**VALID_SEND, **(args or {})}), policy, SITUATION, gate=gate
    )


def test_custom_gate_can_tighten_decision() -> None:
    seen: list[Any] = []

    def gate(action: Any, situation: Any) -> dict[str, Any]:
        seen.append((action, situation))
        return {"decision": "rewrite", "code": "opa.cap", "reason": "cap", "set": {"max_recipients": 10}}

    ruling = decide_with_gate(gate, {"max_recipients": "120000"})
    assert (ruling.decision, ruling.action.args["max_recipients"]) == ("rewrite", 10)
    (action, situation) = seen[0]
    assert action["args"]["max_recipients"] == 50_000
    assert situation["proposed"]["args"]["max_recipients"] == "120000"
    assert situation["snapshot"]["eta_minutes"] == 180
    assert situation["history"] == {"sends": 1, "denied": 2}
    assert decide_with_gate(lambda *_: {"decision": "deny", "code": "opa.no"}).code == "opa.no"
    assert decide_with_gate(lambda *_: {"decision": "allow"}, {}, LONG_ETA).code == "policy.long_eta"


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        "deny",
        {"decision": "maybe"},
        {"decision": "allow", "set": {"max_recipients": 5}},
        {"decision": "deny", "code": "Not A Code"},
        {"decision": "allow", "x": 1},
    ],
)
def test_invalid_gate_answer_denies_action(answer: Any) -> None:
    ruling = decide_with_gate(lambda *_: answer)
    assert (ruling.decision, ruling.code, ruling.action) == ("deny", "policy.gate_error", None)


def test_gate_error_cannot_be_waived() -> None:
    action = Action(id="a1", tool=SEND, args=VALID_SEND)
    waived = frozenset({"policy.gate_error"})
    ruling = decide(action, GuardedPolicy(), SITUATION, gate=lambda *_: None, waived=waived)
    assert (ruling.decision, ruling.code, ruling.action) == ("deny", "policy.gate_error", None)


def test_gate_is_not_called_for_denied_action() -> None:
    assert (
        decide_with_gate(lambda *_: pytest.fail("called"), {"channel": "sms"}).code
        == "policy.unknown_channel"
    )


def test_approved_escalation_is_not_repeated_but_rules_still_apply() -> None:
    deny = make_rule("policy.x", "deny", when={"args.max_recipients": {"gt": 5000}})
    grow = make_rule("policy.seen", "allow", when={"args.max_recipients": {"gt": 2000}})
    big = make_rule("policy.big", "escalate", when={"args.max_recipients": {"gt": 4000}})
    risk = {**RISK, "escalate_at": 30}
    policy = GuardedPolicy.model_validate({"rules": [LONG_ETA, deny, grow, big], "risk": risk})

    def decide_again(**args: Any) -> tuple[str, str]:
        action = Action(id="a1", tool=SEND, args={**VALID_SEND, **args})
        ruling = decide(action, policy, SITUATION, approved=first)
        return ruling.decision, ruling.code

    first = decide(Action(id="a1", tool=SEND, args=VALID_SEND), policy, SITUATION)
    assert first.escalated == {"policy.long_eta", "policy.risk"}
    assert decide_again() == ("allow", "policy.pass")
    assert decide_again(max_recipients=9000) == ("deny", "policy.x")
    assert decide_again(max_recipients=4500) == ("escalate", "policy.big")
    assert decide_again(max_recipients=3000) == ("escalate", "policy.risk")
    assert decide_again(channel="external_email") == ("escalate", "policy.mass_broadcast")


ARGS: dict[str, list[Any]] = {
    "channel": ["external_email", "status_page", "sms"],
    "audience_segment": ["all_customers", "enterprise_active", "nobody"],
    "max_recipients": [0, 10, 99_000],
    "x": [1, 2],
}


def _values(name: str) -> st.SearchStrategy[Any]:
    return st.sampled_from(ARGS[name])


WHEN = st.dictionaries(st.sampled_from(sorted(ARGS)), st.sampled_from(["eq", "ne"]), max_size=2).flatmap(
    lambda picked: st.fixed_dictionaries(
        {
            f"args.{name}": _values(name).map(lambda value, operator=operator: {operator: value})
            for name, operator in picked.items()
        }
    )
)
SETS = st.sets(st.sampled_from(sorted(ARGS)), min_size=1, max_size=2).flatmap(
    lambda names: st.fixed_dictionaries({name: _values(name) for name in sorted(names)})
)
BODIES = st.builds(
    lambda when, then, changes: {
        "when": when,
        "then": then,
        **({"set": changes} if then == "rewrite" else {}),
    },
    WHEN,
    st.sampled_from(OUTCOMES),
    SETS,
)
RULES = st.lists(BODIES, max_size=6).map(
    lambda bodies: [{"code": f"r.n{at}", "reason": "because", **body} for at, body in enumerate(bodies)]
)
RISKS = st.fixed_dictionaries(
    {
        "points": st.dictionaries(
            st.sampled_from(["r.n0", "r.n1", "r.n5", "policy.rewrite"]), st.integers(0, 50)
        )
    },
    optional={"escalate_at": st.integers(1, 90), "deny_at": st.integers(1, 90)},
)


def outcome(rules: list[dict[str, Any]], risk: dict[str, Any], args: dict[str, Any]) -> int:
    policy = GuardedPolicy.model_validate({"rules": rules, "risk": risk})
    ruling = decide(Action(id="a", tool=SEND, args=args), policy, SITUATION)
    assert (ruling.action is None) == (ruling.decision == "deny")
    return OUTCOMES.index(ruling.decision)


SENDS = st.fixed_dictionaries({name: _values(name) for name in ARGS})


@given(rules=RULES, body=BODIES, at=st.integers(0, 6), risk=RISKS, args=SENDS)
def test_adding_rule_never_lowers_outcome(
    rules: Any, body: Any, at: int, risk: Any, args: dict[str, Any]
) -> None:
    added = {"code": "r.added", "reason": "because", **body}
    more = [*rules[:at], added, *rules[at:]]
    assert outcome(more, risk, args) >= outcome(rules, risk, args) >= outcome([], {}, args)


@given(rules=RULES, risk=RISKS, args=SENDS, data=st.data())
def test_rule_order_does_not_change_outcome(
    rules: Any, risk: Any, args: dict[str, Any], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(rules))
    assert outcome(rules, risk, args) == outcome(shuffled, risk, args)


@given(plan=action_plans())
def test_default_policy_decides_by_table_alone(plan: Any) -> None:
    for action in read_plan(plan, max_actions=8):
        policy = GuardedPolicy()
        assert decide(action, policy, SITUATION) == decide_by_table(action, policy, SITUATION.known)
