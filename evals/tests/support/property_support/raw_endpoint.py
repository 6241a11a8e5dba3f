"""A server on loopback that sends given bytes, HTTP or not, with pauses and every way to end a connection."""

from __future__ import annotations

import contextlib
import json
import re
import select
import socket
import threading
from typing import TYPE_CHECKING, Final, Literal, Self, assert_never

from redpen_evals.endpoint.wire import MAX_BODY_BYTES, MAX_HEAD_BYTES, Response, reset_on_close

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Turn = Literal["next", "hold", "reset"]
"""``next``: read one more request on the connection. ``hold``: send nothing more until the client closes.
``reset``: end with a reset in place of an orderly end."""

Step = bytes | float | Turn
"""The next step: bytes are sent, a number is a pause in seconds."""

_LENGTH: Final = re.compile(rb"(?im)^content-length:[ \t]*([0-9]{1,8})[ \t]*\r?$")


def answer_bytes(
    content: object,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    keep_alive: bool = False,
) -> bytes:
    """Return an HTTP response with a completion whose content is a value as JSON.

    Args:
        content: the value.
        status: the HTTP status.
        headers: further headers.
        keep_alive: whether the connection stays open. Without a header a client may send its next request on
            a connection that is just being closed.
    """
    completion = {"choices": [{"message": {"role": "assistant", "content": json.dumps(content)}}]}
    return Response.of_json(status, completion, headers).encode(keep_alive=keep_alive)


class RawEndpoint:
    """Reads one request of each connection and then runs its script, one connection at a time.

    Args:
        scripts: the steps of each connection, in the order of their arrival; the last one also serves
            later ones. After its steps a connection is closed.

    Attributes:
        connections: number of connections so far.
        requests: number of complete requests so far.
    """

    def __init__(self, *scripts: Sequence[Step]) -> None:
        self.connections = 0
        self.requests = 0
        self._scripts = scripts or ((),)
        self._first = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._address: tuple[str, int] = self._listener.getsockname()
        self._current: socket.socket | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="raw-endpoint", daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """The base URL for clients."""
        return f"http://127.0.0.1:{self._address[1]}/v1"

    def say(self, *scripts: Sequence[Step]) -> None:
        """Replace the scripts; the next connection gets the first."""
        self._first = self.connections
        self._scripts = scripts

    def __enter__(self) -> Self:
        """Return the running endpoint."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the endpoint."""
        self.close()

    def close(self) -> None:
        """Stop at once and release port, connection and thread. Idempotent."""
        if self._closing.is_set():
            return
        self._closing.set()
        with contextlib.suppress(OSError):
            if (current := self._current) is not None:
                current.shutdown(socket.SHUT_RDWR)
        # Closing a socket does not wake a thread that waits on it; a connection does.
        with contextlib.suppress(OSError):
            socket.create_connection(self._address, timeout=1).close()
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            connection, _ = self._listener.accept()
            self._current = connection
            with connection:
                if not self._closing.is_set():
                    steps = self._scripts[min(self.connections - self._first, len(self._scripts) - 1)]
                    self.connections += 1
                    # A client that has disconnected is not an error.
                    with contextlib.suppress(OSError):
                        self._serve(connection, steps)
            self._current = None

    def _serve(self, connection: socket.socket, steps: Sequence[Step]) -> None:
        if self._read_request(connection):
            for step in steps:
                if not self._do(connection, step):
                    return

    def _do(self, connection: socket.socket, step: Step) -> bool:
        """Run one step; return whether the connection stays open."""
        match step:
            case bytes():
                connection.sendall(step)
            case int() | float():
                # The connection becomes readable when the client or this server closes it.
                return not select.select([connection], [], [], step)[0]
            case "next":
                return self._read_request(connection)
            case "hold":
                while connection.recv(65_536):
                    pass
            case "reset":
                reset_on_close(connection)
            case _:
                assert_never(step)
        return True

    def _read_request(self, connection: socket.socket) -> bool:
        received = b""
        while b"\r\n\r\n" not in received and len(received) < MAX_HEAD_BYTES:
            part = connection.recv(65_536)
            if not part:
                return False
            received += part
        head, _, body = received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        missing = min(int(length.group(1)) if length else 0, MAX_BODY_BYTES) - len(body)
        while missing > 0:
            part = connection.recv(65_536)
            if not part:
                return False
            missing -= len(part)
        self.requests += 1
        return True
