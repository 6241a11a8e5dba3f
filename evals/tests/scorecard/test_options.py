"""The scorecard in a pytest session: options, fixtures, thresholds and exit codes."""

from __future__ import annotations

import os
import sys
import tomllib

import pytest
import yaml

from redpen_evals import second_process
from redpen_evals.scorecard import session

CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\npythonpath = .\n"
MODULE = """
def test_scorecard(scorecard):
    scorecard.check()

def test_disguises(scorecard):
    scorecard.check_disguises()
"""
GUARDS = '''
"""Guards that tests name on the command line."""

def nothing(*, original, revised, context):
    return []

def everything(*, original, revised, context):
    return ["no_new_facts"]

def broken(*, original, revised, context):
    raise KeyError("x")
'''
pytestmark = pytest.mark.usefixtures("project")
BLIND_REDPEN = f"""{CONFTEST}
import pytest
from my_guards import nothing
from redpen_evals.scorecard import GuardSet

@pytest.fixture(scope="session")
def guard_sets():
    return [GuardSet(name="redpen", guards=nothing)]
"""
LAX = "[redpen]\noverall = { catch = 1.0, kept = 1.0 }\n"
ORIGINAL = "Checkout in the US is degraded for 27% of attempts. Our team is working on it."


def item(name, label, sentence, family="count", **changes):
    codes = {"codes": ["no_new_facts"]} if label == "block" else {}
    values = {"id": name, "label": label, "revised": f"{ORIGINAL} {sentence}", "family": family}
    return {**values, "split": "test", **codes, **changes}


@pytest.fixture
def project(pytester, make_library):
    """Give a project with four labelled drafts for its thresholds, and one for the development of rules."""
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_scores=MODULE, my_guards=GUARDS)
    library = make_library(pytester.path)
    items = [
        item("six-thousand", "block", "Some 6,000 orders are late."),
        item("fifty", "block", "About 50% of payments fail.", family="share"),
        item("sound", "pass", "Some orders are late."),
        item("sound-share", "pass", "Again, 27% of attempts fail.", family="share"),
        item("seen", "block", "Some 9,000 orders are late.", split="dev"),
    ]
    library.write("drafts/payments.yaml", {"context": "payments", "original": ORIGINAL, "items": items})
    path = pytester.path / "evals" / "suites" / "scorecard.toml"
    path.parent.mkdir(parents=True)
    path.write_text(LAX, encoding="utf-8")
    return library


@pytest.fixture
def thresholds(pytester):
    """Give the path of the project's thresholds file."""
    return pytester.path / "evals" / "suites" / "scorecard.toml"


def run(pytester, *options):
    return pytester.runpytest("-k", "scores", *options)


def tables(result):
    start = next(at for at, line in enumerate(result.outlines) if "= scorecard =" in line)
    return result.outlines[start:-1]


def test_scorecard_prints_one_line_per_guard_set(pytester):
    result = run(pytester)
    result.assert_outcomes(passed=2)
    lines = result.outlines
    start = next(at for at, line in enumerate(lines) if "= scorecard =" in line)
    guards = [line for line in lines[start:] if line.startswith(("redpen ", "regex "))]
    assert len(guards) == 2
    assert "100.0 [34,100]" in guards[0]
    result.stdout.fnmatch_lines(["guards * catch * false alarms *", "* -v and --report show families, *"])
    result.stdout.no_fnmatch_line("*accepted code*")
    result.stdout.no_fnmatch_line("share*")


@pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux")
def test_scorecard_behind_other_tests_is_scored_elsewhere_with_the_same_tables(pytester, monkeypatch):
    alone = run(pytester, "-v")
    pytester.makepyfile(
        test_before="import pytest\n@pytest.mark.parametrize('_', range(20))\ndef test_it(_): ..."
    )
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(second_process, "_is_unsafe", lambda: False)
    # The session's own process would raise.
    monkeypatch.setattr(session, "judge_all", None)
    monkeypatch.setattr(session, "score_disguises", None)
    result = pytester.runpytest("-v", "test_before.py", "test_scores.py")
    result.assert_outcomes(passed=22)
    assert tables(result) == tables(alone)


