"""Numbers as the judge reads them: digits only, so that it needs none of the guards' grammar."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

_NUMBER = re.compile(r"(\d{1,15}(?:[.,]\d{1,15})*)(k(?!\w))?", re.IGNORECASE)
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


def written_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield every number that a text writes in digits: as it stands, and in its plain form.

    ``1,200`` and ``1.2k`` are ``1200``, ``3.40`` is ``3.4``; what is no single number (``1,2,3``) is left
    out.
    """
    for match in _NUMBER.finditer(text):
        joined = _THOUSANDS.sub("", match[1])
        if joined.isdigit() or re.fullmatch(r"\d+\.\d+", joined):
            yield match.group(), _plain(f"{float(joined) * 1000:.10f}" if match[2] else joined)


def numbers_in(value: Any) -> frozenset[str]:
    """Return the plain form of every number in a JSON value, at any depth, its texts included.

    A number counts in percent as well, and without its decimals: 0.034 gives ``0.034``, ``3.4``
    and ``3``.
    """
    return frozenset(_numbers(value))


def _numbers(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield from (number for _, number in written_numbers(value))
        case list():
            for item in value:
                yield from _numbers(item)
        case dict():
            yield from _numbers(list(value.values()))
        case bool():
            return
        case int():
            yield from (str(abs(value)), str(abs(value) * 100))
        case float() if math.isfinite(value):
            for scaled in (abs(value), abs(value) * 100):
                yield from (_plain(f"{scaled:.10f}"), str(int(scaled)), str(round(scaled)))


def _plain(number: str) -> str:
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return f"{int(whole)}.{fraction}" if fraction else str(int(whole))
