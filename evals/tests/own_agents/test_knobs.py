"""Knobs of own agents: arguments, environment variables and module attributes."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE

from .conftest import OTHER_PROMPT, PROMPT

FILES = "attr.support.mailer:PROMPT=file:prompts/reply.md,prompts/warm.md"
USAGE = 4
AFTER = """
import sys
import support.mailer as before

def test_same():
    assert sys.modules["support.mailer"] is before
    assert "two short" in before.PROMPT
"""


def _system(calls):
    return calls[0].request["messages"][0]["content"]


def _user(calls):
    return calls[0].request["messages"][1]["content"]


def _labels(project):
    return sorted(variant for _, variant, _ in project.results)


def test_argument_knob_overrides_the_input(project):
    project.record("--variants", "arg.tone=warm,dry")
    assert '"tone": "warm"' in _user(project.calls(variant="arg.tone=warm"))
    assert '"tone": "dry"' in _user(project.calls(variant="arg.tone=dry"))
    project.run("--variants", "arg.tone=warm,dry").assert_outcomes(passed=2)
    assert _labels(project) == ["arg.tone=dry", "arg.tone=warm"]


def test_base_recording_is_used_when_requests_are_equal(project):
    project.record()
    project.record("--variants", "arg.tone=plain,dry")
    assert project.cassettes == ["scripted+arg.tone=dry/mail/order.json", "scripted/mail/order.json"]


def test_environment_knob_applies_to_variables_read_on_import(project):
    project.record("--variants", "env.PROMPT_FILE=prompts/reply.md,prompts/warm.md")
    assert _system(project.calls(variant="env.PROMPT_FILE=prompts/reply.md")) == PROMPT
    assert _system(project.calls(variant="env.PROMPT_FILE=prompts/warm.md")) == OTHER_PROMPT
    project.record()
    assert _system(project.calls()) == PROMPT
    done = project.run("--variants", "env.PROMPT_FILE=prompts/reply.md,prompts/warm.md")
    done.assert_outcomes(passed=2)


def test_attribute_knob_applies_to_one_run(project):
    project.record("--variants", FILES)
    label = "attr.support.mailer:PROMPT=file:prompts/warm.md"
    assert _system(project.calls(variant=label)) == OTHER_PROMPT
    project.run("--variants", FILES).assert_outcomes(passed=2)
    project.record()
    assert _system(project.calls()) == PROMPT


def test_knob_that_no_agent_has_is_reported(project):
    project.record()
    done = project.run("--variants", "temperature=0.1,0.9")
    done.stdout.fnmatch_lines(
        [
            f"redpen: --variants temperature={value}: no agent of this run has this knob*"
            for value in (0.1, 0.9)
        ]
    )
    assert _labels(project) == [""]


def test_changed_file_of_variant_is_stale_with_line(project):
    project.record("--variants", FILES)
    project.write("prompts/warm.md", OTHER_PROMPT.replace("warm", "hearty"))
    done = project.run("--variants", FILES)
    assert done.ret == EXIT_STALE
    done.assert_outcomes(passed=1)
    done.stdout.re_match_lines([r"  prompts/warm\.md:2 +1 call in 1 scenario"])
    done.stdout.fnmatch_lines(
        ["  pytest --record=stale --variants attr.support.mailer:PROMPT=file:prompts/warm.md -k *mail/order*"]
    )


def test_class_attribute_knob_is_json_and_restored(project):
    project.record()
    project.run("--variants", "attr.support.mailer:Limits.MAX_CALLS=1,5")
    outcomes = {variant: result.outcome for (_, variant, _), result in project.results.items()}
    place = "attr.support.mailer:Limits.MAX_CALLS"
    assert outcomes == {f"{place}=1": "failed", f"{place}=5": "passed"}
    project.run().assert_outcomes(passed=1)


def test_knobs_of_several_options_are_combined(project):
    project.record("--variants", "arg.tone=warm,dry", "--variants", "env.PROMPT_FILE=prompts/warm.md")
    assert _labels(project) == [
        "arg.tone=dry,env.PROMPT_FILE=prompts/warm.md",
        "arg.tone=warm,env.PROMPT_FILE=prompts/warm.md",
    ]


@pytest.mark.parametrize(
    ("knob", "message"),
    [
        ("arg.tome=warm", "no parameter 'tome' (did you mean `tone`?)"),
        (
            "attr.support.mailr:PROMPT=x",
            "there is no module 'support.mailr' (did you mean `support.mailer`?)",
        ),
        ("attr.support.mailer:PROMT=x", "there is no 'PROMT' (did you mean `PROMPT`?)"),
        ("attr.support.mailer:PROMPT.x=1", "there is no 'x'"),
    ],
)
def test_unknown_knob_is_errored_with_suggestion(project, knob, message):
    project.record()
    done = project.run("--variants", knob)
    assert done.ret == EXIT_ERRORED
    (result,) = project.last.results
    assert result.outcome == "errored"
    assert result.summary.startswith(f"--variants {knob.partition('=')[0].partition(':')[0]}")
    assert message in result.summary


def test_knob_with_missing_file_is_a_usage_error(project):
    done = project.run("--variants", "attr.support.mailer:PROMPT=file:prompts/worm.md")
    assert done.ret == USAGE
    done.stderr.fnmatch_lines(["*prompts/worm.md: No such file*did you mean `prompts/warm.md`?)"])


def test_each_agent_runs_only_its_own_knobs(project):
    project.scenario_library.add("self-critique/one", project.scenario_library.self_critique())
    project.record()
    project.scenario_library.add("mail/order", project.scenario())
    done = project.run(
        "--record=missing", "--variants", "arg.tone=warm,dry", "--variants", "policy.max_draft_chars=600,900"
    )
    done.assert_outcomes(passed=4)
    assert set(project.results) == {
        ("mail/order", "arg.tone=warm", 1),
        ("mail/order", "arg.tone=dry", 1),
        ("self-critique/one", "policy.max_draft_chars=600", 1),
        ("self-critique/one", "policy.max_draft_chars=900", 1),
    }
    assert project.last.start.variants == (
        "policy.max_draft_chars=600",
        "policy.max_draft_chars=900",
        "arg.tone=warm",
        "arg.tone=dry",
    )


def test_compare_accepts_variant_names(project, monkeypatch):
    from click.testing import CliRunner

    from redpen_evals.cli import main

    project.record("--variants", FILES)
    monkeypatch.chdir(project.root)
    sides = [f"last@attr.support.mailer:PROMPT=file:prompts/{name}.md" for name in ("reply", "warm")]
    done = CliRunner().invoke(main, ["compare", *sides])
    assert done.exit_code == 0, done.output
    assert "McNemar" in done.output or "same" in done.output


def test_project_modules_are_restored_after_a_variant(project):
    project.write("test_after.py", AFTER)
    variant = ("--variants", "env.PROMPT_FILE=prompts/warm.md")
    done = project.run("--record=missing", *variant, "test_agents.py", "test_after.py")
    done.assert_outcomes(passed=2)
