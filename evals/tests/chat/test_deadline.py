"""Connections respect the deadline of the call that uses them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpcore2
import httpx2
import pytest

from redpen.chat.deadline import DeadlineBackend, DeadlineStream, within
from redpen.chat.pool import bound_connections, new_http_client


@pytest.fixture
def peer() -> Iterator[tuple[DeadlineStream, socket.socket]]:
    """A connection, and the socket at its other end."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        stream = DeadlineBackend().connect_tcp(*listener.getsockname(), timeout=30)
        other, _ = listener.accept()
        assert isinstance(stream, DeadlineStream)
        with other:
            yield stream, other
        stream.close()


def test_every_transport_uses_the_deadline_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    # The attribute is private to the HTTP library; this test fails if a release moves it.
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "b.invalid")
    with new_http_client() as client:
        for url in ("https://a.invalid", "http://a.invalid", "https://b.invalid"):
            transport: Any = client._transport_for_url(httpx2.URL(url))
            assert isinstance(transport._pool._network_backend, DeadlineBackend)


def test_other_transports_are_unchanged() -> None:
    bound_connections(None)
    bound_connections(httpx2.MockTransport(lambda _: httpx2.Response(200)))


def test_read_times_out_at_the_deadline(peer: tuple[DeadlineStream, socket.socket]) -> None:
    stream, other = peer
    with within(0.05), pytest.raises(httpcore2.ReadTimeout):
        stream.read(10, timeout=60)
    other.sendall(b"late")
    with within(-1), pytest.raises(httpcore2.ReadTimeout, match="the deadline of the call has passed"):
        stream.read(10, timeout=60)
    with within(30):
        assert stream.read(10, timeout=60) == b"late"
    other.sendall(b"more")
    assert stream.read(10, timeout=30) == b"more"


def test_shorter_of_timeout_and_deadline_applies(peer: tuple[DeadlineStream, socket.socket]) -> None:
    with within(60), pytest.raises(httpcore2.ReadTimeout):
        peer[0].read(10, timeout=0.01)
    with within(0.01), pytest.raises(httpcore2.ReadTimeout):
        peer[0].read(10, timeout=None)


def test_write_times_out_at_the_deadline(peer: tuple[DeadlineStream, socket.socket]) -> None:
    # Nothing reads the data, so the system's buffers fill up.
    with within(0.1), pytest.raises(httpcore2.WriteTimeout):
        peer[0].write(b"x" * 100_000_000, timeout=60)


def test_large_write_is_complete(peer: tuple[DeadlineStream, socket.socket]) -> None:
    stream, other = peer
    sent = bytes(range(256)) * 1_000
    received = bytearray()

    def receive() -> None:
        while len(received) < len(sent):
            received.extend(other.recv(65_536))

    reader = threading.Thread(target=receive)
    reader.start()
    with within(30):
        stream.write(sent, timeout=30)
    reader.join()
    assert received == sent


def test_each_write_resets_is_answered(peer: tuple[DeadlineStream, socket.socket]) -> None:
    stream, other = peer
    assert not stream.is_answered
    stream.write(b"x", timeout=30)
    assert not stream.is_answered
    other.sendall(b"y")
    stream.read(1, timeout=30)
    assert stream.is_answered
    stream.write(b"x", timeout=30)
    assert not stream.is_answered


@pytest.fixture
def two_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the name two.localhost resolve to 127.0.0.2 and then 127.0.0.1."""
    real = socket.getaddrinfo

    def known(host: str, *args: Any, **more: Any) -> Any:
        hosts = ["127.0.0.2", "127.0.0.1"] if host == "two.localhost" else [host]
        return [found for host in hosts for found in real(host, *args, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", known)


@pytest.mark.usefixtures("two_addresses")
def test_addresses_of_host_name_are_tried_in_order() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, within(30):
        stream = DeadlineBackend().connect_tcp("two.localhost", listener.getsockname()[1], timeout=30)
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
        stream.close()


@pytest.mark.usefixtures("two_addresses")
def test_addresses_of_host_name_share_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        port = listener.getsockname()[1]
        # The first address accepts no connection, because its backlog is full.
        full = stack.enter_context(socket.create_server(("127.0.0.2", port), backlog=0))
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        with within(1):
            stream = DeadlineBackend().connect_tcp("two.localhost", port, timeout=30)
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
        stream.close()


def test_unknown_host_raises_connect_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(httpcore2.ConnectError, match="not known"):
        DeadlineBackend().connect_tcp("a.localhost", 80, timeout=30)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [])
    with pytest.raises(httpcore2.ConnectError, match="no address"):
        DeadlineBackend().connect_tcp("a.localhost", 80, timeout=30)


def test_hanging_resolver_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    before = set(threading.enumerate())
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: gate.wait())
    with within(0.05), pytest.raises(httpcore2.ConnectTimeout, match="took too long"):
        DeadlineBackend().connect_tcp("a.localhost", 80, timeout=60)
    gate.set()
    for thread in set(threading.enumerate()) - before:
        thread.join()


@pytest.mark.reaches_for_network
def test_exception_in_resolver_reaches_the_caller() -> None:
    from redpen_evals.network import NetworkBlocked

    with pytest.raises(NetworkBlocked, match=r"a\.invalid"):
        DeadlineBackend().connect_tcp("a.invalid", 80, timeout=30)
