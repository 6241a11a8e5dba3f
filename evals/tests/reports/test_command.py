"""The ``redpen report`` command."""

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.comparison.baseline import Baseline, baseline_path, save_baseline
from redpen_evals.comparison.changes import behaviour


@pytest.fixture
def project(tmp_path, monkeypatch, make_record, result):
    """Give a folder with two run records, and a function that runs the command in it."""
    runs = tmp_path / "project" / ".redpen" / "runs"
    runs.mkdir(parents=True)
    ids = "20260101-000000-aaaa", "20260102-000000-bbbb"
    first = make_record([result(answer="Old.")], id=ids[0], number=1)
    second = make_record(
        [result(answer="New."), result("self-critique/b", outcome="failed")], id=ids[1], number=2
    )
    for name, record in zip(ids, (first, second), strict=True):
        record.path.rename(runs / f"{name}.jsonl")
    monkeypatch.chdir(tmp_path / "project")

    def run(*arguments, scenarios="scenarios"):
        return CliRunner().invoke(main, ["--scenarios", str(scenarios), "report", *arguments])

    return run


def text(name):
    with open(name, encoding="utf-8") as file:  # noqa: PTH123 - relative to the project
        return file.read()


def test_default_report_is_html_page_of_last_run(project):
    done = project()
    assert (done.exit_code, done.output) == (0, ".redpen/report.html\n")
    assert "1 failed of 2 results" in text(".redpen/report.html")


def test_named_run_is_written_in_several_formats(project):
    done = project("last-1", "-o", "a.md", "-o", "out/b.json")
    assert (done.exit_code, done.output) == (0, "a.md\nout/b.json\n")
    assert "The one result passed" in text("a.md")


def test_against_compares_with_another_run(project):
    assert project("-o", "a.md", "--against", "last-1").exit_code == 0
    assert "Against <code>run 20260101-000000-aaaa</code>: 1 changed, 1 new." in text("a.md")


def test_run_is_compared_with_baseline_when_present(project, tmp_path, result):
    folder = tmp_path / "project" / "baseline"
    accepted = [result(), result("self-critique/b"), result("self-critique/not-run")]
    save_baseline(
        baseline_path(folder, "scripted"),
        Baseline(model="scripted", accepted={item.key: behaviour(item) for item in accepted}),
    )
    assert project("-o", "a.md").exit_code == 0
    assert "Against the baseline: 1 regressed, 1 changed." in text("a.md")


def test_baseline_entry_absent_from_library_counts_as_gone(project, tmp_path, result, library):
    library.add("self-critique/not-run", library.self_critique())
    accepted = [result("self-critique/not-run"), result("self-critique/away")]
    folder = tmp_path / "project" / "baseline"
    save_baseline(
        baseline_path(folder, "scripted"),
        Baseline(model="scripted", accepted={item.key: behaviour(item) for item in accepted}),
    )
    done = project("-o", "a.md", scenarios=library.layout.scenarios)
    assert done.exit_code == 0
    assert "Against the baseline: 2 new, 1 gone." in text("a.md")


def test_price_table_adds_costs(project, tmp_path, make_record, result):
    call = {"phase": "draft", "state": "replayed", "prompt_tokens": 10, "completion_tokens": 5}
    record = make_record([result(calls=(call,))], model="gpt-large")
    assert project(str(record.path), "-o", "b.md").exit_code == 0
    assert "No price for <code>gpt-large</code>" in text("b.md")
    table = tmp_path / "project" / "prices.toml"
    table.write_text('[models."gpt-large"]\ninput_usd_per_million = 1e6\noutput_usd_per_million = 2e5\n')
    assert project(str(record.path), "-o", "a.md").exit_code == 0
    assert "| 10 | 5 | &#36;11.00 |" in text("a.md")
    table.write_text("[models\n")
    assert "prices.toml:1: " in project("-o", "a.md").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "no run record 'nope'"),
        (["-o", "a.txt"], "a.txt: no report has the suffix '.txt'"),
        (["--against", "last-7"], "none for 'last-7'"),
    ],
)
def test_invalid_argument_exits_2_with_reason(project, arguments, message):
    done = project(*arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_killed_run_warns_on_stderr(project, make_record, result):
    killed = make_record([result()], ended=False)
    done = project(str(killed.path), "-o", "a.json")
    assert "the run did not end" in done.stderr
    assert done.stdout == "a.json\n"
