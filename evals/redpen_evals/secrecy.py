"""Keeping the key of a live model out of results and logs, whoever gives it back."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
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
    make = logging.getLogRecordFactory()

    def make_struck(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        message = record.getMessage()
        if secret in message:
            record.msg, record.args = strike(message, secret), ()
        return record

    if len(secret) < _SHORTEST:
        yield
        return
    logging.setLogRecordFactory(make_struck)
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)
