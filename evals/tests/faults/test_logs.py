"""API keys are redacted from all log records of a run, at every level."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from property_support.raw_endpoint import RawEndpoint, Step, answer_bytes
from redpen import run_reflection_agent
from redpen.chat import ChatClient
from redpen.chat.secret_logs import redacted_logs

FIRST = "sk-first-3f9a81c2e7d05b36"
SECOND = "sk-other-77aa0c1d2e3f4a5b"
DRAFT = {"draft": "Checkout in the US is degraded."}
APPROVE = {"decision": "approve"}
LONG_S = 30.0

Connect = Callable[..., ChatClient]
Raw = Callable[..., RawEndpoint]


def echoing(key: str, content: object) -> bytes:
    headers = {"x-echo": f"Bearer {key}", "set-cookie": f"key={key}", "connection": "close"}
    return answer_bytes(content, headers=headers)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Collect the output of all loggers as a user's handler would write it, including tracebacks."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(threadName)s %(name)s %(message)s"))
    root = logging.getLogger()
    levels = {name: logging.getLogger(name).level for name in ("", "httpcore2", "httpx2", "openai")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.DEBUG)
    root.addHandler(handler)
    yield text
    root.removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def reflect(chat: ChatClient) -> Any:
    return run_reflection_agent(goal="Inform.", incident_context={}, chat=chat)


def test_key_not_logged_by_unrecorded_run(raw: Raw, connect: Connect, log: io.StringIO) -> None:
    endpoint = raw([echoing(FIRST, DRAFT)], [echoing(FIRST, APPROVE)])
    before = logging.getLogRecordFactory()
    result = reflect(connect(endpoint.base_url, api_key=SecretStr(FIRST)))
    assert result.status == "ok"
    assert logging.getLogRecordFactory() is before
    assert "receive_response_headers.complete" in log.getvalue()
    assert "Bearer [key]" in log.getvalue()
    assert FIRST not in log.getvalue()


@pytest.mark.parametrize(
    "steps",
    [
        [b"HTTP/1.1 200 OK\r\nno header but Bearer %s\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 200 OK\r\nX-%s: \xff\x00\r\n\r\n" % FIRST.encode()],
        [b"no HTTP but %s\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: %s\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: 0\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:9/%s\r\nContent-Length: 0\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 500 %s\r\nContent-Length: 0\r\n\r\n" % FIRST.encode()],
        [b"HTTP/1.1 103 x\r\nLink: %s\r\n\r\n" % FIRST.encode(), echoing(FIRST, DRAFT)],
    ],
    ids=["no header", "odd bytes", "no HTTP", "length", "coding", "packing", "redirect", "status", "hint"],
)
def test_key_not_logged_on_non_http_server(
    raw: Raw, connect: Connect, log: io.StringIO, pauses: list[float], steps: list[Step]
) -> None:
    result = reflect(connect(raw(steps).base_url, api_key=SecretStr(FIRST), retries=1))
    assert FIRST not in log.getvalue()
    assert FIRST not in result.model_dump_json()
    assert len(pauses) <= 1
    assert "send_request_headers" in log.getvalue()


def test_keys_of_overlapping_runs_not_logged(raw: Raw, connect: Connect, log: io.StringIO) -> None:
    seen, go_on = threading.Event(), threading.Event()

    def hold(record: logging.LogRecord) -> bool:
        if record.threadName == "second" and "receive_response_headers.started" in str(record.msg):
            seen.set()
            assert go_on.wait(LONG_S)
        return True

    servers = {key: raw([echoing(key, DRAFT)], [echoing(key, APPROVE)]).base_url for key in (FIRST, SECOND)}
    # A filter, because a waiting handler would hold its lock and block every other thread that logs.
    handler = logging.StreamHandler(io.StringIO())
    handler.addFilter(hold)
    logging.getLogger().addHandler(handler)
    ends: list[str] = []

    def run(key: str) -> None:
        ends.append(reflect(connect(servers[key], api_key=SecretStr(key))).stop_reason)

    second = threading.Thread(target=run, args=(SECOND,), name="second")
    try:
        second.start()
        assert seen.wait(LONG_S)
        run(FIRST)
        go_on.set()
        second.join()
    finally:
        go_on.set()
        logging.getLogger().removeHandler(handler)
    assert ends == ["success", "success"]
    assert log.getvalue().count("Bearer [key]") == 4
    assert FIRST not in log.getvalue()
    assert SECOND not in log.getvalue()


def test_keys_redacted_with_concurrent_threads(log: io.StringIO) -> None:
    keys = [f"key-of-thread-{number}-{'x' * 12}" for number in range(8)]
    before = logging.getLogRecordFactory()

    def work(key: str) -> None:
        for _ in range(300):
            with redacted_logs(key):
                logging.getLogger("http").debug("sent %s", key)

    threads = [threading.Thread(target=work, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.getvalue().count("sent [key]") == 8 * 300
    assert "key-of-thread" not in log.getvalue()
    assert logging.getLogRecordFactory() is before


def logged(log: io.StringIO, *args: Any, **more: Any) -> str:
    with redacted_logs(FIRST):
        logging.getLogger("http").error(*args, **more)
    return log.getvalue()


def caught(message: str) -> ValueError:
    try:
        bytes.fromhex(message)
    except ValueError as error:
        return type(error)(message).with_traceback(error.__traceback__)
    raise AssertionError


def test_key_redacted_from_traceback(log: io.StringIO) -> None:
    text = logged(log, "failed", exc_info=caught(f"illegal header line: {FIRST!r}"))
    assert "ValueError: illegal header line: '[key]'" in text
    assert FIRST not in text


def test_traceback_without_key_is_unchanged() -> None:
    error = caught("other")
    with redacted_logs(FIRST):
        record = logging.getLogRecordFactory()("n", 40, "p", 1, "m", (), (ValueError, error, None))
    assert record.exc_info == (ValueError, error, None)


def test_key_redacted_from_logging_error_report(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.Logger("faulty")
    logger.addHandler(logging.StreamHandler(io.StringIO()))
    with redacted_logs(FIRST):
        logger.error("%d", f"Bearer {FIRST}")
    stderr = capsys.readouterr().err
    assert "Logging error" in stderr
    assert "Bearer [key]" in stderr
    assert FIRST not in stderr


@pytest.mark.parametrize("key", ["sk-'quoted'-\"key\"-1", "sk-back\\slash-key-12"])
def test_key_redacted_when_quoted_or_escaped(log: io.StringIO, key: str) -> None:
    with redacted_logs(key):
        logging.getLogger("http").error("%r %s %s", key.encode(), key, [key])
    assert "slash-key" not in log.getvalue()
    assert "quoted" not in log.getvalue()
