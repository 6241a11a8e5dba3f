"""The fuzz plugin: profiles, saved counterexamples and guard properties."""

from __future__ import annotations

import os
import sys

import pytest

from redpen_evals.fuzz.plugin import profile
from redpen_evals.scenario_library.drafts import check_drafts, load_all_drafts

pytestmark = pytest.mark.usefixtures("project")

CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
INI = "[pytest]\naddopts = -p no:cacheprovider\n"
COUNTING = """
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.fuzz
seen = []

@pytest.mark.parametrize("kind", ["a", "b"])
@given(number=st.integers())
def test_numbers(kind, number):
    seen.append(kind)

def test_how_many(fuzz_settings):
    assert (seen.count("a"), seen.count("b"), fuzz_settings.max_examples) == EXPECTED
"""
FAILING = """
import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_support.verdicts import judge
from redpen_evals.fuzz.case import Case

pytestmark = pytest.mark.fuzz

@given(share=st.integers(min_value=0, max_value=90))
def test_shares_pass(share):
    judge(Case(name="wrong", original="It is slow.", revised=f"It affects {share + 5}% of checkouts.",
               context={"region": "US"}, label="pass", family="share"))

def test_something_else():
    assert False
"""


@pytest.fixture
def project(pytester, make_library):
    """Give a project with a small library."""
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    return make_library(pytester.path)


@pytest.mark.parametrize(
    ("arguments", "examples"),
    [((), 25), (("-m", "fuzz"), 100), (("--fuzz-profile=dev", "-m", "fuzz"), 200)],
)
def test_profile_sets_number_of_examples(pytester, arguments, examples):
    pytester.makepyfile(COUNTING.replace("EXPECTED", str((examples, examples, examples))))
    result = pytester.runpytest_inprocess("-p", "no:randomly", *arguments)
    result.assert_outcomes(passed=3)


def test_profile_can_be_set_in_configuration(pytester):
    pytester.makeini(f"{INI}redpen_fuzz_profile = dev\n")
    pytester.makepyfile(COUNTING.replace("EXPECTED", "(200, 200, 200)"))
    pytester.runpytest_inprocess().assert_outcomes(passed=3)


def test_unknown_profile_is_usage_error(pytester):
    pytester.makeini(f"{INI}redpen_fuzz_profile = weekly\n")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no profile 'weekly'; there are quick, ci, dev, nightly"])


def test_unmarked_test_keeps_its_settings(pytester):
    text = COUNTING.replace("pytestmark = pytest.mark.fuzz", "").replace(
        "@given", "@settings(max_examples=7)\n@given"
    )
    pytester.makepyfile(text.replace("EXPECTED", "(7, 7, 25)"))
    pytester.runpytest_inprocess().assert_outcomes(passed=3)


def test_shrunk_counterexample_is_saved_with_option(pytester, project):
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_inprocess("--save-counterexamples")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*- counterexample -*", "saved as *drafts*found*wrong-*.yaml"])
    assert check_drafts(project.layout) == ()
    (draft,) = load_all_drafts(project.layout)
    assert draft.item.revised == "It affects 5% of checkouts."
    assert (draft.item.label, draft.item.split, draft.context) == ("pass", "dev", {"region": "US"})
    again = pytester.runpytest_inprocess("--save-counterexamples")
    again.stdout.fnmatch_lines(["saved before: *"])
    assert len(load_all_drafts(project.layout)) == 1


def test_no_counterexample_is_saved_without_option(pytester, project):
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=2)
    result.stdout.no_fnmatch_line("saved *")
    assert not (project.layout.scenarios / "drafts").exists()


def test_unsaved_counterexample_is_reported(pytester, project):
    project.write("contexts/payments.yaml", "[]")
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_inprocess("--save-counterexamples")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["not saved: *a context is an object*"])


def test_plugin_does_not_import_hypothesis(pytester, checkout, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(checkout / name) for name in ("agents", "evals")))
    pytester.makepyfile("import sys\n\ndef test_it():\n    assert 'hypothesis' not in sys.modules\n")
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)


OWN = """
import pytest

@pytest.mark.fuzz
def test_guard(guard_property):
    guard_property.check()
"""


def test_properties_are_tried_on_guards_of_option(pytester, project):
    pytester.makepyfile(OWN, own_guard="def check(text):\n    return 'refund' in text\n")
    pytester.makeini(f"{INI}pythonpath = .\n")
    options = ("--guards", "own_guard:check", "-k", "breaches or known or order", "--save-counterexamples")
    result = pytester.runpytest_inprocess(*options)
    result.assert_outcomes(failed=1, passed=2)
    result.stdout.fnmatch_lines(["*revised*[[][[]No data was lost.]]", "*saved as *drafts*found*"])
    result.stdout.no_fnmatch_line("*plugin.py*")
    assert load_all_drafts(project.layout) != ()


def test_ci_profile_is_deterministic_without_database():
    ci = profile("ci")
    assert (ci.derandomize, ci.database, ci.max_examples) == (True, None, 100)
    assert profile("nightly").max_examples == 5_000
    assert not profile("dev").derandomize


def test_guards_are_imported_from_project_folder(pytester, monkeypatch):
    monkeypatch.setattr(sys, "path", [item for item in sys.path if item not in {"", str(pytester.path)}])
    pytester.mkpydir("own")
    (pytester.path / "own/guards_of_mine.py").write_text("def check(text):\n    return 'refund' in text\n")
    pytester.makepyfile(
        "def test_names(guard_sets): assert 'own.guards_of_mine:check' in [one.name for one in guard_sets]"
    )
    result = pytester.runpytest_inprocess("--guards=own.guards_of_mine:check", "--import-mode=importlib")
    result.assert_outcomes(passed=1)
    assert str(pytester.path) not in sys.path


def test_unused_guards_option_is_reported(pytester):
    pytester.makepyfile("def test_other(): pass")
    message = "--guards: no selected test calls a guard; run `redpen fuzz redpen.guards:*"
    result = pytester.runpytest_inprocess("--guards=redpen.guards:check_revision")
    result.stdout.fnmatch_lines([message])
    pytester.makepyfile("def test_names(guard_sets): assert guard_sets")
    result = pytester.runpytest_inprocess("--guards=redpen.guards:check_revision")
    result.stdout.no_fnmatch_line(message)
