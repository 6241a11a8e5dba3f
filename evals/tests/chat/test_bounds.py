"""A response is bounded as a whole: a server cannot keep a run by dripping or by flooding."""

from __future__ import annotations

import gzip
import zlib

import httpx2
import pytest

from redpen.chat.bounds import (
    MAX_BODY_BYTES,
    BoundedStream,
    UnpackedStream,
    UnreadableResponseError,
    bound_response,
)


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


@pytest.mark.parametrize("seconds", [60, None])
def test_a_body_as_large_as_allowed_passes(seconds):
    assert b"".join(BoundedStream(Pieces([b"x" * MAX_BODY_BYTES]), seconds=seconds))


def test_a_body_that_takes_too_long_is_a_timeout():
    with pytest.raises(httpx2.ReadTimeout):
        list(BoundedStream(Pieces([b"a"] * 3), seconds=-1))


def test_a_body_that_grows_too_large_is_broken_off():
    endless = iter(lambda: b"x" * 100_000, b"")
    with pytest.raises(UnreadableResponseError, match="larger than 2000000 bytes"):
        list(BoundedStream(Pieces(endless), seconds=60))


@pytest.mark.parametrize("size", [0, 1, 70_000, MAX_BODY_BYTES])
@pytest.mark.parametrize("step", [1_000, 10_000_000])
def test_a_packed_body_is_unpacked(size, step):
    packed = gzip.compress(b"x" * size)
    stream = Pieces([packed[start : start + step] for start in range(0, len(packed), step)])
    unpacked = UnpackedStream(stream)
    assert b"".join(unpacked) == b"x" * size
    unpacked.close()
    assert stream.closed


def test_it_is_unpacked_in_small_pieces():
    pieces = list(UnpackedStream(Pieces([gzip.compress(b"x" * 1_000_000)])))
    assert max(map(len, pieces)) <= 65_536


@pytest.mark.parametrize(
    ("packed", "problem"),
    [
        (gzip.compress(b"x" * (MAX_BODY_BYTES + 1)), "larger than 2000000 bytes"),
        (gzip.compress(b"x" * 100)[:-1], "cut off"),
        (b"x" * 100, "no gzip"),
        (zlib.compress(b"x"), "no gzip"),
    ],
    # Gzip notes the time, which would make the name of a test another in each process.
    ids=["too large", "cut off", "no gzip", "another format"],
)
def test_what_cannot_be_unpacked_says_why(packed, problem):
    with pytest.raises(UnreadableResponseError, match=problem):
        list(UnpackedStream(Pieces([packed])))


def test_a_bomb_is_broken_off_long_before_its_end():
    packing = zlib.compressobj(wbits=31)
    taken = []

    def bomb():
        for _ in range(1_000):
            taken.append(packing.compress(b" " * 1_000_000))
            yield taken[-1] or b""

    with pytest.raises(UnreadableResponseError, match="larger"):
        list(UnpackedStream(Pieces(bomb())))
    assert len(taken) < 200


def response(encoding, content=b"{}"):
    request = httpx2.Request("POST", "http://a.invalid", extensions={"timeout": {"read": 5}})
    headers = {} if encoding is None else {"content-encoding": encoding}
    made = httpx2.Response(200, headers=headers, stream=Pieces([content]), request=request)
    bound_response(made)
    return made


@pytest.mark.parametrize("encoding", [None, "", "identity", " Identity "])
def test_a_response_that_is_not_packed_is_left_as_it_is(encoding):
    assert response(encoding).read() == b"{}"


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP "])
def test_one_that_is_is_unpacked_once(encoding):
    made = response(encoding, gzip.compress(b"{}"))
    assert made.read() == b"{}"
    assert "content-encoding" not in made.headers


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip", "x" * 1_000])
def test_one_that_nobody_asked_for_is_not(encoding):
    with pytest.raises(UnreadableResponseError, match="nobody asked for") as caught:
        response(encoding)
    assert len(str(caught.value)) < 120
