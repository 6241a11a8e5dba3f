"""The proxy between a command and its model: it answers from, or records into, the run's cassette.

It is the command's ``OPENAI_BASE_URL`` and ``ANTHROPIC_BASE_URL``, and its proxy for all other HTTP. The
cassette holds the values of these variables in the user's own environment, or the public addresses, not those
of the proxy. The command gets placeholders for keys; the proxy adds the real key of the vendor.

TLS traffic cannot be read, so tunnels are refused and reported. Not covered are clients that ignore
``HTTP_PROXY`` and ``HTTPS_PROXY`` (such as the ``fetch`` of Node), or base URLs, since the network guard does
not see the connections of other processes; nor are requests to loopback and to passthrough hosts.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from dataclasses import dataclass
from io import BufferedReader
from typing import Final
from urllib.parse import urlsplit

from redpen_evals.cassettes.encoding import body_bytes
from redpen_evals.cassettes.file import CallFailure, CallResponse
from redpen_evals.endpoint.serving import ThreadedServer
from redpen_evals.endpoint.wire import RefusedRequestError, Request, Response, encode_chunk
from redpen_evals.model_calls.reading import split_events
from redpen_evals.targets.environment import PLACEHOLDER
from redpen_evals.traffic.exchange import Exchange
from redpen_evals.traffic.scope import RunScope
from redpen_evals.traffic.telemetry import SERVICES, tunnel_service

_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "::1")
_AGENTS_TRACES: Final = "openai-traces"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One vendor.

    Attributes:
        path: prefix of its calls on the proxy; ends like base URLs of the vendor's clients.
        keys: variables of keys, with name and form of their header.
    """

    path: str
    address_variable: str
    public: str
    keys: tuple[tuple[str, str, str], ...]

    def address(self) -> str:
        """Return the base URL of the user's environment, or the public one."""
        return (os.environ.get(self.address_variable) or self.public).rstrip("/")

    def key_headers(self) -> dict[str, str]:
        """Return the header with the user's key, if one is set."""
        for variable, header, form in self.keys:
            key = os.environ.get(variable)
            if key and key != PLACEHOLDER:
                return {header: form.format(key)}
        return {}

    def variables(self, proxy_url: str) -> dict[str, str]:
        """Return the variables of address and keys for a command."""
        variables = {self.address_variable: f"{proxy_url}/{self.path}"}
        first, *others = (variable for variable, _, _ in self.keys)
        variables[first] = PLACEHOLDER
        return variables | {variable: PLACEHOLDER for variable in others if variable in os.environ}


VENDORS: Final = (
    Vendor(
        path="openai/v1",
        address_variable="OPENAI_BASE_URL",
        public="https://api.openai.com/v1",
        keys=(("OPENAI_API_KEY", "authorization", "Bearer {}"),),
    ),
    Vendor(
        path="anthropic",
        address_variable="ANTHROPIC_BASE_URL",
        public="https://api.anthropic.com",
        keys=(
            ("ANTHROPIC_API_KEY", "x-api-key", "{}"),
            ("ANTHROPIC_AUTH_TOKEN", "authorization", "Bearer {}"),
        ),
    ),
)