def test_verbose_scorecard_shows_every_table(pytester):
    result = run(pytester, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "*= scorecard =*",
            "labelled drafts, split test: 2 block, 2 pass; *",
            "*redpen*regex*",
            "share*",
            "count*",
            "all *",
            "redpen: accepted code*",
            "regex: accepted code*",
            "disguises of rightly judged texts*",
            "*redpen*regex*",
            "digits*",
        ]
    )
    result.stdout.no_fnmatch_line("*split dev*")
    result.stdout.no_fnmatch_line("*recorded*")


def test_nothing_is_printed_when_no_scorecard_ran(pytester):
    result = pytester.runpytest("--collect-only", "-q")
    result.stdout.no_fnmatch_line("*= scorecard =*")


def test_development_split_is_shown_with_option(pytester):
    pytester.makepyfile(more_guards=GUARDS)
    result = run(pytester, "--scorecard-dev", "--guards", "more_guards:nothing")
    result.stdout.fnmatch_lines(
        [
            "labelled drafts, split test: 2 block, 2 pass; *",
            "labelled drafts, split dev, no thresholds: 1 block, 0 pass; *",
            "more_guards:nothing judged wrongly, count: payments#seen",
        ]
    )
    result.stdout.no_fnmatch_line("*judged wrongly, *six-thousand*")


def test_guards_option_adds_guard_sets(pytester):
    result = run(pytester, "--guards", "my_guards:everything", "--guards=my_guards:broken")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "redpen *",
            "regex *",
            "my_guards:everything *",
            "my_guards:broken *",
            "my_guards:broken: crashed on 4, first KeyError: 'x'",
        ]
    )
    result = run(pytester, "-v", "--guards", "my_guards:everything", "--guards=my_guards:broken")
    result.stdout.fnmatch_lines(
        [
            "* redpen * regex * my_guards:everything * my_guards:broken*",
            "my_guards:broken: accepted code*guard_error*",
            "my_guards:broken: crashed on 4, first KeyError: 'x'",
        ]
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--guards", "my_guards:nothin"], "*has no attribute 'nothin'*"),
        (["--guards", "nowhere:check"], "*No module named 'nowhere'*pythonpath*"),
        (["--guards", "my_guards"], "*write module:name*"),
        (
            ["--guards", "my_guards:nothing", "--guards", "my_guards:nothing"],
            "*two guard sets are named 'my_guards:nothing'*",
        ),
        (["--update-scorecard=down"], "*--update-scorecard*invalid choice*"),
    ],
)
def test_invalid_option_is_usage_error(pytester, options, message):
    result = run(pytester, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_guard_sets_fixture_replaces_built_in_sets(pytester):
    pytester.makeconftest(
        CONFTEST
        + """
import pytest
from redpen_evals.scorecard import GuardSet

@pytest.fixture(scope="session")
def guard_sets():
    return [GuardSet(name="redpen", guards=lambda *, original, revised, context: "6,000" in revised)]
"""
    )
    result = run(pytester)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["redpen * 50.0 [[]*"])
    result.stdout.no_fnmatch_line("*regex*")


def test_family_below_threshold_fails_by_name(pytester, thresholds):
    thresholds.write_text(
        f'{LAX}["my_guards:nothing".families]\nshare = {{ catch = 50.0 }}\n', encoding="utf-8"
    )
    result = run(pytester, "--guards", "my_guards:nothing")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "my_guards:nothing: family share: catch 0.0 % (0 of 1), below 50 %",
            "  judged wrongly: payments#fifty",
            "*= scorecard =*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_disguise_beyond_threshold_fails_by_name(pytester, thresholds):
    thresholds.write_text(f"{LAX}[regex.disguises]\nlook-alikes = {{ new_alarms = 0 }}\n", encoding="utf-8")
    run(pytester).assert_outcomes(passed=2)
    thresholds.write_text(f"{LAX}[regex.disguises]\ndigits = {{ new_alarms = 0 }}\n", encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["regex: disguise digits: new alarms 100.0 % (2 of 2), above 0 %"])


def test_update_records_thresholds_that_hold(pytester, thresholds):
    result = run(pytester, "--guards", "my_guards:everything", "--update-scorecard")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["recorded in *scorecard.toml"])
    table = tomllib.loads(thresholds.read_text(encoding="utf-8"))
    # Guard sets run for comparison have no thresholds.
    assert list(table) == ["redpen", "my_guards:everything"]
    assert table["my_guards:everything"]["families"]["share"] == {
        "catch": 100.0,
        "false_alarms": 100.0,
        "right_code": 100.0,
    }
    assert table["my_guards:everything"]["overall"]["kept"] == 100.0
    before = thresholds.read_bytes()
    again = run(pytester, "--guards", "my_guards:everything", "--update-scorecard")
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["nothing to record in *scorecard.toml"])
    assert thresholds.read_bytes() == before


