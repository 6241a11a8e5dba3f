"""Keeping the key of a live model out of results and logs, whoever gives it back."""

from __future__ import annotations

import functools
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from redpen_evals.records.model import ScenarioResult

STRUCK: Final = "[key]"
_SHORTEST = 8


def strike(text: str, secret: str) -> str:
    """Return a text with every occurrence of a secret struck out; one under 8 characters is no secret."""
    return text if len(secret) < _SHORTEST else text.replace(secret, STRUCK)


def strike_from_result(result: ScenarioResult, secret: str) -> ScenarioResult:
    """Return a result without a secret in any of its texts."""
    content = result.model_dump_json()
    # As JSON writes it, should the secret hold a quote or a backslash.
    written = json.dumps(secret, ensure_ascii=False)[1:-1]
    if len(secret) < _SHORTEST or written not in content:
        return result
    return ScenarioResult.model_validate_json(content.replace(written, STRUCK))


@contextmanager
def struck_from_logs(secret: str) -> Iterator[None]:
    """Strike a secret from everything that is logged meanwhile: HTTP libraries log headers and addresses."""
    if len(secret) < _SHORTEST:
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
                message = record.getMessage()
                struck = functools.reduce(strike, secrets, message)
                if struck != message:
                    record.msg, record.args = struck, ()
            return record

        self._before, self._ours = before, make
        logging.setLogRecordFactory(make)


_LOGS: Final = _Logs()
