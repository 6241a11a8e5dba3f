"""Bounds on a response: the size of its body, compressed and decompressed, and its duration."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from typing import cast

import httpx2

from redpen.chat.deadline import DeadlineStream

MAX_BODY_BYTES = 2_000_000
"""Most bytes of a response body, compressed and decompressed; a larger one is aborted. The longest answers of
current models take a quarter of it."""

ACCEPTED_ENCODING = "gzip"

_GZIP_WINDOW = zlib.MAX_WBITS | 16
_PIECE_BYTES = 65_536


class UnreadableResponseError(ValueError):
    """A response that is too large, or has a content encoding that was not requested."""


class BoundedStream(httpx2.SyncByteStream):
    """A response body that ends with an error when it takes too long or grows too large.

    Args:
        stream: the body.
        seconds: time for the whole body, in seconds, None for no limit. A timeout for each read alone would
            not end a response that arrives byte by byte.
    """

    def __init__(self, stream: httpx2.SyncByteStream, *, seconds: float | None) -> None:
        self._stream = stream
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        """Yield the body piece by piece.

        Raises:
            httpx2.ReadTimeout: it takes too long.
            UnreadableResponseError: it is too large.
        """
        size = 0
        for piece in self._stream:
            size = _grown(size, piece)
            yield piece
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the response took too long")

    def close(self) -> None:
        """Close the connection's side of the body."""
        self._stream.close()


class UnpackedStream(httpx2.SyncByteStream):
    """A gzipped body that is decompressed in small pieces, because it may expand a thousandfold.

    Args:
        stream: the compressed body.
    """

    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """Yield the decompressed body piece by piece.

        Raises:
            UnreadableResponseError: it is not gzip, cut off, or too large.
        """
        unpacking = zlib.decompressobj(_GZIP_WINDOW)
        size = packed_size = 0
        for packed in self._stream:
            packed_size += len(packed)
            while piece := _decompress(unpacking, packed):
                size = _grown(size, piece)
                yield piece
                packed = unpacking.unconsumed_tail  # noqa: PLW2901 - the rest of the same piece
        if packed_size and not unpacking.eof:
            raise UnreadableResponseError("the gzipped response is cut off")

    def close(self) -> None:
        """Close the connection's side of the body."""
        self._stream.close()


def bound_response(response: httpx2.Response) -> None:
    """Bound a response before its body is read; the time limit is the read timeout of its request.

    Raises:
        httpx2.RemoteProtocolError: it arrived before the request was sent, so that it is left over from an
            earlier response on the same connection.
        UnreadableResponseError: it has a content encoding that was not requested.
    """
    connection = response.extensions.get("network_stream")
    if isinstance(connection, DeadlineStream) and not connection.is_answered:
        raise httpx2.RemoteProtocolError("the response came before its request")
    # JSON is UTF-8; an unknown charset in the header must not hide the server's error message.
    response.encoding = "utf-8"
    stream = cast("httpx2.SyncByteStream", response.stream)
    seconds = response.request.extensions.get("timeout", {}).get("read")
    response.stream = BoundedStream(stream, seconds=seconds)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding in {"", "identity"}:
        return
    if encoding not in {"gzip", "x-gzip"}:
        raise UnreadableResponseError(f"the response is packed as {encoding[:40]!r}, which nobody asked for")
    del response.headers["content-encoding"]
    response.stream = UnpackedStream(response.stream)


def _decompress(unpacking: zlib._Decompress, packed: bytes) -> bytes:
    try:
        return unpacking.decompress(packed, _PIECE_BYTES)
    except zlib.error as error:
        raise UnreadableResponseError(f"the response is no gzip: {error}") from error


def _grown(size: int, piece: bytes) -> int:
    size += len(piece)
    if size > MAX_BODY_BYTES:
        raise UnreadableResponseError(f"the response is larger than {MAX_BODY_BYTES} bytes")
    return size
