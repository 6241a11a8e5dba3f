"""Agents that cannot be loaded, raise, hang or change the process: clear errors, isolated runs."""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from pathlib import Path

import pytest

from redpen_evals.evaluation import Evaluator
from redpen_evals.evaluation.own import OwnSettings

_SOURCE = """
import asyncio, os, signal, sys, time

NUMBER = 3
class Agent:
    def method(self, ticket): return ticket
class NeedsMore:
    def __init__(self, key): pass
    def __call__(self): pass
agent = Agent()
class OrderNotFound(LookupError): pass
def write(ticket): return ticket
def fails(): raise OrderNotFound("no order 81")
def names_an_object(): raise ValueError(f"lost {object()}")
def repeats(): return repeats()
def exits(): sys.exit(3)
def exits_in_words(): sys.exit("no more")
def ends_the_process(): os._exit(0)
def sleeps(): time.sleep(60)
def spins():
    while True: pass
def swallows():
    while True:
        try: time.sleep(0.01)
        except BaseException: pass
def swallows_twice():
    while True:
        try:
            try: time.sleep(0.01)
            except BaseException: time.sleep(0.01)
        except BaseException: pass
async def waits(): await asyncio.sleep(60)
async def blocks(): time.sleep(60)
async def swallows_too():
    while True:
        try: await asyncio.sleep(0.01)
        except BaseException: pass
def spoils():
    os.chdir("/")
    os.environ.clear()
    sys.path.clear()
    sys.argv.clear()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o777)
    sys.setrecursionlimit(200)
    return "done"
def closes():
    sys.stdout.close()
    sys.stderr.close()
    os.close(1)
    return "done"
def forks():
    child = os.fork()
    if child == 0: return "child"
    os.waitpid(child, 0)
    return "parent"
def prints():
    for _ in range(1000): print("x" * 1000)
    return "done"
"""
_MODULES = {
    "bad_agents.py": _SOURCE,
    "bad_syntax.py": "def write(ticket):\n    return ticket +\n",
    "bad_exit.py": "import sys\nsys.exit(4)\n",
    "bad_raise.py": "raise RuntimeError('not today')\n",
    "bad_nested.py": "import no_such_library\n",
    "bad_sleep.py": "import time\ntime.sleep(60)\n",
    "with_dotenv.py": (
        "import os\nos.environ['SHOP_MODE'] = 'loud'\ndef mode(): return os.environ['SHOP_MODE']\n"
    ),
}


@pytest.fixture
def run(library):
    """Give a function that writes a scenario for an agent and evaluates it."""
    for name, source in _MODULES.items():
        (library.root / name).write_text(textwrap.dedent(source), encoding="utf-8")

    def evaluate(agent, **scenario):
        named = agent if ":" in agent else f"bad_agents:{agent}"
        name = library.add("mine/one", {"agent": named, **scenario})
        own = OwnSettings(paths=(library.root,))
        return Evaluator(layout=library.layout, root=library.root, own=own).evaluate(name)

    yield evaluate
    for name in _MODULES:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("bad_agent:write", "there is no module 'bad_agent' (did you mean `bad_agents`?)"),
        ("bad_agents:wrte", "bad_agents has no 'wrte' (did you mean `write`?)"),
        ("bad_agents:Agent.methd", "bad_agents:Agent has no 'methd' (did you mean `method`?)"),
        ("bad_agents:agent.methd", "bad_agents:agent has no 'methd' (did you mean `method`?)"),
        ("bad_agents:NUMBER", "bad_agents:NUMBER is not callable, but an int"),
        ("bad_agents:Agent", "bad_agents:Agent is a class whose instances cannot be called"),
        ("bad_agents:NeedsMore", "bad_agents:NeedsMore: NeedsMore() cannot be created without arguments"),
        ("bad_syntax:write", "the import of bad_syntax fails at bad_syntax.py:2: SyntaxError"),
        (
            "bad_exit:write",
            "the import of bad_exit fails at bad_exit.py:2 in <module>: sys.exit(4): SystemExit",
        ),
        ("bad_raise:write", "the import of bad_raise fails at bad_raise.py:1"),
        ("bad_nested:write", "the import of bad_nested fails at bad_nested.py:1"),
        ("bad_agents:write", "write needs 'ticket': give it in `input`"),
    ],
)
def test_unusable_agent_is_errored_with_line(run, agent, message):
    result = run(agent)
    assert result.outcome == "errored"
    assert result.reasons[0].startswith(("scenarios/mine/one.yaml:2: ", "scenarios/mine/one.yaml:1: "))
    assert message in result.text


