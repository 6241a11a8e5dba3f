"""Keeps the key in use out of the logs: HTTP libraries log headers and addresses, their servers' too."""

from __future__ import annotations

import functools
import json
import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from redpen.text.keys import STRUCK

SHORTEST: Final = 8
"""A key of fewer characters is a stand-in for a local server, and may be any word."""


def strike(text: str, secret: str) -> str:
    """Return a text with every occurrence of a secret struck out; one under ``SHORTEST`` is no secret."""
    if len(secret) < SHORTEST:
        return text
    for form in _forms(secret):
        text = text.replace(form, STRUCK)
    return text


@contextmanager
def struck_from_logs(secret: str) -> Iterator[None]:
    """Strike a secret from everything that is logged meanwhile, by whatever thread."""
    if len(secret) < SHORTEST:
        yield
        return
    _LOGS.strike(secret)
    try:
        yield
    finally:
        _LOGS.let_be(secret)


class _Logs:
    # Python has one factory of log records a process, and runs end in any order: the first puts ours in
    # its place, the last gives the place back.
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._secrets: tuple[str, ...] = ()
        self._before: Callable[..., logging.LogRecord] = logging.LogRecord
        self._ours: Callable[..., logging.LogRecord] | None = None

    def strike(self, secret: str) -> None:
        with self._lock:
            if not self._secrets:
                self._install(logging.getLogRecordFactory())
            self._secrets = (*self._secrets, secret)

    def let_be(self, secret: str) -> None:
        with self._lock:
            at = self._secrets.index(secret)
            self._secrets = (*self._secrets[:at], *self._secrets[at + 1 :])
            # Somebody else's factory in front of ours goes on calling it, which then strikes nothing.
            if not self._secrets and logging.getLogRecordFactory() is self._ours:
                logging.setLogRecordFactory(self._before)

    def _install(self, before: Callable[..., logging.LogRecord]) -> None:
        def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = before(*args, **kwargs)
            secrets = self._secrets
            if secrets:
                _strike_from(record, secrets)
            return record

        self._before, self._ours = before, make
        logging.setLogRecordFactory(make)


_LOGS: Final = _Logs()


def _strike_from(record: logging.LogRecord, secrets: tuple[str, ...]) -> None:
    def struck(text: str) -> str:
        return functools.reduce(strike, secrets, text)

    try:
        message = record.getMessage()
    except Exception:  # noqa: BLE001 - a faulty call: its handler says so, and shows format and arguments
        args = record.args if isinstance(record.args, tuple) else (record.args,)
        record.msg, record.args = struck(_shown(record.msg)), tuple(struck(_shown(one)) for one in args)
    else:
        if (clean := struck(message)) != message:
            record.msg, record.args = clean, ()
    if record.exc_info and record.exc_info[1] is not None:
        told = _traceback(record.exc_info[1])
        if (clean := struck(told)) != told:
            # Formatters show this text in the place of the exception.
            record.exc_info, record.exc_text = None, clean
    if record.stack_info:
        record.stack_info = struck(record.stack_info)


def _shown(value: object) -> str:
    try:
        return value if isinstance(value, str) else repr(value)
    except Exception:  # noqa: BLE001 - its own code, which may do anything
        return f"<{type(value).__qualname__}>"


def _traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error)).rstrip("\n")
    except Exception:  # noqa: BLE001 - nobody else can show it either
        return ""


@functools.lru_cache(maxsize=64)
def _forms(secret: str) -> frozenset[str]:
    # As it is, and as JSON and Python write it within quotes.
    return frozenset({secret, json.dumps(secret)[1:-1], repr(secret)[1:-1]})
