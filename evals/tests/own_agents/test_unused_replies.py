"""Scripted replies that a run never asks for: the run is not the one that the script tells."""

from __future__ import annotations

import pytest

from redpen_evals.exit_codes import EXIT_STALE

_ONE = {"content": "Your order 81 is on its way."}
_TWO = {"content": "Order 81 is lost."}


@pytest.fixture
def run(project):
    """Give a function that runs the scenario with replies, and returns the session and the result."""
    source = """
    import urllib.error
    from support.mailer import ask

    def quiet(ticket):
        return "Your order 81 is on its way."

    def lost(ticket):
        raise LookupError(ticket)

    def asks_then_is_lost(ticket):
        raise LookupError(ask([{"role": "user", "content": ticket}], "small")["content"])

    def asks_again(ticket):
        try:
            return ask([{"role": "user", "content": ticket}], "small")["content"]
        except urllib.error.HTTPError:
            return "Ask again."
    """
    project.write("support/quiet.py", "\n".join(line[4:] for line in source.splitlines()))

    def run(*replies, options=("--record=missing",), **changes):
        scenario = project.scenario(replies=list(replies), expect={}, tools=None, **changes)
        project.scenario_library.add("mail/order", scenario)
        done = project.run(*options)
        return done, project.results["mail/order", "", 1]

    return run


@pytest.mark.parametrize(
    ("replies", "what"),
    [
        ([_ONE, _TWO], "reply 2 of 2 was never asked for"),
        ([_ONE, {**_TWO, "times": 2}], "replies 2 to 3 of 3 were never asked for"),
        ([_ONE, {"status": 503}], "reply 2 of 2 was never asked for"),
    ],
)
def test_reply_that_is_never_asked_for_fails(run, replies, what):
    for options in (("--record=missing",), ()):
        done, result = run(*replies, options=options)
        assert (done.ret, result.broken) == (pytest.ExitCode.TESTS_FAILED, ("replies",)), result.text
        assert f"replies: {what}; take out what the agent no longer needs, or look why it" in result.text
    done, result = run(replies[0], options=())
    assert (done.ret, result.outcome) == (0, "passed"), result.text


def test_agent_that_asks_nothing_is_stale_without_a_recording(run):
    quiet = {"agent": "support.quiet:quiet", "publishes": None}
    done, result = run(_ONE, options=(), **quiet)
    assert (done.ret, result.outcome) == (EXIT_STALE, "stale")
    assert "there is no recording" in result.text
    for record in ("--record=missing", "--record=stale"):
        done, result = run(_ONE, options=(record,), **quiet)
        assert done.ret == pytest.ExitCode.TESTS_FAILED
        assert "replies: reply 1 of 1 was never asked for" in result.text


@pytest.mark.usefixtures("run")
def test_expected_exception_excuses_the_rest_of_the_script(project):
    for agent in ("lost", "asks_then_is_lost"):
        scenario = project.scenario(
            agent=f"support.quiet:{agent}",
            publishes=None,
            replies=[_ONE, _TWO],
            expect={"raises": "LookupError"},
        )
        project.scenario_library.add("mail/order", {**scenario, "tools": None})
        for options in (("--record=missing",), ()):
            assert project.run(*options).ret == 0


def test_refused_call_uses_up_its_reply(run):
    again = {"agent": "support.quiet:asks_again", "publishes": None}
    for options in (("--record=missing",), ()):
        done, result = run({"status": 503}, options=options, **again)
        assert (done.ret, result.answer) == (0, "Ask again."), result.text


def test_replies_of_a_marker_are_all_asked_for(project):
    source = """
    import pytest
    from support.mailer import ask

    def write():
        return ask([{"role": "user", "content": "Where?"}], "small")["content"]

    twice = pytest.mark.redpen(replies=[{"content": "One."}, {"content": "Two."}])

    @twice
    def test_run(redpen):
        redpen.run(write)

    @twice
    def test_block(redpen):
        with redpen.recording():
            write()

    @twice
    def test_both(redpen):
        redpen.run(lambda: write() + write())

    @twice
    def test_raises(redpen):
        def lost():
            raise LookupError(write())
        with pytest.raises(LookupError):
            redpen.run(lost)

    @twice
    def test_block_raises(redpen):
        with pytest.raises(LookupError), redpen.recording():
            raise LookupError(write())
    """
    project.pytester.makepyfile(test_mine=source)
    for options in (("--record=missing",), ()):
        done = project.run("test_mine.py", *options)
        done.assert_outcomes(failed=2, passed=3)
        done.stdout.fnmatch_lines(
            ["FAILED test_mine/test_block - replies: reply 2 of 2 was never asked for*"]
        )
        done.stdout.fnmatch_lines(["FAILED test_mine/test_run - replies: reply 2 of 2 was never asked for*"])