def test_unknown_argument_error_has_suggestion(run):
    result = run("write", input={"tiket": "x"})
    assert "write has no parameter 'tiket' (did you mean `ticket`?); it takes ticket" in result.text


def test_hanging_import_is_stopped(run):
    result = run("bad_sleep:write", timeout_s=0.2)
    assert result.outcome == "errored"
    assert "the import of bad_sleep fails at bad_sleep.py:2" in result.text
    assert "it had not ended after 0.2 s" in result.text


def test_exception_of_agent_fails_with_its_source_line(run):
    result = run("fails")
    line = _SOURCE.splitlines().index('def fails(): raise OrderNotFound("no order 81")') + 1
    assert (result.outcome, result.broken, result.stop_reason) == (
        "failed",
        ("raised",),
        "raised:OrderNotFound",
    )
    assert result.reasons[0].splitlines() == [
        "raised: the agent raised OrderNotFound: no order 81",
        f'  bad_agents.py:{line} in fails: def fails(): raise OrderNotFound("no order 81")',
    ]


@pytest.mark.parametrize("name", ["OrderNotFound", "bad_agents.OrderNotFound", "LookupError", "Exception"])
def test_expected_exception_may_be_class_or_base(run, name):
    assert run("fails", expect={"raises": name}).outcome == "passed"


def test_unexpected_exception_error_has_suggestion(run):
    text = "raises: expected OrderNotFnd (did you mean `OrderNotFound`?), but the agent raised OrderNotFound"
    assert text in run("fails", expect={"raises": "OrderNotFnd"}).text


def test_results_hide_object_addresses(run):
    assert run("names_an_object") == run("names_an_object")
    assert "lost <object object at 0x…>" in run("names_an_object").text


def test_endless_recursion_is_reported_in_two_lines(run):
    assert len(run("repeats").reasons[0].splitlines()) == 2


def test_sys_exit_is_a_failed_result(run):
    assert run("exits").stop_reason == "exited:3"
    result = run("exits_in_words")
    assert (result.stop_reason, result.outcome) == ("exited:1", "failed")
    assert "status 1: no more" in result.text


def test_os_exit_ends_the_run_and_not_the_session(run):
    result = run("ends_the_process")
    assert (result.stop_reason, result.outcome) == ("exited:0", "failed")


@pytest.mark.parametrize(
    "agent", ["sleeps", "spins", "swallows", "swallows_twice", "waits", "blocks", "swallows_too"]
)
def test_hanging_agent_is_stopped(run, agent):
    result = run(agent, timeout_s=0.1)
    assert (result.outcome, result.stop_reason) == ("failed", "timed_out"), result.text
    assert run("write", input={"ticket": "next"}).answer == "next"


def test_process_state_is_restored_after_a_run(run):
    def state():
        mask = os.umask(0)
        os.umask(mask)
        limit = sys.getrecursionlimit()
        handler = signal.getsignal(signal.SIGINT)
        return Path.cwd(), dict(os.environ), sys.path[:], sys.argv[:], mask, limit, handler

    before = state()
    assert run("spoils").answer == "done"
    assert state() == before


def test_streams_closed_by_agent_stay_open(run, capfd):
    assert run("closes").answer == "done"
    sys.stdout.write("still here\n")
    sys.stdout.flush()
    os.write(1, b"and here\n")
    assert capfd.readouterr().out == "still here\nand here\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_does_not_return_into_the_harness(run):
    assert run("forks").answer == "parent"


def test_printed_output_is_limited(run, capsys):
    assert run("prints").answer == "done"
    printed = capsys.readouterr().out
    assert len(printed) < 70_000
    assert "is left out" in printed


def test_environment_set_on_import_is_set_in_every_run(run):
    assert [run("with_dotenv:mode").answer for _ in range(2)] == ["loud", "loud"]
    assert "SHOP_MODE" not in os.environ
