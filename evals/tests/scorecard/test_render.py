"""The printed scorecard."""

from __future__ import annotations

from redpen_evals.scorecard.render import render_disguises, render_scores
from redpen_evals.scorecard.score import Score, score
from redpen_evals.scorecard.wilson import Rate

RENDERED = """\
drafts: 2 block, 1 pass; percent with 95 % Wilson intervals

                                 mine                                      other
family    block  pass           catch  false alarms   code  concerns       catch    false alarms  noticed
duration      1     1  100.0 [21,100]    0.0 [0,79]  100.0     100.0  0.0 [0,79]  100.0 [21,100]
region        1            0.0 [0,79]                                 0.0 [0,79]                    100.0
all           2     1     50.0 [9,91]    0.0 [0,79]  100.0     100.0  0.0 [0,66]  100.0 [21,100]     50.0

mine: accepted code  passed  no_new_facts
new_region                1
no_new_facts                            1
none                      1

other: accepted code  passed  guard_error
new_region                 1
no_new_facts               1
none                                    1

other: crashed on 1, first E: x"""


def test_guard_sets_are_rendered_side_by_side(make_scored):
    mine = [
        make_scored("block", "no_new_facts"),
        make_scored("pass", concerned=True),
        make_scored("block", family="region", codes=["new_region"]),
    ]
    other = [
        make_scored("block"),
        make_scored("pass", "guard_error", error="E: x"),
        make_scored("block", family="region", codes=["new_region"], concerned=True),
    ]
    lines = render_scores([score("mine", mine), score("other", other)], title="drafts")
    assert "\n".join(lines) == RENDERED


def test_column_without_values_is_omitted(make_scored):
    lines = render_scores([score("mine", [make_scored("block", "no_new_facts")])], title="drafts")
    assert lines[2:6] == [
        "                           mine",
        "family    block           catch   code",
        "duration      1  100.0 [21,100]  100.0",
        "all           1  100.0 [21,100]  100.0",
    ]


def test_written_disguises_have_separate_table(make_scored):
    lines = render_scores([score("mine", [make_scored("pass", disguise="html")])], title="drafts")
    assert lines[7:10] == [
        "                          mine",
        "written as  pass  false alarms",
        "html           1    0.0 [0,79]",
    ]


def rates(kept, alarms):
    return {"kept": Rate(hits=kept, total=2), "new_alarms": Rate(hits=alarms, total=1)}


def test_disguises_are_rendered_as_rows():
    scores = [
        Score(
            guards="mine",
            overall=rates(2, 0),
            groups={"case": rates(2, 0), "html": rates(1, 0)},
            wrong={},
        ),
        Score(guards="other", overall=rates(0, 1), groups={"html": rates(0, 1)}, wrong={"html": ("x",)}),
    ]
    title, blank, *lines = render_disguises(scores, sample=7)
    assert "a sample of 7 texts of either label" in title
    assert blank == ""
    assert lines == [
        "                    mine                     other",
        "disguise    still caught  new alarms  still caught      new alarms",
        "case      100.0 [34,100]  0.0 [0,79]",
        "html         50.0 [9,91]  0.0 [0,79]    0.0 [0,66]  100.0 [21,100]",
        "all       100.0 [34,100]  0.0 [0,79]    0.0 [0,66]  100.0 [21,100]",
    ]
