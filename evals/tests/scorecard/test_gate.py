"""The threshold gate, and updating of thresholds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.scorecard.gate import breaches, updated
from redpen_evals.scorecard.score import Score
from redpen_evals.scorecard.thresholds import GuardThresholds
from redpen_evals.scorecard.wilson import Rate


def rate(hits, total):
    return Rate(hits=hits, total=total)


def make_score(
    *, catch=(9, 10), alarms=(1, 10), guards="mine", recorded=True, families=("share",), **changes
):
    rates = {"catch": rate(*catch), "false_alarms": rate(*alarms)}
    values = {
        "guards": guards,
        "recorded": recorded,
        "overall": rates,
        "groups": dict.fromkeys(families, rates),
    }
    return Score(**{**values, **changes})


def make_thresholds(**tables):
    return {"mine": GuardThresholds(**tables)}


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"catch": 90.0}, None),
        ({"catch": 90.1}, "catch 90.0 % (9 of 10), below 90.1 %"),
        ({"false_alarms": 10.0}, None),
        ({"false_alarms": 9.9}, "false alarms 10.0 % (1 of 10), above 9.9 %"),
        # A rate with a total of zero is unknown.
        ({"right_code": 100.0}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("place", ["overall", "family share"])
def test_breach_is_reported_below_floor_or_above_ceiling(limits, message, place):
    thresholds = (
        make_thresholds(overall=limits) if place == "overall" else make_thresholds(families={"share": limits})
    )
    expected = () if message is None else (f"mine: {place}: {message}",)
    assert breaches(thresholds, [make_score()]) == expected


def test_guard_set_without_thresholds_passes():
    assert breaches({}, [make_score(catch=(0, 10))]) == ()
    assert breaches(make_thresholds(overall={"catch": 100.0}), [make_score(guards="other")]) == ()


def test_recorded_family_without_items_is_breach():
    thresholds = make_thresholds(families={"region": {"catch": 1.0}})
    assert breaches(thresholds, [make_score()]) == (
        "mine: family region: figures are recorded, but no item is left",
    )


def test_breach_names_texts_judged_wrongly():
    wrong = {"share": tuple(f"f#{at}" for at in range(7)), "count": ("f#x",)}
    lines = breaches(make_thresholds(families={"share": {"catch": 99.0}}), [make_score(wrong=wrong)])
    assert lines[1] == "  judged wrongly: f#0, f#1, f#2, f#3, f#4 and 2 more"
    assert len(lines) == 2


def test_each_part_is_checked_for_its_own_measures():
    thresholds = make_thresholds(overall={"catch": 100.0, "kept": 100.0}, disguises={"tags": {"kept": 50.0}})
    kept = {"kept": rate(1, 3), "new_alarms": rate(0, 3)}
    disguised = make_score(part="disguises", overall=kept, groups={"tags": kept})
    assert breaches(thresholds, [disguised]) == (
        "mine: overall: kept 33.3 % (1 of 3), below 100 %",
        "mine: disguise tags: kept 33.3 % (1 of 3), below 50 %",
    )


def test_floors_are_rounded_down_and_ceilings_up():
    [(_, table)] = updated({}, [make_score(catch=(2, 3), alarms=(1, 3))], "raise").items()
    assert table.families == {"share": {"catch": 66.6, "false_alarms": 33.4}}
    assert table.overall == {"catch": 66.6, "false_alarms": 33.4}


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        ("raise", {"catch": 95.0, "false_alarms": 10.0}),
        ("lower", {"catch": 90.0, "false_alarms": 10.0}),
    ],
)
def test_floor_is_lowered_only_by_lower_update(update, expected):
    before = make_thresholds(families={"share": {"catch": 95.0, "false_alarms": 20.0}})
    assert updated(before, [make_score()], update)["mine"].families == {"share": expected}


@pytest.mark.parametrize(("update", "expected"), [("raise", 5.0), ("lower", 10.0)])
def test_ceiling_is_raised_only_by_lower_update(update, expected):
    before = make_thresholds(families={"share": {"false_alarms": 5.0}})
    assert updated(before, [make_score()], update)["mine"].families["share"]["false_alarms"] == expected


@pytest.mark.parametrize("update", ["raise", "lower"])
def test_update_keeps_overall_threshold_set_by_hand(update):
    before = make_thresholds(overall={"catch": 99.0})
    assert updated(before, [make_score()], update)["mine"].overall == {"catch": 99.0, "false_alarms": 10.0}


@pytest.mark.parametrize(("update", "left"), [("raise", ["region", "share"]), ("lower", ["share"])])
def test_missing_family_is_removed_only_by_lower_update(update, left):
    before = make_thresholds(families={"region": {"catch": 1.0}})
    assert sorted(updated(before, [make_score()], update)["mine"].families) == left


def test_update_keeps_other_part_and_guard_sets():
    before = {
        **make_thresholds(disguises={"tags": {"kept": 1.0}}),
        "other": GuardThresholds(overall={"catch": 1.0}),
    }
    after = updated(before, [make_score()], "lower")
    assert after["mine"].disguises == {"tags": {"kept": 1.0}}
    assert after["other"] == before["other"]


def test_compared_guard_set_is_not_recorded():
    assert updated({}, [make_score(recorded=False)], "lower") == {}


@given(hits=st.integers(0, 500), alarms=st.integers(0, 500))
def test_recorded_thresholds_have_no_breach(hits, alarms):
    one = make_score(catch=(hits, 500), alarms=(alarms, 500))
    assert breaches(updated({}, [one], "raise"), [one]) == ()


def test_score_round_trips_through_json():
    one = make_score(families=("share", "count"))
    assert Score.from_json(json.loads(json.dumps(one.to_json()))) == one
