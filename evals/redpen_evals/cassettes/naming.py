"""The parts of ids of recorded tests."""

from __future__ import annotations

import hashlib
import re
from typing import Final

_INVALID_CHARS: Final = re.compile(r"[^A-Za-z0-9._-]+")
_START: Final = re.compile(r"^[^A-Za-z0-9]+")
_MAX_PART: Final = 120


def to_id_part(part: str) -> str:
    """Return a part of a test's path, or its name, as it is in the id of its runs."""
    cleaned = _START.sub("", _INVALID_CHARS.sub("-", part)).rstrip("-.")[:_MAX_PART]
    plain = part.replace("[", "-").replace("]", "").replace("/", "-")
    if cleaned == plain:
        return cleaned
    # Parameters that differ only in replaced characters must not share a recording.
    digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{cleaned}-{digest}" if cleaned else digest
