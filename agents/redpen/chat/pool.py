"""The HTTP connection pool and TLS context that all runs of a process share.

A new client for each call would cost 20 ms, nearly all of it for the TLS context.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

# Without the lock, runs that start at the same time could each create a client.
_LOCK = threading.Lock()


def shared_http_client() -> httpx2.Client:
    """Return the process's HTTP client; a forked child process gets its own."""
    with _LOCK:
        return _client_of(os.getpid())


def new_http_client() -> httpx2.Client:
    """Return an HTTP client configured like the shared one; the caller has to close it.

    Redirects are not followed, because the API key must not be sent to another address. Time and size limits
    apply to each response as a whole.
    """
    from openai import DefaultHttpxClient

    from redpen.chat.bounds import ACCEPTED_ENCODING, bound_response

    client = DefaultHttpxClient(
        # A cookie set in one run must not be sent in the next.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        headers={"accept-encoding": ACCEPTED_ENCODING},
        event_hooks={"response": [bound_response]},
    )
    for transport in (client._transport, *client._mounts.values()):
        bound_connections(transport)
    return client


def bound_connections(transport: httpx2.BaseTransport | None) -> None:
    """Make all connections that an ``httpx2.HTTPTransport`` opens from now on respect deadlines.

    The HTTP library has no public option for this. If a release moves the private attribute, only the
    timeouts of single socket operations remain, and a test fails.
    """
    from redpen.chat.deadline import DeadlineBackend

    pool = getattr(transport, "_pool", None)
    if pool is not None and hasattr(pool, "_network_backend"):
        pool._network_backend = DeadlineBackend()


def keeps_deadlines(client: httpx2.Client) -> bool:
    """Return whether all requests of an HTTP client end by the deadline of their call.

    True for clients of ``new_http_client``, and for those whose transports have a true attribute
    ``keeps_deadlines``.
    """
    transports = (client._transport, *client._mounts.values())
    return all(transport is None or _keeps_deadlines(transport) for transport in transports)


def _keeps_deadlines(transport: httpx2.BaseTransport) -> bool:
    from redpen.chat.deadline import DeadlineBackend

    pool = getattr(transport, "_pool", None)
    if getattr(transport, "keeps_deadlines", False) is True:
        return True
    return isinstance(getattr(pool, "_network_backend", None), DeadlineBackend)


@lru_cache(maxsize=1)
def _client_of(_pid: int) -> httpx2.Client:
    return new_http_client()
