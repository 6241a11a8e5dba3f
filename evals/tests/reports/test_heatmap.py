"""The scorecard as heat maps."""

import pytest

from redpen_evals.records import ScorecardResult
from redpen_evals.reports.heatmap import heat_maps
from redpen_evals.scorecard.wilson import Rate

FAMILIES = {
    "guards": "redpen",
    "recorded": True,
    "part": "families",
    "overall": {"catch": [19, 20], "false_alarms": [0, 20], "right_code": [19, 19], "concerns": [1, 20]},
    "groups": {
        "share": {"catch": [10, 10], "false_alarms": [0, 10], "right_code": [10, 10]},
        "rewrite": {"catch": [0, 0], "false_alarms": [0, 10], "right_code": [0, 0]},
    },
}
DISGUISES = {
    "guards": "redpen",
    "recorded": True,
    "part": "disguises",
    "overall": {"kept": [39, 40], "new_alarms": [2, 40]},
    "groups": {"direction": {"kept": [39, 40], "new_alarms": [2, 40]}},
}


def card(*measured, **more):
    return ScorecardResult(name="test_scorecard", measured=measured, lines=("as text",), **more)


def test_guard_sets_are_columns_of_one_heat_map():
    (one,) = heat_maps(card(FAMILIES, {**FAMILIES, "guards": "regex"}))
    assert one.guards == tuple(
        (name, ("catch", "false alarms", "right code")) for name in ("redpen", "regex")
    )
    assert [name for name, _ in one.rows] == ["share", "rewrite", "all"]
    assert all(len(cells) == 6 for _, cells in one.rows)


def test_cell_has_wilson_interval():
    (one,) = heat_maps(card(FAMILIES))
    catch = dict(one.rows)["share"][0]
    assert catch.rate == Rate(hits=10, total=10)
    assert (round(catch.low), round(catch.high)) == (72, 100)
    assert catch.text == "100.0 [72–100]"


def test_rate_with_zero_total_has_no_cell():
    (one,) = heat_maps(card(FAMILIES))
    assert dict(one.rows)["rewrite"][0] is None


def test_overall_only_measures_are_listed_in_rest():
    (one,) = heat_maps(card(FAMILIES))
    assert [(guards, measure, cell.rate.hits) for guards, measure, cell in one.rest] == [
        ("redpen", "concerns", 1)
    ]


@pytest.mark.parametrize(
    ("hits", "catch", "alarms"), [(100, 0, 6), (99, 1, 6), (95, 2, 6), (90, 3, 6), (50, 6, 6), (0, 6, 0)]
)
def test_shade_grows_with_distance_from_perfect_rate(hits, catch, alarms):
    rates = {"catch": [hits, 100], "false_alarms": [hits, 100], "right_code": [hits, 100]}
    (one,) = heat_maps(card({**FAMILIES, "groups": {"share": rates}}))
    cells = dict(one.rows)["share"]
    assert (cells[0].shade, cells[1].shade) == (catch, alarms)


def test_families_and_disguises_are_separate_tables():
    one, other = heat_maps(card(FAMILIES, DISGUISES, breaches=("share fell",)))
    assert (one.corner, other.corner) == ("family", "disguise")
    assert other.guards == (("redpen", ("still caught", "new alarms")),)
    assert one.card.breaches == ["share fell"]


@pytest.mark.parametrize(
    "measured",
    [
        {},
        {"guards": "redpen"},
        {**FAMILIES, "part": "moods"},
        {**FAMILIES, "groups": {"share": {"catch": [11, 10]}}},
        {**FAMILIES, "groups": {"share": {"catch": "most"}}},
        {**FAMILIES, "groups": {"share": {"catch": [1]}}},
        {**FAMILIES, "groups": []},
        {**FAMILIES, "overall": {"catch": [-1, 10]}},
    ],
)
def test_unreadable_figures_fall_back_to_text_lines(measured):
    (one,) = heat_maps(card(measured))
    assert (one.rows, one.card.lines) == ((), ["as text"])
