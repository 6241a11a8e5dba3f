"""The scripted endpoint: an HTTP server that implements model APIs and answers from a script."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from typing import Any, Final

from redpen_evals.endpoint.dialects import dialect_of
from redpen_evals.endpoint.dialects.dialect import find_problem
from redpen_evals.endpoint.forms import ContentReply, ErrorObject, FaultReply
from redpen_evals.endpoint.rendering import answer_without_script, error_response, plain_error, render
from redpen_evals.endpoint.replies import ScriptedReply
from redpen_evals.endpoint.serving import ThreadedServer
from redpen_evals.endpoint.wire import RefusedRequestError, Request, Response, break_connection

SCRIPT_EXHAUSTED: Final = "script_exhausted"
"""Error code of a call after the end of the script, and of nothing else."""

# The response that a fault interrupts.
_UNFINISHED: Final = ContentReply(content="This text never arrives whole.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """One request that reached the endpoint.

    Attributes:
        body: JSON body, or None if there is none or it is invalid.
        call: number of the scripted call that answered it, from 1; None if no reply was used.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    call: int | None


class ScriptedEndpoint(ThreadedServer):
    """A server on loopback that serves scripted replies call by call, in a thread of its own.

    It listens from construction until ``close`` (or the end of its ``with`` block). Replies are served in
    the order in which calls arrive, over all connections; malformed requests use none up.
    """

    def __init__(
        self,
        replies: Sequence[ScriptedReply],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        model: str = "scripted",
        loop: bool = False,
        skip: int = 0,
        keep_requests: bool = True,
    ) -> None:
        """Open the port and start serving; host and port as of ``ThreadedServer``, which raises OSError.

        Args:
            loop: whether the script restarts when it is used up; otherwise further calls fail.
            skip: number of calls that count as answered already.
            keep_requests: whether ``requests`` is filled; off for a long-running server.
        """
        self._replies = tuple(reply for reply in replies for _ in range(reply.times))
        self._served = min(skip, len(self._replies))
        self._loop = loop and bool(self._replies)
        self._lock = threading.Lock()
        self._model = model
        self._keep_requests = keep_requests
        self._requests: list[ReceivedRequest] = []
        self.refused_calls = 0
        """Number of calls after the end of the script."""
        super().__init__(host, port, name="scripted-endpoint")
        self.base_url: Final = base_url_of(host, self.port)
        """The base URL for clients, e.g. ``http://127.0.0.1:8123/v1``."""
        self.anthropic_base_url: Final = self.base_url.removesuffix("/v1")
        """The base URL for Anthropic's clients, which add ``/v1`` to each path."""
        self.start()

    @property
    def requests(self) -> tuple[ReceivedRequest, ...]:
        """All well-formed HTTP requests so far, in the order of their arrival."""
        return tuple(self._requests)

    @property
    def remaining(self) -> int:
        """Number of unused replies; with ``loop``, of the current round."""
        total = len(self._replies)
        return total - (self._served % total if self._loop else self._served)

    def refuse(self, error: RefusedRequestError) -> Response:
        """Return the answer to a request that cannot be parsed."""
        return plain_error(error.status, str(error), error.code)

    def answer(self, request: Request, stream: BufferedReader, connection: socket.socket) -> bool:
        """Answer one request; return whether the connection stays open."""
        body = request.read_json()
        with self._lock:
            response, call = self._respond(request, body)
            if self._keep_requests:
                self._requests.append(
                    ReceivedRequest(
                        method=request.method,
                        path=request.path,
                        headers=request.headers,
                        body=body,
                        call=call,
                    )
                )
        if call is not None:
            reply = self._reply_of(call)
            if self._closing.wait(reply.delay_s):
                return False
            if isinstance(reply, FaultReply):
                break_connection(reply.fault, response=response, stream=stream, connection=connection)
                return False
        with_body = request.method != "HEAD"
        connection.sendall(
            response.encode(
                keep_alive=request.keep_alive, with_body=with_body, in_chunks=request.takes_chunks
            )
        )
        return request.keep_alive

    def _respond(self, request: Request, body: Any) -> tuple[Response, int | None]:
        """Return the response to a request, and the number of its call, if a reply is used."""
        dialect = dialect_of(request.path) if request.method == "POST" else None
        if dialect is None:
            return answer_without_script(request, model=self._model), None
        if problem := find_problem(dialect, body):
            return error_response(dialect, 400, problem), None
        if self._served == len(self._replies) and not self._loop:
            self.refused_calls += 1
            message = f"The script is used up: all of its {len(self._replies)} replies have been served."
            return error_response(dialect, 400, ErrorObject(message=message, code=SCRIPT_EXHAUSTED)), None
        self._served += 1
        reply = self._reply_of(self._served)
        shown = _UNFINISHED if isinstance(reply, FaultReply) else reply
        response = render(shown, dialect=dialect, call=self._served, request=body, model=self._model)
        return response, self._served

    def _reply_of(self, call: int) -> ScriptedReply:
        return self._replies[(call - 1) % len(self._replies)]


def base_url_of(host: str, port: int) -> str:
    """Return the base URL for clients, with an IPv6 address in brackets."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/v1"


def run_endpoint(
    replies: Sequence[ScriptedReply],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    loop: bool = False,
    echo: Callable[[str], object],
) -> None:
    """Serve a script until interrupted (Ctrl-C); ``echo`` gets the base URL once. Raises as the endpoint."""
    with (
        contextlib.suppress(KeyboardInterrupt),
        ScriptedEndpoint(replies, host=host, port=port, loop=loop, keep_requests=False) as endpoint,
    ):
        echo(endpoint.base_url)
        endpoint.wait()
