"""An HTTP server in a thread of its own: the base of the scripted endpoint and of the command proxy."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import socket
import threading
from abc import ABC, abstractmethod
from typing import Self

from redpen_evals.endpoint.wire import (
    MAX_HEAD_BYTES,
    MalformedRequestError,
    Request,
    Response,
    drain_unread,
    read_request,
)


class ThreadedServer(ABC):
    """A server that listens from ``start`` until ``close`` (or the end of its ``with`` block).

    Args:
        host: address to listen on.
        port: TCP port, 0 to 65535; 0 takes a free one.
        name: name of its thread.

    Raises:
        OSError: it cannot listen on host and port.
        OverflowError: the port is out of range.
    """

    def __init__(self, host: str, port: int, *, name: str) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=128)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        """The TCP port that it listens on."""
        # The default event loop on Windows cannot watch sockets that it did not create.
        self._event_loop = asyncio.SelectorEventLoop()
        self._connections: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        self._closing = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._run,), name=name, daemon=True
        )

    @abstractmethod
    async def answer(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; return whether the connection stays open."""

    @abstractmethod
    def refuse(self, error: MalformedRequestError) -> Response:
        """Return the answer to a request that cannot be parsed."""

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
        # An interrupted join would mark the thread as ended, so this waits for an event; without a timeout
        # Windows does not deliver Ctrl-C here.
        while not self._ended.wait(0.5):
            pass

    def close(self) -> None:
        """Stop at once, pending delays included, and release port, connections and thread. Idempotent."""
        with self._closing:
            if not self._ended.is_set():
                self._event_loop.call_soon_threadsafe(self._stop.set)
                self._ended.wait()
            self._thread.join()

    def _run(self) -> None:
        try:
            self._event_loop.run_until_complete(self._serve())
        finally:
            self._event_loop.close()
            self._ended.set()

    async def _serve(self) -> None:
        self._event_loop.add_reader(self._listener, self._accept)
        await self._stop.wait()
        self._event_loop.remove_reader(self._listener)
        self._listener.close()
        while self._connections:
            for task in self._connections:
                task.cancel()
            await asyncio.wait(self._connections)
        # Transports release their sockets in the next iteration of the loop.
        await asyncio.sleep(0)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        connection.setblocking(False)

        def ended(task: asyncio.Task[None]) -> None:
            self._connections.discard(task)
            # A task that is cancelled before its first step has not passed the socket to a transport.
            connection.close()

        task = self._event_loop.create_task(self._host(connection))
        self._connections.add(task)
        task.add_done_callback(ended)

    async def _host(self, connection: socket.socket) -> None:
        # A closed connection is not an error: the client opens a new one.
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection(sock=connection, limit=MAX_HEAD_BYTES)
            try:
                await self._serve_connection(reader, writer)
                writer.close()
                await writer.wait_closed()
            finally:
                writer.transport.abort()

    async def _serve_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await read_request(reader, writer):
                if not await self.answer(request, reader, writer):
                    return
        except MalformedRequestError as error:
            writer.write(self.refuse(error).encode(keep_alive=False))
            await drain_unread(reader, writer)
