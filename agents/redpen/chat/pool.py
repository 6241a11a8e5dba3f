"""One HTTP connection pool and one TLS context for all runs of a process.

A client of its own for every call costs twenty milliseconds, nearly all of it the TLS context.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

# The cache alone would let runs that start together build a client each.
_LOCK = threading.Lock()


def shared_http_client() -> httpx2.Client:
    """Return the process's HTTP client; a forked child gets one of its own.

    Redirects are not followed: a chat completion has no business elsewhere, nor has its key. A response
    is bounded as a whole, in time and in size, and not only from one byte to the next.
    """
    with _LOCK:
        return _client_of(os.getpid())


@lru_cache(maxsize=1)
def _client_of(_pid: int) -> httpx2.Client:
    from openai import DefaultHttpxClient

    from redpen.chat.bounds import bound_response

    return DefaultHttpxClient(follow_redirects=False, event_hooks={"response": [bound_response]})
