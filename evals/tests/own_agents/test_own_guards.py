"""Guards of a project as checks of what its agent publishes: `guards` in a scenario and a marker."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED

_GUARDS = """
import asyncio
import pytest

def blocks(text):
    return "way" in text

def facts(revised, context):
    return [] if context["order"] == 81 and revised else ["lost"]

async def waits(text):
    await asyncio.sleep(0)
    return "way" in text

def crashes(text):
    raise LookupError("no rules")

def skips(text):
    pytest.skip("no classifier here")

def leaves(text):
    raise SystemExit("no policy file")
"""


@pytest.fixture
def run(project):
    """Give a function that runs the scenario with guards and returns the session and the result."""
    project.write("support/guards.py", _GUARDS)

    def run(*guards, **changes):
        project.scenario_library.add("mail/order", project.scenario(guards=list(guards), **changes))
        done = project.run("--record=missing")
        return done, project.results["mail/order", "", 1]

    return run


def test_text_that_a_guard_blocks_fails(run):
    done, result = run("support.guards:facts", "support.guards:blocks", "support.guards:crashes")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert result.reasons == (
        "guards: support.guards:blocks blocks: 'Your order 81 is on its way.'",
        "guards: support.guards:crashes blocks (LookupError: no rules): 'Your order 81 is on its way.'",
    )
    assert result.broken == ("guards",)
    done.stdout.fnmatch_lines(["mail/order: failed: guards: support.guards:blocks blocks: *"])
    done, result = run("support.guards:facts")
    assert (done.ret, result.outcome) == (0, "passed")


@pytest.mark.parametrize("guard", ["skips", "leaves"])
def test_guard_that_leaves_the_test_blocks(run, guard):
    done, result = run(f"support.guards:{guard}")
    assert (done.ret, result.outcome, result.broken) == (1, "failed", ("guards",))


def test_guard_whose_module_skips_is_errored(run, project):
    project.write("support/optional.py", "import pytest\npytest.importorskip('not_there_at_all')\n")
    done, result = run("support.optional:judge")
    assert done.ret == EXIT_ERRORED
    assert "support.optional:judge': Skipped: could not import 'not_there_at_all'" in result.text


def test_unknown_guard_is_errored_with_its_line(run):
    done, result = run("support.guards:block")
    assert done.ret == EXIT_ERRORED
    assert result.reasons[0].startswith("scenarios/mail/order.yaml:")
    assert "has no attribute 'block' (did you mean `blocks`?)" in result.reasons[0]


def test_guard_among_invariants_is_refused_with_a_hint(run):
    _, result = run(invariants=["support.guards:blocks"])
    assert "'support.guards:blocks' is a guard of your own: list it under `guards`" in result.text


def test_marker_has_guards(project):
    project.write("support/guards.py", _GUARDS)
    source = """
    import pytest

    @pytest.mark.redpen(guards=["support.guards:blocks"])
    def test_mine(redpen):
        redpen.run(lambda: "It is on its way.")

    @pytest.mark.redpen(guards=["support.guards:waits"])
    async def test_async(redpen):
        await redpen.run(lambda: "It is on its way.")
    """
    project.pytester.makepyfile(test_mine=source)
    done = project.run("test_mine.py")
    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(
        [
            "FAILED test_mine/test_async - guards: support.guards:waits blocks: *",
            "FAILED test_mine/test_mine - guards: support.guards:blocks blocks: *",
        ]
    )