def test_floor_is_lowered_only_by_lower_update(pytester, thresholds):
    strict = '["my_guards:nothing".families]\nshare = { catch = 50.0 }\n'
    thresholds.write_text(strict, encoding="utf-8")
    run(pytester, "--guards", "my_guards:nothing", "--update-scorecard").assert_outcomes(passed=1, failed=1)

    def floor():
        table = tomllib.loads(thresholds.read_text(encoding="utf-8"))
        return table["my_guards:nothing"]["families"]["share"]["catch"]

    assert floor() == 50.0
    options = ("--guards", "my_guards:nothing", "--update-scorecard=lower")
    run(pytester, *options).assert_outcomes(passed=2)
    assert floor() == 0.0


def test_workers_report_and_record_once(pytester, thresholds):
    result = run(pytester, "-p", "xdist", "-n2", "--update-scorecard")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*= scorecard =*", "recorded in *"])
    table = tomllib.loads(thresholds.read_text(encoding="utf-8"))
    assert set(table["redpen"]) == {"overall", "families", "disguises"}


def test_invalid_thresholds_file_fails_with_line(pytester, thresholds):
    thresholds.write_text("[redpen.overall]\ncatsh = 1\n", encoding="utf-8")
    result = run(pytester, "--update-scorecard")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*scorecard.toml:2: redpen.overall.catsh: *did you mean `catch`*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert thresholds.read_text(encoding="utf-8") == "[redpen.overall]\ncatsh = 1\n"


ERRORED = 10
"""The exit code of a session that gives no verdict."""


class TestMissingGate:
    """Missing thresholds are no pass: the session ends without a verdict on the guards."""

    @pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n1"]], ids=["alone", "workers"])
    def test_missing_thresholds_file_exits_10_and_prints_figures(self, pytester, thresholds, workers):
        thresholds.unlink()
        result = run(pytester, *workers)
        assert result.ret == ERRORED
        result.stdout.fnmatch_lines(["*scorecard.toml: there is no thresholds file, *--update-scorecard*"])
        result.stdout.fnmatch_lines(["*= scorecard =*", "guards *catch*", "redpen *"])

    def test_setting_that_names_no_file_exits_10(self, pytester):
        pytester.makeini(f"{INI}redpen_scorecard = scorecrad.toml\n")
        assert run(pytester).ret == ERRORED

    @pytest.mark.parametrize("text", ["", "[redpen.overall]\n", "[redpen.families]\nshare = {}\n"])
    def test_empty_thresholds_exit_10(self, pytester, thresholds, text):
        thresholds.write_text(text, encoding="utf-8")
        result = run(pytester)
        assert result.ret == ERRORED
        result.stdout.fnmatch_lines(["*redpen: there is no threshold in *scorecard.toml; *"])

    def test_misspelt_guard_set_exits_10_with_file_and_line(self, pytester, thresholds):
        thresholds.write_text("[redpin.overall]\ncatch = 100\n", encoding="utf-8")
        result = run(pytester)
        assert result.ret == ERRORED
        result.stdout.fnmatch_lines(["*scorecard.toml:1: redpin: *did you mean `redpen`*"])

    def test_thresholds_of_one_part_do_not_cover_other_part(self, pytester, thresholds):
        thresholds.write_text("[redpen.overall]\ncatch = 1\n", encoding="utf-8")
        result = run(pytester)
        assert result.ret == ERRORED
        result.assert_outcomes(passed=1, failed=1)

    def test_breach_next_to_missing_thresholds_exits_1(self, pytester, thresholds):
        thresholds.write_text("[redpen.overall]\ncatch = 100\n", encoding="utf-8")
        pytester.makeconftest(BLIND_REDPEN)
        assert run(pytester).ret == pytest.ExitCode.TESTS_FAILED

    def test_guard_set_without_thresholds_is_named(self, pytester):
        result = run(pytester, "--guards", "my_guards:nothing")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["my_guards:nothing: there is no threshold in *scorecard.toml"])
        result.stdout.no_fnmatch_line("regex: there is no threshold*")

    def test_family_without_thresholds_is_named(self, pytester, thresholds):
        thresholds.write_text(f"{LAX}[redpen.families]\ncount = {{ catch = 1 }}\n", encoding="utf-8")
        run(pytester).stdout.fnmatch_lines(["redpen: families without thresholds: share"])