def _proxy_variables(url: str, scope: RunScope) -> dict[str, str]:
    """Return the variables that route all other HTTP of a command through a proxy.

    Passthrough hosts and allowed telemetry of the run bypass it.
    """
    bypassing = [*_LOOPBACK_NAMES, *sorted(scope.passthrough)]
    for service in SERVICES:
        # Only whole hosts: paths cannot be seen from here.
        if service.name in scope.telemetry and not service.paths:
            bypassing += service.hosts
    variables = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), url)
    variables["NO_PROXY"] = ",".join(bypassing)
    # Some programs read upper-case names, some lower-case ones.
    variables |= {name.lower(): value for name, value in variables.items()}
    if _AGENTS_TRACES not in scope.telemetry:
        # Traces go to the host of the models, and inside a tunnel they cannot be told from calls.
        variables["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
    return variables


_LOOPBACK: Final = "127.0.0.1"
_EVENT_STREAM: Final = "text/event-stream"
# Headers of a connection, not of a request.
_HOP_HEADERS: Final = frozenset(
    "connection content-length expect host keep-alive proxy-authenticate proxy-connection te trailer "
    "transfer-encoding upgrade".split()
)


class ModelProxy(ThreadedServer):
    """A server on loopback, in threads of its own, from construction until ``close``."""

    # A call may wait for its server for longer than the run.
    waits_for_answers = False

    def __init__(self, scope: RunScope) -> None:
        super().__init__(_LOOPBACK, 0, name="redpen-proxy")
        self._scope = scope
        self._exchange = Exchange(scope)
        # Prevents other programs on this machine from using the user's key.
        self._secret = secrets.token_hex(8)
        self._addresses = {vendor: vendor.address() for vendor in VENDORS}
        is_live = scope.script is None and not scope.cassette.is_replay
        self._keys = {vendor: vendor.key_headers() if is_live else {} for vendor in VENDORS}
        self._url = f"http://{_LOOPBACK}:{self.port}"
        self.start()

    @property
    def environment(self) -> dict[str, str]:
        """The variables for a command that uses the proxy."""
        variables = _proxy_variables(self._url, self._scope)
        for vendor in VENDORS:
            variables |= vendor.variables(f"{self._url}/{self._secret}")
        return variables

    def without_addresses(self, text: str) -> str:
        """Return a text without the proxy's own addresses, which differ in each run."""
        for vendor, address in self._addresses.items():
            text = text.replace(f"{self._url}/{self._secret}/{vendor.path}", address)
        return text.replace(self._url.removeprefix("http://"), _LOOPBACK)

    def settle(self, seconds: float) -> None:
        """Wait for the calls that were in progress when the command ended."""
        ends = time.monotonic() + seconds
        # A connection that waits for a request ends at once.
        for thread in self.end_connections(socket.SHUT_RD):
            thread.join(max(ends - time.monotonic(), 0))

    def close(self) -> None:
        """Stop at once and release port, connections and thread. Idempotent."""
        super().close()
        self._exchange.close()

    def refuse(self, error: RefusedRequestError) -> Response:
        """Return the answer to a request that cannot be read or passed on."""
        fields = {"type": "invalid_request_error", "message": str(error), "code": "redpen_proxy"}
        return Response.of_json(error.status, {"type": "error", "error": fields}, {"x-should-retry": "false"})

    def answer(self, request: Request, stream: BufferedReader, connection: socket.socket) -> bool:  # noqa: ARG002
        """Answer one request; return whether the connection stays open."""
        if request.method == "CONNECT":
            self._report_tunnel(request.target)
            message = f"{request.target} cannot be reached through TLS from here"
            raise RefusedRequestError(403, "tunnel", message)
        if (route := self._route(request.target)) is None:
            message = f"nothing answers {request.method} {request.path} here"
            raise RefusedRequestError(404, "unknown_url", message)
        url, keys = route
        headers = [(name, value) for name, value in request.headers.items() if name not in _HOP_HEADERS]
        headers += keys.items()
        result = self._exchange.ask(request.method, url, headers=headers, content=request.body)
        if isinstance(result, CallFailure):
            # The client sees the same: a connection without a complete answer.
            return False
        _pass_on(result, request, connection)
        return request.keep_alive

    def _route(self, target: str) -> tuple[str, dict[str, str]] | None:
        target = target.removeprefix(self._url)
        for vendor, address in self._addresses.items():
            rest = target.removeprefix(f"/{self._secret}/{vendor.path}")
            if rest != target and rest[:1] in {"", "/", "?"}:
                return f"{address}{rest}", self._keys[vendor]
        return (target, {}) if target.startswith(("http://", "https://")) else None

    def _report_tunnel(self, target: str) -> None:
        service = tunnel_service(urlsplit(f"//{target}").hostname or "")
        if service is not None:
            self._scope.refuse(service)
            return
        self._scope.report(
            f"unrecordable: the command opens a TLS tunnel to {target}, which cannot be recorded: let it "
            "call its model at OPENAI_BASE_URL or ANTHROPIC_BASE_URL, or name the host in `passthrough`"
        )


def _pass_on(result: CallResponse, request: Request, connection: socket.socket) -> None:
    body = body_bytes(result.body)
    joined = {name: ", ".join(values) for name, values in result.headers.items() if name not in _HOP_HEADERS}
    headers = {name: value for name, value in joined.items() if value.isascii()}
    is_stream = _EVENT_STREAM in headers.get("content-type", "") and request.takes_chunks
    events = tuple(split_events(body)) if is_stream else ()
    response = Response(status=result.status, body=body, headers=headers, chunks=events)
    if not events:
        connection.sendall(response.encode(keep_alive=request.keep_alive, with_body=request.method != "HEAD"))
        return
    connection.sendall(response.encode(keep_alive=request.keep_alive, with_body=False))
    for event in (*events, b""):
        # One write per event, like a server.
        connection.sendall(encode_chunk(event))
