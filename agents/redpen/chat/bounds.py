"""Bounds on a response: how large its body may be, packed and unpacked, and how long it may take."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from typing import cast

import httpx2

from redpen.chat.deadline import DeadlineStream

MAX_BODY_BYTES = 2_000_000
"""Bytes of a response body, as they come over the wire and as they are unpacked; a larger one is broken
off. The longest answers of today's models take a quarter of it."""

ACCEPTED_ENCODING = "gzip"

_GZIP_WINDOW = zlib.MAX_WBITS | 16
_PIECE_BYTES = 65_536


class UnreadableResponseError(ValueError):
    """A response that is too large, or packed in a way that nobody asked for."""


class BoundedStream(httpx2.SyncByteStream):
    """A response body that ends with an error when it takes too long or grows too large.

    Args:
        stream: the body.
        seconds: time for the whole of it, in seconds, None for no limit; a server that sends a byte now
            and then would keep a client that only waits for the next byte for ever.
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
    """A gzipped body unpacked in small pieces: a thousandth of its size may come over the wire.

    Args:
        stream: the packed body.
    """

    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """Yield the unpacked body piece by piece.

        Raises:
            UnreadableResponseError: it is no gzip, cut off, or too large.
        """
        unpacking = zlib.decompressobj(_GZIP_WINDOW)
        size = packed_size = 0
        for packed in self._stream:
            packed_size += len(packed)
            while piece := _unpack(unpacking, packed):
                size = _grown(size, piece)
                yield piece
                packed = unpacking.unconsumed_tail  # noqa: PLW2901 - the rest of the same piece
        if packed_size and not unpacking.eof:
            raise UnreadableResponseError("the gzipped response is cut off")

    def close(self) -> None:
        """Close the connection's side of the body."""
        self._stream.close()


def bound_response(response: httpx2.Response) -> None:
    """Bound a response before its body is read, in time by the read timeout of its request.

    Raises:
        httpx2.RemoteProtocolError: the server sent it before it was asked: it is what was left over of an
            earlier response on the same connection.
        UnreadableResponseError: it is packed in a way that nobody asked for.
    """
    connection = response.extensions.get("network_stream")
    if isinstance(connection, DeadlineStream) and not connection.is_answered:
        raise httpx2.RemoteProtocolError("the response came before its request")
    # JSON is UTF-8; a server that names a strange character set would hide its own error message.
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


def _unpack(unpacking: zlib._Decompress, packed: bytes) -> bytes:
    try:
        return unpacking.decompress(packed, _PIECE_BYTES)
    except zlib.error as error:
        raise UnreadableResponseError(f"the response is no gzip: {error}") from error


def _grown(size: int, piece: bytes) -> int:
    size += len(piece)
    if size > MAX_BODY_BYTES:
        raise UnreadableResponseError(f"the response is larger than {MAX_BODY_BYTES} bytes")
    return size
