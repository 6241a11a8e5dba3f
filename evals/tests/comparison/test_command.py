"""The commands `redpen compare` and `redpen baseline`: output, files and exit codes."""

from __future__ import annotations

import json

import pytest

from redpen_evals.comparison.baseline import baseline_path, read_baseline

FIRST, SECOND = "20260101-000000-aaaa", "20260102-000000-bbbb"
OLD_PROMPT = ("", "critique", "v1", "Judge the draft strictly.")
NEW_PROMPT = ("", "critique", "v2", "Judge the draft kindly.")


@pytest.fixture
def compared(project):
    """Give a project with two runs: one regression, one new wording, the rest the same."""
    names = [f"self-critique/s{number:02}" for number in range(12)]
    project.add_scenario(*names)
    before = [project.result(name) for name in names]
    after = list(before)
    after[3] = project.result(names[3], outcome="failed", violations=["new_region"], broken=["cap_holds"])
    after[7] = project.result(names[7], answer="Checkout is degraded. We | fix it.")
    project.write_run(FIRST, before, prompts=[OLD_PROMPT])
    project.write_run(SECOND, after, prompts=[NEW_PROMPT])
    return project


class TestCompare:
    def test_regression_exits_1_with_full_report(self, compared):
        done = compared.redpen("compare", "last-1", "last")
        assert (done.exit_code, done.stderr) == (1, "")
        assert done.stdout.splitlines() == [
            "   name    run                   started               model     results",
            f"A  last-1  {FIRST}  2026-03-06T12:00:00Z  scripted       12",
            f"B  last    {SECOND}  2026-03-06T12:00:00Z  scripted       12",
            "same 10, changed 1 (wording 1), regressed 1",
            "",
            "prompts that differ",
            "prompt    version",
            "critique  v1 → v2",
            "    Judge the draft [-strictly-] {+kindly+}.",
            "",
            "12 scenarios judged on both sides",
            "          B passed  B failed",
            "A passed        11         1",
            "A failed         0         0",
            (
                "McNemar's exact test: too few to tell: 1 of 12 pairs differ, "
                "and fewer than 6 never give p < 0.05"
            ),
            "",
            "mean per scenario",
            "              scenarios      A      B     difference  conclusion",
            "tokens               12  240.0  240.0  +0.0 (+0.0 %)  none differs",
            "calls                12    2.0    2.0  +0.0 (+0.0 %)  none differs",
            ("answer chars         12   35.0   34.9  -0.1 (-0.2 %)  too few to tell: 1 differ, under 6"),
            "",
            "changes",
            "class      scenario           violations   broken",
            "regressed  self-critique/s03  +new_region  +cap_holds",
            "wording    self-critique/s07",
            "    Checkout is degraded. We [-are on-] {+| fix+} it.",
        ]

    def test_comparison_without_regression_exits_0(self, compared):
        assert compared.redpen("compare", "last", "last-1").exit_code == 0
        done = compared.redpen("compare", "last", "last")
        assert (done.exit_code, done.stdout.splitlines()[3]) == (0, "same 12")

    def test_all_option_lists_unchanged_results(self, compared):
        done = compared.redpen("compare", "last-1", "last", "--all")
        assert done.stdout.count("\nsame       self-critique/") == 10

    def test_json_has_both_sides_of_every_change(self, compared):
        done = compared.redpen("compare", "last-1", "last", "--json")
        assert done.exit_code == 1
        report = json.loads(done.stdout)
        assert report["redpen_comparison"] == 1
        assert (report["a"]["run"], report["b"]["run"]) == (FIRST, SECOND)
        assert report["counts"]["regressed"] == report["aspects"]["wording"] == 1
        assert report["pairs"] | {"conclusion": ""} == {
            "scenarios": 12,
            "results": 12,
            "both_passed": 11,
            "regressed": 1,
            "improved": 0,
            "both_failed": 0,
            "p_value": None,
            "conclusion": "",
        }
        assert report["numbers"]["tokens"]["interval_95"] is None
        assert report["prompts"][0]["diff"] == "Judge the draft [-strictly-] {+kindly+}."
        assert report["samples"] is None
        regressed, wording = report["changes"]
        assert (regressed["id"], regressed["kind"]) == ("self-critique/s03", "regressed")
        assert regressed["fields"] == ["outcome", "violations", "broken"]
        assert (regressed["before"]["outcome"], regressed["after"]["outcome"]) == ("passed", "failed")
        assert (wording["aspect"], wording["after"]["answer"]) == (
            "wording",
            "Checkout is degraded. We | fix it.",
        )
        everything = json.loads(compared.redpen("compare", "last-1", "last", "--json", "--all").stdout)
        assert len(everything["changes"]) == 12

    def test_markdown_escapes_model_output(self, compared):
        done = compared.redpen("compare", "last-1", "last", "--markdown")
        lines = done.stdout.splitlines()
        assert "### prompts that differ" in lines
        assert "| class | scenario | violations | broken | in words |" in lines
        assert r"| regressed | self-critique/s03 | +new\_region | +cap\_holds |  |" in lines
        assert lines[-1].startswith("| wording | self-critique/s07 |  |  | Checkout is degraded. We ")
        assert r"\{+\| fix+\}" in lines[-1]

    @pytest.mark.parametrize("form", [(), ("--markdown",), ("--json",)])
    def test_control_characters_of_model_output_are_escaped(self, project, form):
        project.write_run(FIRST, [project.result()])
        project.write_run(SECOND, [project.result(stop_reason="x\x1b[2J\ny\u202e", answer="\x1b[2J")])
        done = project.redpen("compare", "last-1", "last", *form)
        assert done.exit_code == 0
        assert not {"\x1b", "\u202e"} & set(done.stdout)
        assert "2J" in done.stdout

    def test_clear_difference_has_p_value(self, project):
        names = [f"reflection/s{number}" for number in range(9)]
        project.write_run(FIRST, [project.result(name) for name in names])
        project.write_run(SECOND, [project.result(name, outcome="failed") for name in names])
        done = project.redpen("compare", "last-1", "last")
        assert "McNemar's exact test: B is worse than A (p = 0.0039)" in done.stdout
        assert "too few to tell: under 10 scenarios" not in done.stdout

    def test_samples_show_pass_rates_and_broken_checks(self, project):
        def results(failing):
            return [
                project.result("reflection/a", sample=at, outcome="failed", broken=["cap_holds"])
                if at in failing
                else project.result("reflection/a", sample=at)
                for at in (1, 2, 3)
            ]

        steady = project.result("reflection/steady")
        project.write_run(FIRST, [*results({2}), steady])
        project.write_run(SECOND, [*results({1, 3}), steady])
        done = project.redpen("compare", "last-1", "last")
        lines = done.stdout.splitlines()
        assert "a scenario passes if all its paired results pass (4 in total)" in lines
        assert (
            "A          2            1      1           0           0.833  0.236  1   0.833   0.833" in lines
        )
        assert "reflection/a       2/3       1/3  cap_holds #2  cap_holds #1 #3" in lines
        assert "regressed  reflection/a #3  +cap_holds" in lines
        assert not any(line.startswith("reflection/steady") for line in lines)
        report = json.loads(project.redpen("compare", "last-1", "last", "--json").stdout)
        assert report["samples"]["b"]["scenarios"][0]["broken"] == {"cap_holds": [1, 3]}
        assert report["samples"]["a"]["totals"]["pass_at"] == pytest.approx([5 / 6])

    def test_long_lists_are_truncated_by_class(self, project):
        project.write_run(FIRST, [])
        names = [f"reflection/s{number:03}" for number in range(70)]
        project.write_run(SECOND, [project.result(name) for name in names])
        done = project.redpen("compare", "last-1", "last")
        assert done.exit_code == 0
        assert done.stdout.splitlines()[-1] == "… and 20 more new; --all lists them"
        assert done.stdout.count("\nnew    reflection/") == 50
        assert "reflection/s069" in project.redpen("compare", "last-1", "last", "--all").stdout

    def test_killed_run_is_compared_with_warning(self, project):
        project.write_run(FIRST, [project.result()])
        path = project.write_run(SECOND, [project.result()], ended=False)
        done = project.redpen("compare", "last-1", "last")
        assert done.exit_code == 0
        assert done.stderr == f"redpen: {path}: the run did not end; it holds 1 result\n"

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("last", "last-9"), "none for 'last-9'"),
            (("baseline", "last"), "there is no baseline yet"),
            (("last@x", "last"), "no results of variant 'x'; it has the base"),
            (("last",), "Missing argument 'B'"),
            (("last", "last", "--json", "--markdown"), "--json or --markdown, not both"),
        ],
    )
    def test_usage_error_exits_2(self, compared, args, message):
        done = compared.redpen("compare", *args)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_unreadable_record_exits_2(self, compared):
        (compared.runs / f"{SECOND}.jsonl").write_text("{}\n")
        done = compared.redpen("compare", "last", SECOND)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{SECOND}.jsonl:1: is not a run record" in done.stderr

    def test_two_thousand_results_per_side_are_all_listed(self, project):
        names = [f"reflection/s{number:04}" for number in range(2_000)]
        project.write_run(FIRST, [project.result(name) for name in names])
        project.write_run(
            SECOND,
            [
                project.result(name, outcome="failed" if at % 100 == 0 else "passed", answer=f"Text {at}.")
                for at, name in enumerate(names)
            ],
        )
        report = json.loads(project.redpen("compare", "last-1", "last", "--json").stdout)
        assert (report["counts"]["regressed"], report["counts"]["changed"]) == (20, 1_980)
        assert len(report["changes"]) == 2_000
        assert report["pairs"]["p_value"] == pytest.approx(2 * 0.5**20)
        low, high = report["numbers"]["answer chars"]["interval_95"]
        assert low <= report["numbers"]["answer chars"]["difference"] <= high < 0


