"""The thresholds file: reading, writing and error locations."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen_evals.scorecard.thresholds import GuardThresholds, check_names, read_thresholds, write_thresholds

THRESHOLDS = {
    "redpen": GuardThresholds(
        overall={"catch": 95.0, "false_alarms": 1.0},
        families={"share": {"catch": 99.9}, "count": {"catch": 100.0, "false_alarms": 0.0}},
        disguises={"look-alikes": {"kept": 33.3}},
    ),
    'shop.guards:"check"\\': GuardThresholds(overall={"catch": 1.0}),
    "empty": GuardThresholds(),
}


def test_thresholds_round_trip(tmp_path):
    path = tmp_path / "folder" / "scorecard.toml"
    write_thresholds(path, THRESHOLDS)
    assert read_thresholds(path) == THRESHOLDS
    first = path.read_bytes()
    write_thresholds(path, read_thresholds(path))
    assert path.read_bytes() == first


def test_each_family_is_one_line(tmp_path):
    path = tmp_path / "scorecard.toml"
    write_thresholds(path, THRESHOLDS)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    at = lines.index("[redpen.families]")
    assert lines[at + 1 : at + 3] == [
        "count = { catch = 100.0, false_alarms = 0.0 }",
        "share = { catch = 99.9 }",
    ]


def test_missing_file_has_no_thresholds(tmp_path):
    assert read_thresholds(tmp_path / "none.toml") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[redpen", "scorecard.toml:1: is not valid TOML: "),
        ("redpen = 3", "scorecard.toml:1: redpen: "),
        ("[redpen.overall]\ncatch = 101", r"toml:2: redpen\.overall\.catch: .*less than or equal to 100"),
        ("[redpen.overall]\ncatsh = 95", r"toml:2: redpen\.overall\.catsh: .*did you mean `catch`"),
        ("[redpen.familys]", r"toml:1: redpen\.familys: .*did you mean `families`"),
        ('[redpen.families]\nshare = { catch = "high" }', r"toml:2: redpen\.families\.share\.catch: "),
        ("[redpen.families]\nshere = { catch = 1 }", r"toml:2: redpen\.families\.shere: .*mean `share`"),
        ("[redpen.disguises]\ncasse = { kept = 1 }", r"toml:2: redpen\.disguises\.casse: .*mean `case`"),
        ("[redpen.disguises]\ncase = { catch = 1 }", r"toml:2: redpen\.disguises\.case\.catch: .*kept"),
    ],
)
def test_invalid_file_is_refused_with_line_and_field(tmp_path, text, message):
    path = tmp_path / "scorecard.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        read_thresholds(path)


def test_misspelt_guard_set_is_error_and_unknown_one_is_note(tmp_path):
    path = tmp_path / "scorecard.toml"
    path.write_text("[redpne.overall]\ncatch = 1\n[other.overall]\ncatch = 1\n", encoding="utf-8")
    thresholds = read_thresholds(path)
    with pytest.raises(ConfigurationError, match=r"toml:1: redpne: .*did you mean `redpen`"):
        check_names(path, thresholds, ["redpen", "regex"])
    [first, second] = check_names(path, thresholds, ["something"])
    assert first.endswith("scorecard.toml:1: redpne: no guard set of this session has this name")
    assert second.endswith("scorecard.toml:3: other: no guard set of this session has this name")


def test_binary_file_is_refused(tmp_path):
    path = tmp_path / "scorecard.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match=r"scorecard\.toml"):
        read_thresholds(path)


def test_symlink_is_replaced_without_writing_target(tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / "scorecard.toml").symlink_to(mine)
    write_thresholds(tmp_path / "scorecard.toml", THRESHOLDS)
    assert mine.read_text() == "mine"
    assert read_thresholds(tmp_path / "scorecard.toml") == THRESHOLDS
