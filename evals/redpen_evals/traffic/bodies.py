"""The bytes of request and response bodies, whatever shape a client library keeps them in."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

MAX_RESPONSE_BYTES: Final = 16_000_000
"""Size of the largest response that is recorded, unpacked."""

_GZIP_START: Final = b"\x1f\x8b"
_GZIP: Final = 16 + zlib.MAX_WBITS
_WINDOWS: Final = {"gzip": (_GZIP,), "x-gzip": (_GZIP,), "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS)}


class UndecodableBodyError(Exception):
    """A response is packed in a way that cannot be undone, or is too large when unpacked."""


def request_bytes(body: Any) -> bytes:
    """Return the bytes of a request's body.

    Args:
        body: bytes, text, None, something to read or iterate, or what aiohttp was given as ``json`` or form.
    """
    if body is None:
        return b""
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if hasattr(body, "read"):
        return request_bytes(body.read())
    if isinstance(body, Mapping):
        return json.dumps(dict(body), default=_shown, ensure_ascii=False).encode("utf-8", "surrogatepass")
    fields = getattr(body, "_fields", None)
    if fields is not None:
        # A form of aiohttp: options, headers and value of each field.
        pairs = [[str(dict(options).get("name", "")), value] for options, _, value in fields]
        return json.dumps(pairs, default=_shown, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if isinstance(body, Iterable):
        parts = list(body)
        if all(isinstance(part, (bytes, bytearray, str)) for part in parts):
            return b"".join(map(request_bytes, parts))
        return json.dumps(parts, default=_shown, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return _shown(body).encode("utf-8", "surrogatepass")


def unpacked(body: bytes, encoding: str) -> bytes:
    """Return a response's body without its content encoding.

    Args:
        body: as it was read; some libraries have unpacked it already.
        encoding: value of the header ``content-encoding``; empty for none.

    Raises:
        UndecodableBodyError: it is packed in another way than gzip or deflate, or grows too large.
    """
    for name in reversed([part.strip().lower() for part in encoding.split(",") if part.strip()]):
        if name != "identity":
            body = _unpacked_once(body, name)
    return body


def _unpacked_once(body: bytes, encoding: str) -> bytes:
    if encoding in {"gzip", "x-gzip"} and not body.startswith(_GZIP_START):
        # The client's library has unpacked it and left the header as it came.
        return body
    for window in _WINDOWS.get(encoding, ()):
        unpacker = zlib.decompressobj(window)
        try:
            content = unpacker.decompress(body, MAX_RESPONSE_BYTES + 1)
        except zlib.error:
            continue
        if len(content) > MAX_RESPONSE_BYTES:
            raise UndecodableBodyError(f"it is larger than {MAX_RESPONSE_BYTES:,} bytes")
        return content
    if _is_text(body):
        return body
    raise UndecodableBodyError(f"it is packed as {encoding!r}, which a recording cannot hold")


def _is_text(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _shown(value: object) -> str:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "backslashreplace")
    # The address in memory of a plain object would make every run another.
    return str(value) if type(value).__str__ is not object.__str__ else type(value).__name__
