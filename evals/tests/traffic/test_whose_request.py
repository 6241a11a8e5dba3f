"""Assignment of requests to runs across threads, pools and event loops."""

from __future__ import annotations

import asyncio
import contextvars
import http.client
import json
import queue
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from multiprocessing.pool import ThreadPool

import httpx2
import pytest
import urllib3
import vcr

from redpen_evals.cassettes.cassette import RunCassette
from redpen_evals.traffic.patching import PATCH
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import RunScope, unrecorded

JSON = {"content-type": "application/json"}
REAL = {
    (owner, name): vars(owner).get(name)
    for owner, name in (
        (http.client, "HTTPConnection"),
        (http.client, "HTTPSConnection"),
        (http.client.HTTPResponse, "read"),
        (http.client.HTTPSConnection, "__init__"),
        (httpx2.HTTPTransport, "handle_request"),
        (httpx2.AsyncHTTPTransport, "handle_async_request"),
        (threading.Thread, "start"),
        (ThreadPoolExecutor, "submit"),
        (ThreadPool, "apply_async"),
        (ThreadPool, "_map_async"),
    )
}


def get(url):
    with httpx2.Client(trust_env=False) as client:
        response = client.get(url)
        return response.status_code, response.json()


def get_plainly(url):
    with urllib.request.urlopen(url, timeout=20) as response:  # noqa: S310 - an address of the test's own
        return json.load(response)


@pytest.fixture
def server(traffic):
    return traffic.serve_http((200, JSON, [b'{"n": 1}']))


@pytest.fixture
def active():
    """Give a function that starts a run in this thread; all runs end with the test."""
    with ExitStack() as stack:

        def start(**options):
            cassette = RunCassette(kind="live", calls=options.pop("calls", None))
            scope = RunScope(cassette=cassette, **options)
            stack.enter_context(PATCH)
            stack.enter_context(ROUTER.running(scope))
            return scope

        yield start


