"""Bounds on the body of a response: how long it may take, and how large it may grow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import cast

import httpx2

MAX_BODY_BYTES = 10_000_000
"""Bytes of a response body as they come over the wire; a larger one is broken off."""


class BoundedStream(httpx2.SyncByteStream):
    """A response body that ends with an error when it takes too long or grows too large.

    Args:
        stream: the body.
        seconds: time for the whole of it, in seconds; a server that sends a byte now and then would keep
            a client that only waits for the next byte for ever.
    """

    def __init__(self, stream: httpx2.SyncByteStream, *, seconds: float) -> None:
        self._stream = stream
        self._deadline = time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        """Yield the body piece by piece.

        Raises:
            httpx2.ReadTimeout: it takes too long.
            httpx2.ReadError: it is too large.
        """
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > MAX_BODY_BYTES:
                raise httpx2.ReadError(f"the response is larger than {MAX_BODY_BYTES} bytes")
            yield piece
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the response took too long")

    def close(self) -> None:
        """Close the connection's side of the body."""
        self._stream.close()


def bound_response(response: httpx2.Response) -> None:
    """Bound a response before its body is read, by the read timeout of its request."""
    seconds = response.request.extensions.get("timeout", {}).get("read")
    if seconds is not None:
        stream = cast("httpx2.SyncByteStream", response.stream)
        response.stream = BoundedStream(stream, seconds=seconds)