class TestAccept:
    def path(self, project):
        return baseline_path(project.baseline, "scripted")

    def test_accept_takes_last_run_and_lists_it(self, compared):
        done = compared.redpen("baseline", "accept", "--all")
        assert (done.exit_code, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        assert lines[:2] == ["accepted: 11 new", "  new  self-critique/s00"]
        assert lines[-2:] == [
            "left out: 1 failed; --failing accepts them",
            f"{self.path(compared)}: 11 accepted outcomes of scripted",
        ]
        assert len(read_baseline(self.path(compared))) == 11

    def test_accept_twice_changes_nothing(self, compared):
        compared.redpen("baseline", "accept")
        before = self.path(compared).read_bytes()
        done = compared.redpen("baseline", "accept")
        assert done.stdout.splitlines()[0] == "accepted: nothing changed"
        assert self.path(compared).read_bytes() == before

    def test_run_compares_with_accepted_baseline(self, compared):
        compared.redpen("baseline", "accept", "last-1")
        done = compared.redpen("compare", "baseline", "last")
        assert done.exit_code == 1
        assert "same 10, changed 1 (wording 1), regressed 1" in done.stdout
        compared.redpen("baseline", "accept", "last", "--failing")
        done = compared.redpen("compare", "baseline", "last")
        assert (done.exit_code, "same 12" in done.stdout) == (0, True)

    def test_accept_can_be_limited_to_classes_or_ids(self, compared):
        compared.redpen("baseline", "accept", "last-1")
        done = compared.redpen("baseline", "accept", "--only", "wording")
        assert done.stdout.splitlines()[:2] == ["accepted: 1 wording", "  wording  self-critique/s07"]
        done = compared.redpen("baseline", "accept", "last", "self-critique/s03", "--failing")
        assert done.stdout.splitlines()[:2] == ["accepted: 1 regressed", "  regressed  self-critique/s03"]
        done = compared.redpen("baseline", "accept", "self-critique/s03", "self-critique/s00")
        assert done.stdout.splitlines()[0] == "accepted: nothing changed"

    def test_accepted_list_is_truncated(self, project):
        project.write_run(FIRST, [project.result(f"reflection/s{number:02}") for number in range(25)])
        done = project.redpen("baseline", "accept")
        assert "  … and 5 more new; --all lists them" in done.stdout.splitlines()

    def test_equal_changes_are_grouped_unless_all(self, project):
        names = [f"reflection/s{number:02}" for number in range(30)]
        project.write_run(FIRST, [project.result(name) for name in names])
        project.redpen("baseline", "accept")
        reworded = [project.result(name, answer="Checkout is degraded. We fix it.") for name in names]
        project.write_run(SECOND, reworded)
        compared = project.redpen("compare", "baseline", "last").stdout.splitlines()
        assert compared[-2].split() == ["wording", "30", "scenarios"]
        assert compared[-1] == "    Checkout is degraded. We [-are on-] {+fix+} it."
        one_by_one = project.redpen("compare", "baseline", "last", "--all").stdout
        assert one_by_one.count("\nwording  reflection/") == 30
        accepted = project.redpen("baseline", "accept").stdout.splitlines()
        assert accepted[:2] == [
            "accepted: 30 wording",
            "  wording  30 scenarios: answer Checkout is degraded. We [-are on-] {+fix+} it.",
        ]

    def test_gone_outcomes_are_kept_until_pruned(self, compared):
        compared.redpen("baseline", "accept", "last-1")
        (compared.scenarios / "self-critique" / "s00.yaml").unlink()
        compared.write_run("20260103-000000-cccc", [])
        done = compared.redpen("baseline", "accept")
        assert (
            "1 accepted outcomes are of scenarios or tests that are gone; --prune drops them" in done.stdout
        )
        assert len(read_baseline(self.path(compared))) == 12
        done = compared.redpen("baseline", "accept", "--prune")
        assert done.stdout.splitlines()[:2] == ["accepted: 1 dropped", "  dropped  self-critique/s00"]
        assert len(read_baseline(self.path(compared))) == 11

    def test_prune_without_library_is_refused_and_keeps_baseline(self, compared):
        compared.redpen("baseline", "accept", "last-1")
        before = self.path(compared).read_bytes()
        compared.scenarios = compared.root / "elsewhere"
        done = compared.redpen("baseline", "accept", "--prune")
        assert done.exit_code == 2
        assert "no such folder" in done.stderr
        assert self.path(compared).read_bytes() == before
        assert compared.redpen("baseline", "accept").exit_code == 0

    def test_killed_run_is_accepted_with_warning(self, project):
        project.write_run(FIRST, [project.result()], ended=False)
        done = project.redpen("baseline", "accept")
        assert done.exit_code == 0
        assert "the run did not end; it holds 1 result" in done.stderr
        assert len(read_baseline(self.path(project))) == 1

    def test_stale_results_are_never_accepted(self, project):
        project.write_run(FIRST, [project.result(outcome="stale"), project.result("a/b", outcome="errored")])
        done = project.redpen("baseline", "accept", "--failing")
        assert done.stdout.splitlines()[1:3] == [
            "left out: 1 errored; they are never accepted",
            "left out: 1 stale; they are never accepted",
        ]
        assert not self.path(project).exists()

    @pytest.mark.parametrize("broken", ["{", "<<<<<<< HEAD\n", '{"redpen_baseline": 9}', "[]"])
    def test_broken_baseline_file_is_not_overwritten(self, compared, broken):
        self.path(compared).parent.mkdir()
        self.path(compared).write_text(broken)
        done = compared.redpen("baseline", "accept")
        assert (done.exit_code, done.stdout) == (2, "")
        assert str(self.path(compared)) in done.stderr
        assert self.path(compared).read_text() == broken

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("last-9",), "none for 'last-9'"),
            (("self-critique/none",), "no result of 'self-critique/none'"),
            (("runs/none.jsonl",), "no run record 'runs/none.jsonl'"),
            (("--only", "gone"), "'gone' is not one of"),
        ],
    )
    def test_usage_error_exits_2(self, compared, args, message):
        done = compared.redpen("baseline", "accept", *args)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr
        assert not self.path(compared).exists()


