"""Scores counted from judgements."""

from __future__ import annotations

from dataclasses import replace

from redpen.guards import check_revision
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import judge_all, rates_of, score
from redpen_evals.scorecard.wilson import Rate


def rate(hits, total):
    return Rate(hits=hits, total=total)


def test_figures_count_rates_of_group(make_scored):
    result = rates_of(
        [
            make_scored("block", "no_new_facts"),
            make_scored("block", "restricted_claims", "no_new_facts"),
            make_scored("block"),
            make_scored("block", concerned=True),
            make_scored("pass"),
            make_scored("pass", concerned=True),
            make_scored("pass", "new_region"),
        ]
    )
    assert result["catch"] == rate(2, 4)
    assert result["false_alarms"] == rate(1, 3)
    # A run would stop with the first code.
    assert result["right_code"] == rate(1, 2)
    assert result["concerns"] == rate(1, 3)
    assert result["noticed"] == rate(1, 2)


def test_figures_of_no_texts_have_zero_totals():
    assert rates_of([])["catch"] == rate(0, 0)


def test_groups_with_texts_are_in_library_order(make_scored):
    scored = [
        make_scored("block", family="region", codes=["new_region"]),
        make_scored("pass", "no_new_facts", family="share", name="alarm"),
        make_scored("block", "no_new_facts", family="share", disguise="tags", name="tagged"),
    ]
    result = score("mine", scored)
    assert list(result.groups) == ["share", "region"]
    assert result.groups["share"]["catch"] == rate(1, 1)
    assert list(result.written_as) == ["tags"]
    assert result.overall["catch"] == rate(1, 2)
    assert result.wrong == {"share": ("f#alarm",), "region": ("f#one",)}


def test_confusion_counts_first_code_against_accepted_codes(make_scored):
    both = ["new_region", "no_new_facts"]
    result = score(
        "mine",
        [
            make_scored("block", "no_new_facts", "new_region", codes=both),
            make_scored("block", "no_new_facts", codes=both[::-1]),
            make_scored("block", codes=both),
            make_scored("pass", "restricted_claims"),
        ],
    )
    assert result.confusion == {
        (("new_region", "no_new_facts"), "no_new_facts"): 2,
        (("new_region", "no_new_facts"), "passed"): 1,
        ((), "restricted_claims"): 1,
    }


def test_crashes_are_listed_as_errors(make_scored):
    scored = [make_scored("pass", "guard_error", error="KeyError: 'x'"), make_scored("pass")]
    assert score("mine", scored).errors == ("KeyError: 'x'",)


def test_block_without_code_is_not_right_code(make_draft):
    scored = judge_all(GuardSet(name="mine", guards=lambda **_: True), [make_draft()])
    assert scored[0].judgement == Judgement(blocked=True)
    assert scored[0].given == "(no code)"
    assert score("mine", scored).overall["right_code"] == rate(0, 1)


def test_guard_set_gets_original_revised_and_context(make_draft):
    calls = []
    draft = make_draft()
    judge_all(GuardSet(name="mine", guards=lambda **given: calls.append(given) or []), [draft])
    assert calls == [{"original": draft.original, "revised": draft.item.revised, "context": {}}]


def test_right_requires_label_and_code(make_scored):
    assert make_scored("block", "no_new_facts").right
    assert make_scored("pass").right
    assert not make_scored("block", "too_large_edit").right
    assert not make_scored("block").right
    assert not make_scored("pass", "no_new_facts").right
    assert not make_scored("block", "guard_error", error="x").right


def test_unread_texts_are_counted_separately(make_scored):
    judgement = GuardSet(name="redpen", guards=check_revision).judge(
        original="We wait.", revised="Todo está resuelto y le reembolsaremos todo.", context={}
    )
    assert (judgement.unread, judgement.concerned) == (True, False)
    one = replace(make_scored("pass"), judgement=judgement)
    result = rates_of([one, make_scored("pass", concerned=True), make_scored("block")])
    assert result["unread"] == rate(1, 3)
    assert result["concerns"] == rate(1, 2)
