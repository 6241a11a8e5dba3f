"""The regex baseline that guards are compared with: what it finds and what it misses by design."""

from __future__ import annotations

import pytest

from redpen_evals.scorecard.guard_sets import check_with_patterns

ORIGINAL = (
    "Checkout in the US is degraded for 27% of attempts, incident inc_payments_20260306 (P1). "
    "Our team is on it."
)
CONTEXT = {"incident": {"eta_minutes": 45, "failed_payment_rate": 0.034}}


def codes(revised, context=CONTEXT):
    found = check_with_patterns(original=ORIGINAL, revised=revised, context=context)
    return [match.code for match in found]


@pytest.mark.parametrize(
    ("addition", "expected"),
    [
        ("", []),
        ("Expect 45 minutes.", []),
        ("Expect 90 minutes.", ["no_new_facts"]),
        ("It is now inc_other_1.", ["new_incident_id"]),
        ("It is a P0.", ["new_severity_label"]),
        ("It is the same P1.", []),
        ("The EU is hit.", ["new_region"]),
        ("The incident is resolved.", ["restricted_claims"]),
        ("We are fully recovered.", ["restricted_claims"]),
        ("We guarantee it.", ["restricted_claims"]),
        ("It will definitely work.", ["restricted_claims"]),
        # Known limits of the baseline: units, number words and negations are not read.
        ("Expect 45 hours.", []),
        ("Expect ninety minutes.", []),
        ("Everything is back to normal.", []),
        ("We cannot guarantee it.", ["restricted_claims"]),
        ("The rate is 3.4%.", ["no_new_facts"]),
    ],
)
def test_patterns_find_expected_codes(addition, expected):
    assert codes(f"{ORIGINAL} {addition}") == expected


def test_rewrite_is_too_large_edit():
    assert codes("Zzz.")[0] == "too_large_edit"


@pytest.mark.parametrize(("strict", "expected"), [(True, ["restricted_claims"]), (False, [])])
def test_policy_hint_decides_whether_claim_of_original_may_stay(strict, expected):
    original = "We guarantee an update."
    context = {"policy_hints": {"avoid_absolute_guarantees": strict}}
    found = check_with_patterns(original=original, revised=f"{original} Soon.", context=context)
    assert [match.code for match in found] == expected


def test_match_span_locates_text():
    revised = f"{ORIGINAL} Expect 90 minutes."
    [match] = check_with_patterns(original=ORIGINAL, revised=revised, context={})
    assert revised[slice(*match.span)] == "90"
