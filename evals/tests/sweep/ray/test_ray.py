"""Sweeps with Ray equal those of the local engine; Parquet files and URIs are read and written."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pytest
from pyarrow import parquet

pytestmark = [
    pytest.mark.ray,
    # Its own modules use what it has deprecated.
    pytest.mark.filterwarnings(r"ignore:::ray\..*"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

CONTEXT = {"region": "US", "incident": {"affected_checkout_pct": 27}}
TEXTS = ("Checkout is degraded for {} % of attempts.", "All is back to normal.", "We look into it.")


def rows_of(count):
    texts = [TEXTS[number % 3].format(20 + number % 9) for number in range(count)]
    return [{"id": number, "text": text, "context": CONTEXT} for number, text in enumerate(texts)]


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "manifest.json"}


def test_ray_gives_the_verdicts_of_the_local_engine(sweep, rows, tmp_path):
    rows(*rows_of(230), "no json", name="in/a.jsonl")
    rows(*rows_of(70), name="in/b.jsonl")
    sweep("in", "--out", "local", "--shard-rows", 128)
    result = sweep("in", "--out", "ray", "--shard-rows", 128, "--engine", "ray")
    assert result.exit_code == 1
    assert content(tmp_path / "ray") == content(tmp_path / "local")


def test_ray_resumes_a_stopped_sweep(sweep, rows, tmp_path):
    rows(*rows_of(300), name="a.jsonl")
    sweep("a.jsonl", "--out", "whole", "--shard-rows", 128)
    sweep("a.jsonl", "--out", "parts", "--shard-rows", 128)
    for name in ("verdicts-000001.json", "verdicts-000002.json", "verdicts-000002.jsonl"):
        (tmp_path / "parts" / name).unlink()
    sweep("a.jsonl", "--out", "parts", "--shard-rows", 128, "--engine", "ray", "--resume")
    assert content(tmp_path / "parts") == content(tmp_path / "whole")


def test_parquet_and_uris_give_the_verdicts_of_json_lines(sweep, rows, verdicts, tmp_path):
    given = rows_of(9)
    rows(*given, name="a.jsonl")
    flat = [{**item, "context": json.dumps(item["context"])} for item in given]
    parquet.write_table(pa.Table.from_pylist(flat), tmp_path / "b.parquet")
    sweep("a.jsonl", "--out", "lines")
    assert sweep(f"file://{tmp_path}/*.parquet", "--out", f"file://{tmp_path}/columns").exit_code == 0
    without_place = [
        [{key: value for key, value in verdict.items() if key != "file"} for verdict in verdicts(folder)]
        for folder in ("lines", "columns")
    ]
    assert without_place[0] == without_place[1]
    assert sweep(f"file://{tmp_path}/nowhere*.parquet").exit_code == 2


def test_damaged_parquet_file_is_one_error_line(sweep, rows, verdicts, tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 no table PAR1")
    rows(*rows_of(1), name="b.jsonl")
    assert sweep("a.parquet", "b.jsonl").exit_code == 1
    broken, good = verdicts()
    assert "rest of the file cannot be read" in broken["error"]
    assert good["id"] == 0


def test_json_lines_are_read_and_written_by_uri(sweep, rows, verdicts, tmp_path):
    rows(*rows_of(30), name="in/a.jsonl")
    (tmp_path / "in/b.jsonl.gz").write_bytes(gzip.compress((tmp_path / "in/a.jsonl").read_bytes()))
    uri = f"file://{tmp_path}"
    assert sweep(f"{uri}/in/", "--out", f"{uri}/out/").exit_code == 0
    assert [item["id"] for item in verdicts("out")] == [*range(30), *range(30)]
    assert sweep(f"{uri}/in/", "--out", f"{uri}/out/", "--resume").exit_code == 0
