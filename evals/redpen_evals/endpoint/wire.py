"""HTTP/1.1 on a byte stream: parse requests, serialize responses.

HTTP libraries cannot break the protocol on purpose, as a scripted server must.
"""

from __future__ import annotations

import json
import os
import re
import socket
import struct
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from io import BufferedReader
from typing import Any, Final, NoReturn, assert_never
from urllib.parse import urlsplit

from redpen_evals.endpoint.answer import EVENT_STREAM, Event
from redpen_evals.endpoint.forms import BODILESS_STATUSES, Fault

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
MAX_HEAD_BYTES: Final = 64 * 1024

_MAX_UNREAD_BYTES: Final = 64 * 1024 * 1024
_UNREAD_TIMEOUT_S: Final = 2.0

_REQUEST_LINE: Final = re.compile(r"([A-Z]{1,32}) (\S+) HTTP/1\.([01])")
_CONTENT_LENGTH: Final = re.compile(r"[0-9]{1,18}")

# Credentials are dropped while the request is parsed, so no other module ever sees one.
_CREDENTIAL_HEADERS: Final = frozenset(
    {"api-key", "authorization", "cookie", "proxy-authorization", "x-api-key"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One parsed request.

    Attributes:
        target: the raw target: path and query, or a full URL if the server is used as a proxy.
        headers: names in lower case; without credentials.
        body: raw bytes, at most ``MAX_BODY_BYTES``.
        takes_chunks: whether the client supports chunked bodies (HTTP/1.1).
    """

    method: str
    target: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool
    takes_chunks: bool

    def read_json(self) -> Any:
        """Return the JSON value of the body, or None if there is none or it cannot be read."""
        try:
            return json.loads(self.body, parse_constant=_reject_constant)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One response before it is serialised.

    Attributes:
        headers: extra headers; they replace default headers of the same name, case-insensitively.
        chunks: the body in the chunks in which it is sent; empty if it is sent as a whole.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: tuple[bytes, ...] = ()

    @classmethod
    def of_json(cls, status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
        """Return a response with a JSON body."""
        # ASCII escapes can represent every string, including lone surrogates.
        return cls(status=status, body=json.dumps(value).encode("ascii"), headers=headers or {})

    @classmethod
    def of_events(cls, events: Iterable[Event], headers: Mapping[str, str]) -> Response:
        """Return a response that streams events, one per chunk."""
        chunks = tuple(event.encode() for event in events)
        return cls(status=200, body=b"".join(chunks), headers=headers, chunks=chunks)

    @property
    def content_type(self) -> str:
        """The content type in the head."""
        given = {name.lower(): value for name, value in self.headers.items()}
        return given.get("content-type", EVENT_STREAM if self.chunks else "application/json")

    def encode(self, *, keep_alive: bool = True, with_body: bool = True, in_chunks: bool = True) -> bytes:
        """Return head and body as bytes for a single write."""
        headers = {"content-type": ("Content-Type", self.content_type)}
        headers |= {name.lower(): (name, value) for name, value in self.headers.items()}
        chunked = in_chunks and bool(self.chunks)
        if chunked:
            headers["transfer-encoding"] = ("Transfer-Encoding", "chunked")
        elif self.status not in BODILESS_STATUSES:
            headers["content-length"] = ("Content-Length", str(len(self.body)))
        if not keep_alive:
            headers["connection"] = ("Connection", "close")
        lines = [f"HTTP/1.1 {self.status} {_phrase(self.status)}"]
        lines += [f"{name}: {value}" for name, value in headers.values()]
        head = "\r\n".join([*lines, "", ""]).encode("ascii")
        if not with_body:
            return head
        return head + (b"".join(map(encode_chunk, (*self.chunks, b""))) if chunked else self.body)


class RefusedRequestError(Exception):
    """The request cannot be parsed, or is refused; the connection is closed after the answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        """Store status, code and message for the answer."""
        super().__init__(message)
        self.status = status
        self.code = code


def encode_chunk(content: bytes) -> bytes:
    """Return one chunk of a chunked body; an empty chunk ends the body."""
    return b"%x\r\n%b\r\n" % (len(content), content)


def read_request(stream: BufferedReader, connection: socket.socket) -> Request | None:
    """Read the next request, None if the client has closed the connection; raises RefusedRequestError."""
    raw = b""
    while not raw.endswith(b"\r\n\r\n"):
        part = stream.readline(MAX_HEAD_BYTES)
        raw += part
        if not part:
            return None
        if len(raw) > MAX_HEAD_BYTES:
            message = f"The request head is longer than {MAX_HEAD_BYTES} bytes."
            raise RefusedRequestError(431, "headers_too_large", message)
    line, *fields = raw.decode("latin-1").lstrip("\r\n").split("\r\n")
    match = _REQUEST_LINE.fullmatch(line)
    if match is None:
        raise RefusedRequestError(400, "invalid_request", "The request line is not HTTP/1.x.")
    method, target, minor = match.groups()
    headers = _read_headers(fields)
    length = _body_length(headers)
    if length and headers.get("expect", "").lower() == "100-continue":
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = stream.read(length)
    if len(body) < length:
        return None
    options = {option.strip().lower() for option in headers.get("connection", "").split(",")}
    return Request(
        method=method,
        target=target,
        path=_path_of(target),
        headers=headers,
        body=body,
        keep_alive="keep-alive" in options if minor == "0" else "close" not in options,
        takes_chunks=minor != "0",
    )


def drain_unread(stream: BufferedReader, connection: socket.socket) -> None:
    """Read what the client still sends: closing with unread bytes would reset the connection."""
    connection.shutdown(socket.SHUT_WR)
    unread, ends = 0, time.monotonic() + _UNREAD_TIMEOUT_S
    while unread < _MAX_UNREAD_BYTES and (left_s := ends - time.monotonic()) > 0:
        connection.settimeout(left_s)
        if not (data := stream.read1(65536)):
            return
        unread += len(data)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _read_headers(fields: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for entry in fields:
        name, colon, value = entry.partition(":")
        key = name.lower()
        if entry and not (colon and name and name == name.strip()):
            raise RefusedRequestError(400, "invalid_request", "A header line has no name and colon.")
        if entry and key not in _CREDENTIAL_HEADERS:
            headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return headers


def _body_length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        message = "Send the request body with Content-Length, not with Transfer-Encoding."
        raise RefusedRequestError(411, "length_required", message)
    length = headers.get("content-length", "0")
    if not _CONTENT_LENGTH.fullmatch(length):
        raise RefusedRequestError(400, "invalid_request", "Content-Length is not an integer.")
    if int(length) > MAX_BODY_BYTES:
        message = f"The request body is larger than {MAX_BODY_BYTES} bytes."
        raise RefusedRequestError(413, "request_too_large", message)
    return int(length)


def _path_of(target: str) -> str:
    try:
        return urlsplit(target).path
    except ValueError as error:
        raise RefusedRequestError(400, "invalid_request", "The request target is not a URL.") from error


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Scripted"


# With a linger time of zero the kernel closes with a reset; the fields of the option are shorts on Windows
# and ints elsewhere.
_RESET_ON_CLOSE: Final = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


def reset_on_close(connection: socket.socket) -> None:
    """Make a connection close with a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)


def break_connection(
    fault: Fault, *, response: Response, stream: BufferedReader, connection: socket.socket
) -> None:
    """Send a response with a fault; the caller then closes the connection.

    Args:
        response: the intended response; a stream breaks in the middle of its events.
        stream: what the client sends; a ``hang`` ends when it closes the connection.
    """
    head, _, body = response.encode().partition(b"\r\n\r\n")
    part = head + b"\r\n\r\n" + body[: len(body) // 2]
    match fault:
        case "drop":
            pass
        case "truncate":
            connection.sendall(part)
        case "reset":
            connection.sendall(part)
            reset_on_close(connection)
        case "malformed_chunks":
            start = f"HTTP/1.1 200 OK\r\nContent-Type: {response.content_type}\r\n"
            chunk = encode_chunk(response.body[: len(response.body) // 2])
            start += "Transfer-Encoding: chunked\r\n\r\n"
            connection.sendall(start.encode("ascii") + chunk + b"not a size\r\n" + body)
        case "refuse_headers":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: appl")
        case "garbage":
            connection.sendall(b"\x00\xff\xfe this is no HTTP\r\n\r\n")
        case "hang":
            while stream.read1(65536):
                pass
        case _:
            assert_never(fault)
