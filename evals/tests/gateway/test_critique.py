"""The contract of a critique: each check, and the order of the checks."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.errors import Stop
from redpen.gateway.critique import read_critique
from redpen.policy import SelfCritiquePolicy
from redpen.stop_reasons import find_stop_reason

POLICY = SelfCritiquePolicy()
RISK = {"type": "overconfidence", "note": "Sounds too sure."}
CHANGE = 'MUST_REMOVE "fully recovered"'
REVISE: dict[str, Any] = {
    "decision": "revise",
    "severity": "medium",
    "risks": [RISK],
    "required_changes": [CHANGE],
    "reason": "One phrase.",
}


def critique(**changes: Any) -> dict[str, Any]:
    """Return a valid critique with some keys changed; ``...`` removes a key."""
    return {key: value for key, value in {**REVISE, **changes}.items() if value is not ...}


def approve(**changes: Any) -> dict[str, Any]:
    return critique(**{"decision": "approve", "required_changes": [], **changes})


def escalate(**changes: Any) -> dict[str, Any]:
    return critique(
        **{"decision": "escalate", "required_changes": [], "reason": "A person has to look.", **changes}
    )


def stop_of(raw: object, policy: SelfCritiquePolicy = POLICY) -> Stop:
    with pytest.raises(Stop) as caught:
        read_critique(raw, policy)
    return caught.value


INVALID = "invalid_critique:"

# In the order of the contract; each row fails exactly one check.
ROWS: list[tuple[str, object]] = [
    (f"{INVALID}not_object", ["decision"]),
    (f"{INVALID}decision", critique(decision="  ")),
    ("critique_decision_not_allowed_policy:publish", critique(decision=" publish ")),
    (f"{INVALID}severity", critique(severity="urgent")),
    (f"{INVALID}risks", critique(risks={})),
    (f"{INVALID}too_many_risks", critique(risks=[RISK] * 6)),
    (f"{INVALID}risk_item", critique(risks=["overconfidence"])),
    (f"{INVALID}risk_type", critique(risks=[{"type": " ", "note": "x"}])),
    ("critique_risk_not_allowed_policy:tone", critique(risks=[{"type": " tone ", "note": "x"}])),
    (f"{INVALID}risk_note", critique(risks=[{"type": "overconfidence", "note": " "}])),
    (f"{INVALID}required_changes", critique(required_changes={})),
    (f"{INVALID}too_many_required_changes", critique(required_changes=[CHANGE] * 6)),
    (f"{INVALID}required_change_item", critique(required_changes=[" "])),
    (f"{INVALID}reason", critique(reason=3)),
    (f"{INVALID}approve_with_required_changes", approve(required_changes=[CHANGE])),
    (f"{INVALID}approve_with_high_risk", approve(severity="high")),
    (f"{INVALID}revise_without_required_changes", critique(required_changes=[])),
    (f"{INVALID}required_changes_not_enforceable", critique(required_changes=[CHANGE, "Be kinder"])),
    (f"{INVALID}high_risk_requires_escalate", critique(severity="high")),
    (f"{INVALID}escalate_reason_required", escalate(reason=" ")),
]


@pytest.mark.parametrize(("reason", "raw"), ROWS, ids=[reason for reason, _ in ROWS])
def test_each_failed_check_has_its_stop_reason(reason: str, raw: object) -> None:
    untouched = copy.deepcopy(raw)
    stop = stop_of(raw)
    assert (stop.reason, stop.phase) == (reason, "critique")
    assert stop.details == {"raw_critique": untouched}
    assert find_stop_reason("self-critique", reason) is not None


SINGLE = ("decision", "severity", "risks", "required_changes", "reason")
FAULTS: list[tuple[str, str, object]] = [
    ("decision", f"{INVALID}decision", None),
    ("severity", f"{INVALID}severity", None),
    ("risks", f"{INVALID}risks", None),
    ("required_changes", f"{INVALID}required_changes", None),
    ("reason", f"{INVALID}reason", []),
]


@pytest.mark.parametrize("first", range(len(FAULTS)))
def test_first_failed_check_in_contract_order_gives_stop_reason(first: int) -> None:
    broken = critique(**{key: value for key, _, value in FAULTS[first:]})
    assert stop_of(broken).reason == FAULTS[first][1]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        # All checks run on one risk before the next risk is checked.
        (
            critique(risks=[{"type": "tone", "note": "x"}, "no object"]),
            "critique_risk_not_allowed_policy:tone",
        ),
        (critique(risks=[{"type": "overconfidence"}, {"type": 1}]), f"{INVALID}risk_note"),
        (critique(risks=["x"] * 6), f"{INVALID}too_many_risks"),
        (critique(required_changes=[1] * 6), f"{INVALID}too_many_required_changes"),
        # Checks of single fields come before checks across fields.
        (approve(required_changes=[CHANGE], reason=1), f"{INVALID}reason"),
        (approve(required_changes=[CHANGE], severity="high"), f"{INVALID}approve_with_required_changes"),
        (
            critique(required_changes=["Be kind"], severity="high"),
            f"{INVALID}required_changes_not_enforceable",
        ),
        (critique(required_changes=[], severity="high"), f"{INVALID}revise_without_required_changes"),
        (critique(decision="maybe", severity=1), "critique_decision_not_allowed_policy:maybe"),
    ],
)
def test_order_of_checks_within_and_across_fields(raw: object, reason: str) -> None:
    assert stop_of(raw).reason == reason


@pytest.mark.parametrize("raw", [None, "text", 1, True, [], [REVISE]])
def test_critique_must_be_object(raw: object) -> None:
    assert stop_of(raw).reason == f"{INVALID}not_object"


@pytest.mark.parametrize("decision", [..., None, "", " \n", 1, True, ["revise"], {"is": "revise"}])
def test_decision_must_be_non_blank_string(decision: object) -> None:
    assert stop_of(critique(decision=decision)).reason == f"{INVALID}decision"


@pytest.mark.parametrize("decision", ["Revise", "REVISE", "revise.", "approve, revise"])
def test_decision_is_case_sensitive(decision: str) -> None:
    assert stop_of(critique(decision=decision)).reason == f"critique_decision_not_allowed_policy:{decision}"


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("severity", None, "severity"),
        ("severity", "", "severity"),
        ("severity", 2, "severity"),
        ("risks", None, "risks"),
        ("risks", "none", "risks"),
        ("required_changes", None, "required_changes"),
        ("required_changes", CHANGE, "required_changes"),
        ("required_changes", [None], "required_change_item"),
        ("required_changes", [{"change": CHANGE}], "required_change_item"),
        ("reason", False, "reason"),
        ("risks", [None], "risk_item"),
        ("risks", [["overconfidence", "note"]], "risk_item"),
        ("risks", [{"note": "x"}], "risk_type"),
        ("risks", [{"type": None, "note": "x"}], "risk_type"),
        ("risks", [{"type": 5, "note": "x"}], "risk_type"),
        ("risks", [{"type": "overconfidence"}], "risk_note"),
        ("risks", [{"type": "overconfidence", "note": None}], "risk_note"),
        ("risks", [{"type": "overconfidence", "note": ["x"]}], "risk_note"),
    ],
)
def test_value_of_wrong_type_is_rejected(key: str, value: object, reason: str) -> None:
    assert stop_of(critique(**{key: value})).reason == f"{INVALID}{reason}"


@pytest.mark.parametrize("kind", ["Overconfidence", "LEGAL_RISK", "over confidence"])
def test_risk_type_is_case_sensitive(kind: str) -> None:
    raw = critique(risks=[{"type": kind, "note": "x"}])
    assert stop_of(raw).reason == f"critique_risk_not_allowed_policy:{kind}"


@pytest.mark.parametrize("kind", ["legal_risk", "policy_violation"])
def test_high_risk_type_must_be_escalated(kind: str) -> None:
    risks = [RISK, {"type": kind, "note": "x"}]
    assert stop_of(approve(risks=risks, severity="low")).reason == f"{INVALID}approve_with_high_risk"
    assert stop_of(critique(risks=risks, severity="low")).reason == f"{INVALID}high_risk_requires_escalate"
    assert read_critique(escalate(risks=risks, severity="low"), POLICY).high_risk


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            {"decision": " approve "},
            {"decision": "approve", "severity": "medium", "risks": [], "required_changes": [], "reason": "",
             "high_risk": False},
        ),
        (
            {"decision": "approve", "reason": None, "confidence": 0.9, "severity": " LOW "},
            {"decision": "approve", "severity": "low", "risks": [], "required_changes": [], "reason": "",
             "high_risk": False},
        ),
        (
            {
                "decision": "revise",
                "severity": "Medium",
                "risks": [{"type": " contradiction ", "note": " two figures ", "span": [1, 2]}],
                "required_changes": [f"  {CHANGE}\n"],
                "reason": " yes ",
            },
            {"decision": "revise", "severity": "medium",
             "risks": [{"type": "contradiction", "note": "two figures"}], "required_changes": [CHANGE],
             "reason": "yes", "high_risk": False},
        ),
        (
            escalate(severity="high", required_changes=["Loose words"]),
            {"decision": "escalate", "severity": "high", "risks": [RISK], "required_changes": ["Loose words"],
             "reason": "A person has to look.", "high_risk": True},
        ),
        (
            escalate(risks=[], severity="low"),
            {"decision": "escalate", "severity": "low", "risks": [], "required_changes": [],
             "reason": "A person has to look.", "high_risk": False},
        ),
    ],
)  # fmt: skip
def test_critique_is_normalised(raw: object, expected: dict[str, Any]) -> None:
    read = read_critique(raw, POLICY).to_dict()
    assert read == expected
    assert list(read) == list(expected)


def test_list_limits_are_inclusive() -> None:
    changes = [f'ADD "phrase number {number}"' for number in range(5)]
    read = read_critique(critique(risks=[RISK] * 5, required_changes=changes), POLICY)
    assert (len(read.risks), len(read.required_changes)) == (5, 5)


@pytest.mark.parametrize(
    ("policy", "raw", "denied"),
    [
        (SelfCritiquePolicy(auto_revision=False), critique(), "revise"),
        (SelfCritiquePolicy(executable_decisions=frozenset({"escalate"})), approve(), "approve"),
        (SelfCritiquePolicy(executable_decisions=frozenset({"approve"})), escalate(), "escalate"),
    ],
)
def test_execution_allowlist_is_checked_last(
    policy: SelfCritiquePolicy, raw: dict[str, Any], denied: str
) -> None:
    stop = stop_of(raw, policy)
    assert stop.reason == f"critique_decision_denied_execution:{denied}"
    assert stop.details == {"raw_critique": raw}
    assert stop_of({**raw, "reason": 1}, policy).reason == f"{INVALID}reason"


def test_approve_and_escalate_work_without_auto_revision() -> None:
    policy = SelfCritiquePolicy(auto_revision=False)
    assert read_critique(approve(), policy).decision == "approve"
    assert read_critique(escalate(), policy).decision == "escalate"


def test_policy_allowlists_can_be_narrowed() -> None:
    narrow = SelfCritiquePolicy(
        allowed_decisions=frozenset({"approve"}), allowed_types=frozenset({"contradiction"})
    )
    assert stop_of(critique(), narrow).reason == "critique_decision_not_allowed_policy:revise"
    assert stop_of(approve(), narrow).reason == "critique_risk_not_allowed_policy:overconfidence"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["revise", "high", CHANGE]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "note"]), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*SINGLE, "extra"]), JSON) | JSON)
def test_any_json_is_valid_or_has_known_stop_reason(raw: object) -> None:
    reason = "success"
    try:
        read_critique(raw, POLICY)
    except Stop as stop:
        reason = stop.reason
    assert find_stop_reason("self-critique", reason) is not None
