"""`redpen cassettes`: one aligned line per cassette, with totals at the end."""

from __future__ import annotations

import datetime
import json

import pytest

from redpen_evals.maintenance.inventory import age, read_entries
from redpen_evals.maintenance.listing import list_lines, size_text

APPROVE = "self-critique/approve"
NOW = datetime.datetime(2026, 3, 9, 10, 0, tzinfo=datetime.UTC)
RECORDED = {"at": "2026-03-06T10:00:00Z", "openai": "3.52.0", "vcrpy": "9.4.2"}


@pytest.fixture
def filled(stocked):
    """Give a library with recordings of two models, one of them damaged, of known age and size."""
    for path in stocked.root.rglob("*.json"):
        path.unlink()
    stocked.stock.record(APPROVE)
    stocked.put(recorded=RECORDED)
    stocked.put(variant="critique=v2", sample=2, recorded=RECORDED)
    stocked.write(stocked.root / "gpt" / "reflection" / "escalate.json", "")
    stocked.put(model="scripted", recorded=RECORDED)
    return stocked


def test_list_is_aligned_and_summed_by_model(filled):
    lines = list(list_lines(read_entries(filled.root), now=NOW))
    assert lines[0].split() == ["cassette", "model", "kind", "calls", "size", "age", "recorded", "with"]
    assert [line.split()[0] for line in lines[1:5]] == [
        "reflection/escalate",
        APPROVE,
        APPROVE,
        APPROVE,
    ]
    starts = {line.index(kind) for line in lines[1:5] for kind in (" live", " scripted  2") if kind in line}
    assert len({lines[0].index("kind"), *(at + 1 for at in starts)}) == 1
    assert "broken: the file is empty" in lines[1]
    assert lines[3].startswith(f"{APPROVE} [critique=v2] #2  gpt ")
    assert lines[3].endswith("  3 d  openai 3.52.0, vcrpy 9.4.2")
    sums = [line.split() for line in lines[6:]]
    assert [row[:5] for row in sums] == [
        ["gpt", "3", "cassettes", "4", "calls"],
        ["scripted", "1", "cassettes", "2", "calls"],
        ["all", "4", "cassettes", "6", "calls"],
    ]


@pytest.mark.usefixtures("filled")
def test_list_can_be_filtered_by_model_and_agent(cassettes):
    assert len(cassettes("--model", "gpt").stdout.splitlines()) == 6
    assert len(cassettes("--model", "gpt", "--agent", "reflection").stdout.splitlines()) == 4
    assert cassettes("--agent", "guarded-policy").stdout == "no cassettes\n"


@pytest.mark.usefixtures("filled")
def test_unknown_model_exits_2_with_nearest_match(cassettes):
    done = cassettes("--model", "gtp")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no cassettes of model 'gtp' (did you mean `gpt`?)" in done.stderr


def test_json_has_every_figure(filled, cassettes):
    value = json.loads(cassettes("--json").stdout)
    assert (value["count"], value["calls"]) == (4, 6)
    assert value["size_bytes"] == sum(len(content) for content in filled.stock.cassettes().values())
    broken, live, variant, _ = value["cassettes"]
    assert (broken["calls"], broken["broken"]) == (None, "the file is empty")
    assert (live["calls"], live["phases"], live["broken"]) == (2, ["draft", "critique"], None)
    assert (live["recorded_at"], live["versions"]) == (
        "2026-03-06T10:00:00Z",
        {"openai": "3.52.0", "vcrpy": "9.4.2"},
    )
    assert (variant["variant"], variant["sample"], variant["kind"]) == ("critique=v2", 2, "live")


def test_missing_folder_lists_no_cassettes(library, cassettes, monkeypatch):
    monkeypatch.chdir(library.root)
    done = cassettes()
    assert (done.exit_code, done.stdout) == (0, "no cassettes\n")


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("2026-03-09T10:00:00Z", "0 min"),
        ("2026-03-09T09:58:31Z", "1 min"),
        ("2026-03-09T08:01:00Z", "119 min"),
        ("2026-03-09T08:00:00Z", "2 h"),
        ("2026-03-09T09:00:00+01:00", "2 h"),
        ("2026-03-07T10:00:00", "2 d"),
        ("2026-01-08T10:00:00Z", "2 mo"),
        ("2024-03-09T10:00:00Z", "2 y"),
        ("2026-03-09T10:00:01Z", "?"),
        ("yesterday", "?"),
        (None, "?"),
        (7, "?"),
    ],
)
def test_age_is_shown_in_suitable_unit(at, message):
    assert age({"at": at}, NOW) == message


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (21_340, "21.3 kB"),
        (9_800_000, "9.8 MB"),
        (10**10, "10.0 GB"),
    ],
)
def test_size_is_shown_in_suitable_unit(size, message):
    assert size_text(size) == message
