"""HTTP calls of a run that Redpen makes itself: those of a command, and those to a deployed agent.

They go through the patched transport of ``httpx2``, like the calls of an agent in this process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult
from redpen_evals.cassettes.transport import call_response, certificates_for
from redpen_evals.network import is_loopback
from redpen_evals.traffic.bodies import UndecodableBodyError, unpacked, without_credentials
from redpen_evals.traffic.dispatch import UnrecordableError
from redpen_evals.traffic.libraries import named_failure
from redpen_evals.traffic.scope import RunScope

Headers = Iterable[tuple[str, str]]

_SHORTEST_WAIT_S: Final = 0.1
_FAILED: Final = "ReadError"
# These are set here, whatever values the caller gives.
_OWN_HEADERS: Final = frozenset({"accept-encoding", "content-length", "host"})


class Exchange:
    """Makes calls in the context of a run, whose cassette answers or records them."""

    def __init__(self, scope: RunScope) -> None:
        self._scope = scope
        self._lock = threading.Lock()
        self._transports: dict[tuple[str, str | None], httpx2.BaseTransport] = {}

    def ask(self, method: str, url: str, *, headers: Headers = (), content: bytes = b"") -> CallResult:
        """Make one call; redirects are not followed, and the headers are never recorded."""
        try:
            return self._send(method, url, headers, content)
        except (UnrecordableError, UndecodableBodyError) as error:
            # Already one of the run's problems.
            return CallFailure(failure=_FAILED, message=type(error).__name__)
        except Exception as error:  # noqa: BLE001 - any exception means that the call failed
            if failure := named_failure(error):
                return failure
            name = type(error).__name__
            self._scope.report(f"unrecordable: {method} {without_credentials(url)}: {name}")
            return CallFailure(failure=_FAILED, message=name)

    def close(self) -> None:
        """Close the connections."""
        for transport in self._transports.values():
            transport.close()

    def _send(self, method: str, url: str, headers: Headers, content: bytes) -> CallResponse:
        left = max(self._scope.deadline_s - time.monotonic(), _SHORTEST_WAIT_S)
        sent = [(name, value) for name, value in headers if name.lower() not in _OWN_HEADERS]
        sent.append(("accept-encoding", "identity"))
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent]
        extensions = {"timeout": httpx2.Timeout(left).as_dict()}
        request = httpx2.Request(method, url, headers=encoded, content=content, extensions=extensions)
        response = self._transport(url).handle_request(request)
        content = b"".join(response.iter_raw())
        body = unpacked(content, response.headers.pop("content-encoding", ""))
        return call_response(response, body)

    def _transport(self, url: str) -> httpx2.BaseTransport:
        scheme, proxy = urlsplit(url).scheme, _proxy_of(url)
        with self._lock:
            if (scheme, proxy) not in self._transports:
                transport = httpx2.HTTPTransport(verify=certificates_for(url), proxy=proxy)
                self._transports[scheme, proxy] = transport
            return self._transports[scheme, proxy]


def _proxy_of(url: str) -> str | None:
    """Return the proxy that the user's environment names for an address."""
    parts = urlsplit(url)
    if is_loopback(parts.hostname) or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")
