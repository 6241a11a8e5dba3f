"""Numbers as the judge reads them: digits only, so that it needs none of the guards' grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NUMBER = re.compile(r"\d{1,15}(?:[.,]\d{1,15})*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


def written_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield every number that a text writes in digits: as it stands, and in its plain form.

    ``1,200`` is ``1200`` and ``3.40`` is ``3.4``; what is no single number (``1,2,3``) is left out.
    """
    for match in _NUMBER.finditer(text):
        joined = _THOUSANDS.sub("", match.group())
        if joined.isdigit() or re.fullmatch(r"\d+\.\d+", joined):
            yield match.group(), _plain(joined)


def numbers_in(value: Any) -> frozenset[str]:
    """Return the plain form of every number in a JSON value, at any depth, its texts included.

    A number counts in percent as well: 0.034 gives ``0.034`` and ``3.4``.
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
        case int() | float() if not isinstance(value, bool):
            yield from (_plain(f"{abs(scaled):.10f}") for scaled in (value, value * 100))


def _plain(number: str) -> str:
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return f"{int(whole)}.{fraction}" if fraction else str(int(whole))
