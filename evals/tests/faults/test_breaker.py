"""The circuit breaker: opening, probing, settling, and sharing between clients."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from property_support.raw_endpoint import RawEndpoint, answer_bytes
from redpen import run_reflection_agent
from redpen.chat import ChatClient
from redpen.chat.breaker import RESET_TIMEOUT_S, THRESHOLD, CircuitBreaker, CircuitOpen, shared_breaker
from redpen_evals.endpoint.server import ScriptedEndpoint

Ask = Callable[..., Any]
Connect = Callable[..., ChatClient]
Raw = Callable[..., RawEndpoint]
Serve = Callable[..., ScriptedEndpoint]

OK: dict[str, Any] = {"json": {"draft": "ok"}}
DOWN: dict[str, Any] = {"status": 503}


class Clock:
    """A clock that advances only by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(threshold=3, reset_timeout_s=30, clock=clock)


def fail(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        breaker.record(breaker.admit(), healthy=False)


def test_breaker_opens_after_consecutive_failures(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    breaker.record(breaker.admit(), healthy=True)
    fail(breaker, 2)
    assert not breaker.is_open
    fail(breaker)
    assert breaker.is_open
    with pytest.raises(CircuitOpen, match="3 attempts in a row failed; next attempt allowed in 30 s"):
        breaker.admit()


def test_neutral_result_neither_counts_nor_resets_failures(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    breaker.record(breaker.admit(), healthy=None)
    assert not breaker.is_open
    fail(breaker)
    assert breaker.is_open


def test_breaker_admits_one_probe_after_rest(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 29.9
    with pytest.raises(CircuitOpen):
        breaker.admit()
    clock.now += 0.1
    probe = breaker.admit()
    assert probe == "half_open"
    with pytest.raises(CircuitOpen, match="a probe is in progress"):
        breaker.admit()
    breaker.record(probe, healthy=True)
    assert (breaker.admit(), breaker.is_open) == ("closed", False)


def test_failed_probe_restarts_rest(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 30
    fail(breaker)
    with pytest.raises(CircuitOpen, match="in 30 s"):
        breaker.admit()
    clock.now += 30
    assert breaker.admit() == "half_open"


def test_neutral_probe_admits_another_probe(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 30
    breaker.record(breaker.admit(), healthy=None)
    assert breaker.admit() == "half_open"


@pytest.mark.parametrize("healthy", [True, False, None])
def test_try_admitted_before_opening_is_ignored(
    breaker: CircuitBreaker, clock: Clock, healthy: bool | None
) -> None:
    before = breaker.admit()
    fail(breaker, 3)
    clock.now += 20
    breaker.record(before, healthy=healthy)
    with pytest.raises(CircuitOpen, match="in 10 s"):
        breaker.admit()


def test_only_one_of_many_threads_probes(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 30
    start = threading.Barrier(16)

    def attempt(_: int) -> str:
        start.wait()
        try:
            return breaker.admit()
        except CircuitOpen:
            return "open"

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(attempt, range(16))) == ["half_open", *["open"] * 15]


def test_calls_open_breaker_and_later_calls_are_not_made(
    serve: Serve, ask: Ask, pauses: list[float], breaker: CircuitBreaker
) -> None:
    endpoint = serve({**DOWN, "times": 10})
    first = ask(endpoint.base_url, retries=1, breaker=breaker)
    # The try that opens the breaker ends its call, which reports the server's own failure.
    second = ask(endpoint.base_url, retries=5, breaker=breaker)
    third = ask(endpoint.base_url, retries=5, breaker=breaker)
    assert [first.kind, second.kind, third.kind] == ["InternalServerError"] * 2 + ["CircuitOpen"]
    assert {first.reason, second.reason, third.reason} == {"llm_server_error"}
    assert (len(endpoint.requests), len(pauses)) == (3, 1)


@pytest.mark.parametrize("reply", [DOWN, {"fault": "drop"}, {"fault": "hang"}, {"fault": "garbage"}], ids=str)
def test_unreachable_or_broken_server_opens_breaker(
    serve: Serve, ask: Ask, pauses: list[float], breaker: CircuitBreaker, reply: dict[str, Any]
) -> None:
    endpoint = serve({**reply, "times": 3})
    ask(endpoint.base_url, retries=2, timeout_s=0.05, breaker=breaker)
    assert breaker.is_open
    assert len(pauses) == 2


@pytest.mark.parametrize(
    "reply",
    [{"status": 429}, {"status": 401}, {"status": 404}, {"body": "<html>"}, {"content": "no"}],
    ids=str,
)
def test_answering_server_does_not_open_breaker(
    serve: Serve, ask: Ask, pauses: list[float], breaker: CircuitBreaker, reply: dict[str, Any]
) -> None:
    endpoint = serve({**reply, "times": 30})
    for _ in range(5):
        ask(endpoint.base_url, retries=2, breaker=breaker)
    assert not breaker.is_open
    assert len(pauses) in {0, 10}


def test_breaker_is_unused_without_retries(serve: Serve, ask: Ask, breaker: CircuitBreaker) -> None:
    endpoint = serve({**DOWN, "times": 5}, OK)
    endings = [ask(endpoint.base_url, retries=0, breaker=breaker).kind for _ in range(5)]
    assert endings == ["InternalServerError"] * 5
    assert ask(endpoint.base_url, retries=0, breaker=breaker).reply == {"draft": "ok"}
    assert not breaker.is_open


def test_probe_is_noted_in_trace(
    serve: Serve, connect: Connect, pauses: list[float], breaker: CircuitBreaker, clock: Clock
) -> None:
    endpoint = serve(
        {**DOWN, "times": 3},
        {"json": {"draft": "Checkout in the US is degraded."}},
        {"json": {"decision": "approve"}},
    )
    chat = connect(endpoint.base_url, retries=2, timeout_s=10, breaker=breaker)

    def run() -> dict[str, Any]:
        return run_reflection_agent(goal="Inform.", incident_context={}, chat=chat).to_dict()

    assert run()["error"]["type"] == "InternalServerError"
    open_run = run()
    assert (open_run["stop_reason"], open_run["error"]["type"]) == ("llm_server_error", "CircuitOpen")
    clock.now += 30
    probed = run()
    assert (probed["status"], len(pauses)) == ("ok", 2)
    assert [entry.get("breaker") for entry in probed["trace"]] == ["half_open", None, None]
    assert not any("attempts" in entry for entry in probed["trace"])


def test_slow_call_does_not_block_other_threads(raw: Raw, connect: Connect, breaker: CircuitBreaker) -> None:
    # The first call hangs until the second has its answer.
    answered = threading.Event()
    slow, quick = raw([30.0, answer_bytes({"draft": "slow"})]), raw([answer_bytes({"draft": "quick"})])
    done: list[Any] = []

    def ask_slowly() -> None:
        client = connect(slow.base_url, retries=1, timeout_s=30, breaker=breaker)
        try:
            client.complete(phase="draft", prompt="p", payload={})
        except Exception as error:  # noqa: BLE001 - closing the server ends it
            done.append((answered.is_set(), type(error).__name__))

    worker = threading.Thread(target=ask_slowly)
    worker.start()
    while not slow.requests:
        assert worker.is_alive()
    client = connect(quick.base_url, retries=1, timeout_s=30, breaker=breaker)
    assert client.complete(phase="draft", prompt="p", payload={}) == {"draft": "quick"}
    answered.set()
    slow.close()
    worker.join()
    assert done == [(True, "Stop")]


def test_shared_breaker_is_per_address_and_model() -> None:
    one = shared_breaker("http://a.invalid/v1", "m")
    assert shared_breaker("http://a.invalid/v1/", "m") is one
    assert shared_breaker("http://a.invalid/v1", "other") is not one
    assert shared_breaker("http://b.invalid/v1", "m") is not one


def test_concurrent_threads_get_same_shared_breaker() -> None:
    start = threading.Barrier(8)

    def find(_: int) -> CircuitBreaker:
        start.wait()
        return shared_breaker("http://together.invalid/v1", "m")

    with ThreadPoolExecutor(8) as pool:
        assert len({id(found) for found in pool.map(find, range(8))}) == 1


def test_clients_share_breaker(serve: Serve, ask: Ask, pauses: list[float]) -> None:
    endpoint = serve({**DOWN, "times": THRESHOLD + 5})
    kinds = [ask(endpoint.base_url, retries=1).kind for _ in range(4)]
    assert kinds[-1] == "CircuitOpen"
    assert len(endpoint.requests) == THRESHOLD
    assert ask(endpoint.base_url, retries=1, model="another").kind == "InternalServerError"
    assert pauses
    assert RESET_TIMEOUT_S > 0