class TestBaseline:
    def test_missing_baseline_is_reported_with_remedy(self, project):
        done = project.redpen("baseline")
        assert done.exit_code == 0
        assert (
            done.stdout
            == f"{project.baseline}: no baseline yet; run the suite, then `redpen baseline accept`\n"
        )

    def test_outcomes_are_counted_by_model_and_variant(self, compared):
        compared.redpen("baseline", "accept", "--failing")
        compared.write_run(
            "20260103-000000-cccc",
            [compared.result(), compared.result(variant="critique=v2")],
            model="open/ai",
        )
        compared.redpen("baseline", "accept")
        assert compared.redpen("baseline").stdout.splitlines() == [
            "model     variant      accepted  passed  failed  file",
            f"open/ai                       1       1          {compared.baseline / 'open%2Fai.json'}",
            f"open/ai   critique=v2         1       1          {compared.baseline / 'open%2Fai.json'}",
            f"scripted                     12      11       1  {compared.baseline / 'scripted.json'}",
        ]

    def test_show_prints_outcomes_of_all_variants(self, project):
        project.write_run(
            FIRST,
            [
                project.result("reflection/a"),
                project.result("reflection/a", variant="critique=v2", violations=["x", "y"], answer=None),
                project.result("reflection/b"),
            ],
        )
        project.redpen("baseline", "accept")
        assert project.redpen("baseline", "show", "reflection/a").stdout.splitlines() == [
            "reflection/a (scripted)",
            "  outcome: passed",
            "  status: ok",
            "  stop_reason: success",
            "  result: approved_direct",
            "  decision: approve",
            "  answer:",
            "    Checkout is degraded.",
            "    We are on it.",
            "  calls: 2",
            "  tokens: 240",
            "reflection/a [critique=v2] (scripted)",
            "  outcome: passed",
            "  status: ok",
            "  stop_reason: success",
            "  result: approved_direct",
            "  decision: approve",
            "  violations: x y",
            "  calls: 2",
            "  tokens: 240",
        ]
        one = project.redpen("baseline", "show", "reflection/a [critique=v2]")
        assert one.stdout.splitlines()[0] == "reflection/a [critique=v2] (scripted)"

    def test_show_unknown_id_exits_2_with_nearest_match(self, compared):
        compared.redpen("baseline", "accept")
        done = compared.redpen("baseline", "show", "self-critique/s0")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "no result of 'self-critique/s0' (did you mean `self-critique/s" in done.stderr

    def test_broken_baseline_file_exits_2(self, project):
        project.baseline.mkdir()
        (project.baseline / "scripted.json").write_text("{")
        done = project.redpen("baseline")
        assert done.exit_code == 2
        assert "scripted.json:1: invalid JSON" in done.stderr