def in_plain_thread(work):
    """Call a function in a thread that belongs to no run and return its result."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    contextvars.Context().run(thread.start)
    thread.join()
    return found[0]


def test_nothing_is_patched_outside_of_runs(traffic, server):
    traffic.record(lambda: get(server.url))
    assert not PATCH.in_place
    assert {place: vars(place[0]).get(place[1]) for place in REAL} == REAL


def test_nothing_is_patched_after_a_run_that_failed(traffic):
    def fail():
        raise LookupError

    with pytest.raises(LookupError):
        traffic.record(fail)
    assert {place: vars(place[0]).get(place[1]) for place in REAL} == REAL


def test_pooled_connections_are_restored_after_a_run(traffic, server):
    pool = urllib3.PoolManager()
    recorded, calls = traffic.record(lambda: pool.request("GET", server.url).json())
    assert traffic.replay(lambda: pool.request("GET", server.url).json(), calls) == recorded
    assert pool.request("GET", server.url).json() == recorded
    assert (len(server.asked), traffic.attempts) == (2, ())
    pool.clear()


def in_thread(url):
    found = []
    thread = threading.Thread(target=lambda: found.append(get(url)))
    thread.start()
    thread.join()
    return found[0]


def in_pool(url):
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(get, url).result()


def in_mapped_pool(url):
    with ThreadPool(2) as pool:
        return pool.map(get, [url])[0]


def in_applied_pool(url):
    with ThreadPool(1) as pool:
        return pool.apply(get, (url,))


def in_lazy_pool(url):
    with ThreadPool(1) as pool:
        return next(iter(pool.imap(get, [url])))


def in_timer(url):
    found = []
    timer = threading.Timer(0, lambda: found.append(get(url)))
    timer.start()
    timer.join()
    return found[0]


def in_executor_of_a_loop(url):
    async def ask():
        return await asyncio.get_running_loop().run_in_executor(None, get, url)

    return asyncio.run(ask())


def in_worker_thread(url):
    return asyncio.run(asyncio.to_thread(get, url))


def in_thread_of_a_thread(url):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(in_thread, url).result()


WAYS = (
    get,
    in_thread,
    in_pool,
    in_mapped_pool,
    in_applied_pool,
    in_lazy_pool,
    in_timer,
    in_executor_of_a_loop,
    in_worker_thread,
    in_thread_of_a_thread,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_requests_of_threads_started_by_a_run_belong_to_it(traffic, server, active, way):
    other = active()
    recorded, calls = traffic.record(lambda: way(server.url))
    assert traffic.replay(lambda: way(server.url), calls) == recorded == (200, {"n": 1})
    assert (len(calls), len(server.asked), traffic.attempts) == (1, 1, ())
    assert (other.cassette.calls, other.problems) == ((), [])


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ThreadPool])
def test_shared_pool_assigns_requests_to_the_submitting_run(traffic, make):
    server = traffic.serve_http(*((200, JSON, [b'{"n": %d}' % at]) for at in range(3)))
    with make(1) as pool:

        def work():
            task = (
                pool.submit(get, server.url)
                if make is ThreadPoolExecutor
                else pool.apply_async(get, (server.url,))
            )
            return task.result() if make is ThreadPoolExecutor else task.get()

        recorded = [traffic.record(work) for _ in range(3)]
        assert [result for result, _ in recorded] == [(200, {"n": at}) for at in range(3)]
        for result, calls in recorded:
            assert traffic.replay(work, calls) == result
    assert traffic.attempts == ()


def test_request_of_thread_that_outlives_its_run_is_refused(traffic, server):
    asks, answers = queue.Queue(), queue.Queue()

    def serve():
        while url := asks.get():
            answers.put(get(url))

    def work():
        thread = threading.Thread(target=serve)
        thread.start()
        asks.put(server.url)
        return thread, answers.get()

    (thread, answer), calls = traffic.record(work)
    assert (answer, len(calls)) == ((200, {"n": 1}), 1)
    assert PATCH.in_place

    def other():
        asks.put(server.url)
        return answers.get()

    (status, body), calls = traffic.record(other)
    assert (status, body["error"]["code"], calls) == (400, "redpen_run_ended", ())
    assert len(server.asked) == 1
    asks.put(None)
    thread.join()
    traffic.record(lambda: None)
    assert not PATCH.in_place


def test_request_without_run_belongs_to_the_only_active_run(server, active):
    scope = active()
    assert in_plain_thread(lambda: get(server.url)) == (200, {"n": 1})
    assert (len(scope.cassette.calls), scope.problems) == (1, [])


def test_ambiguous_request_is_refused_and_reported_in_each_run(server, active):
    scopes = active(), active()
    status, body = in_plain_thread(lambda: get(f"{server.url}/a?key=K1"))
    assert (status, body["error"]["code"], server.asked) == (400, "redpen_unrouted", [])
    for scope in scopes:
        (problem,) = scope.problems
        assert problem.startswith(f"unrouted: GET {server.url}/a?key=REDACTED was made by thread ")
        assert "K1" not in problem
        assert scope.cassette.calls == ()


def test_unrecorded_requests_are_sent_and_not_recorded(traffic, server):
    def work():
        with unrecorded():
            return get(server.url), get_plainly(server.url)

    result, calls = traffic.record(work)
    assert (result, calls, len(server.asked)) == (((200, {"n": 1}), {"n": 1}), (), 2)


@pytest.mark.parametrize("entry", ["host", "host and port"])
def test_passthrough_host_is_reached_and_not_recorded(traffic, server, entry):
    host = "127.0.0.1" if entry == "host" else f"127.0.0.1:{server.server_port}"
    _, calls = traffic.record(
        lambda: (get(server.url), get_plainly(server.url)), passthrough=frozenset({host})
    )
    assert (calls, len(server.asked)) == ((), 2)
    traffic.run(lambda: get(server.url), (), passthrough=frozenset({"127.0.0.1:1"}))
    assert (len(server.asked), len(traffic.scope.cassette.misses)) == (2, 1)


class TestOtherVcrCassettes:
    def test_vcr_cassettes_work_before_and_after_a_run(self, traffic, server, tmp_path):
        path = str(tmp_path / "own.yaml")
        with vcr.use_cassette(path):
            assert (get(server.url), get_plainly(server.url)) == ((200, {"n": 1}), {"n": 1})
        asked = len(server.asked)
        traffic.record(lambda: get(server.url))
        with vcr.use_cassette(path, record_mode="none") as own:
            assert (get(server.url), get_plainly(server.url)) == ((200, {"n": 1}), {"n": 1})
            assert own.play_count == 2
        assert len(server.asked) == asked + 1

    def test_run_inside_vcr_cassette_keeps_its_calls_separate(self, traffic, server, tmp_path):
        with vcr.use_cassette(str(tmp_path / "own.yaml")) as own:
            get(server.url)
            _, calls = traffic.record(lambda: (get(server.url), get_plainly(server.url)))
            get_plainly(server.url)
        assert (len(calls), len(own)) == (2, 2)
        assert {place: vars(place[0]).get(place[1]) for place in REAL} == REAL

    def test_vcr_cassettes_work_while_a_thread_of_a_run_is_left(self, traffic, server, tmp_path):
        stop = threading.Event()
        traffic.record(lambda: threading.Thread(target=stop.wait).start())
        assert PATCH.in_place
        with vcr.use_cassette(str(tmp_path / "own.yaml")):
            assert (get(server.url), get_plainly(server.url)) == ((200, {"n": 1}), {"n": 1})
        with vcr.use_cassette(str(tmp_path / "own.yaml"), record_mode="none") as own:
            assert (get(server.url), get_plainly(server.url)) == ((200, {"n": 1}), {"n": 1})
            assert own.play_count == 2
        stop.set()


def test_disabled_plugin_imports_nothing_of_the_harness(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    assert not [name for name in sys.modules if name.startswith(('redpen', 'vcr'))]\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:redpen_evals.plugin",
            "-p",
            "no:cacheprovider",
            "test_it.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
