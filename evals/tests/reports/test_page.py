"""The HTML report, checked with an HTML parser."""

import base64
import hashlib
import os
import re
import sys
import zlib

import pytest

from redpen_evals import second_process
from redpen_evals.comparison.changes import behaviour, compare
from redpen_evals.prices import Prices
from redpen_evals.records import RecordedPrompt, ScorecardResult
from redpen_evals.reports.page import STATIC_OF_MORE, STATIC_RESULTS, render_page
from redpen_evals.reports.subject import Subject
from redpen_evals.reports.templating import run_anchor, scenario_anchor
from redpen_evals.second_process import SecondProcess

RATES = {"catch": [19, 20], "false_alarms": [1, 20], "right_code": [19, 19]}
CARD = ScorecardResult(
    name="t",
    measured=(
        {
            "guards": "redpen",
            "recorded": True,
            "part": "families",
            "overall": RATES,
            "groups": {"share": RATES},
        },
    ),
    lines=("the table as text",),
    breaches=("share fell",),
)


def content(record, **more):
    return "".join(render_page(Subject(record, **more)))


@pytest.fixture
def page(parse):
    return lambda record, **more: parse(content(record, **more))


@pytest.fixture(scope="session")
def before():
    return lambda results: {result.key: behaviour(result) for result in results}


class TestOverview:
    def test_overview_shows_facts_and_counts(self, page, make_record, everything):
        shown = page(make_record(everything))
        assert shown.elements("h1")[0].text == "1 failed, 1 errored, 2 stale of 8 results"
        overview = shown.by_id("overview").text
        assert "scripted, not a real model" in overview
        assert "self-critique 3 1 2 1 7" in overview
        assert "guarded-policy 1 0 0 0 1" in overview
        assert "everything was replayed" in overview
        assert "redpen 1.0" in overview

    def test_overview_names_real_model(self, page, make_record, result):
        shown = page(make_record([result()], model="gpt-large"))
        assert "model gpt-large" in shown.text
        assert "not a real model" not in shown.text

    def test_page_says_when_run_did_not_end(self, page, make_record, result):
        assert "the run did not end; it holds 1 result" in page(make_record([result()], ended=False)).text

    def test_empty_run_renders(self, page, make_record):
        assert "No scenario ran" in page(make_record([])).text


class TestMatrix:
    def test_cell_counts_passed_samples(self, page, make_record, result):
        made = [result(sample=at, outcome="failed" if at == 2 else "passed") for at in (1, 2, 3)]
        made += [
            result(variant="critique=v2", sample=1),
            result(variant="critique=v2", sample=2, outcome="stale"),
        ]
        shown = page(make_record(made, variants=("", "critique=v2"), samples=3))
        summary = shown.elements("summary", class_="grid")[0].text
        assert "base 2/3" in summary
        assert "critique=v2 1/2 1 stale" in summary
        assert "base 2 1 0 0 3 66.7 %" in shown.by_id("overview").text

    def test_cell_is_dash_when_variant_did_not_run_scenario(self, page, make_record, result):
        made = [result(), result("self-critique/other", variant="critique=v2")]
        shown = page(make_record(made, variants=("", "critique=v2")))
        assert "base passed critique=v2 –" in shown.elements("summary", class_="grid")[0].text

    def test_row_has_filter_attributes(self, page, make_record, result):
        made = [result(tags=("base", "two words"), outcome="failed"), result(sample=2)]
        row = page(make_record(made)).elements("details", class_="row")[0]
        assert row.attributes["data-agent"] == "self-critique"
        assert row.attributes["data-outcome"] == "failed passed"
        assert row.attributes["data-tags"] == "base\ntwo words"

    def test_changes_are_in_row_overview_and_attention(self, page, make_record, result, before):
        record = make_record([result(outcome="failed", reasons=("too bold",)), result("self-critique/same")])
        accepted = [result(answer="Text."), result("self-critique/same"), result("self-critique/away")]
        comparison = compare(before(accepted), before(record.results))
        shown = page(record, comparison=comparison)
        rows = {row.attributes["id"]: row.attributes for row in shown.elements("details", class_="row")}
        assert rows["self-critique/made"]["data-kind"] == "regressed"
        assert "data-kind" not in rows["self-critique/same"]
        assert "1 regressed 1 gone" in shown.by_id("overview").text
        assert "failed regressed too bold self-critique/made" in shown.by_id("attention").text
        assert "gone self-critique/away" in shown.by_id("attention").text

    def test_results_with_same_reason_share_one_attention_entry(self, page, make_record, result):
        made = [
            result(f"self-critique/s{at}", outcome="stale", reasons=("prompt changed",)) for at in range(9)
        ]
        attention = page(make_record(made)).by_id("attention").text
        assert attention.count("prompt changed") == 1
        assert "9 ×" in attention
        assert "and 6 more" in attention


