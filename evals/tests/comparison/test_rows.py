"""One-line summaries of changes for the terminal."""

from __future__ import annotations

from redpen_evals.comparison.changes import Behaviour, compare
from redpen_evals.comparison.rows import summary_lines


def _lines(before, after, **options):
    keyed = ({(name, "", 1): one for name, one in side.items()} for side in (before, after))
    return summary_lines(compare(*keyed), **options)


def test_lines_are_sorted_by_severity_and_same_is_only_counted(passed):
    before = {name: passed() for name in ("same", "cost", "wording", "changed", "gone", "stale", "worse")}
    before["better"] = passed(outcome="failed", broken=("cap_holds",))
    after = {
        "same": passed(),
        "cost": passed(tokens=300),
        "wording": passed(answer="Checkout is degraded. We fix it."),
        "changed": passed(decision="revise", violations=("new_region",)),
        "new": passed(),
        "stale": Behaviour(outcome="stale"),
        "worse": passed(
            outcome="failed", status="stopped", stop_reason="llm_empty", phase="draft", answer=None
        ),
        "better": passed(),
    }
    assert _lines(before, after) == [
        (
            "same 1, changed 3 (behaviour 1, wording 1, cost 1), improved 1, regressed 1, "
            "new 1, gone 1, undecided 1"
        ),
        (
            "  regressed  worse: stop reason success → llm_empty; phase - → draft; "
            "answer [-Checkout is degraded. We are on it.-]"
        ),
        "  changed    changed: decision approve → revise; violations +new_region",
        "  improved   better: broken -cap_holds",
        "  undecided  stale: outcome passed → stale",
        "  new        new: outcome passed",
        "  gone       gone: outcome passed",
        "  wording    wording: answer Checkout is degraded. We [-are on-] {+fix+} it.",
        "  cost       cost: tokens 240 → 300",
    ]


def test_lines_are_limited_with_count_of_rest(passed):
    after = {f"s{number}": passed() for number in range(30)}
    lines = _lines({}, after)
    assert len(lines) == 22
    assert lines[-1] == "  … and 10 more"
    assert _lines({}, after, limit=0) == ["new 30", "  … and 30 more"]


def test_empty_comparison_says_nothing_to_compare():
    assert _lines({}, {}) == ["nothing to compare"]


def test_reordered_codes_are_shown_in_full(passed):
    lines = _lines({"a": passed(violations=("x", "y"))}, {"a": passed(violations=("y", "x", "x"))})
    assert lines[1] == "  changed  a: violations x y → y x x"


def test_model_output_is_escaped_and_truncated(passed):
    hostile = "x\x1b[2J\n" + "y" * 500
    (_, line) = _lines({"a": passed()}, {"a": passed(outcome="failed", stop_reason=hostile)})
    assert "\x1b" not in line
    assert "\n" not in line
    assert "success → x\\x1b[2J\\n" in line
    assert len(line) < 200


def test_similar_cost_changes_share_one_line(passed):
    before = {f"s{at:03}": passed(tokens=100 + at) for at in range(215)}
    after = {f"s{at:03}": passed(tokens=102 + at) for at in range(215)}
    assert _lines(before, after) == ["changed 215 (cost 215)", "  cost  215 scenarios: tokens +2"]
    after["s000"] = passed(tokens=109)
    assert _lines(before, after)[1:] == ["  cost  215 scenarios: tokens +2 to +9"]
    after["s001"] = passed(tokens=1)
    after["s002"] = passed(outcome="failed")
    assert [line.split(":")[0] for line in _lines(before, after)[1:]] == [
        "  regressed  s002",
        "  cost       213 scenarios",
        "  cost       s001",
    ]


def test_fewer_than_three_similar_changes_are_listed_separately(passed):
    before = {name: passed(tokens=1) for name in "ab"}
    after = {name: passed(tokens=2) for name in "ab"}
    assert _lines(before, after)[1:] == ["  cost  a: tokens 1 → 2", "  cost  b: tokens 1 → 2"]


def test_regressions_are_never_grouped(passed):
    before = {name: passed() for name in "abcd"}
    after = {name: passed(outcome="failed", broken=("cap_holds",)) for name in "abcd"}
    assert len(_lines(before, after)) == 5
