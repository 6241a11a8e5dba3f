"""Conversations, diffs, variants side by side and run history on the HTML page."""

from __future__ import annotations

import dataclasses
import re
from contextlib import closing

import pytest

from redpen_evals.records import RecordWriter, RunEnd, RunStart
from redpen_evals.records.places import RunFolder
from redpen_evals.reports import Subject, write_report
from redpen_evals.reports.history import read_histories
from redpen_evals.reports.transcripts import Transcripts


@pytest.fixture
def page(tmp_path):
    """Give a function that writes a page and returns its text without tags."""

    def write(record, **more):
        path = tmp_path / "page.html"
        write_report(Subject(record, **more), path)
        text = re.sub(r"<(style|script)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))

    return write


def test_transcript_has_messages_answers_and_facts(samples, make_record):
    result = samples.revised()
    record = make_record([result])
    transcript = Transcripts(samples.stock.layout, record).of(result)
    assert transcript.note == ""
    assert [exchange.phase for exchange in transcript.exchanges] == [call.phase for call in result.calls]
    first = transcript.exchanges[0]
    assert [message.role for message in first.asked] == ["system", "user"]
    assert "Checkout" in first.answer.text
    assert '"region": "US"' in transcript.facts


def test_transcript_is_omitted_when_cassette_changed_since_run(samples, make_record):
    result = samples.passed()
    changed = result.calls[0].model_copy(update={"prompt_tokens": 1})
    other = result.model_copy(update={"calls": (changed, *result.calls[1:])})
    transcripts = Transcripts(samples.stock.layout, make_record([other]))
    assert transcripts.of(other).exchanges == ()
    assert "deleted or replaced" in transcripts.of(other).note
    samples.stock.cassette(result.scenario).unlink()
    assert transcripts.of(result).exchanges == ()


def test_page_shows_conversation_and_expected_diff_with_layout(samples, make_record, page):
    text = page(make_record([samples.failed()]), layout=samples.stock.layout)
    assert "Conversation" in text
    assert "Facts that the guards read" in text
    assert "Expected → got" in text
    assert "in all texts" in text
    plain = page(make_record([samples.passed("self-critique/other")]))
    assert "Conversation" not in plain


def test_variants_are_shown_side_by_side(samples, make_record, page):
    base = samples.passed()
    other = base.model_copy(update={"variant": "critique=v2", "answer": f"{base.answer} More words."})
    text = page(make_record([base, other], variants=("", "critique=v2")))
    assert "Variants side by side" in text
    assert "Variants side by side" not in page(make_record([base]))


def test_hostile_conversation_is_escaped(samples, make_record, tmp_path):
    hostile = "<script>alert(1)</script>\u202e"
    result = samples.passed(goal=f"Tell customers {hostile}")
    path = tmp_path / "page.html"
    write_report(Subject(make_record([result]), layout=samples.stock.layout), path)
    text = path.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text
    assert "\u202e" not in text


class TestHistory:
    @pytest.fixture
    def folder(self, tmp_path):
        return RunFolder(path=tmp_path / "runs")

    @pytest.fixture
    def write(self, folder):
        def write(number, result, model="scripted"):
            start = RunStart(
                id=f"20260101-0000{number:02}-x",
                number=number,
                started=f"2026-01-01T00:00:{number:02}Z",
                model=model,
                record="none",
                samples=1,
                variants=("",),
                prompts={},
                versions={},
            )
            with closing(RecordWriter(folder.file(start.id))) as writer:
                for line in (start, result, RunEnd(exit_code=0, duration_s=1, counts={"passed": 1})):
                    writer.write(line)

        return write

    def test_history_holds_last_twenty_runs_and_last_change(self, samples, make_record, folder, write, page):
        result = samples.passed()
        old = result.model_copy(update={"answer": "Another answer."})
        for number in range(1, 26):
            write(number, old if number < 15 else result)
        write(26, old, model="gpt")
        record = make_record([result])
        found = read_histories(record, folder)[result.key]
        assert len(found) == 20
        assert [run.run for run in found if run.changed] == ["20260101-000015-x"]
        assert found[-1].run == record.start.id
        text = page(record, runs=folder)
        assert "Last 20 runs" in text
        assert "last changed in run 20260101-000015-x" in text

    def test_stale_runs_and_truncated_records_are_no_change(self, samples, make_record, folder, write):
        result = samples.passed()
        write(1, result)
        write(2, result.model_copy(update={"outcome": "stale", "answer": None}))
        with folder.file("20260101-000002-x").open("a", encoding="utf-8") as file:
            file.write('{"type":"result","scena')
        found = read_histories(make_record([result]), folder)[result.key]
        assert [run.outcome for run in found] == ["passed", "stale", "passed"]
        assert not any(run.changed for run in found)

    def test_later_runs_are_not_in_history(self, samples, make_record, folder, write):
        result = samples.passed()
        for number in (1, 2, 3):
            write(number, result)
        record = make_record([result])
        record = dataclasses.replace(
            record, start=record.start.model_copy(update={"id": "20260101-000002-x"})
        )
        assert len(read_histories(record, folder)[result.key]) == 2
