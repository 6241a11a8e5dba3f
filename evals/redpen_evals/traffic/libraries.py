"""The failures of each HTTP library, as a recording names them, and back."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from redpen_evals.cassettes.file import CallFailure, failure_name

Raiser = Callable[[CallFailure], BaseException]

_CONNECTING: Final = frozenset({"ConnectError", "ProxyError", "UnsupportedProtocol"})
_PROTOCOL: Final = frozenset({"RemoteProtocolError", "LocalProtocolError", "ProtocolError"})

# Classes of aiohttp and urllib3, which need not be installed; the first match in an exception's MRO counts.
_BY_NAME: Final = {
    "ServerDisconnectedError": "RemoteProtocolError",
    "ClientPayloadError": "RemoteProtocolError",
    "ConnectionTimeoutError": "ConnectTimeout",
    "ServerTimeoutError": "ReadTimeout",
    "ClientConnectorError": "ConnectError",
    "ClientError": "ReadError",
    "ConnectTimeoutError": "ConnectTimeout",
    "ReadTimeoutError": "ReadTimeout",
    "NewConnectionError": "ConnectError",
    "IncompleteRead": "RemoteProtocolError",
}

_BY_KIND: Final[tuple[tuple[Any, str], ...]] = (
    (TimeoutError, "ReadTimeout"),
    ((ConnectionRefusedError, ssl.SSLError), "ConnectError"),
    (http.client.HTTPException, "RemoteProtocolError"),
    (ConnectionError, "ReadError"),
    (OSError, "ConnectError"),
)


def of_httpx(module: ModuleType) -> Raiser:
    """Return what raises a recorded failure as ``httpx``, or its fork ``httpx2``, does."""

    def failure(recorded: CallFailure) -> BaseException:
        error: BaseException = getattr(module, recorded.failure)(recorded.message)
        return error

    return failure


def of_http_client(recorded: CallFailure) -> BaseException:
    """Return a recorded failure as the standard library raises it, below requests, urllib3 and botocore."""
    if "Timeout" in recorded.failure:
        return TimeoutError(recorded.message or "timed out")
    if recorded.failure in _CONNECTING:
        return ConnectionRefusedError(recorded.message)
    if recorded.message == http.client.IncompleteRead.__name__:
        return http.client.IncompleteRead(b"")
    if recorded.failure in _PROTOCOL:
        return http.client.RemoteDisconnected(recorded.message)
    return ConnectionResetError(recorded.message)


def of_urllib3(recorded: CallFailure) -> BaseException:
    """Return a recorded failure as the connections of ``urllib3`` raise it, below requests and botocore."""
    from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

    if recorded.failure == "ConnectTimeout":
        return ConnectTimeoutError(recorded.message)
    if recorded.failure in _CONNECTING:
        connection: Any = "recorded"
        return NewConnectionError(connection, recorded.message)
    return of_http_client(recorded)


def of_aiohttp(recorded: CallFailure) -> BaseException:
    """Return a recorded failure as ``aiohttp`` raises it."""
    import aiohttp

    error: BaseException = aiohttp.ClientOSError(recorded.message)
    if recorded.failure == "ConnectTimeout":
        error = aiohttp.ConnectionTimeoutError(recorded.message)
    elif "Timeout" in recorded.failure:
        # The whole call has a time limit as well as each read, which is a plain TimeoutError.
        is_plain = recorded.message == TimeoutError.__name__
        error = TimeoutError() if is_plain else aiohttp.SocketTimeoutError(recorded.message)
    elif recorded.failure in _CONNECTING:
        place: Any = SimpleNamespace(host="(recorded)", port=0, ssl=True)
        error = aiohttp.ClientConnectorError(place, ConnectionRefusedError(recorded.message))
    elif recorded.message == aiohttp.ClientPayloadError.__name__:
        error = aiohttp.ClientPayloadError(recorded.message)
    elif recorded.failure in _PROTOCOL:
        error = aiohttp.ServerDisconnectedError(recorded.message)
    return error


def named_failure(error: BaseException) -> CallFailure | None:
    """Return how a library's exception is recorded; None if it has another cause."""
    classes = [kind.__name__ for kind in type(error).__mro__]
    known = failure_name(error) or next((_BY_NAME[name] for name in classes if name in _BY_NAME), None)
    known = known or next((name for kind, name in _BY_KIND if isinstance(error, kind)), None)
    # The text may name this machine's addresses, and no client decides by it.
    return None if known is None else CallFailure(failure=known, message=type(error).__name__)
