"""A response is bounded as a whole: a server cannot keep a run by dripping or by flooding."""

from __future__ import annotations

import httpx2
import pytest

from redpen.chat.bounds import MAX_BODY_BYTES, BoundedStream


class Pieces(httpx2.SyncByteStream):
    def __init__(self, pieces):
        self.pieces = pieces
        self.closed = False

    def __iter__(self):
        yield from self.pieces

    def close(self):
        self.closed = True


def test_a_body_within_its_bounds_passes_whole():
    stream = Pieces([b"a", b"b"])
    bounded = BoundedStream(stream, seconds=60)
    assert b"".join(bounded) == b"ab"
    bounded.close()
    assert stream.closed


def test_a_body_that_takes_too_long_is_a_timeout():
    with pytest.raises(httpx2.ReadTimeout):
        list(BoundedStream(Pieces([b"a"] * 3), seconds=-1))


def test_a_body_that_grows_too_large_is_broken_off():
    piece = b"x" * 1_000_000
    with pytest.raises(httpx2.ReadError):
        list(BoundedStream(Pieces([piece] * (MAX_BODY_BYTES // len(piece) + 1)), seconds=60))
