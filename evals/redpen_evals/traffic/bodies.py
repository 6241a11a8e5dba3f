"""The bytes of request and response bodies, for the types of all client libraries."""

from __future__ import annotations

import importlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.message import Message
from functools import partial
from operator import itemgetter
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

_CREDENTIALS: Final = re.compile(
    r"(?:x-amz-(?:signature|security-token|credential|date)|x-goog-(?:signature|credential|date)"
    r"|(?:(?:api|access|auth|refresh|id|bearer|subscription|session)[-_]?)?(?:key|token)"
    r"|sig|signature|client[-_]?secret|client[-_]?assertion|password|passwd)",
    re.IGNORECASE,
)
_REDACTED: Final = "REDACTED"


def redacted(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return names and values, with the values of credentials redacted."""
    return [(name, _REDACTED if _CREDENTIALS.fullmatch(name) else value) for name, value in pairs]


def without_credentials(url: str) -> str:
    """Return an address without user and password, and with the credentials in its query redacted."""
    if "?" not in url and "@" not in url:
        return url
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    if at:
        url = url.replace(f"{user}@", "", 1)
    query = parts.query
    pairs = parse_qsl(query, keep_blank_values=True) if query else []
    if not any(_CREDENTIALS.fullmatch(name) for name, _ in pairs):
        return url
    return url.replace(f"?{query}", f"?{urlencode(redacted(pairs), quote_via=quote)}", 1)


BOUNDARY: Final = b"redpen-boundary"
"""Replaces the boundary of multipart bodies, which clients generate at random."""

_FORM: Final = "application/x-www-form-urlencoded"
_KEEP_BYTES: Final = "surrogateescape"


def canonical_content(content: bytes, content_type: str) -> bytes:
    """Return a request's body as it is matched.

    Args:
        content: as sent, unpacked.

    Returns:
        A form with its pairs in the order of their names and its credentials redacted, parts with a fixed
        boundary between them, anything else as it is.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if kind == _FORM:
        return _ordered(content)
    if kind.startswith("multipart/"):
        return _with_fixed_boundary(content, content_type)
    return content


def _ordered(content: bytes) -> bytes:
    try:
        pairs = parse_qsl(content.decode("utf-8", _KEEP_BYTES), keep_blank_values=True, errors=_KEEP_BYTES)
    except ValueError:
        return content
    # Pairs of one name are a list, whose order counts.
    return urlencode(redacted(sorted(pairs, key=itemgetter(0))), errors=_KEEP_BYTES).encode()


def _with_fixed_boundary(content: bytes, content_type: str) -> bytes:
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_boundary()
    if not boundary:
        return content
    delimiter = (
        rb"(?:\A|(?<=\r\n)|(?<=\n))--"
        + re.escape(boundary.encode("latin-1", "replace"))
        + rb"(?=--|[ \t\r\n]|\Z)"
    )
    return re.sub(delimiter, b"--" + BOUNDARY, content)


MAX_RESPONSE_BYTES: Final = 16_000_000
"""Size of the largest response that is recorded, unpacked."""

_PIECE_BYTES: Final = 4_096
_GZIP_START: Final = b"\x1f\x8b"
_GZIP: Final = 16 + zlib.MAX_WBITS
_WINDOWS: Final = {"gzip": (_GZIP,), "x-gzip": (_GZIP,), "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS)}


class UndecodableBodyError(Exception):
    """A response has an unsupported content encoding, or is too large when unpacked."""


def request_bytes(body: Any) -> bytes:  # noqa: PLR0911 - one for each shape
    """Return the bytes of a request's body: of any kind, or the ``json`` or form argument of aiohttp."""
    if body is None:
        return b""
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if hasattr(body, "read"):
        return request_bytes(_read_and_rewound(body))
    if isinstance(body, Mapping):
        return _json_bytes(dict(body))
    fields = getattr(body, "_fields", None)
    if fields is not None:
        # A form of aiohttp: options, headers and value of each field.
        pairs = [(str(dict(options).get("name", "")), value) for options, _, value in fields]
        return _json_bytes(sorted(pairs, key=itemgetter(0)))
    if isinstance(body, Iterable):
        parts = list(body)
        if all(isinstance(part, (bytes, bytearray, str)) for part in parts):
            return b"".join(map(request_bytes, parts))
        return _json_bytes(parts)
    return request_bytes(_as_text(body))


def _json_bytes(value: Any) -> bytes:
    return request_bytes(json.dumps(value, default=_as_text, ensure_ascii=False))


def unpacked(body: bytes, encoding: str) -> bytes:
    """Return a response's body without its content encoding.

    Args:
        body: as read; some libraries have already unpacked it.

    Raises:
        UndecodableBodyError: the encoding is not supported, or the unpacked body is too large.
    """
    for name in reversed([part.strip().lower() for part in encoding.split(",") if part.strip()]):
        if name != "identity":
            body = _unpack_once(body, name)
    return body


def _unpack_once(body: bytes, encoding: str) -> bytes:
    if encoding in {"gzip", "x-gzip"} and not body.startswith(_GZIP_START):
        # The client's library has unpacked it but kept the header.
        return body
    for unpacker in _unpackers(encoding):
        try:
            content = unpacker(body)
        except Exception:  # noqa: BLE001, S112 - each library has its own exception for invalid data
            continue
        if content is None:
            continue
        if len(content) > MAX_RESPONSE_BYTES:
            raise UndecodableBodyError(f"it is larger than {MAX_RESPONSE_BYTES:,} bytes")
        return content
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        problem = f"it is packed as {encoding!r}, which a recording cannot hold"
        raise UndecodableBodyError(problem) from None
    return body


def _unpackers(encoding: str) -> Iterator[Callable[[bytes], bytes | None]]:
    for window in _WINDOWS.get(encoding, ()):
        yield partial(_inflate, window)
    # A client that asks for one of these has the library for it.
    if encoding == "br":
        for name in ("brotli", "brotlicffi"):
            if module := _library(name):
                yield partial(_decompress_brotli, module)
    if encoding == "zstd":
        for name in ("compression.zstd", "backports.zstd", "zstandard"):
            if module := _library(name):
                yield partial(_decompress_zstd, module)


def _inflate(window: int, body: bytes) -> bytes | None:
    content = bytearray()
    while body:
        unpacker = zlib.decompressobj(window)
        content += unpacker.decompress(body, MAX_RESPONSE_BYTES + 1 - len(content))
        if len(content) > MAX_RESPONSE_BYTES:
            break
        # Plain text may begin like packed data, but has no end marker.
        if not unpacker.eof:
            return None
        body = unpacker.unused_data if window == _GZIP else b""
    return bytes(content)


def _decompress_brotli(module: Any, body: bytes) -> bytes | None:
    unpacker = module.Decompressor()
    content = bytearray()
    for at in range(0, len(body), _PIECE_BYTES):
        piece = body[at : at + _PIECE_BYTES]
        content += unpacker.process(piece) if hasattr(unpacker, "process") else unpacker.decompress(piece)
        if len(content) > MAX_RESPONSE_BYTES:
            return bytes(content)
    return bytes(content) if unpacker.is_finished() else None


def _decompress_zstd(module: Any, body: bytes) -> bytes | None:
    if hasattr(module, "ZstdFile"):
        source = module.ZstdFile(io.BytesIO(body))
    else:
        source = module.ZstdDecompressor().stream_reader(io.BytesIO(body), read_across_frames=True)
    with source:
        content: bytes = source.read(MAX_RESPONSE_BYTES + 1)
        return content


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _read_and_rewound(file: Any) -> Any:
    if not (hasattr(file, "seek") and hasattr(file, "tell")):
        return file.read()
    at = file.tell()
    content = file.read()
    file.seek(at)
    return content


def _as_text(value: Any) -> str:
    if hasattr(value, "read"):
        value = _read_and_rewound(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "backslashreplace")
    # The memory address in an object's repr would differ in each run.
    kind: Any = type(value)
    return str(value) if kind.__str__ is not object.__str__ else kind.__name__
