"""Parses the pause that a server requests with ``Retry-After``, in seconds or as a date."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime


def requested_pause_s(headers: Mapping[str, str], *, now: Callable[[], float] = time.time) -> float | None:
    """Return the pause that a response requests.

    Args:
        headers: headers of the response, a case-insensitive mapping.
        now: returns the current time, in seconds since 1970.

    Returns:
        A pause above 0, possibly infinite, in seconds; None if no valid pause is requested.
    """
    pause = _seconds(headers.get("retry-after-ms"), unit_s=0.001)
    value = headers.get("retry-after")
    if pause is None:
        pause = _seconds(value, unit_s=1.0)
    if pause is None:
        pause = _seconds_until(value, now)
    return pause if pause is not None and pause > 0 else None


def _seconds(text: str | None, *, unit_s: float) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return None if math.isnan(number) else number * unit_s


def _seconds_until(text: str | None, now: Callable[[], float]) -> float | None:
    try:
        date = parsedate_to_datetime(text or "")
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return date.timestamp() - now()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
