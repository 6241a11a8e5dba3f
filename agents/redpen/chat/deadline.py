"""Network connections with a deadline for the whole request.

The HTTP library applies its timeouts only to each single socket operation: a server that sends its headers
byte by byte, or one ``100 Continue`` after another, could block its client forever.
"""

from __future__ import annotations

import contextvars
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore2

_WRITE_BYTES = 16_384

# A context variable, because connections belong to a pool but deadlines to calls. The HTTP library reads and
# writes in the thread of the call.
_DEADLINE: ContextVar[float | None] = ContextVar("redpen_http_deadline", default=None)

_SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Set the deadline of all operations of ``DeadlineBackend`` inside the block."""
    token = _DEADLINE.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def _left_s(timeout: float | None, expired: type[Exception]) -> float | None:
    deadline = _DEADLINE.get()
    if deadline is None:
        return timeout
    left = deadline - time.monotonic()
    if left <= 0:
        raise expired("the deadline of the call has passed")
    return left if timeout is None else min(timeout, left)


class DeadlineStream(httpcore2.NetworkStream):
    """A connection whose reads and writes respect the deadline of the current call.

    Args:
        stream: the connection.
    """

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream
        self.is_answered = False
        """Whether data was read since the last write."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read up to ``max_bytes`` bytes, waiting for the first; raises ``httpcore2.ReadTimeout``."""
        data = self._stream.read(max_bytes, _left_s(timeout, httpcore2.ReadTimeout))
        self.is_answered = True
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write the whole buffer; raises ``httpcore2.WriteTimeout``."""
        self.is_answered = False
        for start in range(0, len(buffer), _WRITE_BYTES):
            left = _left_s(timeout, httpcore2.WriteTimeout)
            self._stream.write(buffer[start : start + _WRITE_BYTES], left)

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Return the connection with TLS; raises ``httpcore2.ConnectTimeout``."""
        left = _left_s(timeout, httpcore2.ConnectTimeout)
        return DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        """Return a property of the connection, such as ``server_addr``."""
        return self._stream.get_extra_info(info)


class DeadlineBackend(httpcore2.NetworkBackend):
    """Opens connections within the deadline; all addresses of a host name share the remaining time."""

    def __init__(self) -> None:
        self._backend = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to a host, trying its addresses in order.

        Raises:
            httpcore2.ConnectError: the name is unknown, or no address accepts the connection.
            httpcore2.ConnectTimeout: the deadline has passed.
        """
        addresses = _resolve(host, port, _left_s(timeout, httpcore2.ConnectTimeout))
        failure: Exception = httpcore2.ConnectError(f"no address for {host}")
        for tried, address in enumerate(addresses):
            left = _left_s(timeout, httpcore2.ConnectTimeout)
            share = left if left is None else left / (len(addresses) - tried)
            try:
                stream = self._backend.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return DeadlineStream(stream)
        raise failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[_SocketOption] | None = None
    ) -> httpcore2.NetworkStream:
        """Connect to a Unix domain socket."""
        left = _left_s(timeout, httpcore2.ConnectTimeout)
        return DeadlineStream(self._backend.connect_unix_socket(path, left, socket_options))

    def sleep(self, seconds: float) -> None:
        """Sleep between two connection attempts."""
        self._backend.sleep(seconds)


def _resolve(host: str, port: int, timeout: float | None) -> list[str]:
    # The system's resolver has no timeout; the thread ends when the resolver gives up, after about 30 s.
    found: list[str] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(_numeric_host(address) for *_, address in known))
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            failures.append(error)

    # The thread gets the context of the call, so that the network guard can attribute the look-up to a run.
    resolver = threading.Thread(
        target=contextvars.copy_context().run, args=(work,), name="redpen-resolver", daemon=True
    )
    resolver.start()
    resolver.join(timeout)
    if resolver.is_alive():
        raise httpcore2.ConnectTimeout(f"resolving {host} took too long")
    for failure in failures:
        if isinstance(failure, OSError):
            raise httpcore2.ConnectError(str(failure)) from failure
        raise failure
    return found


def _numeric_host(address: tuple[Any, ...]) -> str:
    # A link-local IPv6 address needs its scope id.
    scope = f"%{address[3]}" if len(address) > 3 and address[3] else ""
    return f"{address[0]}{scope}"
