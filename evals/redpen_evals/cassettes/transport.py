"""The HTTP transports of one run: one replays the run's cassette, one records into it."""

from __future__ import annotations

import contextlib
import ssl
from typing import TYPE_CHECKING, cast

import httpx2
from vcr.errors import UnhandledHTTPRequestError  # type: ignore[import-untyped]
from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]
from vcr.stubs import httpx_stubs  # type: ignore[import-untyped]

from redpen.chat.bounds import bound_response
from redpen.chat.pool import bound_connections, shared_http_client
from redpen.errors import ConfigurationError
from redpen_evals.cassettes.cassette import RunCassette
from redpen_evals.cassettes.file import FAILURES, CallFailure

if TYPE_CHECKING:
    from redpen_evals.cassettes.file import Call


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


class ReplayTransport(httpx2.BaseTransport):
    """Answers every request from a cassette and opens no connection.

    Args:
        cassette: the cassette of the run, opened for replay.
    """

    keeps_deadlines = True
    """It answers at once; see ``redpen.chat.pool.keeps_deadlines``."""

    def __init__(self, cassette: RunCassette) -> None:
        """Bind the transport to its cassette."""
        self._cassette = cassette

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request.

        Raises:
            CassetteMiss: there is no recording of it.
            httpx2.TransportError: this failure was recorded instead of a response.
        """
        # The stub's own handler copies every request header first, which doubles the time of a replay.
        vcr_request = VcrRequest(request.method, str(request.url), _body(request), {})
        if self._cassette.can_play_response_for(vcr_request):
            with contextlib.suppress(UnhandledHTTPRequestError):
                response: httpx2.Response = httpx_stubs._play_responses(self._cassette, vcr_request, httpx2)
                return response
        raise self._cassette.miss(vcr_request)


class RecordingTransport(httpx2.BaseTransport):
    """Forwards every request and records the response, with the time and size limits of a live call.

    Args:
        cassette: the cassette of the run, opened for recording.
        base_url: the address that the client uses and the file records.
        upstream_url: the address that requests are sent to; None for the same.
        upstream: the transport for the traffic; None creates one.
    """

    def __init__(
        self,
        cassette: RunCassette,
        *,
        base_url: str,
        upstream_url: str | None = None,
        upstream: httpx2.BaseTransport | None = None,
    ) -> None:
        """Bind the transport to its cassette and to the server."""
        self._cassette = cassette
        self._base_url = base_url.rstrip("/")
        self._upstream_url = (upstream_url or base_url).rstrip("/")
        self._owns_upstream = upstream is None
        self._upstream = upstream or _own_upstream(self._upstream_url)
        self.keeps_deadlines = self._owns_upstream or getattr(upstream, "keeps_deadlines", False) is True
        """Whether every request ends in time; see ``redpen.chat.pool.keeps_deadlines``."""
        self._record = httpx_stubs.vcr_handle_request(cassette, RecordingTransport._send, httpx2)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Forward a request and record the response or the failure.

        Raises:
            httpx2.TransportError: the server could not be reached or did not answer in time.
            UnreadableResponseError: the response is too large or has an unrequested encoding.
            ConfigurationError: the request is not below the base URL.
        """
        if kept := self._cassette.keep(request.method, str(request.url), _body(request)):
            return self._replay(kept, request)
        try:
            response: httpx2.Response = self._record(self, request)
        except httpx2.TransportError as error:
            vcr_request = httpx_stubs._make_vcr_request(request, _body(request))
            self._cassette.append_failure(vcr_request, self._failure(error))
            raise
        except BaseException as error:
            self._cassette.lose(request.method, str(request.url), error)
            raise
        return response

    def close(self) -> None:
        """Close the connections, unless they belong to the caller."""
        if self._owns_upstream:
            self._upstream.close()

    def _replay(self, call: Call, request: httpx2.Request) -> httpx2.Response:
        single = RunCassette(path=self._cassette.file_path, kind=self._cassette.kind, calls=(call,))
        return ReplayTransport(single).handle_request(request)

    def _send(self, request: httpx2.Request) -> httpx2.Response:
        url = str(request.url)
        rest = url.removeprefix(self._base_url)
        if rest == url or not rest.startswith(("/", "?")):
            raise ConfigurationError(f"a request to {url} cannot be recorded for {self._base_url}")
        if self._upstream_url == self._base_url:
            return self._bounded(request)
        headers = [(name, value) for name, value in request.headers.multi_items() if name != "host"]
        moved = httpx2.Request(
            request.method,
            self._upstream_url + rest,
            headers=headers,
            content=request.read(),
            extensions=request.extensions,
        )
        return self._bounded(moved)

    def _bounded(self, request: httpx2.Request) -> httpx2.Response:
        response = self._upstream.handle_request(request)
        try:
            response.request = request
            bound_response(response)
        except BaseException:
            response.close()
            raise
        return response

    def _failure(self, error: httpx2.TransportError) -> CallFailure:
        name = next(
            (cls.__name__ for cls in type(error).__mro__ if cls.__name__ in FAILURES), "TransportError"
        )
        address = httpx2.URL(self._upstream_url).netloc.decode("ascii")
        public = httpx2.URL(self._base_url).netloc.decode("ascii")
        return CallFailure(failure=name, message=str(error).replace(address, public))


def _body(request: httpx2.Request) -> bytes:
    return b"".join(cast("httpx2.SyncByteStream", request.stream))


def _own_upstream(url: str) -> httpx2.BaseTransport:
    # Loading the system's certificates takes longer than a scripted run, and plain HTTP needs none;
    # without them a redirect to HTTPS fails.
    is_plain = httpx2.URL(url).scheme == "http"
    transport = httpx2.HTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True)
    bound_connections(transport)
    return transport
