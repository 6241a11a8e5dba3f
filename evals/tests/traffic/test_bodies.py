"""Bodies of requests and responses: decompression and conversion to bytes."""

from __future__ import annotations

import gzip
import io
import zlib

import pytest

from redpen_evals.traffic.bodies import MAX_RESPONSE_BYTES, UndecodableBodyError, request_bytes, unpacked

TEXT = '{"text": "Where is order 81? — Где заказ?"}'.encode()
RAW = zlib.compressobj(wbits=-15)
PACKED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]),
    "deflate": zlib.compress(TEXT),
    "deflate, identity": RAW.compress(TEXT) + RAW.flush(),
    "gzip, deflate": zlib.compress(gzip.compress(TEXT)),
    "identity": TEXT,
    "": TEXT,
}


@pytest.mark.parametrize("encoding", PACKED)
def test_compressed_body_is_decompressed(encoding):
    assert unpacked(PACKED[encoding], encoding) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "unknown"])
@pytest.mark.parametrize("text", [TEXT, b"data: {}\n\n", b"[]", b"cards", b""])
def test_already_decompressed_body_is_unchanged(encoding, text):
    assert unpacked(text, encoding) == text


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress"])
def test_unsupported_encoding_is_refused(encoding):
    with pytest.raises(UndecodableBodyError, match=f"packed as '{encoding}'"):
        unpacked(b"\xff\xfe\x00\x01", encoding)


def test_body_that_decompresses_too_large_is_refused():
    with pytest.raises(UndecodableBodyError, match="larger than 16,000,000 bytes"):
        unpacked(gzip.compress(bytes(MAX_RESPONSE_BYTES + 1)), "gzip")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (None, b""),
        (bytearray(b"a"), b"a"),
        ("ж", "ж".encode()),
        (io.BytesIO(b"file"), b"file"),
        ([b"a", "b"], b"ab"),
        ({"b": 1}, b'{"b": 1}'),
        ({"file": io.BytesIO(b"text")}, b'{"file": "text"}'),
        ([("b", 1), ("a", 2)], b'[["b", 1], ["a", 2]]'),
    ],
    ids=["none", "bytearray", "text", "file", "pieces", "mapping", "mapping of a file", "pairs"],
)
def test_request_bytes_accepts_every_body_type(body, expected):
    assert request_bytes(body) == expected


def test_request_bytes_rewinds_files():
    file = io.BytesIO(b"file")
    assert (request_bytes(file), file.read()) == (b"file", b"file")
