"""The Markdown report, written for a pull request comment."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.comparison.changes import behaviour, compare
from redpen_evals.prices import ModelPrice, Prices
from redpen_evals.records import RecordedCall, ScorecardResult
from redpen_evals.reports.markdown import MAX_BYTES, quoted, render_markdown
from redpen_evals.reports.subject import Subject

TAGS = re.compile(r"</?(?:code|details|summary|sub)>|<br>")


def render(record, **more):
    return render_markdown(Subject(record, **more))


def tables(text):
    """Return the tables of a text, each as rows of cells."""
    found = []
    for block in re.split(r"\n\s*\n", text):
        rows = [line for line in block.split("\n") if line.startswith("|")]
        if rows:
            found.append([[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows])
    return found


def test_judge_costs_are_listed_separately(make_record, result):
    calls = tuple(
        RecordedCall(phase=phase, state="replayed", prompt_tokens=tokens, completion_tokens=1)
        for phase, tokens in (("draft", 1000), ("check", 200), ("judge", 30))
    )
    # Phase names identify judge calls only for Redpen's own agents.
    own = result("mailer/made", agent="mailer:write", calls=calls)
    (table,) = (
        rows
        for rows in tables(render(make_record([result(calls=calls), own])))
        if rows[0][0] == "tokens as recorded"
    )
    assert table[-1] == ["of which judges", "2", "230", "2"]
    card = ScorecardResult(name="x", measured=[], lines=[], notes=["judge:tone: cost of judging: 2 calls"])
    assert "- <code>judge:tone: cost of judging: 2 calls</code>" in render(make_record([], scorecards=[card]))


def test_all_results_that_did_not_pass_are_listed(make_record, everything):
    text = render(make_record(everything))
    assert text.startswith("### ❌ Redpen: 1 failed, 1 errored, 2 stale of 8 results\n")
    assert "**scripted, not a real model**" in text
    for name in ("failed", "errored", "stale", "missing"):
        assert f"<code>self-critique/{name}</code>" in text
    assert "<code>self-critique/revised</code>" not in text


def test_table_counts_outcomes_by_agent(make_record, everything):
    header, _, *rows = tables(render(make_record(everything)))[0]
    assert header == ["agent", "passed", "failed", "stale", "errored", "all"]
    assert rows[0] == ["<code>guarded-policy</code>", "1", "", "", "", "1"]
    assert rows[-1] == ["**all**", "**4**", "**1**", "**2**", "**1**", "**8**"]


def test_variants_and_sample_count_are_shown(make_record, samples):
    record = make_record(
        [samples.passed(), samples.variant("temperature=0.7")], variants=("", "temperature=0.7"), samples=2
    )
    text = render(record)
    assert "2 variants · 2 samples" in text
    assert [row[0] for row in tables(text)[1][2:]] == ["<code>base</code>", "<code>temperature=0.7</code>"]


def test_changes_against_baseline_are_listed(make_record, result):
    record = make_record([result(outcome="failed", reasons=("too bold",)), result("self-critique/new")])
    before = [result(), result("self-critique/away")]
    comparison = compare(
        {item.key: behaviour(item) for item in before},
        {result.key: behaviour(result) for result in record.results},
    )
    text = render(record, comparison=comparison)
    assert "Against the baseline: 1 regressed, 1 new, 1 gone." in text
    assert "| **regressed**, failed | <code>self-critique/made</code> | <code>too bold</code> |" in text
    assert "| gone | <code>self-critique/away</code> |" in text


def test_scorecards_and_costs_are_shown(make_record, samples):
    rates = {"catch": [19, 20], "false_alarms": [1, 20], "right_code": [19, 19]}
    measured = {
        "guards": "redpen",
        "recorded": True,
        "part": "families",
        "overall": rates,
        "groups": {"share": rates},
    }
    card = ScorecardResult(name="t", measured=(measured,), lines=(), breaches=("redpen: family share",))
    dear = Prices(models={"gpt-large": ModelPrice(input_usd_per_million=3000, output_usd_per_million=0)})
    text = render(make_record([samples.revised()], scorecards=[card], model="gpt-large"), prices=dear)
    assert "| <code>redpen</code> | 95.0 [76–99] | 5.0 [1–24] |" in text
    assert "<details><summary>by family</summary>" in text
    assert "under its threshold: <code>redpen: family share</code>" in text
    assert tables(text)[-1][-1][:2] == ["**all**", "3"]
    assert re.fullmatch(r"&#36;\d\.\d\d", tables(text)[-1][-1][-1])


@pytest.mark.parametrize("number", [0, 1, 3, 3000])
def test_comment_stays_within_size_limit_and_counts_omitted_rows(make_record, result, number):
    made = [
        result(f"self-critique/{'x' * 80}{at}", outcome="failed", reasons=(f"{at} {'y' * 300}",))
        for at in range(number)
    ]
    text = render(make_record(made))
    assert len(text.encode()) <= MAX_BYTES
    listed = text.count("<code>self-critique/x")
    more = re.search(r"… and (\d+) more rows", text)
    assert listed + (int(more[1]) if more else 0) == number


def test_comment_with_many_agents_and_families_stays_within_limit(make_record, result):
    rates = {"catch": [1, 2], "false_alarms": [1, 2], "right_code": [1, 1]}
    groups = {f"family {at}" * 20: rates for at in range(300)}
    measured = [
        {"guards": f"set {at}" * 50, "recorded": True, "part": "families", "overall": rates, "groups": groups}
        for at in range(30)
    ]
    card = ScorecardResult(name="t", measured=tuple(measured), lines=(), breaches=("b" * 5000,) * 100)
    made = [result(f"{'agent' * 10}{at}/s", outcome="failed") for at in range(1000)]
    text = render(make_record(made, scorecards=[card]))
    assert len(text.encode()) <= MAX_BYTES
    assert "<br>and 997 more | " in text
    assert text.count("<details>") == text.count("</details>")


def test_hostile_record_adds_no_markup(hostile_record):
    text = render(hostile_record)
    assert len(text.encode()) <= MAX_BYTES
    assert "\u202e" not in text
    assert "U+202E" in text
    left = re.sub(r"<code>[^<]*</code>", "", text)
    assert "<" not in TAGS.sub("", left)
    for table in tables(text):
        assert len({len(row) for row in table}) == 1


@given(st.text(alphabet="a |<>&`*_[](){}!#@:/$~\\^.w\n\r\u202e\ud800", max_size=40))
def test_quoted_text_contains_no_active_markdown(text):
    inner = quoted(text).removeprefix("<code>").removesuffix("</code>")
    assert not set(inner) & set("|<>`*~\\@$\n\u202e\ud800")
    assert not re.search(r"\]\(|\[\^|://|www\.|\b__?\B|!\[.*\]\(", inner)


def test_quoted_text_is_kept_and_truncated():
    assert quoted("self-critique/a_b [critique=v2] #2") == "<code>self-critique/a_b [critique=v2] #2</code>"
    assert quoted("x" * 500).count("x") == 160
    assert quoted("") == quoted(" ") == ""
