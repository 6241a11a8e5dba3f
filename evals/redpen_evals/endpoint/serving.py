"""An HTTP server with a thread per connection: the base of the scripted endpoint and of the command proxy."""

from __future__ import annotations

import contextlib
import contextvars
import selectors
import socket
import threading
from abc import ABC, abstractmethod
from io import BufferedReader
from typing import Any, ClassVar, Self

from redpen_evals.endpoint.wire import RefusedRequestError, Request, Response, drain_unread, read_request


class ThreadedServer(ABC):
    """A server that listens from ``start`` until ``close`` (or the end of its ``with`` block).

    Its threads run in the context in which it is created.

    Args:
        port: TCP port, 0 to 65535; 0 takes a free one.

    Raises:
        OSError: it cannot listen on host and port.
        OverflowError: the port is out of range.
    """

    waits_for_answers: ClassVar[bool] = True
    """Whether ``close`` waits for the threads of connections."""

    def __init__(self, host: str, port: int, *, name: str) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=128)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        """The TCP port that it listens on."""
        # Closing a socket does not wake a thread that waits on it; data does.
        self._waker, self._woken = socket.socketpair()
        self._name = name
        self._context = contextvars.copy_context()
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._closing = threading.Event()
        self._ended = threading.Event()
        self._thread = self._new_thread(self._accept)

    @abstractmethod
    def answer(self, request: Request, stream: BufferedReader, connection: socket.socket) -> bool:
        """Answer one request; return whether the connection stays open.

        A RefusedRequestError is answered as ``refuse`` says, and closes the connection.
        """

    @abstractmethod
    def refuse(self, error: RefusedRequestError) -> Response:
        """Return the answer to a request that is refused."""

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def __enter__(self) -> Self:
        """Return the running server."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the server."""
        self.close()

    def wait(self) -> None:
        """Block until the server is closed by another thread or the caller is interrupted."""
        # Without a timeout Windows does not deliver Ctrl-C here.
        while not self._ended.wait(0.5):
            pass

    def close(self) -> None:
        """Stop at once, pending delays included, and release port, connections and threads. Idempotent."""
        self._closing.set()
        # The waker is closed if the server is.
        with contextlib.suppress(OSError):
            self._waker.send(b"x")
        self._thread.join()
        for resource in (self._listener, self._waker, self._woken):
            resource.close()
        for thread in self.end_connections(socket.SHUT_RDWR):
            if self.waits_for_answers:
                thread.join()
        self._ended.set()

    def end_connections(self, how: int) -> list[threading.Thread]:
        """Shut down the connections, one way or both, and return their threads."""
        connections = list(self._connections.items())
        for connection, _ in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(how)
        return [thread for _, thread in connections]

    def _accept(self) -> None:
        with selectors.DefaultSelector() as selector:
            for waited_for in (self._listener, self._woken):
                selector.register(waited_for, selectors.EVENT_READ)
            while selector.select() and not self._closing.is_set():
                # The client may have disconnected meanwhile.
                with contextlib.suppress(OSError):
                    connection, _ = self._listener.accept()
                    connection.setblocking(True)
                    self._connections[connection] = self._new_thread(self._host, connection)
                    self._connections[connection].start()

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