class TestRuns:
    def test_revision_is_shown_with_marked_ungrounded_claims(self, make_record, samples):
        record = make_record([samples.revised()])
        row = content(record)
        assert "<del>" in row
        assert '<mark class="m-ungrounded">will definitely</mark>' in row
        assert "ungrounded <code>restricted_claims</code>" in re.sub(r"</?span[^>]*>", "", row)

    def test_steps_show_calls_and_tokens(self, page, make_record, samples):
        result = samples.revised()
        shown = page(make_record([result])).by_id("self-critique/revised").text
        first = result.calls[0]
        assert f"draft call 1, replayed, {first.prompt_tokens} + {first.completion_tokens} tokens" in shown
        assert "required changes" in shown
        assert "ms as recorded" not in shown

    def test_recorded_latency_is_shown(self, page, make_record, samples):
        result = samples.revised()
        calls = tuple(call.model_copy(update={"latency_ms": 1234.5}) for call in result.calls)
        record = make_record([result.model_copy(update={"calls": calls})])
        assert "1,234 ms as recorded" in page(record).by_id("self-critique/revised").text

    def test_row_not_passed_shows_reason_and_repair_command(self, page, make_record, samples):
        result = samples.stale()
        row = page(make_record([result])).by_id("self-critique/stale")
        assert result.reasons[0].splitlines()[0] in row.text
        assert result.command in row.text
        assert "<button type=button class=copy hidden>" in row.inner

    def test_stale_call_shows_changed_text(self, page, make_record, samples):
        result = samples.stale()
        row = page(make_record([result])).by_id("self-critique/stale")
        assert result.stale.calls[0].what in row.text
        assert "<ins>" in row.inner

    def test_rewording_is_shown_as_diff_against_baseline(self, page, make_record, result, before):
        record = make_record([result(status="ok", answer="All works again.")])
        comparison = compare(
            before([result(status="ok", answer="Some works again.")]), before(record.results)
        )
        row = page(record, comparison=comparison).by_id("self-critique/made")
        assert "Against the baseline: changed, wording" in row.text
        assert "<del>Some</del><ins>All</ins> works again." in row.inner

    def test_each_run_of_scenario_has_own_element(self, page, make_record, result):
        made = [result(), result(sample=2, outcome="failed"), result(variant="critique=v2")]
        shown = page(make_record(made, variants=("", "critique=v2"), samples=2))
        runs = {
            run.attributes["id"]: "open" in run.attributes for run in shown.elements("details", class_="run")
        }
        assert runs == {
            "self-critique/made:base~1": False,
            "self-critique/made:base~2": True,
            "self-critique/made:critique=v2~1": False,
        }


class TestOtherSections:
    def test_scorecard_shows_rates_and_intervals(self, page, make_record):
        shown = page(make_record([], scorecards=[CARD])).by_id("scorecard")
        assert "95.0 76–99 19/20" in shown.text
        assert "share fell" in shown.text
        assert "the table as text" in shown.text
        assert '<td class="h2">' in shown.inner

    def test_prompts_of_built_in_agents_are_left_out_where_none_ran(self, page, make_record, result):
        prompt = RecordedPrompt(hash="a" * 12, name="draft", phase="draft", version="v1", text="Write it.")
        used = {"": {"draft": prompt.hash}}
        shown = {
            agent: "Every prompt text that was used"
            in page(make_record([result(agent=agent)], prompts=[prompt], used=used)).text
            for agent in ("reflection", "support.mailer:write")
        }
        assert shown == {"reflection": True, "support.mailer:write": False}

    def test_prompts_are_listed_and_diffed(self, page, make_record):
        old = RecordedPrompt(hash="a" * 12, name="draft", phase="draft", version="v1", text="Write it.")
        new = RecordedPrompt(hash="b" * 12, name="draft", phase="draft", version="v2", text="Write it now.")
        used = {"": {"draft": old.hash}, "draft=v2": {"draft": new.hash}}
        shown = page(make_record([], variants=tuple(used), prompts=[old, new], used=used)).by_id("prompts")
        assert "draft: base, v1 → draft=v2, v2" in shown.text
        assert "Write it<ins> now</ins>." in shown.inner
        assert "aaaaaaaaaaaa" in shown.text

    def test_costs_are_shown_by_scenario_and_in_total(self, page, make_record, samples):
        class Table(Prices):
            def cost_usd(self, _model, prompt_tokens, completion_tokens):
                return (prompt_tokens + completion_tokens) // 1_000_000 + 3

        shown = page(make_record([samples.revised()]), prices=Table())
        assert "$3.00" in shown.by_id("cost").text
        assert "$3.00" in shown.by_id("self-critique/revised").text

    def test_missing_price_is_reported(self, page, make_record, samples):
        class Table(Prices):
            def cost_usd(self, *_):
                return None

        assert "No price for scripted." in page(make_record([samples.revised()]), prices=Table()).text


