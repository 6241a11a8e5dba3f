"""`redacted_logs`: keys are replaced in log messages while a run uses them."""

from __future__ import annotations

import functools
import logging

import pytest

from redpen.chat.secret_logs import redacted_logs

FIRST, SECOND = "first-key-1234", "second-key-5678"


@pytest.fixture
def logged(caplog):
    """Give a function that logs both keys and returns the logged message."""
    before = logging.getLogRecordFactory()

    def log():
        caplog.clear()
        logging.getLogger("http").warning("sent %s, then %s", FIRST, SECOND)
        return caplog.messages[0]

    yield log
    assert logging.getLogRecordFactory() is before


def test_keys_in_use_are_replaced_in_logs(logged):
    with redacted_logs(FIRST):
        assert logged() == f"sent [key], then {SECOND}"
        with redacted_logs(SECOND), redacted_logs(FIRST):
            assert logged() == "sent [key], then [key]"
        assert logged() == f"sent [key], then {SECOND}"
    assert logged() == f"sent {FIRST}, then {SECOND}"


def test_contexts_may_exit_in_any_order(logged):
    first, second = redacted_logs(FIRST), redacted_logs(SECOND)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert logged() == f"sent {FIRST}, then [key]"
    second.__exit__(None, None, None)
    assert logged() == f"sent {FIRST}, then {SECOND}"


def test_later_log_record_factory_stays_installed(logged):
    first = redacted_logs(FIRST)
    first.__enter__()
    ours = logging.getLogRecordFactory()
    logging.setLogRecordFactory(functools.partial(ours))
    theirs = logging.getLogRecordFactory()
    first.__exit__(None, None, None)
    assert logging.getLogRecordFactory() is theirs
    assert logged() == f"sent {FIRST}, then {SECOND}"
    with redacted_logs(SECOND):
        assert logged() == f"sent {FIRST}, then [key]"
    assert logging.getLogRecordFactory() is theirs
    logging.setLogRecordFactory(logging.LogRecord)


def test_short_placeholder_key_is_not_replaced(logged):
    with redacted_logs("sent"):
        assert logged().startswith("sent ")