class TestFamily:
    """`--family` checks only the thresholds of that family."""

    FLOORS = (
        "[redpen]\noverall = { catch = 99, kept = 100 }\n[redpen.families]\n"
        "share = { catch = 50 }\ncount = { catch = 0 }\n"
    )

    @pytest.mark.parametrize(("family", "code"), [("share", 1), ("count", 0)])
    def test_family_thresholds_decide_exit_code(self, pytester, thresholds, family, code):
        thresholds.write_text(self.FLOORS, encoding="utf-8")
        pytester.makeconftest(BLIND_REDPEN)
        result = run(pytester, "--family", family, "--deselect", "test_scores.py::test_disguises")
        assert result.ret == code
        if code:
            result.stdout.fnmatch_lines(["redpen: family share: catch 0.0 % (0 of 1), below 50 %"])
        result.stdout.no_fnmatch_line("redpen: overall: *")

    def test_family_without_thresholds_exits_10(self, pytester, thresholds):
        thresholds.write_text("[redpen.families]\ncount = { catch = 0 }\n", encoding="utf-8")
        result = run(pytester, "--family", "share")
        assert result.ret == ERRORED
        result.stdout.fnmatch_lines(["*redpen: there is no threshold for family share in *"])

    def test_overall_disguise_threshold_applies_to_family(self, pytester, thresholds):
        thresholds.write_text(self.FLOORS, encoding="utf-8")
        assert run(pytester, "--family", "share").ret == 0

    def test_unknown_family_exits_10_with_nearest_match(self, pytester):
        result = run(pytester, "--family", "shere")
        assert result.ret == ERRORED
        result.stdout.fnmatch_lines(["*--family shere: there is no such family (did you mean `share`*"])

    def test_family_with_update_is_usage_error(self, pytester, thresholds):
        result = run(pytester, "--family", "share", "--update-scorecard=lower")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*--update-scorecard*not with --family*"])
        assert thresholds.read_text(encoding="utf-8") == LAX


def test_library_without_labelled_drafts_fails(pytester, project):
    (project.layout.scenarios / "drafts" / "payments.yaml").unlink()
    result = run(pytester)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*drafts: there is no labelled draft of the split 'test' to score*"])


def test_broken_library_fails_with_file_and_line(pytester, project):
    path = project.layout.scenarios / "drafts" / "payments.yaml"
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    value["items"][0]["lable"] = "block"
    path.write_text(yaml.safe_dump(value), encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*payments.yaml:*: items*lable*"])


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n1"]], ids=["alone", "workers"])
def test_broken_draft_file_is_left_out_and_rest_is_scored(pytester, project, thresholds, workers):
    project.write("drafts/bad.yaml", {"context": "payments", "original": ORIGINAL, "items": [{"id": "x"}]})
    (project.layout.scenarios / "drafts" / "worse.yaml").write_bytes(b"context: [\n\0")
    result = run(pytester, "--update-scorecard", *workers)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*drafts/bad.yaml:*: items[[]0].revised: *"])
    result.stdout.fnmatch_lines(["*drafts/worse.yaml:*"])
    result.stdout.fnmatch_lines(
        [
            "left out: 2 of 3 draft files",
            "not recorded: 2 draft files are left out",
        ]
    )
    assert thresholds.read_text(encoding="utf-8") == LAX
    for name in ("bad", "worse"):
        (project.layout.scenarios / "drafts" / f"{name}.yaml").unlink()
    sound = run(pytester)
    sound.assert_outcomes(passed=2)
    sound.stdout.no_fnmatch_line("*left out*")


def test_paths_are_configurable(pytester, project):
    pytester.makeini(f"{INI}redpen_scorecard = floors.toml\nredpen_scenarios = scenarios\n")
    run(pytester, "--update-scorecard").assert_outcomes(passed=2)
    assert (pytester.path / "floors.toml").is_file()
    assert project.layout.scenarios.is_dir()
