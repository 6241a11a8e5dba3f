"""An HTTP server with a thread per connection: the base of the scripted endpoint and of the command proxy."""

from __future__ import annotations

import contextlib
import contextvars
import os
import socket
import threading
from socketserver import BaseRequestHandler, TCPServer
from typing import TYPE_CHECKING, Any, ClassVar, Self

from redpen_evals.endpoint.wire import RefusedRequestError, Request, Response, drain_unread, read_request

if TYPE_CHECKING:
    from io import BufferedReader

_POLL_S = 0.005


class ThreadedServer(TCPServer):
    """A server that listens from ``start`` until ``close`` (or the end of its ``with`` block).

    Its threads run in the context in which it is created.

    Args:
        host: address to listen on.
        port: TCP port, 0 to 65535; 0 takes a free one.
        name: name of its threads.

    Raises:
        OSError: it cannot listen on host and port.
        OverflowError: the port is out of range.
    """

    allow_reuse_address = os.name == "posix"
    request_queue_size = 128
    waits_for_answers: ClassVar[bool] = True
    """Whether ``close`` waits for the threads of connections."""

    def __init__(self, host: str, port: int, *, name: str) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), BaseRequestHandler)
        self.port: int = self.server_address[1]
        """The TCP port that it listens on."""
        self._name = name
        self._context = contextvars.copy_context()
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._closing = threading.Event()
        self._ended = threading.Event()
        self._thread = self._new_thread(self.serve_forever, _POLL_S)

    def answer(self, request: Request, stream: BufferedReader, connection: socket.socket) -> bool:
        """Answer one request; return whether the connection stays open.

        Raises:
            RefusedRequestError: the request is refused, and the connection closed.
        """
        raise NotImplementedError

    def refuse(self, error: RefusedRequestError) -> Response:
        """Return the answer to a request that is refused."""
        raise NotImplementedError

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        """Close the server."""
        self.close()

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def wait(self) -> None:
        """Block until the server is closed by another thread or the caller is interrupted."""
        # Without a timeout Windows does not deliver Ctrl-C here.
        while not self._ended.wait(0.5):
            pass

    def close(self) -> None:
        """Stop at once, pending delays included, and release port, connections and threads. Idempotent."""
        self._closing.set()
        self.shutdown()
        self.server_close()
        self.end_connections(socket.SHUT_RDWR)
        self._thread.join()
        for thread in list(self._connections.values()) if self.waits_for_answers else ():
            thread.join()
        self._ended.set()

    def end_connections(self, how: int) -> list[threading.Thread]:
        """Shut down the connections, one way or both, and return their threads."""
        connections = list(self._connections.items())
        for connection, _ in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(how)
        return [thread for _, thread in connections]

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - as in the base class
        """Serve a new connection in a thread of its own."""
        self._connections[request] = thread = self._new_thread(self._host, request)
        thread.start()

    def _new_thread(self, work: Any, *args: Any) -> threading.Thread:
        run = self._context.copy().run
        return threading.Thread(target=run, args=(work, *args), name=self._name, daemon=True)

    def _host(self, connection: socket.socket) -> None:
        # A closed connection is not an error: the client opens a new one.
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as stream:
            try:
                while request := read_request(stream, connection):
                    if not self.answer(request, stream, connection):
                        break
            except RefusedRequestError as error:
                connection.sendall(self.refuse(error).encode(keep_alive=False))
                drain_unread(stream, connection)
        self._connections.pop(connection)
