"""Writing reports to files."""

import json

import pytest

from redpen_evals.prices import Prices
from redpen_evals.reports import SUFFIXES, ReportError, Subject, write_report


@pytest.mark.parametrize(
    ("name", "start"),
    [("r.html", "<!doctype html>"), ("r.md", "### "), ("r.json", "{"), ("R.HTML", "<!doctype")],
)
def test_suffix_selects_format(tmp_path, make_record, result, name, start):
    path = tmp_path / "deep" / name
    write_report(Subject(make_record([result()])), path)
    assert path.read_text(encoding="utf-8").startswith(start)
    assert [item.name for item in path.parent.iterdir()] == [name]


@pytest.mark.parametrize("name", ["report.htm", "report", "report.pdf", ".html"])
def test_unknown_suffix_is_refused_with_known_suffixes(tmp_path, make_record, result, name):
    with pytest.raises(ReportError) as caught:
        write_report(Subject(make_record([result()])), tmp_path / name)
    assert all(suffix in str(caught.value) for suffix in SUFFIXES)
    assert not (tmp_path / name).exists()


def test_unknown_suffix_error_suggests_nearest(tmp_path, make_record, result):
    with pytest.raises(ReportError, match=r"did you mean `\.html`"):
        write_report(Subject(make_record([result()])), tmp_path / "report.htm")


def test_unwritable_file_is_named_in_error(tmp_path, make_record, result):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ReportError, match=r"file/report\.md: cannot be written"):
        write_report(Subject(make_record([result()])), tmp_path / "file" / "report.md")


def test_existing_report_is_kept_when_rendering_fails(tmp_path, make_record, result):
    class Table(Prices):
        def cost_usd(self, *_):
            raise RuntimeError("in the middle of it")

    path = tmp_path / "report.html"
    write_report(Subject(make_record([result()])), path)
    before = path.read_bytes()
    called = result(calls=({"phase": "draft", "state": "replayed", "prompt_tokens": 1},))
    with pytest.raises(RuntimeError):
        write_report(Subject(make_record([called]), prices=Table()), path)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.glob("report*")] == ["report.html"]


def test_hostile_record_is_written_in_every_format(tmp_path, hostile_record):
    for suffix in SUFFIXES:
        path = tmp_path / f"report{suffix}"
        write_report(Subject(hostile_record), path)
        assert path.read_bytes().decode("utf-8")
    assert json.loads((tmp_path / "report.json").read_text())
