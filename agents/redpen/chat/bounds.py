"""Limits on a response: the size of its body, compressed and decompressed, and its duration."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from typing import cast

import httpx2

from redpen.chat.deadline import DeadlineStream

MAX_BODY_BYTES = 2_000_000
"""Maximum size of a response body, compressed or decompressed, in bytes; a larger one is aborted. The longest
answers of current models take a quarter of it."""

ACCEPTED_ENCODING = "gzip"

_GZIP_WINDOW = zlib.MAX_WBITS | 16
_CHUNK_BYTES = 65_536


class UnreadableResponseError(ValueError):
    """A response that is too large, or has a content encoding that was not requested."""


class BoundedStream(httpx2.SyncByteStream):
    """A response body that raises an error when it takes too long or is too large.

    Args:
        stream: the body.
        seconds: time limit of the whole body, in seconds; None for no limit. A timeout of each read would
            not stop a response that arrives byte by byte.
    """

    def __init__(self, stream: httpx2.SyncByteStream, *, seconds: float | None) -> None:
        self._stream = stream
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        """Yield the body in chunks.

        Raises:
            httpx2.ReadTimeout: the body takes too long.
            UnreadableResponseError: the body is too large.
        """
        size = 0
        for chunk in self._stream:
            size = _add_size(size, chunk)
            yield chunk
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the response took too long")

    def close(self) -> None:
        """Close the underlying stream."""
        self._stream.close()


class GunzippedStream(httpx2.SyncByteStream):
    """A gzipped body that is decompressed in small chunks, because it may expand a thousandfold.

    Args:
        stream: the compressed body.
    """

    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """Yield the decompressed body in chunks.

        Raises:
            UnreadableResponseError: the body is not gzip, truncated or too large.
        """
        decompressor = zlib.decompressobj(_GZIP_WINDOW)
        size = compressed_size = 0
        for compressed in self._stream:
            compressed_size += len(compressed)
            while chunk := _decompress(decompressor, compressed):
                size = _add_size(size, chunk)
                yield chunk
                compressed = decompressor.unconsumed_tail  # noqa: PLW2901 - the rest of the same chunk
        if compressed_size and not decompressor.eof:
            raise UnreadableResponseError("the gzipped response is truncated")

    def close(self) -> None:
        """Close the underlying stream."""
        self._stream.close()


def bound_response(response: httpx2.Response) -> None:
    """Set the limits of a response before its body is read; its time limit is the request's read timeout.

    Raises:
        httpx2.RemoteProtocolError: the response arrived before the request was sent, so it must be left over
            from an earlier response on the same connection.
        UnreadableResponseError: the response has a content encoding that was not requested.
    """
    connection = response.extensions.get("network_stream")
    if isinstance(connection, DeadlineStream) and not connection.is_answered:
        raise httpx2.RemoteProtocolError("the response came before its request")
    # JSON is UTF-8. With an unknown charset in the header, the server's error message would be lost.
    response.encoding = "utf-8"
    stream = cast("httpx2.SyncByteStream", response.stream)
    seconds = response.request.extensions.get("timeout", {}).get("read")
    response.stream = BoundedStream(stream, seconds=seconds)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"", "identity"}:
        return
    if encoding not in {"gzip", "x-gzip"}:
        raise UnreadableResponseError(
            f"the response has content encoding {encoding[:40]!r}, which was not requested"
        )
    del response.headers["content-encoding"]
    response.stream = GunzippedStream(response.stream)


def _decompress(decompressor: zlib._Decompress, compressed: bytes) -> bytes:
    try:
        return decompressor.decompress(compressed, _CHUNK_BYTES)
    except zlib.error as error:
        raise UnreadableResponseError(f"the response is not valid gzip: {error}") from error


def _add_size(size: int, chunk: bytes) -> int:
    size += len(chunk)
    if size > MAX_BODY_BYTES:
        raise UnreadableResponseError(f"the response is larger than {MAX_BODY_BYTES} bytes")
    return size
