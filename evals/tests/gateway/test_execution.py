"""Tool calls in real threads: timeouts and validation of the tools' results."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import pytest

from redpen.errors import Stop
from redpen.gateway.execution import call_tool
from redpen.stop_reasons import find_stop_reason

OK: dict[str, Any] = {"status": "ok", "data": {"n": 1}}


class ToolFailedError(Exception):
    """An error raised by the tools of these tests."""


def call(tool: Callable[..., Any] | None, args: dict[str, Any] | None = None, timeout_s: float = 30.0) -> Any:
    tools = {} if tool is None else {"probe": tool}
    return call_tool(tools, "probe", args or {}, timeout_s=timeout_s)


def stop_of(tool: Callable[..., Any] | None, timeout_s: float = 30.0) -> Stop:
    with pytest.raises(Stop) as caught:
        call(tool, timeout_s=timeout_s)
    assert caught.value.phase == "execute"
    assert find_stop_reason("guarded-policy", caught.value.reason) is not None
    return caught.value


def returning(result: Any) -> Callable[..., Any]:
    return lambda **_: result


def raising(error: BaseException) -> Callable[..., Any]:
    def tool(**_: Any) -> Any:
        raise error

    return tool


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        (None, "tool_unmapped:probe"),
        (returning(None), "tool_invalid_output:probe"),
        (returning("ok"), "tool_invalid_output:probe"),
        (returning([OK]), "tool_invalid_output:probe"),
        (returning({}), "tool_status_not_ok:probe"),
        (returning({"status": "failed", "data": {}}), "tool_status_not_ok:probe"),
        (returning({"status": "OK", "data": {}}), "tool_status_not_ok:probe"),
        (returning({"status": None, "data": []}), "tool_status_not_ok:probe"),
        (returning({"status": "ok"}), "tool_invalid_output:probe"),
        (returning({"status": "ok", "data": None}), "tool_invalid_output:probe"),
        (returning({"status": "ok", "data": [1]}), "tool_invalid_output:probe"),
        (returning({"status": "ok", "data": {"x": object()}}), "tool_invalid_output:probe"),
        (returning({"status": "ok", "data": {1: 2}}), "tool_invalid_output:probe"),
        (returning({"status": "ok", "data": {"n": 10**5000}}), "tool_invalid_output:probe"),
        (raising(ToolFailedError("secret")), "tool_error:probe:ToolFailedError"),
        (raising(KeyError("region")), "tool_error:probe:KeyError"),
        (raising(SystemExit(3)), "tool_error:probe:SystemExit"),
        (raising(KeyboardInterrupt()), "tool_error:probe:KeyboardInterrupt"),
        (raising(TimeoutError("mine")), "tool_timeout:probe"),
        (raising(ConnectionError("x")), "tool_error:probe:ConnectionError"),
        (lambda: OK["missing"], "tool_error:probe:KeyError"),
    ],
)
def test_each_tool_failure_has_its_stop_reason(tool: Callable[..., Any] | None, reason: str) -> None:
    assert stop_of(tool).reason == reason


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """An event for a tool to wait on, set after the test so that its thread ends."""
    event = threading.Event()
    yield event
    event.set()


def test_hanging_tool_times_out(gate: threading.Event) -> None:
    def hang(**_: Any) -> Any:
        gate.wait()
        return OK

    assert stop_of(hang, timeout_s=0.01).reason == "tool_timeout:probe"


def test_hanging_tools_do_not_block_later_calls(gate: threading.Event) -> None:
    def hang(**_: Any) -> Any:
        gate.wait()
        return OK

    for _ in range(8):
        assert stop_of(hang, timeout_s=0.001).reason == "tool_timeout:probe"
    assert call(returning(OK)) == {"n": 1}


def test_late_result_is_ignored(gate: threading.Event) -> None:
    finished = threading.Event()

    def late(**_: Any) -> Any:
        gate.wait()
        finished.set()
        return {"status": "ok", "data": {"late": True}}

    assert stop_of(late, timeout_s=0.01).reason == "tool_timeout:probe"
    gate.set()
    assert finished.wait(30)
    assert call(returning(OK)) == {"n": 1}


def test_tool_runs_in_thread_with_copy_of_context() -> None:
    variable = contextvars.ContextVar("variable", default="unset")
    seen: list[object] = []

    def tool(**_: Any) -> Any:
        seen.extend([variable.get(), threading.current_thread() is threading.main_thread()])
        variable.set("changed")
        return OK

    variable.set("of the caller")
    call(tool)
    assert seen == ["of the caller", False]
    assert variable.get() == "of the caller"


def test_arguments_and_data_are_copied() -> None:
    kept: dict[str, Any] = {"status": "ok", "data": {"list": [1]}}
    args: dict[str, Any] = {"payload": {"a": [1]}}

    def tool(*, payload: dict[str, Any]) -> Any:
        payload["a"].append(2)
        return kept

    data = call(tool, args)
    kept["data"]["list"].append(2)
    assert args == {"payload": {"a": [1]}}
    assert data == {"list": [1]}


def test_idempotency_key_replaces_one_in_the_arguments() -> None:
    keys: list[str] = []

    def probe(*, idempotency_key: str) -> Any:
        keys.append(idempotency_key)
        return OK

    call_tool({"probe": probe}, "probe", {"idempotency_key": "proposed"}, timeout_s=30.0, key="of the run")
    assert keys == ["of the run"]


def test_mapping_is_accepted_as_object() -> None:
    assert call(returning(MappingProxyType({"status": "ok", "data": MappingProxyType({"n": (1, 2)})}))) == {
        "n": [1, 2]
    }


def test_slow_tool_times_out() -> None:
    gate = threading.Event()

    def slow(**_: Any) -> Any:
        # Without the timeout the tool would return eventually.
        gate.wait(10)
        return OK

    try:
        assert stop_of(slow, timeout_s=0.05).reason == "tool_timeout:probe"
    finally:
        gate.set()
