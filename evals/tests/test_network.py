"""`NetworkGuard` blocks and logs every attempt to reach a network."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import http.client
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from redpen_evals.network import NetworkBlocked, NetworkGuard, is_loopback, reaching_out

pytestmark = pytest.mark.reaches_for_network


def _udp(family=socket.AF_INET):
    return socket.socket(family, socket.SOCK_DGRAM)


def _on(sock, method, *args):
    # Closed at once: the garbage collector would emit a ResourceWarning during another test.
    with sock:
        getattr(sock, method)(*args)


def _send_connected():
    with socket.create_server(("127.0.0.1", 0)) as listener, NetworkGuard(allow_loopback=True):
        sock = socket.create_connection(listener.getsockname())
    with sock:
        yield
        sock.sendmsg([b"x"])


def _ask_by_http_client(host):
    connection = http.client.HTTPConnection(host, timeout=1)
    connection.request("GET", "/")
    # While a thread of an earlier run is alive, its patch connects only here.
    connection.getresponse()


ATTEMPTS = {
    "connect": lambda: socket.create_connection(("192.0.2.1", 80), timeout=1),
    "connect_ex": lambda: _on(socket.socket(), "connect_ex", ("192.0.2.1", 80)),
    "connect v6": lambda: _on(socket.socket(socket.AF_INET6), "connect", ("2001:db8::1", 80)),
    "loopback": lambda: _on(socket.socket(), "connect", ("127.0.0.1", 9)),
    "loopback v6": lambda: _on(socket.socket(socket.AF_INET6), "connect", ("::1", 9)),
    "sendto": lambda: _on(_udp(), "sendto", b"x", ("192.0.2.1", 53)),
    "sendmsg": lambda: _on(_udp(), "sendmsg", [b"x"], [], 0, ("192.0.2.1", 9)),
    "getaddrinfo": lambda: socket.getaddrinfo("example.invalid", 443),
    "getaddrinfo bytes": lambda: socket.getaddrinfo(b"example.invalid", 443),
    "gethostbyname": lambda: socket.gethostbyname("example.invalid"),
    "gethostbyname_ex": lambda: socket.gethostbyname_ex("example.invalid"),
    "gethostbyaddr": lambda: socket.gethostbyaddr("192.0.2.1"),
    "getnameinfo": lambda: socket.getnameinfo(("192.0.2.1", 80), 0),
    "localhost": lambda: socket.getaddrinfo("localhost", 80),
    "urllib": lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=1),
    "http.client": lambda: _ask_by_http_client("192.0.2.1"),
    "httpx2": lambda: httpx2.get("http://example.invalid/", timeout=1),
    "asyncio": lambda: asyncio.run(asyncio.open_connection("192.0.2.1", 80)),
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=list(ATTEMPTS))
def test_every_way_to_connect_or_resolve_is_blocked_and_logged(attempt):
    with NetworkGuard() as guard:
        with pytest.raises(NetworkBlocked) as caught:
            attempt()
        assert guard.attempts
    assert caught.value.attempt in guard.attempts
    assert caught.value.attempt.target in str(caught.value)


def test_swallowed_attempt_is_logged():
    with NetworkGuard() as guard, contextlib.suppress(Exception):
        socket.getaddrinfo("example.invalid", 443)
    assert [(attempt.event, attempt.target) for attempt in guard.attempts] == [
        ("socket.getaddrinfo", "example.invalid")
    ]


def test_guard_covers_threads_started_before_it():
    go, results = threading.Event(), []

    def work():
        go.wait()
        with socket.socket() as sock:
            try:
                sock.connect(("127.0.0.1", 9))
            except NetworkBlocked as blocked:
                results.append(blocked.attempt.thread)

    threads = [threading.Thread(target=work, name=f"worker {number}") for number in range(4)]
    for thread in threads:
        thread.start()
    with NetworkGuard() as guard:
        go.set()
        for thread in threads:
            thread.join()
    assert sorted(results) == [f"worker {number}" for number in range(4)]
    assert len(guard.attempts) == 4


def _look_up(name="127.0.0.1"):
    socket.getaddrinfo(name, 80)


class TestGuardsOfRuns:
    """Two threads, a run in each; ``other`` does work in the second."""

    @pytest.fixture
    def other(self):
        with ThreadPoolExecutor(1) as pool:
            yield lambda work: pool.submit(work).result()

    def test_guard_of_one_run_ignores_run_with_its_own_guard(self, other):
        theirs = NetworkGuard(allow_loopback=True, one_run=True)
        with NetworkGuard(one_run=True) as ours:
            other(theirs.__enter__)
            other(_look_up)
            with pytest.raises(NetworkBlocked):
                other(lambda: _look_up("example.invalid"))
            assert (len(ours.attempts), len(theirs.attempts)) == (0, 1)
            with pytest.raises(NetworkBlocked):
                _look_up()
            other(theirs.__exit__)
        assert (len(ours.attempts), len(theirs.attempts)) == (1, 1)

    def test_guard_of_one_run_ignores_reaching_out_in_another(self, other):
        def reach():
            with reaching_out():
                _look_up()

        with NetworkGuard(one_run=True) as guard:
            other(reach)
            assert guard.attempts == ()
            with pytest.raises(NetworkBlocked):
                reach()

    def test_process_guard_blocks_reaching_out_in_another_thread(self, other):
        def reach():
            with reaching_out(), NetworkGuard(allow_loopback=True, one_run=True):
                _look_up()

        with NetworkGuard() as guard, pytest.raises(NetworkBlocked):
            other(reach)
        assert len(guard.attempts) == 1

    def test_guard_of_one_run_blocks_threads_without_a_run(self, other):
        with NetworkGuard(one_run=True) as guard, pytest.raises(NetworkBlocked):
            other(_look_up)
        assert len(guard.attempts) == 1

    def test_context_that_outlives_its_run_is_blocked(self, other):
        with NetworkGuard(allow_loopback=True, one_run=True), reaching_out():
            left_over = contextvars.copy_context()
        with NetworkGuard(one_run=True) as guard, pytest.raises(NetworkBlocked):
            other(lambda: left_over.run(_look_up))
        assert len(guard.attempts) == 1

    def test_guards_of_asyncio_tasks_in_one_thread_are_separate(self):
        async def replay(started, go):
            with NetworkGuard(one_run=True) as guard:
                started.set()
                await go.wait()
                with pytest.raises(NetworkBlocked):
                    await asyncio.to_thread(_look_up)
            return guard.attempts

        async def record(started, go):
            await started.wait()
            with reaching_out():
                await asyncio.to_thread(_look_up)
            go.set()

        async def both():
            started, go = asyncio.Event(), asyncio.Event()
            return await asyncio.gather(replay(started, go), record(started, go))

        attempts, _ = asyncio.run(both())
        assert len(attempts) == 1


def test_allow_loopback_permits_only_loopback():
    with socket.create_server(("127.0.0.1", 0)) as listener, NetworkGuard(allow_loopback=True) as guard:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        socket.create_connection(("localhost", port)).close()
        with _udp() as sock:
            sock.sendto(b"x", ("127.0.0.1", 9))
        assert guard.attempts == ()
        with pytest.raises(NetworkBlocked):
            socket.getaddrinfo("example.invalid", 80)
        with pytest.raises(NetworkBlocked):
            socket.create_connection(("192.0.2.1", port))
    assert len(guard.attempts) == 2


def test_send_on_connection_opened_before_guard_is_blocked():
    steps = _send_connected()
    next(steps)
    with NetworkGuard() as guard, pytest.raises(NetworkBlocked):
        next(steps)
    assert guard.attempts[0].event == "socket.sendmsg"


def test_nested_guards_all_apply():
    with NetworkGuard() as outer, NetworkGuard(allow_loopback=True) as inner:
        with pytest.raises(NetworkBlocked):
            socket.getaddrinfo("localhost", 80)
        with pytest.raises(NetworkBlocked):
            socket.getaddrinfo("example.invalid", 80)
    assert (len(outer.attempts), len(inner.attempts)) == (2, 1)


def test_guards_may_exit_in_any_order_and_be_reused():
    first, second = NetworkGuard(), NetworkGuard(allow_loopback=True)
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert socket.getaddrinfo("127.0.0.1", 80)
    with second, pytest.raises(NetworkBlocked):
        socket.gethostbyname("example.invalid")
    with pytest.raises(NetworkBlocked):
        socket.gethostbyname("example.invalid")
    second.__exit__()
    assert len(second.attempts) == 2
    assert socket.getaddrinfo("127.0.0.1", 80)


def test_unix_sockets_files_and_hostless_lookups_are_allowed(tmp_path):
    with NetworkGuard() as guard:
        one, other = socket.socketpair()
        with one, other, socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as sock:
            listener.bind(str(tmp_path / "s"))
            listener.listen()
            sock.connect(str(tmp_path / "s"))
            one.sendmsg([b"x"])
        assert socket.getaddrinfo(None, 80)
        (tmp_path / "file").write_text("x")
        asyncio.run(asyncio.sleep(0))
    assert guard.attempts == ()


def test_audit_hook_is_installed_once_and_on_first_use():
    code = (
        "import sys\n"
        "installed = []\n"
        "add = sys.addaudithook\n"
        "sys.addaudithook = lambda hook: (installed.append(hook), add(hook))\n"
        "from redpen_evals.network import NetworkGuard\n"
        "assert installed == []\n"
        "for _ in range(3):\n"
        "    with NetworkGuard(), NetworkGuard(): pass\n"
        "assert len(installed) == 1\n"
    )
    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        check=True,
    )


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("::1%lo", True),
        ("::ffff:127.0.0.1", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("app.localhost", True),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - an address to judge, not to bind
        ("::ffff:10.0.0.1", False),
        ("", False),
        (None, False),
    ],
)
def test_is_loopback_recognizes_loopback_hosts(host, expected):
    assert is_loopback(host) is expected


def _lying(family):
    class Lying(socket.socket):
        @property
        def family(self):
            return socket.AF_UNIX

    return Lying(family, socket.SOCK_STREAM)


def test_socket_subclass_with_false_family_is_blocked():
    with NetworkGuard() as guard, _lying(socket.AF_INET) as sock, pytest.raises(NetworkBlocked):
        sock.connect(("192.0.2.1", 80))
    assert guard.attempts[0].target == "192.0.2.1:80"


@pytest.mark.parametrize("name", ["AF_PACKET", "AF_VSOCK", "AF_BLUETOOTH"])
def test_other_socket_families_are_blocked(name):
    if not hasattr(socket, name):
        pytest.skip(f"this system has no {name}")
    with NetworkGuard(allow_loopback=True) as guard, pytest.raises(NetworkBlocked):
        socket.socket(getattr(socket, name), socket.SOCK_RAW)
    assert guard.attempts[0].target == f"a socket of {name}"


def test_run_may_connect_only_to_servers_that_it_started():
    with socket.create_server(("127.0.0.1", 0)) as other, NetworkGuard(one_run=True) as guard:
        with socket.create_server(("127.0.0.1", 0)) as own:
            socket.create_connection(("localhost", own.getsockname()[1])).close()
        assert guard.attempts == ()
        with pytest.raises(NetworkBlocked):
            _on(socket.socket(), "connect", other.getsockname())
    assert len(guard.attempts) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_attempt_in_forked_process_is_blocked_and_logged():
    with NetworkGuard() as guard:
        child = os.fork()
        if not child:
            with contextlib.suppress(NetworkBlocked):
                socket.getaddrinfo("example.invalid", 443)
            os._exit(0)
        os.waitpid(child, 0)
        assert [(attempt.target, attempt.process) for attempt in guard.attempts] == [
            ("example.invalid", child)
        ]


def test_session_guard_ignores_runs_with_their_own_guard():
    with NetworkGuard(of_session=True) as session:
        with NetworkGuard(one_run=True) as run, pytest.raises(NetworkBlocked):
            _look_up()
        assert (len(run.attempts), len(session.attempts)) == (1, 0)
        with NetworkGuard(one_run=True, allow=["127.0.0.1"]):
            _look_up()
        with pytest.raises(NetworkBlocked):
            _look_up()
        assert len(session.attempts) == 1


def test_leftover_context_of_ended_run_cannot_reach_loopback():
    with NetworkGuard(one_run=True):
        left_over = contextvars.copy_context()
    with NetworkGuard(allow_loopback=True, of_session=True) as session, pytest.raises(NetworkBlocked):
        left_over.run(_look_up)
    assert len(session.attempts) == 1
