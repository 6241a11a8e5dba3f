"""``redpen sweep diff``: two sweeps paired row by row."""

from __future__ import annotations

import json

import pytest

from redpen_evals.teaching.verdicts import read_verdicts


def verdict(number, *codes, **more):
    violations = [
        {"code": code, "family": "share", "span": [0, 4], "reading": f"read {code}"} for code in codes
    ]
    texts = {"original": "Old text.", "revised": "<b>Text</b>.", "context": {}}
    return {"id": number, "ok": not codes, "violations": violations, "concerns": [], **texts, **more}


@pytest.fixture
def verdict_folder(rows, tmp_path):
    """Give a function that writes verdicts like a sweep and returns the folder's name."""

    def write(name, *verdicts):
        (tmp_path / name).mkdir()
        rows(*verdicts, name=f"{name}/verdicts-000000.jsonl")
        return name

    return write


def test_pairs_are_counted_by_side_and_by_code(sweep, verdict_folder):
    before = verdict_folder("a", *(verdict(n) for n in range(8)), verdict(8, "x"), verdict(9, "x"))
    after = verdict_folder(
        "b", *(verdict(n, "y") for n in range(7)), verdict(7), verdict(8), verdict(9, "x", "y")
    )
    result = sweep("diff", before, after)
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert [line.split()[-2:] for line in lines[1:3]] == [["1", "7"], ["1", "1"]]
    assert ["x", "2", "1", "1", "0"] in [line.split() for line in lines]
    assert ["y", "0", "8", "0", "8", "0.00781"] in [line.split() for line in lines]
    assert "8 of 10 pairs changed sides, McNemar exact p = 0.0703; blocked for other codes: 1 more" in lines


def test_rows_are_paired_by_id_in_any_order(sweep, verdict_folder):
    before = verdict_folder("a", verdict(1), verdict(2, "x"), verdict("2"), verdict(4))
    after = verdict_folder("b", verdict("2", "x"), verdict(2, "x"), verdict(1), verdict(5))
    assert (
        "1 of 3 pairs changed sides; left out, without a judged counterpart: 2"
        in sweep("diff", before, after).stdout
    )


def test_row_errored_on_one_side_is_not_paired(sweep, verdict_folder):
    before = verdict_folder("a", verdict(1), verdict(2))
    after = verdict_folder("b", {"id": 1, "error": "timeout"}, verdict(2))
    result = sweep("diff", before, after)
    assert result.exit_code == 0
    assert "0 of 1 pairs changed sides; left out, without a judged counterpart: 1" in result.stdout


def test_sample_is_reproducible_by_seed_and_unlabelled(sweep, verdict_folder, tmp_path):
    before = verdict_folder("a", *(verdict(n) for n in range(50)))
    after = verdict_folder("b", *(verdict(n, "x") for n in range(50)))
    chosen = []
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        sweep("diff", before, after, "--sample", 5, "--seed", seed, "-o", f"{name}.jsonl")
        lines = read_verdicts(tmp_path / f"{name}.jsonl")
        assert all(line.label is None for line in lines)
        chosen.append([line.fields["id"] for line in lines])
    assert len(chosen[0]) == 5
    assert chosen[0] == sorted(chosen[0]) == chosen[1]
    assert chosen[0] != chosen[2]


def test_reports_mark_findings_and_escape_markup_of_texts(sweep, verdict_folder, tmp_path):
    before, after = verdict_folder("a", verdict(1)), verdict_folder("b", verdict(1, "x"))
    sweep("diff", before, after, "-o", "c.html", "-o", "c.md")
    page, text = (tmp_path / "c.html").read_text(), (tmp_path / "c.md").read_text()
    assert "<mark" in page
    assert "<b>Text" not in page
    assert "<b>Text" not in text
    for shown in (page, text):
        assert "now blocked" in shown
        assert "read x" in shown


@pytest.mark.parametrize(
    ("args", "problem"),
    [(("a", "nowhere"), "holds no verdicts"), (("a", "a", "-o", "c.txt"), "no report ends in")],
)
def test_diff_with_invalid_arguments_exits_2(sweep, verdict_folder, args, problem):
    verdict_folder("a", verdict(1))
    result = sweep("diff", *args)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_damaged_verdict_is_reported_with_line(sweep, verdict_folder, tmp_path):
    verdict_folder("a", verdict(1))
    (tmp_path / "a/verdicts-000000.jsonl").write_text(json.dumps(verdict(1)) + "\n{half")
    result = sweep("diff", "a", "a")
    assert result.exit_code == 2
    assert "verdicts-000000.jsonl:2" in result.stderr
