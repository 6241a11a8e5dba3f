"""The gate, and what updating makes of the thresholds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.scorecard.gate import (
    Measured,
    breaches,
    from_json,
    measured,
    to_json,
    updated,
)
from redpen_evals.scorecard.score import score
from redpen_evals.scorecard.thresholds import GuardThresholds
from redpen_evals.scorecard.wilson import Rate


def rate(hits, total):
    return Rate(hits=hits, total=total)


def reached(*, catch=(9, 10), alarms=(1, 10), guards="mine", recorded=True, families=("share",), **changes):
    rates = {"catch": rate(*catch), "false_alarms": rate(*alarms)}
    values = {
        "guards": guards,
        "recorded": recorded,
        "part": "families",
        "overall": rates,
        "groups": dict.fromkeys(families, rates),
    }
    return Measured(**{**values, **changes})


def held(**tables):
    return {"mine": GuardThresholds(**tables)}


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"catch": 90.0}, None),
        ({"catch": 90.1}, "catch 90.0 % (9 of 10), below 90.1 %"),
        ({"false_alarms": 10.0}, None),
        ({"false_alarms": 9.9}, "false alarms 10.0 % (1 of 10), above 9.9 %"),
        # Of nothing no rate is known.
        ({"right_code": 100.0}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("place", ["overall", "family share"])
def test_floors_and_ceilings(limits, message, place):
    thresholds = held(overall=limits) if place == "overall" else held(families={"share": limits})
    expected = () if message is None else (f"mine: {place}: {message}",)
    assert breaches(thresholds, [reached()]) == expected


def test_a_guard_set_without_thresholds_passes():
    assert breaches({}, [reached(catch=(0, 10))]) == ()
    assert breaches(held(overall={"catch": 100.0}), [reached(guards="other")]) == ()


def test_a_recorded_family_without_items_is_a_breach():
    thresholds = held(families={"region": {"catch": 1.0}})
    assert breaches(thresholds, [reached()]) == (
        "mine: family region: figures are recorded, but no item is left",
    )


def test_the_texts_at_fault_are_named():
    wrong = {"share": tuple(f"f#{at}" for at in range(7)), "count": ("f#x",)}
    lines = breaches(held(families={"share": {"catch": 99.0}}), [reached(wrong=wrong)])
    assert lines[1] == "  judged wrongly: f#0, f#1, f#2, f#3, f#4 and 2 more"
    assert len(lines) == 2


def test_each_part_is_held_to_its_own_measures():
    thresholds = held(overall={"catch": 100.0, "kept": 100.0}, disguises={"tags": {"kept": 50.0}})
    kept = {"kept": rate(1, 3), "new_alarms": rate(0, 3)}
    disguised = reached(part="disguises", overall=kept, groups={"tags": kept})
    assert breaches(thresholds, [disguised]) == (
        "mine: overall: kept 33.3 % (1 of 3), below 100 %",
        "mine: disguise tags: kept 33.3 % (1 of 3), below 50 %",
    )


def test_figures_are_rounded_to_the_safe_side():
    [(_, table)] = updated({}, [reached(catch=(2, 3), alarms=(1, 3))], "raise").items()
    assert table.families == {"share": {"catch": 66.6, "false_alarms": 33.4}}
    assert table.overall == {"catch": 66.6, "false_alarms": 33.4}


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("raise", {"catch": 95.0, "false_alarms": 10.0}),
        ("lower", {"catch": 90.0, "false_alarms": 10.0}),
    ],
)
def test_only_lower_makes_a_floor_lower(update, expected):
    before = held(families={"share": {"catch": 95.0, "false_alarms": 20.0}})
    assert updated(before, [reached()], update)["mine"].families == {"share": expected}


@pytest.mark.parametrize(("update", "expected"), [("raise", 5.0), ("lower", 10.0)])
def test_only_lower_makes_a_ceiling_higher(update, expected):
    before = held(families={"share": {"false_alarms": 5.0}})
    assert updated(before, [reached()], update)["mine"].families["share"]["false_alarms"] == expected


@pytest.mark.parametrize("update", ["raise", "lower"])
def test_what_is_set_by_hand_stays(update):
    before = held(overall={"catch": 99.0})
    assert updated(before, [reached()], update)["mine"].overall == {"catch": 99.0, "false_alarms": 10.0}


@pytest.mark.parametrize(("update", "left"), [("raise", ["region", "share"]), ("lower", ["share"])])
def test_a_family_that_is_gone_is_forgotten_only_when_told(update, left):
    before = held(families={"region": {"catch": 1.0}})
    assert sorted(updated(before, [reached()], update)["mine"].families) == left


def test_the_other_part_and_other_guard_sets_stay():
    before = {**held(disguises={"tags": {"kept": 1.0}}), "other": GuardThresholds(overall={"catch": 1.0})}
    after = updated(before, [reached()], "lower")
    assert after["mine"].disguises == {"tags": {"kept": 1.0}}
    assert after["other"] == before["other"]


def test_what_is_only_compared_is_not_recorded():
    assert updated({}, [reached(recorded=False)], "lower") == {}


@given(hits=st.integers(0, 500), alarms=st.integers(0, 500))
def test_what_is_recorded_holds(hits, alarms):
    one = reached(catch=(hits, 500), alarms=(alarms, 500))
    assert breaches(updated({}, [one], "raise"), [one]) == ()


def test_it_survives_the_way_between_processes():
    one = reached(families=("share", "count"))
    assert from_json(json.loads(json.dumps(to_json(one)))) == one


def test_a_score_is_measured_whole(make_scored):
    one = measured(score("mine", [make_scored("block"), make_scored("pass", concerned=True)]), recorded=True)
    assert one.overall == {
        "catch": rate(0, 1),
        "false_alarms": rate(0, 1),
        "right_code": rate(0, 0),
        "concerns": rate(1, 1),
    }
    assert list(one.groups) == ["duration"]
    assert one.wrong == {"duration": ("f#one",)}
