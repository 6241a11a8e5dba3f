"""Arbitrary bytes from a server: a call ends in time with a reply or a documented stop, leaking nothing.

The dripping servers take far longer than a call may and would answer correctly in the end: a client
that waited for them would return the wrong result.
"""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from property_support.raw_endpoint import RawEndpoint, Step, answer_bytes
from redpen.chat.bounds import MAX_BODY_BYTES
from redpen.chat.pool import new_http_client
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.endpoint.wire import Response

Ask = Callable[..., Any]
Raw = Callable[..., RawEndpoint]
Serve = Callable[..., ScriptedEndpoint]

KEY = "sk-test-4f9a81c2e7d05b36"
OK: dict[str, Any] = {"draft": "ok"}
GOOD = answer_bytes(OK)
LASTING = answer_bytes(OK, keep_alive=True)
START = b"HTTP/1.1 200 OK\r\n"
CHUNKED = START + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = json.dumps({"choices": [{"message": {"content": json.dumps(OK)}}]}).encode()


def response(body: bytes, *, status: int = 200, **headers: str) -> bytes:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=status, body=body, headers=named).encode()


def packed(body: bytes, encoding: str = "gzip", status: int = 200) -> bytes:
    return response(body, status=status, Content_Encoding=encoding)


def dripped(data: bytes, pause_s: float = 0.02) -> list[Step]:
    return [step for byte in data for step in (bytes([byte]), pause_s)]


def sized(length: str) -> bytes:
    return START + f"Content-Length: {length}\r\n\r\n".encode() + BODY


GOOD_ROWS: dict[str, list[Step]] = {
    "whole": [GOOD],
    "in two pieces": [GOOD[:40], 0.001, GOOD[40:]],
    "chunked": [CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)],
    "ended by the connection": [START + b"\r\n" + BODY],
    "HTTP/1.0": [b"HTTP/1.0 200 OK\r\n\r\n" + BODY],
    "after 100": [b"HTTP/1.1 100 Continue\r\n\r\n" + GOOD],
    "after 103": [b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + GOOD],
    "another 2xx": [answer_bytes(OK, status=206)],
    "gzip": [packed(gzip.compress(BODY))],
    "x-gzip": [packed(gzip.compress(BODY), "x-gzip")],
    "identity": [packed(BODY, "identity")],
    "a strange character set": [GOOD.replace(b"application/json", b"application/json; charset=rot13")],
    "called a page": [GOOD.replace(b"application/json", b"text/html")],
    "called nothing": [GOOD.replace(b"Content-Type: application/json\r\n", b"")],
}

SLOW_ROWS: dict[str, list[Step]] = {
    "silence": ["hold"],
    "a slow first byte": [30.0, GOOD],
    "a slow drip of everything": dripped(GOOD, 0.1),
    "a slow drip of headers": [START, *([b"X-A: b\r\n", 0.02] * 1_000), GOOD[len(START) :]],
    "a slow drip of the body": [START + b"\r\n" + BODY[:-1], *([b" ", 0.02] * 1_000), BODY[-1:]],
    "a slow drip of 100": [*([b"HTTP/1.1 100 Continue\r\n\r\n", 0.02] * 1_000), GOOD],
    "a flood of 100": [b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000] * 5_000,
    "a body that never ends": [sized("9000"), "hold"],
}
SHORT_S = 0.15

