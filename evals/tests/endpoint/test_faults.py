"""The bytes each fault sends."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest

_BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode()
CALL = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b" % (len(_BODY), _BODY)


def test_drop_sends_nothing(serve, exchange):
    assert exchange(serve({"fault": "drop"}), CALL) == b""


def test_truncate_sends_less_than_content_length(serve, exchange):
    head, _, body = exchange(serve({"fault": "truncate"}), CALL).partition(b"\r\n\r\n")
    fields = dict(line.split(": ") for line in head.decode().split("\r\n")[1:])
    assert 0 < len(body) < int(fields["Content-Length"])
    with pytest.raises(json.JSONDecodeError):
        json.loads(body)


def test_reset_ends_in_middle_of_body(serve):
    address = urlsplit(serve({"fault": "reset"}).base_url)
    received = []
    with socket.create_connection((address.hostname, address.port or 0), timeout=30) as connection:
        connection.sendall(CALL)
        with pytest.raises(ConnectionResetError):
            received.extend(iter(lambda: connection.recv(65536), b""))
    # The kernel may discard data received before a reset.
    assert not received or b"\r\n\r\n{" in b"".join(received)


def test_malformed_chunks_has_invalid_chunk_size(serve, exchange):
    head, _, body = exchange(serve({"fault": "malformed_chunks"}), CALL).partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert b"Content-Length" not in head
    assert b"\r\nnot a size\r\n" in body


def test_refuse_headers_stops_before_end_of_headers(serve, exchange):
    received = exchange(serve({"fault": "refuse_headers"}), CALL)
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\n\r\n" not in received


def test_garbage_is_not_http(serve, exchange):
    received = exchange(serve({"fault": "garbage"}), CALL)
    assert received
    assert not received.startswith(b"HTTP/")


def test_hang_sends_nothing_and_ends_when_client_disconnects(serve, exchange):
    assert exchange(serve({"fault": "hang"}), CALL) == b""
