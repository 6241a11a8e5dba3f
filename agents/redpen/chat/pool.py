"""One HTTP connection pool and one TLS context for all runs of a process.

A client of its own for every call costs twenty milliseconds, nearly all of it the TLS context.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

# The cache alone would let runs that start together build a client each.
_LOCK = threading.Lock()


def shared_http_client() -> httpx2.Client:
    """Return the process's HTTP client; a forked child gets one of its own."""
    with _LOCK:
        return _client_of(os.getpid())


def new_http_client() -> httpx2.Client:
    """Return an HTTP client as the shared one is, for the caller to close.

    Redirects are not followed: a chat completion has no business elsewhere, nor has its key. A response
    is bounded as a whole, in time and in size, and not only from one byte to the next.
    """
    from openai import DefaultHttpxClient

    from redpen.chat.bounds import ACCEPTED_ENCODING, bound_response

    client = DefaultHttpxClient(
        # A cookie of one run would tie the next to it.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        headers={"accept-encoding": ACCEPTED_ENCODING},
        event_hooks={"response": [bound_response]},
    )
    for transport in (client._transport, *client._mounts.values()):
        bound_connections(transport)
    return client


def bound_connections(transport: httpx2.BaseTransport | None) -> None:
    """Have the connections that an ``httpx2.HTTPTransport`` opens from now on keep to deadlines.

    The HTTP library offers no public way to do so; a release that moves the place leaves the timeouts
    of the single waits, and a test says so.
    """
    from redpen.chat.deadline import DeadlineBackend

    pool = getattr(transport, "_pool", None)
    if pool is not None and hasattr(pool, "_network_backend"):
        pool._network_backend = DeadlineBackend()


def keeps_deadlines(client: httpx2.Client) -> bool:
    """Return whether every request of an HTTP client ends with the call that it is made for.

    Those of ``new_http_client`` do, and those of a transport that says so by an attribute of this name.
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
