"""The sections of a policy: short forms, default codes, round trip and invalid values."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.errors import InvalidInputError
from redpen.policy import GuardedPolicy, ReflectionPolicy, SelfCritiquePolicy, load_policy

RULE = {"code": "policy.long_eta", "then": "escalate", "reason": "long outage"}
TEXTS: dict[str, Any] = {
    "restricted_phrases": [{"code": "brand.name", "phrases": ["FooPay", "~make whole"], "use": "AcmePay"}],
    "allowed_phrases": ["fully managed"],
    "disclaimers": [{"when": {"severity": ["P0", "P1"]}, "must_include": "We will post the next update"}],
    "concerns": {"default": "escalate", "new_statement": "block"},
    "severity_budget": {"high": "escalate"},
    "patch": {"mode": "lines", "max_changed_lines": 3},
}
ACTIONS: dict[str, Any] = {
    "rules": [
        {**RULE, "when": {"snapshot.eta_minutes": {"gt": 120}}},
        {
            "code": "policy.night",
            "when": {"args.audience_segment": "all_customers", "clock.hour": {"outside": [8, 20]}},
            "then": "rewrite",
            "set": {"audience_segment": "enterprise_active"},
            "reason": "night",
        },
    ],
    "risk": {"points": {"policy.long_eta": 30, "concern": 10}, "escalate_at": 40, "deny_at": 90},
    "clock": {"zone": "UTC"},
}


@pytest.mark.parametrize(
    ("kind", "given"), [(SelfCritiquePolicy, TEXTS), (ReflectionPolicy, TEXTS), (GuardedPolicy, ACTIONS)]
)
def test_policy_round_trips_through_its_dump(kind: Any, given: dict[str, Any]) -> None:
    policy = load_policy(kind, given)
    assert kind.model_validate(policy.model_dump()) == policy
    assert kind.model_validate_json(policy.model_dump_json()) == policy
    assert hash(policy) == hash(load_policy(kind, given))


def test_short_forms_and_default_codes_are_expanded() -> None:
    policy = load_policy(SelfCritiquePolicy, {**TEXTS, "concerns": "block"})
    assert policy.concerns.of("new_statement") == policy.concerns.of("unread_language") == "block"
    mixed = load_policy(SelfCritiquePolicy, TEXTS)
    assert [mixed.concerns.of(code) for code in ("new_statement", "unread_language", "other")] == [
        "block",
        "escalate",
        "escalate",
    ]
    assert policy.disclaimers[0].code == "disclaimer.we_will_post_the"


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (SelfCritiquePolicy, {"concerns": "escalte"}, r"concerns\.default"),
        (SelfCritiquePolicy, {"concerns": {"new_statment": "block"}}, r"concerns\.new_statment"),
        (SelfCritiquePolicy, {"allowed_phrases": ["..."]}, "contains no word"),
        (SelfCritiquePolicy, {"allowed_phrases": ["~ paid"]}, "any form"),
        (SelfCritiquePolicy, {"allowed_phrases": ["re~paid"]}, "any form"),
        (SelfCritiquePolicy, {"patch": {"max_changed_lines": 3}}, "requires `mode: lines`"),
        (GuardedPolicy, {"rules": [{**RULE, "when": {"snapshto.eta": 1}}]}, "did you mean `snapshot`"),
        (GuardedPolicy, {"rules": [{**RULE, "when": {"clock.hours": 1}}]}, "did you mean `hour`"),
        (GuardedPolicy, {"rules": [{**RULE, "when": {"args": 1}}]}, "args: the path ends before an argument"),
        (GuardedPolicy, {"rules": [{**RULE, "then": "rewrite"}]}, "needs arguments"),
        (GuardedPolicy, {"rules": [{**RULE, "set": {"channel": "x"}}]}, "can only be used with rewrite"),
        (GuardedPolicy, {"rules": [{**RULE, "code": "Long ETA"}]}, r"rules\.0\.code"),
        (GuardedPolicy, {"rules": [RULE, RULE]}, "appears twice"),
        (GuardedPolicy, {"risk": {"points": {"concern": -1}}}, r"risk\.points\.concern"),
        (GuardedPolicy, {"clock": {"zone": "Europe/Nowhere"}}, "no time zone"),
    ],
)
def test_invalid_policy_section_is_rejected(kind: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        load_policy(kind, given)