BAD_ROWS: dict[str, tuple[str, list[Step]]] = {
    # The connection.
    "closed at once": ("llm_timeout", []),
    "reset at once": ("llm_timeout", ["reset"]),
    "reset in the headers": ("llm_timeout", [START + b"Content-Le", "reset"]),
    "reset in the body": ("llm_timeout", [GOOD[:-9], "reset"]),
    "closed in the headers": ("llm_timeout", [START + b"Content-Le"]),
    "closed in the body": ("llm_timeout", [GOOD[:-9]]),
    # Lengths and framing.
    "a length too long": ("llm_timeout", [sized("9000")]),
    "a length too short": ("llm_invalid_json", [sized("20")]),
    "a length below zero": ("llm_timeout", [sized("-5")]),
    "a length in words": ("llm_timeout", [sized("five")]),
    "a length of thirty digits": ("llm_timeout", [sized("9" * 30)]),
    "two lengths": ("llm_timeout", [sized("2\r\nContent-Length: 3")]),
    "no length and no body": ("llm_invalid_json", [START + b"\r\n"]),
    "chunks of garbage": ("llm_timeout", [CHUNKED + b"zz\r\n"]),
    "a chunk below zero": ("llm_timeout", [CHUNKED + b"-1\r\n{}\r\n"]),
    "a chunk larger than sent": ("llm_timeout", [CHUNKED + b"FFFFFFFFFFFF\r\n{}"]),
    "a chunk size without end": ("llm_timeout", [CHUNKED + b"F" * 200_000]),
    "chunks cut off": ("llm_timeout", [CHUNKED + b"5\r\n{}"]),
    "an unknown framing": ("llm_timeout", [START + b"Transfer-Encoding: quantum\r\n\r\n{}"]),
    # Heads.
    "no HTTP": ("llm_timeout", [b"SSH-2.0-OpenSSH_9.6\r\n"]),
    "a body alone": ("llm_timeout", [BODY]),
    "HTTP/2": ("llm_timeout", [b"HTTP/2 200\r\n\r\n" + BODY]),
    "zeros": ("llm_timeout", [b"\x00" * 100_000]),
    "line breaks": ("llm_timeout", [b"\r\n" * 100_000]),
    "a status in words": ("llm_timeout", [GOOD.replace(b"200", b"abc")]),
    "a header of 300,000 bytes": ("llm_timeout", [START + b"X: " + b"a" * 300_000 + b"\r\n\r\n"]),
    "100,000 headers": ("llm_timeout", [START + b"X: a\r\n" * 100_000 + b"\r\n"]),
    "headers of all bytes": ("llm_timeout", [START + bytes(range(256)) + b"\r\n\r\n"]),
    # Statuses.
    "101": ("llm_timeout", [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc"]),
    "204": ("llm_invalid_json", [b"HTTP/1.1 204 No Content\r\n\r\n"]),
    "300": ("llm_server_error", [answer_bytes(OK, status=300)]),
    "304": ("llm_server_error", [b"HTTP/1.1 304 Not Modified\r\n\r\n"]),
    "a redirect to nowhere": ("llm_server_error", [response(b"", status=302, Location="http://[")]),
    "402": ("llm_bad_request", [answer_bytes(OK, status=402)]),
    "500": ("llm_server_error", [answer_bytes(OK, status=500)]),
    "600": ("llm_server_error", [answer_bytes(OK, status=600)]),
    "999": ("llm_server_error", [answer_bytes(OK, status=999)]),
    "401 in a strange character set": (
        "llm_auth",
        [response(b"\xff\xfe", status=401, Content_Type="text/plain; charset=bz2")],
    ),
    "400 with a deep error": ("llm_bad_request", [response(b'{"error":' + b"[" * 100_000, status=400)]),
    "400 with a list of errors": ("llm_bad_request", [response(b'{"error": [1, {"a": []}]}', status=400)]),
    "400 with an object for a code": (
        "llm_bad_request",
        [response(b'{"error": {"code": {"a": [1]}, "message": null}}', status=400)],
    ),
    # Bodies.
    "a page": ("llm_invalid_json", [response(b"<html>Bad gateway</html>")]),
    "no UTF-8": ("llm_invalid_json", [response(BODY.replace(b"ok", b"\xff\xfe"))]),
    "no gzip": ("llm_invalid_json", [packed(BODY)]),
    "gzip cut off": ("llm_invalid_json", [packed(gzip.compress(BODY)[:-12])]),
    "gzip of nothing": ("llm_invalid_json", [packed(b"")]),
    "a gzip bomb": ("llm_invalid_json", [packed(gzip.compress(b" " * 20_000_000))]),
    "a gzip bomb of an error": (
        "llm_invalid_json",
        [packed(gzip.compress(b" " * 20_000_000), status=500)],
    ),
    "gzip within gzip": ("llm_invalid_json", [packed(gzip.compress(gzip.compress(BODY)), "gzip, gzip")]),
    "another packing": ("llm_invalid_json", [packed(BODY, "br")]),
    "too large": ("llm_invalid_json", [response(b" " * (MAX_BODY_BYTES + 1))]),
    "too large, of no declared length": ("llm_invalid_json", [START + b"\r\n", *([b" " * 100_000] * 1_000)]),
    "too large, in chunks": (
        "llm_invalid_json",
        [CHUNKED, *([b"186A0\r\n" + b" " * 100_000 + b"\r\n"] * 1_000)],
    ),
}


@pytest.mark.parametrize("steps", GOOD_ROWS.values(), ids=GOOD_ROWS)
def test_unusual_but_valid_response_is_read(raw: Raw, ask: Ask, steps: list[Step]) -> None:
    assert ask(raw(steps).base_url).reply == OK


@pytest.mark.parametrize(("reason", "steps"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_broken_response_stops_with_its_reason(raw: Raw, ask: Ask, reason: str, steps: list[Step]) -> None:
    ending = ask(raw(steps).base_url)
    assert ending.reason == reason, ending.error


@pytest.mark.parametrize("steps", SLOW_ROWS.values(), ids=SLOW_ROWS)
def test_slow_response_times_out(raw: Raw, ask: Ask, steps: list[Step]) -> None:
    assert ask(raw(steps).base_url, timeout_s=SHORT_S).reason == "llm_timeout"


def test_failed_calls_leave_no_socket_or_thread(ask: Ask, resources: Callable[[], object]) -> None:
    before = resources()
    slow, bad = list(SLOW_ROWS.values()), [steps for _, steps in BAD_ROWS.values()]
    with new_http_client() as client, RawEndpoint(*slow, *bad) as endpoint:
        for patience in (*[SHORT_S] * len(slow), *[20] * len(bad)):
            assert ask(endpoint.base_url, http_client=client, timeout_s=patience).reason
        # On a busy machine a slow call can time out before it is connected.
        assert len(bad) <= endpoint.connections <= len(slow) + len(bad)
    assert resources() == before


def test_refused_connection_is_llm_timeout(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert ask(f"http://127.0.0.1:{port}/v1").reason == "llm_timeout"


def test_unaccepted_connection_is_llm_timeout(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, ExitStack() as stack:
        address = listener.getsockname()
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(address)
        assert ask(f"http://127.0.0.1:{address[1]}/v1", timeout_s=SHORT_S).reason == "llm_timeout"


def test_redirects_are_not_followed(serve: Serve, ask: Ask) -> None:
    other = serve({"json": OK})
    with httpx2.Client(follow_redirects=True, verify=False) as eager:
        for status in (301, 302, 303, 307, 308):
            endpoint = serve(
                {"status": status, "headers": {"Location": f"{other.base_url}/chat/completions"}}
            )
            assert ask(endpoint.base_url, http_client=eager).reason == "llm_server_error"
            assert len(endpoint.requests) == 1
    assert other.requests == ()


def test_leftover_bytes_are_not_read_as_next_answer(raw: Raw, ask: Ask) -> None:
    endpoint = raw([LASTING + answer_bytes({"draft": "of another run"}), "next", GOOD], [GOOD])
    assert ask(endpoint.base_url).reply == OK
    assert ask(endpoint.base_url).reason == "llm_timeout"
    assert ask(endpoint.base_url).reply == OK


def test_truncated_answer_does_not_affect_the_next_call(raw: Raw, ask: Ask) -> None:
    endpoint = raw([sized("20"), "next", GOOD], [GOOD])
    assert ask(endpoint.base_url).reason == "llm_invalid_json"
    assert ask(endpoint.base_url).reply == OK
    assert endpoint.connections == 2


def test_connection_is_reused(raw: Raw, ask: Ask) -> None:
    endpoint = raw([LASTING, "next", LASTING, "next", GOOD])
    assert [ask(endpoint.base_url).reply for _ in range(3)] == [OK] * 3
    assert endpoint.connections == 1


@pytest.mark.parametrize(
    "steps",
    [
        [response(f"<html>{KEY}</html>".encode(), status=502)],
        [response(json.dumps({"error": {"message": f"key {KEY}", "code": KEY}}).encode(), status=401)],
        [response(b"{}", status=500, X_Echo=KEY).replace(b"Internal Server Error", KEY.encode())],
        [f"HTTP/1.1 {KEY}\r\n\r\n".encode()],
        [START + f"Authorization Bearer {KEY}\r\n\r\n".encode()],
        [CHUNKED + f"{KEY}\r\n".encode()],
        [packed(BODY, KEY)],
        [answer_bytes({"draft": f"The key is {KEY}."})],
        [answer_bytes({"notes": [{KEY: 1}]})],
        [response(json.dumps({"choices": [{"message": {"refusal": f"No, {KEY}."}}]}).encode())],
        [response(json.dumps({"error": {"message": [KEY]}}).encode())],
    ],
    ids=str,
)
def test_key_echoed_by_server_is_redacted(
    raw: Raw, ask: Ask, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], steps: list[Step]
) -> None:
    assert ask(raw(steps).base_url).reason
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())
