"""The session's network guard: with ``--record=none`` no test reaches a network, from collection on."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.reaches_for_network

INI = "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n"
CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
REACH = "import socket\n\ndef reach(host='192.0.2.1'):\n    socket.getaddrinfo(host, 80)\n"
USES = "def test_uses(redpen_network): pass\n"


@pytest.fixture(autouse=True)
def project(pytester):
    pytester.makeini(INI)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(reaching=REACH)
    pytester.syspathinsert()


@pytest.fixture
def run(pytester, run_forked):
    """Give a function that runs a test module in its own session."""

    def run_it(source, *options):
        pytester.makepyfile(f"import pytest\nfrom reaching import reach\n\n{source}\n")
        return run_forked("-p", "no:randomly", *options)

    return run_it


SWALLOWED = """
def test_mine():
    try:
        reach()
    except Exception:
        pass
"""
THREAD = """
import threading
def test_mine():
    thread = threading.Thread(target=lambda: pytest.raises(Exception, reach))
    thread.start()
    thread.join()
"""
FORKED = """
import os
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mine():
    child = os.fork()
    if not child:
        try:
            reach()
        except Exception:
            os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.parametrize("source", [SWALLOWED, THREAD, FORKED], ids=["swallowed", "thread", "fork"])
def test_swallowed_attempt_fails_its_test(run, source):
    result = run(f"{source}\n{USES}")
    result.assert_outcomes(failed=1, passed=1)
    text = result.stdout.str()
    assert "reached for the network: socket.getaddrinfo to 192.0.2.1" in text
    assert "--allow-hosts HOST" in text
    assert ("forked process" in text) == (source == FORKED)


def test_attempt_in_test_body_is_blocked(run):
    result = run(f"def test_mine(): reach()\n{USES}")
    result.assert_outcomes(failed=1, passed=1)
    assert "the network is blocked here" in result.stdout.str()


@pytest.mark.parametrize("options", [["--record=none"], []])
def test_attempt_during_collection_is_blocked(pytester, run, options):
    if not options:
        pytester.makeini(f"{INI}redpen_scenarios = mine\n")
    result = run("reach()\ndef test_mine(): pass", *options)
    result.assert_outcomes(errors=1)
    assert "the network is blocked here" in result.stdout.str()


def test_attempt_during_import_of_guards_callable_is_blocked(pytester, run):
    pytester.makepyfile(mine="from reaching import reach\nreach()\ndef check(**given): return False\n")
    result = run("def test_mine(): pass", "--guards", "mine:check")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "the network is blocked here" in result.stderr.str()


OTHERS = """
import sys
def test_mine():
    reach()
    assert "redpen_evals.network" not in sys.modules
"""


def test_session_that_does_not_use_redpen_is_not_guarded(pytester):
    # A numeric address is resolved without a server.
    pytester.makepyfile(f"from reaching import reach\n{OTHERS}")
    # A forked session would have every module imported already.
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_recording_sessions_are_not_guarded(run):
    run(f"def test_mine(): reach()\n{USES}", "--record=missing").assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("def test_mine(redpen_network): reach()", ["--allow-hosts", "192.0.2.9,192.0.2.1"]),
        ("@pytest.mark.redpen_network('192.0.2.1')\ndef test_mine(redpen_network): reach()", []),
        ("@pytest.mark.redpen_network\ndef test_mine(redpen_network): reach()", []),
        ("def test_mine(redpen_network):\n    redpen_network.allow('192.0.2.1')\n    reach()", []),
        ("def test_mine(redpen_network): reach('localhost')", []),
        (
            """def test_mine(redpen_network):
    pytest.raises(Exception, reach)
    assert [one.target for one in redpen_network.take_attempts()] == ["192.0.2.1"]""",
            [],
        ),
    ],
)
def test_hosts_can_be_allowed_and_attempts_read(run, source, options):
    run(source, *options).assert_outcomes(passed=1)


def test_host_allowed_by_one_test_is_blocked_in_the_next(run):
    source = "def test_one(redpen_network):\n    redpen_network.allow('192.0.2.1')\n    reach()\n"
    marked = "@pytest.mark.redpen_network\ndef test_two(): reach()\n"
    run(f"{source}{marked}def test_three(): reach()").assert_outcomes(passed=2, failed=1)


LEFT_BEHIND = """
import threading
def test_mine(redpen_network):
    go = threading.main_thread()
    def late():
        go.join(0.0)
        import _pytest, time
        while not DONE.is_set():
            DONE.wait(0.01)
        pytest.raises(Exception, reach)
        AFTER.set()
    threading.Thread(target=late, daemon=True).start()
DONE, AFTER = threading.Event(), threading.Event()
"""
LATE = """
import pytest
pytest_plugins = ["redpen_evals.plugin"]
@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    import sys
    module = next((one for name, one in sys.modules.items() if name.endswith("left_behind")), None)
    if module is not None and hasattr(module, "DONE"):
        module.DONE.set()
        module.AFTER.wait(30)
"""


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n1"]], ids=["alone", "xdist"])
def test_attempt_after_the_last_test_fails_the_session(pytester, run_forked, workers):
    pytester.makeconftest(LATE)
    pytester.makepyfile(test_left_behind=f"import pytest\nfrom reaching import reach\n{LEFT_BEHIND}")
    result = run_forked(*workers)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "outside of any test: reached for the network" in result.stdout.str()


def test_attempt_in_xdist_worker_fails_its_test(run):
    result = run(f"{SWALLOWED}\n{USES}", "-p", "xdist", "-n1")
    result.assert_outcomes(failed=1, passed=1)
