"""The raw endpoint, which serves given bytes: scripts, waits, resets and shutdown."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from property_support.raw_endpoint import RawEndpoint, answer_bytes

REQUEST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody"


def connected(endpoint):
    address = urlsplit(endpoint.base_url)
    assert address.port is not None
    return socket.create_connection((address.hostname, address.port), timeout=30)


def receive_all(endpoint, *parts):
    received = b""
    with connected(endpoint) as connection:
        for part in parts or (REQUEST,):
            connection.sendall(part)
        while data := connection.recv(65_536):
            received += data
    return received


def test_each_connection_has_own_script_and_last_repeats():
    with RawEndpoint([b"one"], [b"t", 0.001, b"wo"]) as endpoint:
        assert [receive_all(endpoint) for _ in range(3)] == [b"one", b"two", b"two"]
        assert (endpoint.connections, endpoint.requests) == (3, 3)
        endpoint.say([b"three"], [])
        assert [receive_all(endpoint) for _ in range(3)] == [b"three", b"", b""]


def test_request_is_read_completely_before_answer():
    with RawEndpoint([b"x"]) as endpoint:
        assert receive_all(endpoint, REQUEST[:30], REQUEST[30:-2], REQUEST[-2:]) == b"x"
        assert receive_all(endpoint, b"GET / HTTP/1.1\r\n\r\n") == b"x"
        with connected(endpoint) as connection:
            connection.sendall(REQUEST[:-1])
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
        assert (endpoint.connections, endpoint.requests) == (3, 2)


def test_next_step_reads_another_request_on_same_connection():
    with RawEndpoint([b"one", "next", b"two"]) as endpoint, connected(endpoint) as connection:
        for answer in (b"one", b"two"):
            connection.sendall(REQUEST)
            assert connection.recv(10) == answer
        assert connection.recv(10) == b""
        assert (endpoint.connections, endpoint.requests) == (1, 2)


def test_reset_step_resets_connection():
    with RawEndpoint(["reset"]) as endpoint, connected(endpoint) as connection:
        connection.sendall(REQUEST)
        with pytest.raises(ConnectionResetError):
            connection.recv(1)


@pytest.mark.parametrize("step", ["hold", 60.0, "next"])
def test_wait_ends_when_client_disconnects(step):
    with RawEndpoint([step], [b"x"]) as endpoint:
        with connected(endpoint) as connection:
            connection.sendall(REQUEST)
        assert receive_all(endpoint) == b"x"


@pytest.mark.parametrize("step", ["hold", 60.0, "next"])
def test_wait_ends_when_server_closes(step):
    before = (set(threading.enumerate()), len(list(Path("/dev/fd").iterdir())))
    endpoint = RawEndpoint([step])
    with connected(endpoint) as connection:
        connection.sendall(REQUEST)
        while not endpoint.requests:
            assert len(threading.enumerate()) > len(before[0])
        endpoint.close()
        endpoint.close()
        assert connection.recv(1) == b""
    assert (set(threading.enumerate()), len(list(Path("/dev/fd").iterdir()))) == before


def test_answer_bytes_is_chat_completion_response():
    head, _, body = answer_bytes({"draft": "é"}, status=429, headers={"Retry-After": "1"}).partition(
        b"\r\n\r\n"
    )
    assert head.startswith(b"HTTP/1.1 429 ")
    assert b"Retry-After: 1" in head
    assert json.loads(json.loads(body)["choices"][0]["message"]["content"]) == {"draft": "é"}
