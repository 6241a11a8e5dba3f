"""Properties tried on guards with known faults: each is found, small, the same again, and counted."""

from __future__ import annotations

import re

import pytest

from redpen_evals.fuzz.drafting import labelled
from redpen_evals.fuzz.engine import Asking, try_cells
from redpen_evals.fuzz.properties import cells
from redpen_evals.fuzz.table import render_result
from redpen_evals.fuzz.trials import PROPERTIES, STATEMENTS, Trial, problem_of
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets

_, REGEX = built_in_guard_sets()
MARK = re.compile(r"(?<=[.!?])\s+")


def tried(guard, *only, rounds=1, contexts=(), **more):
    guard_set = guard if isinstance(guard, GuardSet) else GuardSet(name="mine", guards=guard)
    return try_cells(
        Asking(guard_set=guard_set), cells(contexts, only=only or PROPERTIES), rounds=rounds, **more
    )


def of(result, name):
    (row,) = [row for row in result.rows if row.cell.name == name]
    return row


@pytest.fixture(scope="module")
def regex():
    """Give what one round finds of a plain regex guard."""
    return tried(REGEX, "breaches", "disguises")


def test_a_regex_guard_has_holes_in_most_families_and_disguises(regex):
    broken = [row.cell for row in regex.broken]
    assert len({cell.name for cell in broken if cell.of == "breaches"}) >= 12
    assert len({cell.name for cell in broken if cell.of == "disguises"}) >= 8


def test_counterexamples_are_at_most_two_sentences_longer_than_the_draft(regex):
    for row in regex.broken:
        case = row.found.trial.case
        assert len(MARK.split(case.revised)) <= len(MARK.split(case.original)) + 2
        assert not REGEX.judge(original=case.original, revised=case.revised, context=case.context).blocked


def test_the_same_seed_gives_the_same_table_and_another_seed_another(regex):
    again = tried(REGEX, "breaches")
    assert [row.found for row in again.rows] == [row.found for row in regex.rows if row.cell.of == "breaches"]
    lines = [render_result(tried(REGEX, "denied", rounds=4, random_seed=seed)) for seed in (0, 0, 1)]
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
def test_each_fault_is_found_by_its_property(guard, of_property, cell):
    row = of(tried(guard, of_property, rounds=4), cell)
    assert row.broken >= 1
    assert row.tried >= row.broken


def test_a_guard_that_remembers_is_found():
    seen = set()

    def guard(text):
        known = text in seen
        seen.add(text)
        return not known

    assert "after" in of(tried(guard, "repeated"), "any text").found.problem


def test_a_search_without_end_is_ended_and_the_guard_asked_no_more():
    def guard(text):
        return bool(re.search(r"^(\w+[ ]?)+$", text))

    asking = Asking(guard_set=GuardSet(name="slow", guards=guard), timeout_s=0.05)
    result = try_cells(asking, cells(only=["faithful", "answers"]), rounds=1)
    assert "raised TimeoutError" in of(result, "identical").found.problem
    assert "asked no more" in of(result, "any text").why_not


class Measured:
    """A guard that takes so many seconds, and bytes, for a text."""

    def __init__(self, cost):
        self.seconds = self.peak_bytes = lambda case: cost(len(case.revised))


@pytest.mark.parametrize("rule", ["time", "memory"])
def test_what_grows_faster_than_the_text_breaks_the_bound(rule):
    short, long = (labelled(rule, "", "x" * chars, {}, label="pass", family="rewrite") for chars in (10, 80))
    trial = Trial(rule=rule, before=short, case=long)
    assert not problem_of(trial, Measured(lambda chars: chars * 1e9))
    assert "takes 64 times as many" in problem_of(trial, Measured(lambda chars: chars**2 * 1e9))
    # Of so little nothing can be said.
    assert not problem_of(trial, Measured(lambda chars: chars**2 * 1e-9))


def test_a_guard_that_catches_nothing_has_no_disguise_tried():
    result = tried(lambda _text: False, "disguises", "monotone")
    assert {row.why_not for row in result.rows if row.cell.of == "disguises"} == {
        "nothing that it has a hold on is caught undisguised"
    }
    assert of(result, "any breach").why_not == "no breach is blocked"


def test_a_guard_of_one_word_is_tried_with_what_it_catches():
    result = tried(lambda text: "guarantee" in text, "breaches", "disguises", rounds=4)
    rows = [row for row in result.rows if row.cell.of == "disguises"]
    assert sum(row.tried > 0 for row in rows) >= 12
    assert {row.found.trial.case.family for row in rows if row.found} == {"guarantee"}


def test_a_context_without_a_share_says_so_and_own_names_are_tried():
    context = {"order": {"refund_usd": 45, "expected_on": "2026-04-16"}}
    result = tried(lambda _text: False, "faithful", contexts=[context])
    assert of(result, "share").why_not == "the context holds no share"
    assert of(result, "money").tried > 0
    found = of(tried(lambda _text: False, "breaches", contexts=[context]), "money").found.trial.case
    assert "refund amount" in found.revised
    assert found.context == context


def test_a_guard_that_blocks_everything_is_told_what_a_bool_means():
    lines = render_result(tried(lambda _text: True, "faithful"))
    assert any("a bool that it answers says whether it blocks" in line for line in lines)


def test_the_table_has_each_property_and_marks_the_breach():
    result = tried(lambda _text: False, "breaches")
    lines = render_result(result, every_cell=True)
    assert any(STATEMENTS["breaches"] in line for line in lines)
    assert "  revised   Our team is investigating. [[About 2% of checkouts are affected.]]" in lines


def test_time_ends_it_between_cells_and_says_so():
    result = tried(REGEX, "breaches", rounds=5, seconds=1e-9)
    assert (result.rounds, result.cut, result.tried) == (0, True, 0)
    assert {row.why_not for row in result.rows} == {"not reached in the time"}


def test_a_guard_that_raises_is_not_said_to_block_every_text():
    def guard(_text):
        raise KeyError("x")

    said = "it blocks every text"
    assert not any(said in line for line in render_result(tried(guard, "faithful")))
    assert any(said in line for line in render_result(tried(lambda _text: True, "faithful")))
