"""Keys are struck from logs while any run has one, whichever run ends first."""

from __future__ import annotations

import functools
import logging

import pytest

from redpen.chat.secret_logs import struck_from_logs

FIRST, SECOND = "first-key-1234", "second-key-5678"


@pytest.fixture
def logged(caplog):
    """Give a function that logs both keys and returns what stands in the log."""
    before = logging.getLogRecordFactory()

    def log():
        caplog.clear()
        logging.getLogger("http").warning("sent %s, then %s", FIRST, SECOND)
        return caplog.messages[0]

    yield log
    assert logging.getLogRecordFactory() is before


def test_every_key_in_use_is_struck(logged):
    with struck_from_logs(FIRST):
        assert logged() == f"sent [key], then {SECOND}"
        with struck_from_logs(SECOND), struck_from_logs(FIRST):
            assert logged() == "sent [key], then [key]"
        assert logged() == f"sent [key], then {SECOND}"
    assert logged() == f"sent {FIRST}, then {SECOND}"


def test_runs_end_in_any_order(logged):
    first, second = struck_from_logs(FIRST), struck_from_logs(SECOND)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert logged() == f"sent {FIRST}, then [key]"
    second.__exit__(None, None, None)
    assert logged() == f"sent {FIRST}, then {SECOND}"


def test_a_factory_that_was_put_in_front_stays_there(logged):
    first = struck_from_logs(FIRST)
    first.__enter__()
    ours = logging.getLogRecordFactory()
    logging.setLogRecordFactory(functools.partial(ours))
    theirs = logging.getLogRecordFactory()
    first.__exit__(None, None, None)
    assert logging.getLogRecordFactory() is theirs
    assert logged() == f"sent {FIRST}, then {SECOND}"
    with struck_from_logs(SECOND):
        assert logged() == f"sent {FIRST}, then [key]"
    assert logging.getLogRecordFactory() is theirs
    logging.setLogRecordFactory(logging.LogRecord)


def test_a_stand_in_for_a_key_is_left(logged):
    with struck_from_logs("sent"):
        assert logged().startswith("sent ")
