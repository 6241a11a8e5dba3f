"""A secret in other spellings: base64, percent-encoded, escaped, hex, reversed, spaced out, or half of it."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote

MIN_CHARS: Final = 8
"""A secret of fewer characters may be any word."""
_MIN_SPACED_CHARS: Final = 12
_MIN_HALVED_CHARS: Final = 20
_MIN_REST_CHARS: Final = 4
_MIN_BASE64_CHARS: Final = 10
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_GAPS: Final = str.maketrans(dict.fromkeys(f" \t\n\r\v\f\u00a0{_INVISIBLE}"))
_GAP: Final = rf"[\s{_INVISIBLE}]{{0,4}}"
_ESCAPED: Final = re.compile(
    r"(?:\\{1,4}(?:u(?P<long>[0-9a-fA-F]{4})|x(?P<short>[0-9a-fA-F]{2}))"
    r"|&#(?:[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<decimal>[0-9]{1,7}));?)"
)
# A text whose half is not a word: letters and digits, and no path.
_LIKE_A_KEY: Final = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+=.~-]+")


def holds(text: str, secret: str) -> bool:
    """Return whether a text contains a secret of ``MIN_CHARS`` characters or more, in any spelling."""
    if len(secret) < MIN_CHARS or not text:
        return False
    if secret in text:
        return True
    spellings = _spellings(secret)
    squeezed = text.translate(_GAPS) if len(secret) >= _MIN_SPACED_CHARS else text
    if "%" in squeezed and secret in unquote(squeezed):
        return True
    if ("\\" in squeezed or "&#" in squeezed) and secret in _ESCAPED.sub(_unescaped, squeezed):
        return True
    return any(form in squeezed for form in spellings.forms) or spellings.hex in squeezed.lower()


def redact_spellings(text: str, secret: str, redacted: str) -> str:
    """Return a text with every spelling of a secret redacted."""
    if not holds(text, secret):
        return text
    text = text.replace(secret, redacted)
    spellings = _spellings(secret)
    text = spellings.pattern.sub(redacted, text)
    for piece in spellings.halves:
        if piece in text.translate(_GAPS):
            rest = secret.replace(piece, "", 1)
            text = re.sub(_spaced(piece), redacted, text)
            # The other half, anywhere in the text.
            text = text.replace(rest, redacted) if len(rest) >= _MIN_REST_CHARS else text
    return text


def walk(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with every string in it changed, keys of objects included."""
    match value:
        case str():
            return change(value)
        case dict():
            return {walk(key, change): walk(item, change) for key, item in value.items()}
        case list() | tuple():
            return [walk(item, change) for item in value]
        case _:
            return value


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, keys of objects included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings_in(key)
            yield from strings_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings_in(item)


def _unescaped(match: re.Match[str]) -> str:
    decimal = match["decimal"]
    code = int(decimal) if decimal else int(match["long"] or match["short"] or match["hex"], 16)
    return chr(min(code, sys.maxunicode))


class _Spellings:
    """The spellings of one secret.

    Attributes:
        forms: those to find in a text without gaps.
        halves: its two halves, if it is long enough to be recognized by one.
        hex: in lower-case hexadecimal.
        pattern: matches all but the halves.
    """

    __slots__ = ("forms", "halves", "hex", "pattern")

    def __init__(self, secret: str) -> None:
        encoded = tuple(_base64_forms(secret.encode("utf-8", "surrogatepass")))
        self.halves: tuple[str, ...] = ()
        if len(secret) >= _MIN_HALVED_CHARS and _LIKE_A_KEY.fullmatch(secret):
            middle = len(secret) // 2
            self.halves = (secret[:middle], secret[-middle:])
        self.forms = (secret, secret[::-1], *encoded, *self.halves)
        self.hex = secret.encode("utf-8", "surrogatepass").hex()
        patterns = [
            _percent(secret),
            _percent(secret[::-1]),
            *map(_spaced, encoded),
            f"(?i:{_spaced(self.hex)})",
        ]
        if len(secret) < _MIN_SPACED_CHARS:
            patterns = [_percent(secret, gap=""), re.escape(secret[::-1]), *map(re.escape, encoded), self.hex]
        self.pattern = re.compile("|".join(sorted(patterns, key=len, reverse=True)))


@lru_cache(maxsize=64)
def _spellings(secret: str) -> _Spellings:
    return _Spellings(secret)


def _base64_forms(content: bytes) -> Iterator[str]:
    """Yield the base64 characters of the content at each of its three possible offsets."""
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + content).decode()
        first = -(-before * 8 // 6)
        last = (before + len(content)) * 8 // 6
        piece = encoded[first:last]
        if len(piece) >= _MIN_BASE64_CHARS:
            yield piece
            if (url_safe := piece.translate(str.maketrans("+/", "-_"))) != piece:
                yield url_safe


def _spaced(piece: str) -> str:
    return _GAP.join(map(re.escape, piece))


def _percent(secret: str, gap: str = _GAP) -> str:
    return gap.join(f"(?:{re.escape(char)}|{_percent_of(char)}|{_escapes_of(char)})" for char in secret)


def _escapes_of(char: str) -> str:
    """Return a pattern that matches a character as JSON, Python and HTML escape it."""
    code = ord(char)
    return rf"\\{{1,4}}(?i:u{code:04x}|x{code:02x})|&#(?:0{{0,4}}{code}|(?i:x0{{0,4}}{code:x}));?"


def _percent_of(char: str) -> str:
    return "".join(f"%(?i:{byte:02x})" for byte in char.encode("utf-8", "surrogatepass"))
