"""Keys, tokens and passwords in addresses and forms: none reaches a cassette, and another one matches."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

_NAMES: Final = re.compile(
    r"(?:x-amz-(?:signature|security-token|credential|date)|x-goog-(?:signature|credential|date)"
    r"|(?:(?:api|access|auth|refresh|id|bearer|subscription|session)[-_]?)?(?:key|token)"
    r"|sig|signature|client[-_]?secret|client[-_]?assertion|password|passwd)",
    re.IGNORECASE,
)
_STRUCK: Final = "REDACTED"


def struck(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return names and values, with the values of credentials struck."""
    return [(name, _STRUCK if _NAMES.fullmatch(name) else value) for name, value in pairs]


def without_credentials(url: str) -> str:
    """Return an address without user and password, and with the credentials in its query struck."""
    if "?" not in url and "@" not in url:
        return url
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    if at:
        url = url.replace(f"{user}@", "", 1)
    query = parts.query
    pairs = parse_qsl(query, keep_blank_values=True) if query else []
    if not any(_NAMES.fullmatch(name) for name, _ in pairs):
        return url
    return url.replace(f"?{query}", f"?{urlencode(struck(pairs), quote_via=quote)}", 1)
