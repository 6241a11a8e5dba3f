"""One HTTP connection pool and one TLS context for all runs of a process.

A client of its own for every call costs twenty milliseconds, nearly all of it the TLS context.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2


def shared_http_client() -> httpx2.Client:
    """Return the process's HTTP client; a forked child gets one of its own.

    Redirects are not followed: a chat completion has no business elsewhere, nor has its key.
    """
    return _client_of(os.getpid())


@lru_cache(maxsize=1)
def _client_of(_pid: int) -> httpx2.Client:
    from openai import DefaultHttpxClient

    return DefaultHttpxClient(follow_redirects=False)