class TestSafety:
    def test_content_policy_allows_only_own_style_and_script(self, page, make_record, everything):
        shown = page(make_record(everything))
        (policy,) = [given["content"] for tag, given in shown.tags if given.get("http-equiv")]
        directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert directives["default-src"] == directives["base-uri"] == directives["form-action"] == "'none'"
        for tag, directive in (("style", "style-src"), ("script", "script-src")):
            (element,) = shown.elements(tag)
            digest = base64.b64encode(hashlib.sha256(element.inner.encode()).digest()).decode()
            assert directives[directive] == f"'sha256-{digest}'"

    def test_page_references_no_external_resource(self, page, make_record, everything):
        for tag, given in page(make_record(everything)).tags:
            assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
            assert not given.keys() & {"src", "srcset", "action", "style"}
            assert given.get("href", "#").startswith("#")
            assert not [name for name in given if name.startswith("on")]

    def test_hostile_text_neither_opens_nor_closes_elements(self, page, hostile_record):
        shown = page(hostile_record)
        assert not {tag for tag, _ in shown.tags} & {"img", "iframe", "object"}
        assert len(shown.elements("script")) == len(shown.elements("style")) == 1
        assert "U+202E" in shown.text
        for char in "\u202e\x00\x07\x1b\u200b":
            assert char not in shown.content
        assert "{{ 7*7 }}" in shown.text
        assert shown.content.encode().count(b"</html>") == 1

    def test_hostile_names_have_unique_anchors(self, page, hostile_record, hostile_text):
        ids = [given["id"] for _, given in page(hostile_record).tags if "id" in given]
        assert len(ids) == len(set(ids))
        assert scenario_anchor(hostile_text) in ids
        assert scenario_anchor("overview") != "overview"

    @pytest.mark.parametrize("name", ["", "a b", "a#b/c", "a/b:c~1", "ü/x", "../..", "a/b\n", "\ud800/x"])
    def test_anchor_needs_no_escaping(self, name):
        assert re.fullmatch(r"[A-Za-z0-9_./=,+-]+", scenario_anchor(name))
        assert run_anchor(name, name, 2).count(":") == 1

    def test_every_link_has_existing_target(self, page, make_record, everything):
        shown = page(make_record(everything, scorecards=[CARD]))
        ids = {given.get("id") for _, given in shown.tags}
        assert {given["href"][1:] for tag, given in shown.tags if tag == "a"} <= ids


class TestManyResults:
    def test_results_up_to_static_limit_are_not_packed(self, make_record, bulk):
        text = content(make_record(list(bulk(STATIC_RESULTS))))
        assert "data-pack" not in text
        assert text.count("<h4>Steps</h4>") == STATIC_RESULTS

    def test_only_passed_results_are_packed_above_static_limit(self, page, make_record, bulk):
        shown = page(make_record(list(bulk(STATIC_RESULTS + 200))))
        rows = [given for _, given in shown.tags if given.get("class") == "row"]
        assert len(rows) == STATIC_RESULTS + 200
        for row in rows:
            assert ("data-pack" in row) == (row["data-outcome"] == "passed")
        packed = [row for row in rows if "data-pack" in row]
        scripts = shown.elements("script", type="application/octet-stream")
        packs = [zlib.decompress(base64.b64decode(script.inner)).decode("utf-8") for script in scripts]
        assert sum(pack.count("<h4>Steps</h4>") for pack in packs) == len(packed) == 1080
        pack, place = map(int, packed[-1]["data-pack"].split(":"))
        assert packs[pack].split("<div class=body>")[place + 1].count(packed[-1]["id"]) >= 1

    def test_failed_results_are_packed_too_when_too_many(self, make_record, bulk):
        failed = [item.model_copy(update={"outcome": "failed"}) for item in bulk(STATIC_RESULTS + 200)]
        text = content(make_record(failed))
        assert text.count("<details class=row") - text.count(" data-pack=") == STATIC_OF_MORE

    @pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux")
    @pytest.mark.parametrize("is_lost", [False, True])
    def test_second_process_makes_no_difference(self, make_record, bulk, monkeypatch, is_lost):
        record = make_record(list(bulk(120)))
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
        alone = content(record)
        taken = []

        def take(process, original=SecondProcess.take):
            taken.append(None if is_lost else original(process))
            return taken[-1]

        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        monkeypatch.setattr(second_process, "_is_unsafe", lambda: False)
        monkeypatch.setattr(SecondProcess, "take", take)
        assert content(record) == alone
        assert [item and len(item) for item in taken] == [None if is_lost else 60]


def test_page_is_deterministic(make_record, everything):
    record = make_record(everything)
    assert content(record) == content(record)
