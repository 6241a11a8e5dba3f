"""Redacts the API key from log records, because HTTP libraries log headers and URLs."""

from __future__ import annotations

import functools
import json
import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from redpen.text.keys import REDACTED

MIN_SECRET_CHARS: Final = 8
"""Minimum length of a secret to redact; a shorter key is a placeholder for a local server, perhaps a word."""


def redact(text: str, secret: str) -> str:
    """Return a text without a secret; one shorter than ``MIN_SECRET_CHARS`` is not redacted."""
    if len(secret) < MIN_SECRET_CHARS:
        return text
    for form in _encoded_forms(secret):
        text = text.replace(form, REDACTED)
    return text


@contextmanager
def redacted_logs(secret: str) -> Iterator[None]:
    """Redact a secret from all log records that any thread creates inside the block."""
    if len(secret) < MIN_SECRET_CHARS:
        yield
        return
    _LOG_REDACTOR.redact(secret)
    try:
        yield
    finally:
        _LOG_REDACTOR.remove(secret)


class _LogRedactor:
    # A process has one log record factory, and runs end in any order: the first run installs our factory, the
    # last one restores the previous factory.
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._secrets: tuple[str, ...] = ()
        self._before: Callable[..., logging.LogRecord] = logging.LogRecord
        self._ours: Callable[..., logging.LogRecord] | None = None

    def redact(self, secret: str) -> None:
        with self._lock:
            if not self._secrets:
                self._install(logging.getLogRecordFactory())
            self._secrets = (*self._secrets, secret)

    def remove(self, secret: str) -> None:
        with self._lock:
            at = self._secrets.index(secret)
            self._secrets = (*self._secrets[:at], *self._secrets[at + 1 :])
            # A factory that other code has since installed keeps calling ours, which then redacts nothing.
            if not self._secrets and logging.getLogRecordFactory() is self._ours:
                logging.setLogRecordFactory(self._before)

    def _install(self, before: Callable[..., logging.LogRecord]) -> None:
        def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = before(*args, **kwargs)
            secrets = self._secrets
            if secrets:
                _redact_record(record, secrets)
            return record

        self._before, self._ours = before, make
        logging.setLogRecordFactory(make)


_LOG_REDACTOR: Final = _LogRedactor()


def _redact_record(record: logging.LogRecord, secrets: tuple[str, ...]) -> None:
    def redacted(text: str) -> str:
        return functools.reduce(redact, secrets, text)

    try:
        message = record.getMessage()
    except Exception:  # noqa: BLE001 - the log handler will report wrong format arguments
        args = record.args if isinstance(record.args, tuple) else (record.args,)
        record.msg, record.args = (
            redacted(_to_text(record.msg)),
            tuple(redacted(_to_text(one)) for one in args),
        )
    else:
        if (clean := redacted(message)) != message:
            record.msg, record.args = clean, ()
    if record.exc_info and record.exc_info[1] is not None:
        formatted = _traceback(record.exc_info[1])
        if (clean := redacted(formatted)) != formatted:
            # Formatters use exc_text instead of the exception.
            record.exc_info, record.exc_text = None, clean
    if record.stack_info:
        record.stack_info = redacted(record.stack_info)


def _to_text(value: object) -> str:
    try:
        return value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001 - __repr__ of a user-defined object may raise anything
        return f"<{type(value).__qualname__}>"


def _traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error)).rstrip("\n")
    except Exception:  # noqa: BLE001 - a traceback that cannot be formatted is not logged either
        return ""


@functools.lru_cache(maxsize=64)
def _encoded_forms(secret: str) -> frozenset[str]:
    # The plain form, and the forms in JSON strings and Python literals.
    return frozenset({secret, json.dumps(secret)[1:-1], repr(secret)[1:-1]})
