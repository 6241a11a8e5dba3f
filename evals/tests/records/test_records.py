"""Run records: writing, reading, damaged files, and the folder of runs."""

from __future__ import annotations

import json
import os
import resource
from contextlib import closing

import pytest

from redpen.text.json_values import MAX_INTEGER_DIGITS
from redpen_evals.records import (
    RecordedCall,
    RecordedPrompt,
    RecordError,
    RecordWriter,
    RunEnd,
    RunStart,
    ScenarioResult,
    read_record,
)
from redpen_evals.records.places import RunFolder

START = RunStart(
    id="r1",
    started="2026-03-06T10:00:00Z",
    model="scripted",
    record="none",
    samples=1,
    variants=("",),
    prompts={"": {"draft": "abc"}},
    versions={"redpen": "0.1.0"},
)
PROMPT = RecordedPrompt(hash="abc", name="draft", phase="draft", version="v1", text="Write.")
RESULT = ScenarioResult(
    scenario="reflection/one",
    agent="reflection",
    outcome="failed",
    reasons=("answer: expected a, got b\nmore",),
    answer="Die Störung \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    calls=(
        RecordedCall(phase="draft", state="replayed", prompt_tokens=10, completion_tokens=2),
        RecordedCall(phase="review", state="replayed"),
    ),
)
END = RunEnd(exit_code=1, duration_s=0.5, counts={"passed": 0, "failed": 1, "stale": 0, "errored": 0})


def _write_run(folder, name, **changes):
    _write(folder / f"{name}.jsonl", START.model_copy(update={"id": name, **changes}))


def _write(path, *lines):
    with closing(RecordWriter(path)) as writer:
        for line in lines:
            writer.write(line)
    return path


def test_record_round_trips(tmp_path):
    record = read_record(_write(tmp_path / "runs" / "r1.jsonl", START, PROMPT, RESULT, END))
    assert (record.start, record.end) == (START, END)
    assert record.results == (RESULT,)
    assert record.prompts == {"abc": PROMPT}
    assert record.warnings == ()


def test_largest_integer_round_trips(tmp_path):
    detail = {"trace": [{"max_recipients": int("9" * MAX_INTEGER_DIGITS)}]}
    result = RESULT.model_copy(update={"detail": detail})
    assert read_record(_write(tmp_path / "r1.jsonl", START, result, END)).results == (result,)


def test_results_are_sorted_regardless_of_write_order(tmp_path):
    last = RESULT.model_copy(update={"scenario": "reflection/two"})
    second = RESULT.model_copy(update={"sample": 2})
    record = read_record(_write(tmp_path / "r1.jsonl", START, last, second, RESULT, END))
    assert record.results == (RESULT, second, last)


def test_each_line_is_flushed_when_written(tmp_path):
    with closing(RecordWriter(tmp_path / "r1.jsonl")) as writer:
        writer.write(START)
        writer.write(RESULT)
        assert read_record(writer.path).results == (RESULT,)


def test_record_without_end_is_read_with_warning(tmp_path):
    path = _write(tmp_path / "r1.jsonl", START, RESULT)
    record = read_record(path)
    assert record.end is None
    assert "did not end; it holds 1 result" in record.warnings[0]


def test_truncated_last_line_is_skipped_with_warning(tmp_path):
    path = _write(tmp_path / "r1.jsonl", START, RESULT)
    with path.open("ab") as file:
        file.write(RESULT.model_copy(update={"scenario": "x/y"}).model_dump_json()[:80].encode())
    before = path.read_bytes()
    record = read_record(path)
    assert record.results == (RESULT,)
    assert record.warnings[0] == f"{path}:3: the last line is cut off and left out"
    assert path.read_bytes() == before


def test_last_result_of_a_scenario_is_used(tmp_path):
    again = RESULT.model_copy(update={"outcome": "passed"})
    assert read_record(_write(tmp_path / "r1.jsonl", START, RESULT, again)).results == (again,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty: the run was killed before it began"),
        (b"hello\n", ":1: is not a run record"),
        (b'{"a": 1}\n', "its first line has no `redpen_record`"),
        (RESULT.model_dump_json().encode() + b"\n", "its first line does not start a run"),
        (
            b'{"type": "start", "redpen_record": 7}\n',
            "is of record version 7, this Redpen reads 1; run again",
        ),
        (
            START.model_dump_json().encode() + b"\n{]\n" + END.model_dump_json().encode() + b"\n",
            ":2: is not valid JSON",
        ),
        (START.model_dump_json().encode() + b'\n{"type": "result"}\n', ":2: result.scenario: Field required"),
        (2 * (START.model_dump_json().encode() + b"\n"), ":2: a second run starts here"),
        (b"\xff\xfe\n", ":1: is not a run record"),
    ],
)
def test_invalid_record_is_refused_with_line(tmp_path, content, message):
    path = tmp_path / "r1.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert message in str(caught.value)
    assert path.read_bytes() == content


def test_existing_record_is_not_overwritten(tmp_path):
    path = _write(tmp_path / "r1.jsonl", START)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="never overwritten"):
        RecordWriter(path)
    assert path.read_bytes() == before


def test_no_line_is_written_after_a_partial_one(tmp_path):
    path = tmp_path / "r1.jsonl"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(RecordWriter(path)) as writer:
        writer.write(START)
        whole = path.stat().st_size
        # The disk is full after ten more bytes and has room again later.
        resource.setrlimit(resource.RLIMIT_FSIZE, (whole + 10, before[1]))
        try:
            with pytest.raises(RecordError, match=r"r1\.jsonl: cannot be written"):
                writer.write(RESULT)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        with pytest.raises(RecordError, match=r"r1\.jsonl: cannot be written"):
            writer.write(RESULT)
    assert path.stat().st_size == whole + 10
    assert read_record(path).results == ()


