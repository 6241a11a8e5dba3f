"""HTTP/1.1 on a byte stream: reading one request, spelling out one response.

Written by hand because a scripted server has to break the protocol on purpose, which HTTP libraries prevent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
MAX_HEAD_BYTES: Final = 64 * 1024

_MAX_UNREAD_BYTES: Final = 64 * 1024 * 1024
_UNREAD_TIMEOUT_S: Final = 2.0

_REQUEST_LINE: Final = re.compile(r"([A-Z]{1,32}) (\S+) HTTP/1\.([01])")
_CONTENT_LENGTH: Final = re.compile(r"[0-9]{1,18}")

# Credentials are dropped while the request is read, so nothing behind this module ever holds one.
_CREDENTIAL_HEADERS: Final = frozenset(
    {"api-key", "authorization", "cookie", "proxy-authorization", "x-api-key"}
)
_BODILESS_STATUSES: Final = frozenset({204, 304})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it was read.

    Attributes:
        method: in upper case.
        path: decoded from the target, without query.
        headers: names in lower case; without credentials.
        body: raw bytes, at most ``MAX_BODY_BYTES``.
        keep_alive: whether the client lets the connection live on.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    keep_alive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One response before it is spelled out.

    Attributes:
        status: HTTP status.
        body: raw bytes.
        headers: extra headers; they replace the usual ones of the same name in any case.
    """

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, status: int, value: object, headers: Mapping[str, str] | None = None) -> Response:
        """Return a response with a JSON body."""
        # ASCII escapes carry every string, lone surrogates included.
        return cls(status=status, body=json.dumps(value).encode("ascii"), headers=headers or {})

    def encode(self, *, keep_alive: bool = True, with_body: bool = True) -> bytes:
        """Return head and body as one piece, so that one write sends them."""
        headers = {"content-type": ("Content-Type", "application/json")}
        headers |= {name.lower(): (name, value) for name, value in self.headers.items()}
        if self.status not in _BODILESS_STATUSES:
            headers["content-length"] = ("Content-Length", str(len(self.body)))
        if not keep_alive:
            headers["connection"] = ("Connection", "close")
        lines = [f"HTTP/1.1 {self.status} {_phrase(self.status)}"]
        lines += [f"{name}: {value}" for name, value in headers.values()]
        head = "\r\n".join([*lines, "", ""]).encode("ascii")
        return head + self.body if with_body else head


class MalformedRequestError(Exception):
    """The request cannot be read; the connection ends after the answer.

    Attributes:
        status: HTTP status of the answer.
        code: stable code of the answer's error object.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        """Keep status, code and message for the answer."""
        super().__init__(message)
        self.status = status
        self.code = code


async def read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Request | None:
    """Return the next request of a connection, or None once the client has closed it.

    Raises:
        MalformedRequestError: for a request that is no HTTP/1.x, has no readable length or is too large.
    """
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        message = f"The request head is longer than {MAX_HEAD_BYTES} bytes."
        raise MalformedRequestError(431, "headers_too_large", message) from error
    line, *fields = raw.decode("latin-1").lstrip("\r\n").split("\r\n")
    match = _REQUEST_LINE.fullmatch(line)
    if match is None:
        raise MalformedRequestError(400, "invalid_request", "The request line is no HTTP/1.x request line.")
    method, target, minor = match.groups()
    headers = _read_headers(fields)
    length = _body_length(headers)
    if length and headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        body = await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
    options = {option.strip().lower() for option in headers.get("connection", "").split(",")}
    return Request(
        method=method,
        path=_path_of(target),
        headers=headers,
        body=body,
        keep_alive="keep-alive" in options if minor == "0" else "close" not in options,
    )


async def drain_unread(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take in what the client still sends: closing on unread bytes would reset the answer away."""
    writer.write_eof()
    unread = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_UNREAD_TIMEOUT_S):
            while unread < _MAX_UNREAD_BYTES and (data := await reader.read(65536)):
                unread += len(data)


def _read_headers(fields: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for entry in fields:
        name, colon, value = entry.partition(":")
        key = name.lower()
        if entry and not (colon and name and name == name.strip()):
            raise MalformedRequestError(400, "invalid_request", "A header line has no name and colon.")
        if entry and key not in _CREDENTIAL_HEADERS:
            headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return headers


def _body_length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        message = "Send the request body with Content-Length, not with Transfer-Encoding."
        raise MalformedRequestError(411, "length_required", message)
    length = headers.get("content-length", "0")
    if not _CONTENT_LENGTH.fullmatch(length):
        raise MalformedRequestError(400, "invalid_request", "Content-Length is no whole number.")
    if int(length) > MAX_BODY_BYTES:
        message = f"The request body is larger than {MAX_BODY_BYTES} bytes."
        raise MalformedRequestError(413, "request_too_large", message)
    return int(length)


def _path_of(target: str) -> str:
    try:
        return urlsplit(target).path
    except ValueError as error:
        raise MalformedRequestError(400, "invalid_request", "The request target is no URL.") from error


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Scripted"
