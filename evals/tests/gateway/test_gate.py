"""Rules, risk and a gate of the team's own, after the built-in table: they tighten, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property_support.plans import action_plans
from redpen.gateway.action_policy import rule
from redpen.gateway.gate import decide
from redpen.gateway.plan import Action, read_plan
from redpen.gateway.situation import Situation
from redpen.policy import GuardedPolicy
from redpen.policy.rules import OUTCOMES

SEND, TICKET = "send_status_update", "create_manual_review_ticket"
SOUND: dict[str, Any] = {
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


def decided(*rules: dict[str, Any], args: dict[str, Any] | None = None, **fields: Any) -> Any:
    """The ruling on a sound send with some arguments changed, in the situation of these tests."""
    policy = GuardedPolicy.model_validate({"rules": rules, **fields})
    return decide(Action(id="a1", tool=SEND, args={**SOUND, **(args or {})}), policy, SITUATION)


def named(code: str, then: str, **rest: Any) -> dict[str, Any]:
    return {"code": code, "then": then, "reason": code, **rest}


def test_a_rule_that_holds_decides_with_its_code_and_reason() -> None:
    ruling = decided(LONG_ETA)
    assert (ruling.decision, ruling.code, ruling.reason) == ("escalate", "policy.long_eta", "long outage")
    assert ruling.action.args == SOUND
    assert ruling.notes() == {"policy_rules": ["policy.long_eta"]}


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
def test_a_rule_that_does_not_hold_changes_nothing(when: dict[str, Any]) -> None:
    ruling = decided(named("policy.x", "deny", when=when))
    assert (ruling.decision, ruling.code, ruling.notes()) == ("allow", "policy.pass", {})


def test_a_rewrite_sets_arguments_and_the_table_is_asked_again() -> None:
    ruling = decided(NIGHT)
    assert (ruling.decision, ruling.code) == ("rewrite", "policy.night")
    assert ruling.action.args == {**SOUND, "audience_segment": "enterprise_active"}
    unknown = decided({**NIGHT, "set": {"audience_segment": "nobody"}})
    assert (unknown.decision, unknown.code, unknown.action) == ("deny", "policy.unknown_audience", None)
    broad = decided(named("policy.x", "rewrite", set={"channel": "external_email"}))
    assert (broad.decision, broad.code) == ("escalate", "policy.mass_broadcast")


def test_the_strictest_of_all_rules_decides_and_the_first_of_equals() -> None:
    first, second = named("policy.one", "deny"), named("policy.two", "deny")
    assert decided(NIGHT, LONG_ETA, first, second).code == "policy.one"
    assert decided(second, first, LONG_ETA, NIGHT).code == "policy.two"
    assert decided(NIGHT, LONG_ETA, first).rules == ("policy.night", "policy.long_eta", "policy.one")
    # The table stands before the rules.
    assert decided(
        named("policy.x", "rewrite", set={"max_recipients": 5}), args={"template_id": "x"}
    ).code == ("policy.rewrite")


def test_allow_loosens_nothing() -> None:
    ruling = decided(named("policy.ok", "allow"), args={"channel": "sms"})
    assert (ruling.decision, ruling.code, ruling.action) == ("deny", "policy.unknown_channel", None)


@pytest.mark.parametrize("value", ["ALL_CUSTOMERS", " all_customers "])
def test_a_rule_reads_names_and_numbers_as_the_table_does(value: str) -> None:
    assert decided(NIGHT, args={"audience_segment": value}).code == "policy.night"
    many = named("policy.many", "deny", when={"args.max_recipients": {"gt": 60_000}})
    assert decided(many, args={"max_recipients": "120000"}).code == "policy.many"


def test_what_one_rule_rewrites_is_read_by_the_others() -> None:
    stopped = named("policy.x", "deny", when={"args.audience_segment": "enterprise_active"})
    assert decided(NIGHT, stopped).code == decided(stopped, NIGHT).code == "policy.x"


def test_rules_that_set_different_values_ask_a_person() -> None:
    one = named("policy.one", "rewrite", set={"max_recipients": 10})
    two = named("policy.two", "rewrite", set={"max_recipients": 20})
    ruling = decided(one, two)
    assert (ruling.decision, ruling.code) == ("escalate", "policy.rule_conflict")
    assert ruling.action.args["max_recipients"] == 10
    assert decided(one, {**two, "set": {"max_recipients": 10}}).decision == "rewrite"


def test_the_hour_is_read_in_the_zone_of_the_policy() -> None:
    late = named("policy.late", "deny", when={"clock.hour": 22})
    assert decided(late).decision == "deny"
    assert decided(late, clock={"zone": "Asia/Tokyo"}).decision == "allow"
    assert decided(named("policy.x", "deny", when={"clock.hour": 7}), clock={"zone": "Asia/Tokyo"}).code == (
        "policy.x"
    )


RISK = {"points": {"policy.long_eta": 30, "policy.seen": 15, "policy.mass_broadcast": 50, "concern": 10}}
SEEN = named("policy.seen", "allow")


@pytest.mark.parametrize(
    ("bounds", "outcome"),
    [
        ({}, ("allow", "policy.pass")),
        ({"escalate_at": 16}, ("allow", "policy.pass")),
        ({"escalate_at": 15}, ("escalate", "policy.risk")),
        ({"escalate_at": 10, "deny_at": 15}, ("deny", "policy.risk")),
    ],
)
def test_risk_is_a_sum_of_named_points(bounds: dict[str, int], outcome: tuple[str, str]) -> None:
    ruling = decided(SEEN, risk={**RISK, **bounds})
    assert (ruling.decision, ruling.code) == outcome
    assert ruling.notes()["policy_risk"] == {"total": 15, "terms": {"policy.seen": 15}}


def test_every_term_of_the_risk_is_told() -> None:
    mass = decided(LONG_ETA, SEEN, args={"channel": "external_email"}, risk={**RISK, "deny_at": 95})
    assert mass.notes()["policy_risk"] == {
        "total": 95,
        "terms": {"policy.mass_broadcast": 50, "policy.long_eta": 30, "policy.seen": 15},
    }
    assert (mass.decision, mass.action) == ("deny", None)
    said = decided(args={"free_text": "We are fully recovered."}, risk=RISK)
    assert said.risk.terms == (("concern", 10),)


def ask(gate: Any, args: dict[str, Any] | None = None, *rules: dict[str, Any]) -> Any:
    policy = GuardedPolicy.model_validate({"rules": rules})
    return decide(Action(id="a1", tool=SEND, args={**SOUND, **(args or {})}), policy, SITUATION, gate=gate)


def test_a_gate_of_the_teams_own_tightens() -> None:
    seen: list[Any] = []

    def gate(action: Any, situation: Any) -> dict[str, Any]:
        seen.append((action, situation))
        return {"decision": "rewrite", "code": "opa.cap", "reason": "cap", "set": {"max_recipients": 10}}

    ruling = ask(gate, {"max_recipients": "120000"})
    assert (ruling.decision, ruling.action.args["max_recipients"]) == ("rewrite", 10)
    (action, situation) = seen[0]
    assert action["args"]["max_recipients"] == 50_000
    assert situation["proposed"]["args"]["max_recipients"] == "120000"
    assert situation["snapshot"]["eta_minutes"] == 180
    assert situation["history"] == {"sends": 1, "denied": 2}
    assert ask(lambda *_: {"decision": "deny", "code": "opa.no"}).code == "opa.no"
    assert ask(lambda *_: {"decision": "allow"}, {}, LONG_ETA).code == "policy.long_eta"


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
def test_a_gate_that_mumbles_has_denied(answer: Any) -> None:
    ruling = ask(lambda *_: answer)
    assert (ruling.decision, ruling.code, ruling.action) == ("deny", "policy.gate_error", None)


def test_what_is_denied_already_is_not_asked_about() -> None:
    assert ask(lambda *_: pytest.fail("asked"), {"channel": "sms"}).code == "policy.unknown_channel"


def test_a_person_is_asked_once_and_has_no_authority_past_the_rules() -> None:
    deny = named("policy.x", "deny", when={"args.max_recipients": {"gt": 5000}})
    grow = named("policy.seen", "allow", when={"args.max_recipients": {"gt": 2000}})
    big = named("policy.big", "escalate", when={"args.max_recipients": {"gt": 4000}})
    risk = {**RISK, "escalate_at": 30}
    policy = GuardedPolicy.model_validate({"rules": [LONG_ETA, deny, grow, big], "risk": risk})

    def again(**args: Any) -> tuple[str, str]:
        action = Action(id="a1", tool=SEND, args={**SOUND, **args})
        ruling = decide(action, policy, SITUATION, asked=first)
        return ruling.decision, ruling.code

    first = decide(Action(id="a1", tool=SEND, args=SOUND), policy, SITUATION)
    assert first.escalated == {"policy.long_eta", "policy.risk"}
    assert again() == ("allow", "policy.pass")
    assert again(max_recipients=9000) == ("deny", "policy.x")
    assert again(max_recipients=4500) == ("escalate", "policy.big")
    assert again(max_recipients=3000) == ("escalate", "policy.risk")
    assert again(channel="external_email") == ("escalate", "policy.mass_broadcast")


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
def test_adding_a_rule_never_lowers_an_outcome(
    rules: Any, body: Any, at: int, risk: Any, args: dict[str, Any]
) -> None:
    added = {"code": "r.added", "reason": "because", **body}
    more = [*rules[:at], added, *rules[at:]]
    assert outcome(more, risk, args) >= outcome(rules, risk, args) >= outcome([], {}, args)


@given(rules=RULES, risk=RISKS, args=SENDS, data=st.data())
def test_the_order_of_rules_does_not_change_an_outcome(
    rules: Any, risk: Any, args: dict[str, Any], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(rules))
    assert outcome(rules, risk, args) == outcome(shuffled, risk, args)


@given(plan=action_plans())
def test_the_default_policy_decides_as_the_table_does(plan: Any) -> None:
    for action in read_plan(plan, max_actions=8):
        policy = GuardedPolicy()
        assert decide(action, policy, SITUATION) == rule(action, policy, SITUATION.known)