def test_result_has_token_counts_and_display_name():
    assert (RESULT.prompt_tokens, RESULT.completion_tokens, RESULT.tokens) == (10, 2, 12)
    assert RESULT.shown == "reflection/one"
    second = RESULT.model_copy(update={"variant": "critique=v2", "sample": 2})
    assert second.shown == "reflection/one [critique=v2] #2"
    assert RESULT.summary == "answer: expected a, got b"
    assert RESULT.text == "reflection/one: failed\n  answer: expected a, got b\n  more"


class TestFolder:
    @pytest.fixture
    def runs(self, tmp_path):
        for number, name in enumerate(("20260101-000000-aaaa", "20260102-000000-bbbb"), start=1):
            _write_run(tmp_path, name, number=number)
        return RunFolder(path=tmp_path)

    @pytest.mark.parametrize(
        ("name", "stem"),
        [
            ("last", "20260102-000000-bbbb"),
            ("last-1", "20260101-000000-aaaa"),
            ("20260101-000000-aaaa", "20260101-000000-aaaa"),
        ],
    )
    def test_find_resolves_name_to_record(self, runs, name, stem):
        assert runs.find(name).stem == stem
        assert runs.find(str(runs.find(name))) == runs.find(name)

    def test_find_of_missing_record_raises_with_suggestion(self, runs):
        with pytest.raises(RecordError, match="did you mean `20260101-000000-aaaa`"):
            runs.find("20260101-000000-aaab")
        with pytest.raises(RecordError, match="holds 2 run records, none for 'last-2'"):
            runs.find("last-2")

    def test_delete_old_removes_oldest_records(self, runs):
        runs.delete_old(kept=1)
        assert [path.stem for path in runs.files()] == ["20260102-000000-bbbb"]

    def test_copy_under_another_name_is_no_run(self, runs, tmp_path):
        copied = tmp_path / "before-change.jsonl"
        copied.write_bytes(runs.find("last-1").read_bytes())
        assert runs.find("last").stem == "20260102-000000-bbbb"
        runs.delete_old(kept=0)
        assert [path.name for path in tmp_path.iterdir()] == ["before-change.jsonl"]

    def test_run_started_under_a_clock_that_went_back_is_the_last(self, runs, tmp_path):
        early = {"number": runs.next_number(), "started": "2020-01-01T00:00:00Z"}
        _write_run(tmp_path, "20200101-000000-cccc", **early)
        assert runs.find("last").stem == "20200101-000000-cccc"
        runs.delete_old(kept=1)
        assert [path.stem for path in runs.files()] == ["20200101-000000-cccc"]

    def test_runs_without_a_number_are_ordered_by_their_start(self, tmp_path):
        _write_run(tmp_path, "z", number=0, started="2026-01-01T00:00:00Z")
        _write_run(tmp_path, "a", number=0, started="2026-01-02T00:00:00Z")
        assert [path.stem for path in RunFolder(path=tmp_path).files()] == ["z", "a"]

    def test_foreign_files_and_links_are_never_removed(self, runs, tmp_path):
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        _write_run(folder, "20250101-000000-dddd", number=1)
        (tmp_path / "data.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
        (tmp_path / "20250101-000000-dddd.jsonl").symlink_to(folder / "20250101-000000-dddd.jsonl")
        runs.delete_old(kept=0)
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "20250101-000000-dddd.jsonl",
            "data.jsonl",
            "elsewhere",
        ]
        assert list(folder.iterdir()) != []


def test_result_line_has_no_time_or_duration():
    line = json.loads(RESULT.model_dump_json())
    assert not {"duration_s", "started"} & line.keys()
    # The run id is random and set only if events are stored.
    assert line["run_id"] == ""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[" * 129 + "]" * 129, "nested too deep"),
        ("9" * 5_000, "out of range"),
        ("[" + "1," * 200_000 + "1]", "more than 200,000 values"),
    ],
)
def test_malicious_record_line_is_refused(tmp_path, value, message):
    line = RESULT.model_dump_json().replace('"detail":{', f'"detail":{{"odd": {value}')
    path = tmp_path / "r1.jsonl"
    path.write_text(f"{START.model_dump_json()}\n{line}\n", encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert str(caught.value).startswith(f"{path}:2: is not valid JSON; restore the file, or run again (")
    assert message in str(caught.value)


def test_folders_and_pipes_are_no_records(tmp_path):
    for number, name in enumerate(("20251231-000000-0000", "20260101-000000-aaaa"), start=1):
        _write_run(tmp_path, name, number=number)
    (tmp_path / "20260102-000000-bbbb.jsonl").mkdir()
    os.mkfifo(tmp_path / "20260103-000000-cccc.jsonl")
    runs = RunFolder(path=tmp_path)
    assert runs.find("last").stem == "20260101-000000-aaaa"
    runs.delete_old(kept=1)
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(RecordError, match="cannot be read: it is a pipe, not a plain file"):
        read_record(tmp_path / "20260103-000000-cccc.jsonl")


@pytest.mark.parametrize("name", ["x" * 5_000, "last-" + "9" * 5_000, "last-\u0661"])
def test_overlong_record_name_is_refused_with_short_error(tmp_path, name):
    with pytest.raises(RecordError, match="no run record ") as caught:
        RunFolder(path=tmp_path).find(name)
    assert len(str(caught.value)) < 500
