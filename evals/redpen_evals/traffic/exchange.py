"""HTTP calls of a run that Redpen makes itself: those of a command, and those to a deployed agent."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]

from redpen.errors import RedpenError
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult
from redpen_evals.cassettes.transport import call_response, certificates_for
from redpen_evals.network import is_loopback
from redpen_evals.traffic.bodies import (
    MAX_RESPONSE_BYTES,
    UndecodableBodyError,
    unpacked,
    without_credentials,
)
from redpen_evals.traffic.libraries import named_failure
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import DirectTransport, RunScope

Headers = Iterable[tuple[str, str]]

_SHORTEST_WAIT_S: Final = 0.1
_FAILED: Final = "ReadError"
# These are set here, whatever values the caller gives.
_OWN_HEADERS: Final = frozenset({"accept-encoding", "content-length", "host"})


class UnansweredError(RedpenError):
    """A call whose answer cannot be recorded; the run's problems say why."""


class Exchange:
    """Answers calls from a run's cassette, or makes and records them.

    Args:
        scope: the run.
    """

    def __init__(self, scope: RunScope) -> None:
        self._scope = scope
        self._lock = threading.Lock()
        self._transports: dict[tuple[str, str | None], httpx2.BaseTransport] = {}

    def ask(self, method: str, url: str, *, headers: Headers = (), content: bytes = b"") -> CallResult:
        """Make one call; redirects are not followed.

        Args:
            method: HTTP method.
            url: whole address, as recorded in the cassette.
            headers: sent if the call is really made; never recorded.
            content: the body.
        """
        pairs = list(headers)
        asked = VcrRequest(method, url, content, dict(pairs))
        seen = ROUTER.answer_in(self._scope, asked)
        if isinstance(seen, tuple):
            return seen[0]
        try:
            response = self._send(method, url, pairs, content)
        except UnansweredError as error:
            self._scope.report(f"unrecordable: the response of {method} {without_credentials(url)} {error}")
            return CallFailure(failure=_FAILED, message=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - any exception means that the call failed
            failure = named_failure(error) or CallFailure(failure=_FAILED, message=type(error).__name__)
            if seen is not None:
                seen.record(failure)
            return failure
        if seen is not None:
            seen.record(response)
        return response

    def close(self) -> None:
        """Close the connections."""
        for transport in self._transports.values():
            transport.close()

    def _send(self, method: str, url: str, headers: list[tuple[str, str]], content: bytes) -> CallResponse:
        left = max(self._scope.deadline_s - time.monotonic(), _SHORTEST_WAIT_S)
        sent = [(name, value) for name, value in headers if name.lower() not in _OWN_HEADERS]
        request = httpx2.Request(
            method,
            url,
            headers=[
                (name.encode("latin-1"), value.encode("latin-1"))
                for name, value in (*sent, ("accept-encoding", "identity"))
            ],
            content=content,
            extensions={"timeout": httpx2.Timeout(left).as_dict()},
        )
        response = self._transport(url).handle_request(request)
        try:
            body = self._read(response)
        finally:
            response.close()
        try:
            body = unpacked(body, response.headers.get("content-encoding", ""))
        except UndecodableBodyError as error:
            raise UnansweredError(f"cannot be read: {error}") from error
        response.headers.pop("content-encoding", None)
        return call_response(response, body)

    def _read(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        for piece in response.iter_raw():
            body += piece
            if len(body) > MAX_RESPONSE_BYTES:
                raise UnansweredError(f"is larger than {MAX_RESPONSE_BYTES:,} bytes")
            # A stream may send data now and then, and never end.
            if self._scope.is_overdue:
                raise UnansweredError("had not ended when the run's time was over")
        return bytes(body)

    def _transport(self, url: str) -> httpx2.BaseTransport:
        scheme, proxy = urlsplit(url).scheme, _proxy_of(url)
        with self._lock:
            if (scheme, proxy) not in self._transports:
                self._transports[scheme, proxy] = DirectTransport(verify=certificates_for(url), proxy=proxy)
            return self._transports[scheme, proxy]


def _proxy_of(url: str) -> str | None:
    """Return the proxy that the user's environment names for an address."""
    parts = urlsplit(url)
    if is_loopback(parts.hostname) or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")
