"""What a model may answer as a critique or a review: nearly right, in every way that the contract names."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from redpen_evals.fuzz.texts import any_json, any_texts

_DECISIONS = ("approve", "revise", "escalate", " revise ", "Approve", "reject", "", None)
_TYPES = ("overconfidence", "legal_risk", "policy_violation", " contradiction ", "typo", "", None)
_ITEMS = (
    'ADD "We\'ll share updates"',
    'MUST_REMOVE "Don\'t worry"',
    "REMOVE: “the rate”",
    'replace "A bit" with "some"',
    'Add "one" and "more"',
    "Be kind",
    "",
    None,
)


def judgements() -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of objects with the keys of critiques and reviews, most of their values in place."""
    spare = any_json(most=2)
    notes = st.fixed_dictionaries(
        {"type": st.sampled_from(_TYPES), "note": st.sampled_from(["too bold", " ", None]) | any_texts()}
    )
    findings = st.lists(notes | spare, max_size=6) | spare
    items = st.lists(st.sampled_from(_ITEMS) | spare, max_size=6) | spare
    return st.fixed_dictionaries(
        {},
        optional={
            "decision": st.sampled_from(_DECISIONS) | spare,
            "severity": st.sampled_from(["low", " HIGH ", "medium", "urgent", None]) | spare,
            "risks": findings,
            "issues": findings,
            "required_changes": items,
            "fix_plan": items,
            "reason": st.sampled_from(["a lawyer has to see it", " ", None]) | spare,
            "confidence": spare,
        },
    )
