"""The HTTP transport of one run, which replays the run's cassette or records into it."""

from __future__ import annotations

import contextlib
import ssl
from typing import cast

import httpx2

from redpen.chat.bounds import UnreadableResponseError, bound_response
from redpen.chat.pool import bound_connections, shared_http_client
from redpen.errors import ConfigurationError
from redpen_evals.cassettes.cassette import RETRY_HEADER, RunCassette, RunRequest
from redpen_evals.cassettes.encoding import body_bytes, parse_body
from redpen_evals.cassettes.file import CallFailure, CallResponse, CallResult, failure_name


class SharedUpstream(httpx2.BaseTransport):
    """Sends requests over the process's shared HTTP client, with its TLS context and proxies.

    Closing it does nothing: the client is shared.
    """

    keeps_deadlines = True
    """The client's connections do; see ``redpen.chat.pool.keeps_deadlines``."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request and return the response, its body unread.

        Raises:
            httpx2.TransportError: the server could not be reached or did not answer in time.
        """
        return shared_http_client().send(request, stream=True)


class CassetteTransport(httpx2.BaseTransport):
    """Answers every request from the cassette of a run, or forwards it and records the response.

    A replay opens no connection. A recorded call has the time and size limits of a live one.

    Args:
        cassette: the cassette of the run.
        base_url: the address that the client uses and the file records.
        upstream_url: the address that requests are sent to; None for the same.
        upstream: the transport for the traffic of a recording; None creates one.
    """

    def __init__(
        self,
        cassette: RunCassette,
        *,
        base_url: str = "",
        upstream_url: str | None = None,
        upstream: httpx2.BaseTransport | None = None,
    ) -> None:
        self._cassette = cassette
        self._base_url = base_url.rstrip("/")
        self._upstream_url = (upstream_url or base_url).rstrip("/")
        self._own_upstream: httpx2.HTTPTransport | None = None
        if upstream is None and not cassette.is_replay:
            self._own_upstream = httpx2.HTTPTransport(verify=certificates_for(self._upstream_url))
            bound_connections(self._own_upstream)
        self._upstream = upstream or self._own_upstream
        self.keeps_deadlines = upstream is None or getattr(upstream, "keeps_deadlines", False) is True
        """Whether every request ends in time; see ``redpen.chat.pool.keeps_deadlines``."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request, or forward it and record the response or the failure.

        Raises:
            CassetteMiss: a replay has no recording of it.
            httpx2.TransportError: the server could not be reached or did not answer in time, now or when the
                call was recorded.
            UnreadableResponseError: the response is too large or has an unrequested encoding.
            ConfigurationError: the request is not below the base URL.
        """
        made = RunRequest(
            method=request.method,
            url=str(request.url),
            content=request.read(),
            is_retry=request.headers.get(RETRY_HEADER, "0") != "0",
        )
        if self._upstream is None:
            return _played(self._cassette.play(made))
        if kept := self._cassette.keep(made):
            return _played(kept.response)
        try:
            response, content = self._send(request, self._upstream)
        except httpx2.TransportError as error:
            self._cassette.append(made, self._failure(error))
            raise
        except BaseException as error:
            # The message of any other error may hold secrets.
            message = f": {error}" if isinstance(error, UnreadableResponseError) else ""
            self._cassette.losses.append(f"{made.method} {made.url}: {type(error).__name__}{message}")
            raise
        self._cassette.append(made, call_response(response, content))
        return response

    def close(self) -> None:
        """Close the connections, unless they belong to the caller."""
        if self._own_upstream is not None:
            self._own_upstream.close()

    def _send(self, request: httpx2.Request, upstream: httpx2.BaseTransport) -> tuple[httpx2.Response, bytes]:
        url = str(request.url)
        rest = url.removeprefix(self._base_url)
        if rest == url or not rest.startswith(("/", "?")):
            raise ConfigurationError(f"a request to {url} cannot be recorded for {self._base_url}")
        if self._upstream_url != self._base_url:
            headers = [(name, value) for name, value in request.headers.multi_items() if name != "host"]
            request = httpx2.Request(
                request.method,
                self._upstream_url + rest,
                headers=headers,
                content=request.read(),
                extensions=request.extensions,
            )
        response = upstream.handle_request(request)
        with contextlib.closing(cast("httpx2.SyncByteStream", response.stream)):
            response.request = request
            bound_response(response)
            content = b"".join(cast("httpx2.SyncByteStream", response.stream))
        response.stream = httpx2.ByteStream(content)
        return response, content

    def _failure(self, error: httpx2.TransportError) -> CallFailure:
        address = httpx2.URL(self._upstream_url).netloc.decode("ascii")
        public = httpx2.URL(self._base_url).netloc.decode("ascii")
        message = str(error).replace(address, public)
        return CallFailure(failure=failure_name(error) or "TransportError", message=message)


def call_response(response: httpx2.Response, content: bytes) -> CallResponse:
    """Return a response, with its unpacked body, in the form of recordings."""
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in response.headers.multi_items():
        headers[name.lower()] = (*headers.get(name.lower(), ()), value)
    return CallResponse(status=response.status_code, headers=headers, body=parse_body(content))


def certificates_for(url: str) -> ssl.SSLContext | bool:
    """Return the certificates to verify the server of an address with, none for plain HTTP.

    Loading them takes longer than a scripted run; without them a redirect to HTTPS fails.
    """
    return url.lower().startswith("https:") or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _played(result: CallResult) -> httpx2.Response:
    if isinstance(result, CallFailure):
        error: httpx2.TransportError = getattr(httpx2, result.failure)(result.message)
        raise error
    headers = [(name, value) for name, values in result.headers.items() for value in values]
    return httpx2.Response(result.status, headers=headers, stream=httpx2.ByteStream(body_bytes(result.body)))
