"""Guard properties tried on guards with known faults: detection, shrinking, determinism and counts."""

from __future__ import annotations

import re

import pytest

from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.drafting import FAMILIES
from redpen_evals.fuzz.engine import GuardUnderTest, try_cells
from redpen_evals.fuzz.properties import cells
from redpen_evals.fuzz.table import render_result
from redpen_evals.fuzz.trials import STATEMENTS, Trial, problem_of
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets

_, REGEX = built_in_guard_sets()
MARK = re.compile(r"(?<=[.!?])\s+")


def try_guard(guard, *only, names=(), rounds=1, contexts=(), timeout_s=5.0, **more):
    """Try some properties, and of these the cells with some names; by default all."""
    guard_set = guard if isinstance(guard, GuardSet) else GuardSet(name="mine", guards=guard)
    chosen = [cell for cell in cells(contexts, only=only) if not names or cell.name in names]
    return try_cells(GuardUnderTest(guard_set=guard_set, timeout_s=timeout_s), chosen, rounds=rounds, **more)


def row_of(result, name):
    (row,) = [row for row in result.rows if row.cell.name == name]
    return row


def test_regex_guard_has_holes_and_short_counterexamples():
    regex = try_guard(REGEX, "breaches", "disguises")
    broken = [row.cell for row in regex.broken]
    assert len({cell.name for cell in broken if cell.of == "breaches"}) >= 12
    assert len({cell.name for cell in broken if cell.of == "disguises"}) >= 8
    for row in regex.broken:
        case = row.found.case
        assert len(MARK.split(case.revised)) <= len(MARK.split(case.original)) + 2
        assert not REGEX.judge(original=case.original, revised=case.revised, context=case.context).blocked


def test_table_is_deterministic_for_seed():
    lines = [render_result(try_guard(REGEX, "denied", rounds=2, random_seed=seed)) for seed in (0, 0, 1)]
    assert lines[0] == lines[1]
    assert lines[2][4:] != lines[0][4:]


@pytest.mark.parametrize(
    ("guard", "of_property", "cell"),
    [
        (lambda text: len(text) > 40, "faithful", "bullets"),
        (lambda text: "promise" in text, "denied", "guarantee"),
        (lambda revised, original: len(revised) < 2 * len(original), "monotone", "any breach"),
        (lambda text: text.startswith("We"), "order", "sound texts"),
        (lambda text: text.encode() == b"", "answers", "any text"),
    ],
)
def test_known_fault_is_found_by_its_property(guard, of_property, cell):
    row = row_of(try_guard(guard, of_property, names=[cell], rounds=4), cell)
    assert row.broken >= 1
    assert row.tried >= row.broken


def test_stateful_guard_is_found():
    seen = set()

    def guard(text):
        known = text in seen
        seen.add(text)
        return not known

    assert "after" in row_of(try_guard(guard, "repeated"), "any text").problem


def test_hanging_guard_times_out_and_is_not_asked_again():
    def guard(text):
        return bool(re.search(r"^(\w+[ ]?)+$", text))

    result = try_guard(guard, "faithful", "answers", names=["identical", "any text"], timeout_s=0.05)
    assert "raised TimeoutError" in row_of(result, "identical").problem
    assert "without a verdict in" in row_of(result, "any text").why_not


class Measured:
    """A guard that takes so many seconds, and bytes, for a text."""

    def __init__(self, cost):
        self.seconds = self.peak_bytes = lambda case: cost(len(case.revised))


@pytest.mark.parametrize("rule", ["time", "memory"])
def test_superlinear_cost_breaks_bound(rule):
    short, long = (Case(name=rule, original="", revised="x" * chars, context={}) for chars in (10, 80))
    trial = Trial(rule=rule, before=short, case=long)
    assert not problem_of(trial, Measured(lambda chars: chars * 1e9))
    assert "takes 64 times as many" in problem_of(trial, Measured(lambda chars: chars**2 * 1e9))
    # Costs this small are within the noise.
    assert not problem_of(trial, Measured(lambda chars: chars**2 * 1e-9))


def test_no_disguise_is_tried_on_guard_that_catches_nothing():
    result = try_guard(lambda _text: False, "disguises", "monotone", names=["case", "any breach"])
    assert row_of(result, "case").why_not == "no text that it changes is caught undisguised"
    assert row_of(result, "any breach").why_not == "no breach is blocked"


def test_one_word_guard_is_tried_with_breaches_it_catches():
    disguises = ["case", "html", "markdown", "spacing"]
    result = try_guard(
        lambda text: "guarantee" in text, "breaches", "disguises", names=[*FAMILIES, *disguises]
    )
    rows = [row for row in result.rows if row.cell.of == "disguises"]
    assert sorted(row.cell.name for row in rows if row.tried) == disguises
    assert {row.found.case.family for row in rows if row.found} == {"guarantee"}


def test_custom_context_is_used_and_missing_kind_is_reported():
    context = {"order": {"refund_usd": 45, "expected_on": "2026-04-16"}}
    result = try_guard(lambda _text: False, "faithful", names=["share", "money"], contexts=[context])
    assert row_of(result, "share").why_not == "the context has no share"
    assert row_of(result, "money").tried > 0
    result = try_guard(lambda _text: False, "breaches", names=["money"], contexts=[context])
    found = row_of(result, "money").found.case
    assert "refund amount" in found.revised
    assert found.context == context


def test_table_states_property_and_marks_breach():
    result = try_guard(lambda _text: False, "breaches", names=["share"])
    lines = render_result(result, every_cell=True)
    assert any(STATEMENTS["breaches"] in line for line in lines)
    assert "  revised   Our team is investigating. [[About 2% of checkouts are affected.]]" in lines


def test_time_limit_ends_trials_and_is_reported():
    result = try_guard(REGEX, "breaches", rounds=5, seconds=1e-9)
    assert (result.rounds, result.cut, result.tried) == (0, True, 0)
    assert {row.why_not for row in result.rows} == {"not reached within the time limit"}


def test_hint_on_bool_answers_is_for_guards_that_block_everything():
    def guard(_text):
        raise KeyError("x")

    hint = "it blocks every text, even unchanged ones: a returned bool means whether it blocks"
    assert hint not in render_result(try_guard(guard, "faithful", names=["identical"]))
    assert hint in render_result(try_guard(lambda _text: True, "faithful", names=["identical"]))
