"""Properties: without declared loosening, a child pack permits nothing that its parent stops."""

from __future__ import annotations

import json
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import event, given
from hypothesis import strategies as st

from redpen.context import build_incident_context
from redpen.gateway.gate import decide
from redpen.gateway.plan import Action
from redpen.gateway.situation import Situation
from redpen.policy.pack_loading import load_packs
from redpen.policy.rules import OUTCOMES
from redpen.yaml_files.problem import FileError
from redpen_evals.policy_packs.explaining import explain_text

MEASURES = st.sampled_from(["record", "escalate", "block"])
PHRASES = st.sampled_from(["compensation", "~refund", "checkout", "fully managed", "is degraded"])
CODES = st.sampled_from(["own.one", "own.two", "own.three"])
WHEN = st.dictionaries(
    st.sampled_from(["args.audience_segment", "args.channel", "action.tool"]),
    st.sampled_from(["all_customers", "status_page", "send_status_update", {"exists": True}]),
    max_size=2,
) | st.just({"clock.hour": {"outside": [8, 20]}})
ENTRIES = st.fixed_dictionaries(
    {"code": CODES, "phrases": st.lists(PHRASES, min_size=1, max_size=2)},
    optional={"when": st.sampled_from(["affirmed", "always"])},
)
RULES = st.fixed_dictionaries(
    {
        "code": CODES,
        "when": WHEN,
        "then": st.sampled_from(["allow", "escalate", "deny"]),
        "reason": st.just("x"),
    }
) | st.fixed_dictionaries(
    {
        "code": CODES,
        "when": WHEN,
        "then": st.just("rewrite"),
        "reason": st.just("x"),
        "set": st.sampled_from([{"audience_segment": "enterprise_active"}, {"max_recipients": 70_000}]),
    }
)
POINTS = st.dictionaries(
    st.sampled_from(["policy.pass", "policy.rewrite", "policy.mass_broadcast", "concern"]),
    st.integers(0, 60),
    max_size=3,
)
SECTIONS = {
    "restricted_phrases": st.lists(ENTRIES, max_size=2),
    "allowed_phrases": st.lists(PHRASES, max_size=2),
    "disclaimers": st.lists(
        st.builds(
            lambda text: {"must_include": text}, st.sampled_from(["Next update at noon", "We are sorry"])
        ),
        max_size=1,
    ),
    "concerns": MEASURES | st.fixed_dictionaries({"unread_language": MEASURES}),
    "grounding": st.sampled_from(["record", "enforce"]),
    "templates": st.just({"allowed": ["incident_p1_v2"]}),
    "limits": st.fixed_dictionaries(
        {},
        optional={
            "max_answer_chars": st.integers(20, 1200),
            "max_recipients_per_send": st.integers(1, 100_000),
        },
    ),
    "tools": st.fixed_dictionaries(
        {},
        optional={
            name: st.lists(
                st.sampled_from(["send_status_update", "fetch_incident_snapshot", "export_customer_data"])
            )
            for name in ("allow", "execute")
        },
    ),
    "rules": st.lists(RULES, max_size=2, unique_by=lambda rule: rule["code"]),
    "risk": st.fixed_dictionaries(
        {"points": POINTS},
        optional={"escalate_at": st.integers(1, 90), "deny_at": st.integers(1, 120)},
    ),
}
TERMS = st.fixed_dictionaries({}, optional=SECTIONS)
SENTENCES = st.lists(
    st.sampled_from(
        [
            "Checkout in the US is degraded.",
            "We will pay compensation.",
            "You will be refunded in 2 days.",
            "This is fully managed by our team.",
            "Next update at noon.",
            "We are sorry.",
            "El problema está resuelto.",
            "64% of attempts fail.",
        ]
    ),
    min_size=1,
    max_size=4,
)
ACTIONS = st.builds(
    Action,
    id=st.just("a1"),
    tool=st.sampled_from(["send_status_update", "fetch_incident_snapshot", "create_manual_review_ticket"]),
    args=st.fixed_dictionaries(
        {
            "channel": st.sampled_from(["external_email", "status_page"]),
            "audience_segment": st.sampled_from(["all_customers", "enterprise_active"]),
            "template_id": st.sampled_from(["incident_p1_v2", "incident_p2_v1"]),
            "max_recipients": st.sampled_from([10, 30_000, 80_000]),
        }
    ),
)
_LOOSENS = re.compile(r"loosens: \[(.*?)\]")
_SECTION = re.compile(r"child\.yaml:\d+: (\w+)")
SITUATION = Situation(
    request={"region": "US"}, snapshot={"eta_minutes": 180}, now=datetime(2026, 3, 6, 22, tzinfo=UTC)
)


def _family(parent, child):
    """Return both packs, the child without its refused terms."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, "parent", parent)
        # The parent declares what it loosens, so that only terms of the child can be refused.
        _write(folder, "parent", {**parent, "loosens": _LOOSENS.findall(_refusal(folder))})
        _write(folder, "child", {**child, "extends": "parent"})
        refused = set(_SECTION.findall(_refusal(folder)))
        event(f"refused: {bool(refused)}")
        kept = {section: terms for section, terms in child.items() if section not in refused}
        _write(folder, "child", {**kept, "extends": "parent"})
        packs = load_packs(folder)
    return packs.named("parent"), packs.named("child")


def _write(folder, name, terms):
    (folder / f"{name}.yaml").write_text(json.dumps({"pack": name, **terms}), encoding="utf-8")


def _refusal(folder):
    try:
        load_packs(folder)
    except FileError as error:
        return str(error)
    return ""


@given(parent=TERMS, child=TERMS, action=ACTIONS)
def test_child_pack_never_decides_an_action_less_strictly(parent, child, action):
    above, below = _family(parent, child)
    one, other = (decide(action, pack.guarded, SITUATION) for pack in (above, below))
    event(f"parent: {one.decision}")
    assert OUTCOMES.index(other.decision) >= OUTCOMES.index(one.decision)


@given(parent=TERMS, child=TERMS, sentences=SENTENCES)
def test_child_pack_never_passes_a_text_that_its_parent_stops(parent, child, sentences):
    above, below = _family(parent, child)
    text, context = " ".join(sentences), build_incident_context()
    one, other = (explain_text(pack, text, original=None, context=context) for pack in (above, below))
    event(f"parent passes: {one.passes}")
    assert one.passes or not other.passes
