"""Limits of a response body: total time, size, and decompression."""

from __future__ import annotations

import gzip
import zlib

import httpx2
import pytest

from redpen.chat.bounds import (
    MAX_BODY_BYTES,
    BoundedStream,
    GunzippedStream,
    UnreadableResponseError,
    bound_response,
)


class ChunkStream(httpx2.SyncByteStream):
    def __init__(self, chunks):
        self.chunks = chunks
        self.closed = False

    def __iter__(self):
        yield from self.chunks

    def close(self):
        self.closed = True


def test_body_within_limits_is_unchanged():
    stream = ChunkStream([b"a", b"b"])
    bounded = BoundedStream(stream, seconds=60)
    assert b"".join(bounded) == b"ab"
    bounded.close()
    assert stream.closed


@pytest.mark.parametrize("seconds", [60, None])
def test_body_of_maximum_size_passes(seconds):
    assert b"".join(BoundedStream(ChunkStream([b"x" * MAX_BODY_BYTES]), seconds=seconds))


def test_slow_body_raises_read_timeout():
    with pytest.raises(httpx2.ReadTimeout):
        list(BoundedStream(ChunkStream([b"a"] * 3), seconds=-1))


def test_oversized_body_is_aborted():
    endless = iter(lambda: b"x" * 100_000, b"")
    with pytest.raises(UnreadableResponseError, match="larger than 2000000 bytes"):
        list(BoundedStream(ChunkStream(endless), seconds=60))


@pytest.mark.parametrize("size", [0, 1, 70_000, MAX_BODY_BYTES])
@pytest.mark.parametrize("step", [1_000, 10_000_000])
def test_gzip_body_is_decompressed(size, step):
    compressed = gzip.compress(b"x" * size)
    stream = ChunkStream([compressed[start : start + step] for start in range(0, len(compressed), step)])
    decompressed = GunzippedStream(stream)
    assert b"".join(decompressed) == b"x" * size
    decompressed.close()
    assert stream.closed


def test_gzip_body_is_decompressed_in_small_chunks():
    chunks = list(GunzippedStream(ChunkStream([gzip.compress(b"x" * 1_000_000)])))
    assert max(map(len, chunks)) <= 65_536


@pytest.mark.parametrize(
    ("compressed", "problem"),
    [
        (gzip.compress(b"x" * (MAX_BODY_BYTES + 1)), "larger than 2000000 bytes"),
        (gzip.compress(b"x" * 100)[:-1], "truncated"),
        (b"x" * 100, "not valid gzip"),
        (zlib.compress(b"x"), "not valid gzip"),
    ],
    # Gzip stores the time, so ids made from the bytes would differ between processes.
    ids=["too large", "truncated", "no gzip", "another format"],
)
def test_invalid_gzip_body_raises_with_reason(compressed, problem):
    with pytest.raises(UnreadableResponseError, match=problem):
        list(GunzippedStream(ChunkStream([compressed])))


def test_gzip_bomb_is_aborted_early():
    packing = zlib.compressobj(wbits=31)
    chunks = []

    def bomb():
        for _ in range(1_000):
            chunks.append(packing.compress(b" " * 1_000_000))
            yield chunks[-1] or b""

    with pytest.raises(UnreadableResponseError, match="larger"):
        list(GunzippedStream(ChunkStream(bomb())))
    assert len(chunks) < 200


def response(encoding, content=b"{}"):
    request = httpx2.Request("POST", "http://a.invalid", extensions={"timeout": {"read": 5}})
    headers = {} if encoding is None else {"content-encoding": encoding}
    made = httpx2.Response(200, headers=headers, stream=ChunkStream([content]), request=request)
    bound_response(made)
    return made


@pytest.mark.parametrize("encoding", [None, "", "identity", " Identity "])
def test_uncompressed_response_is_unchanged(encoding):
    assert response(encoding).read() == b"{}"


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP "])
def test_gzip_response_is_decompressed_once(encoding):
    made = response(encoding, gzip.compress(b"{}"))
    assert made.read() == b"{}"
    assert "content-encoding" not in made.headers


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip", "x" * 1_000])
def test_unrequested_encoding_is_rejected(encoding):
    with pytest.raises(UnreadableResponseError, match="not requested") as caught:
        response(encoding)
    assert len(str(caught.value)) < 120
