"""What of a request's body is matched and kept, by its type: forms and parts have more than one spelling."""

from __future__ import annotations

import re
from email.message import Message
from operator import itemgetter
from typing import Final
from urllib.parse import parse_qsl, urlencode

from redpen_evals.traffic.credentials import struck

BOUNDARY: Final = b"redpen-boundary"
"""Stands in the place of the boundary of multipart bodies, which clients make up anew for each."""

_FORM: Final = "application/x-www-form-urlencoded"
_KEEP_BYTES: Final = "surrogateescape"


def canonical_content(content: bytes, content_type: str) -> bytes:
    """Return a request's body as it is matched.

    Args:
        content: as it is sent, unpacked.
        content_type: value of the header; empty for none.

    Returns:
        A form with its pairs in the order of their names and its credentials struck, parts with a fixed
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
    return urlencode(struck(sorted(pairs, key=itemgetter(0))), errors=_KEEP_BYTES).encode()


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
