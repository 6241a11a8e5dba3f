"""``redpen sweep``: verdicts of rows from many files, errors per row, resuming and file errors."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import sys

import pytest
import zstandard

from redpen.errors import InvalidInputError
from redpen_evals.sweep.folder import Folder
from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import judge_chunk
from redpen_evals.sweep.pool import judge_in_pool
from redpen_evals.sweep.reading import chunks_of
from redpen_evals.sweep.run import Sweep, run_sweep
from redpen_evals.sweep.sources import find_sources

ORIGINAL = "Checkout in the US is degraded for 27% of attempts."
CONTEXT = {"region": "US", "incident": {"affected_checkout_pct": 27}}
CLEAN = "Checkout in the US is degraded for about 27% of attempts."
WRONG = "Checkout in the US is degraded for 28% of attempts."
KILLER = """
import os, signal, time
def kills(*, original, revised, context):
    if "poison" in revised:
        os.kill(os.getpid(), signal.SIGKILL)
    return "bad" in revised
def hangs(*, original, revised, context):
    while "long" in revised:
        time.sleep(0.01)
    return False
"""


def row(number, revised=CLEAN, **more):
    return {"id": number, "original": ORIGINAL, "revised": revised, "context": CONTEXT, **more}


@pytest.fixture
def judged_file(library):
    """Give a function that judges the rows of a file in this process and returns their records."""

    def judge(path, **options):
        judging = Judging(layout=library.layout, **options)
        chunks = chunks_of(find_sources([str(path)]), shard_rows=100)
        return [
            json.loads(line) for chunk in chunks for line in judge_chunk(judging, chunk).lines.splitlines()
        ]

    return judge


@pytest.fixture
def judged(rows, judged_file):
    """Give a function that judges rows in this process and returns their records."""
    return lambda *items, **options: judged_file(rows(*items), **options)


def test_rows_of_every_kind_of_file_become_verdicts_in_order(sweep, rows, verdicts, tmp_path):
    rows(row(1), row(2, WRONG, channel="mail"), name="in/a.jsonl")
    (tmp_path / "in/b.jsonl.gz").write_bytes(gzip.compress(json.dumps(row(3)).encode() + b"\n\nno json\n"))
    packed = zstandard.compress((json.dumps(row(4, WRONG)) + "\n").encode())
    (tmp_path / "in/c.jsonl.zst").write_bytes(packed)
    (tmp_path / "in/notes.txt").write_text("no rows")
    result = sweep("in")
    assert result.exit_code == 1
    found = verdicts()
    assert [item.get("id") for item in found] == [1, 2, 3, None, 4]
    assert [item.get("ok") for item in found] == [True, False, True, None, False]
    assert found[1]["channel"] == "mail"
    assert found[1]["violations"][0]["code"] == "no_new_facts"
    assert (found[3]["file"], found[3]["line"]) == ("in/b.jsonl.gz", 3)
    assert "invalid JSON" in found[3]["error"]
    summary = json.loads((tmp_path / ".redpen/sweep/summary.json").read_text())
    assert summary["codes"] == {"no_new_facts": 2}
    assert (summary["rows"], summary["blocked"], summary["errored"]) == (5, 2, 1)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"revised": None}, "revised, text: missing"),
        ({"text": CLEAN}, "revised, text: give one"),
        ({"revised": 3}, "revised: has to be a text"),
        ({"context": "nowhere"}, "no context 'nowhere'"),
        ({"context": None}, "context: missing"),
        ({"context": "{no"}, "context: is not valid JSON"),
        ({"context_id": "payments"}, "context, context_id: give one"),
        ({"id": [1]}, "id: has to be"),
    ],
)
def test_unjudgeable_row_is_one_error_line(judged, change, problem):
    one, broken, two = judged(row(1), row(2) | change, row(3, WRONG))
    assert problem in broken["error"]
    assert one["ok"]
    assert not two["ok"]


def test_columns_can_be_mapped_and_texts_left_out(judged):
    given = {"nr": "A7", "body": WRONG, "facts": json.dumps(CONTEXT), "team": "eu"}
    columns = (("id", "nr"), ("text", "body"), ("context", "facts"))
    (found,) = judged(given, columns=columns, keep_texts=False)
    assert found["id"] == "A7"
    assert found["team"] == "eu"
    assert not found["ok"]
    assert found.keys() == {"id", "team", "file", "line", "ok", "violations", "concerns"}


def test_text_without_original_is_judged_by_context_only(judged):
    message = "Checkout in the US is degraded for 27% of attempts. We have told the bank."
    (found,) = judged({"text": message, "context_id": "payments"})
    assert found["concerns"] == []
    (named,) = judged({"text": WRONG}, context="payments")
    assert not named["ok"]


def test_guard_that_kills_its_process_loses_only_its_row(sweep, rows, verdicts, tmp_path, monkeypatch):
    (tmp_path / "killing_guards.py").write_text(KILLER)
    monkeypatch.syspath_prepend(tmp_path)
    # More rows than the pool reads ahead, so that some arrive after the process was killed.
    path = rows(row(0, "poison"), *(row(number, "bad" if number % 2 else CLEAN) for number in range(1, 400)))
    result = sweep(path, "--guards", "killing_guards:kills")
    assert result.exit_code == 1
    first, *others = verdicts()
    assert "killed the process" in first["error"]
    assert [item["ok"] for item in others] == [number % 2 == 0 for number in range(1, 400)]
    assert "killed its worker" in result.stderr


def test_rows_after_a_killed_worker_are_judged(rows, library, tmp_path, monkeypatch):
    (tmp_path / "dying_guards.py").write_text(KILLER)
    monkeypatch.syspath_prepend(tmp_path)
    path = rows(row(0, "poison"), row(1), row(2, "bad"))

    def chunks():
        for chunk in chunks_of(find_sources([str(path)]), shard_rows=100, max_rows=1):
            yield chunk
            # Wait until the killed worker has ended before the next chunk is handed out.
            for worker in multiprocessing.active_children() if chunk.rows[0].line == 1 else ():
                worker.join(10)

    judging = Judging(layout=library.layout, guards="dying_guards:kills")
    found = [
        json.loads(item.lines) for item in judge_in_pool(chunks(), judging, workers=1, tell=lambda _: None)
    ]
    assert "killed the process" in found[0]["error"]
    assert [item["ok"] for item in found[1:]] == [True, False]


def test_hanging_guard_times_out(judged, tmp_path, monkeypatch):
    (tmp_path / "endless_guards.py").write_text(KILLER)
    monkeypatch.syspath_prepend(tmp_path)
    slow, quick = judged(row(1, "long"), row(2), guards="endless_guards:hangs", row_timeout_s=0.05)
    assert "longer than 0.05 s" in slow["error"]
    assert quick["ok"]


def test_resumed_sweep_writes_the_same_bytes(rows, library, tmp_path):
    path = rows(*(row(number, WRONG if number % 3 else CLEAN) for number in range(25)))
    judging = Judging(layout=library.layout)

    def run(folder, *, resume=False, stop_at=None):
        def show(progress):
            if progress.tally.rows == stop_at:
                raise KeyboardInterrupt

        asked = Sweep(
            sources=find_sources([str(path)]),
            judging=judging,
            out=Folder(path=str(tmp_path / folder)),
            workers=1,
            shard_rows=4,
        )
        return run_sweep(asked, resume=resume, tell=pytest.fail, show=show)

    whole = run("whole")
    with pytest.raises(KeyboardInterrupt):
        run("parts", stop_at=12)
    # A kill between a shard and its summary file leaves a shard that is judged again.
    (tmp_path / "parts/verdicts-000002.json").unlink()
    assert run("parts", resume=True).to_dict() == whole.to_dict()
    names = sorted(item.name for item in (tmp_path / "whole").iterdir())
    assert sorted(item.name for item in (tmp_path / "parts").iterdir()) == names
    for name in names:
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert run("parts", resume=True).to_dict() == whole.to_dict()


def test_output_folder_of_another_sweep_exits_2(sweep, rows):
    path = rows(row(1))
    assert sweep(path).exit_code == 0
    again = sweep(path)
    assert again.exit_code == 2
    assert "--resume continues it" in again.stderr
    other = sweep(path, "--resume", "--claims", "inherit")
    assert other.exit_code == 2
    assert "claims: was hint, is inherit" in other.stderr


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (("nowhere.jsonl",), "there is no file of rows"),
        (("rows.jsonl", "--map", "text"), "write FIELD=COLUMN"),
        (("rows.jsonl", "--map", "txt=body"), "did you mean"),
        (("rows.jsonl", "--against", "old/bin/python"), "write redpen@PYTHON"),
        (("rows.jsonl", "--against", "redpen@nowhere/python"), "there is no interpreter"),
    ],
)
def test_usage_error_exits_2(sweep, rows, args, problem):
    rows(row(1))
    result = sweep(*args)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_damaged_file_ends_with_an_error_line(sweep, rows, verdicts, tmp_path):
    rows(row(9), name="b.jsonl")
    whole = gzip.compress("".join(json.dumps(row(n)) + "\n" for n in range(2000)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    result = sweep("a.jsonl.gz", "b.jsonl")
    assert result.exit_code == 1
    *_, broken, last = verdicts()
    assert "rest of the file cannot be read" in broken["error"]
    assert (last["id"], last["ok"]) == (9, True)


def test_against_option_judges_with_another_interpreter(sweep, rows, verdicts):
    path = rows(row(1), row(2, WRONG), "no json")
    result = sweep(path, "--against", f"redpen@{sys.executable}")
    assert "0 of 2 pairs changed sides" in result.output
    assert verdicts() == verdicts(".redpen/sweep/against")


def test_truncated_zstd_file_is_reported(judged_file, tmp_path):
    path = tmp_path / "rows.jsonl.zst"
    lines = [json.dumps(row(number)).encode() + b"\n" for number in range(3)]
    path.write_bytes(b"".join(map(zstandard.compress, lines)))
    assert [item["id"] for item in judged_file(path)] == [0, 1, 2]
    # A frame that is flushed after each row and never closed.
    packer = zstandard.ZstdCompressor().compressobj()
    cut = b"".join(packer.compress(line) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for line in lines)
    path.write_bytes(cut)
    *found, broken = judged_file(path)
    assert [item["id"] for item in found] == [0, 1, 2]
    assert "ends in the middle of a frame" in broken["error"]


def test_non_utf8_file_name_can_be_swept_and_resumed(sweep, rows, verdicts, tmp_path):
    name = os.fsdecode(b"a\xff.jsonl")
    (tmp_path / "in").mkdir()
    rows(row(1)).rename(tmp_path / "in" / name)
    assert sweep("in").exit_code == 0
    assert verdicts()[0]["file"] == "in/a?.jsonl"
    assert sweep("in", "--resume").exit_code == 0


def test_column_with_name_of_verdict_field_is_dropped(judged):
    (found,) = judged(row(1, error="mine", ok="mine", pack="mine", team="eu"))
    assert found["ok"] is True
    assert found["team"] == "eu"
    assert found.keys().isdisjoint({"error", "pack"})


@pytest.mark.parametrize("raised", ["SystemExit(3)", "GeneratorExit()", "ValueError('\\udcff')"])
def test_guard_exception_loses_only_its_row(judged, tmp_path, monkeypatch, raised):
    name = f"raising_guards_{len(raised)}"
    code = f"def ends(text):\n    if 'bad' in text:\n        raise {raised}\n    return False\n"
    (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    one, broken, two = judged(row(1), row(2, "bad"), row(3), guards=f"{name}:ends")
    assert raised.partition("(")[0] in broken["error"]
    assert one["ok"]
    assert two["ok"]


def test_unreadable_folder_is_reported(sweep, rows, tmp_path, monkeypatch):
    rows(row(1), name="in/a.jsonl")
    (tmp_path / "in/closed").mkdir()
    listed = os.scandir

    def scandir(path="."):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = sweep("in")
    assert result.exit_code == 2
    assert "closed: cannot be read: Permission denied" in result.stderr


def test_unreadable_file_is_reported_before_output_is_written(rows, library, tmp_path):
    path = rows(row(1))
    sources = find_sources([str(path)])
    path.unlink()
    out = tmp_path / "out"
    asked = Sweep(
        sources=sources, judging=Judging(layout=library.layout), out=Folder(path=str(out)), workers=1
    )
    with pytest.raises(InvalidInputError, match=r"rows\.jsonl: cannot be read"):
        run_sweep(asked, resume=False, tell=pytest.fail, show=pytest.fail)
    assert not out.exists()


def test_output_folder_that_holds_the_input_is_refused(sweep, rows):
    rows(row(1))
    result = sweep("rows.jsonl", "--out", ".")
    assert result.exit_code == 2
    assert "files in --out . are left out" in result.stderr


def test_sweep_can_be_resumed_after_full_disk(sweep, rows, verdicts, tmp_path, monkeypatch):
    rows(*(row(number) for number in range(6)))
    written = os.fsync
    calls = []

    def fsync(descriptor):
        calls.append(descriptor)
        if len(calls) == 5:
            raise OSError(28, "No space left on device")
        return written(descriptor)

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", fsync)
        full = sweep("rows.jsonl", "--shard-rows", 2)
    assert full.exit_code == 2
    assert "No space left on device" in full.stderr
    assert not list((tmp_path / ".redpen/sweep").glob(".*"))
    assert sweep("rows.jsonl", "--shard-rows", 2, "--resume").exit_code == 0
    assert [item["id"] for item in verdicts()] == list(range(6))
