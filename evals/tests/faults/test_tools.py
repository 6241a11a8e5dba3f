"""Misbehaving tools: an action ends with data or a documented stop, and the run is unaffected."""

from __future__ import annotations

import asyncio
import collections
import itertools
import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from redpen import build_request, run_guarded_policy_agent
from redpen.agents.tools import builtin_tools
from redpen.bounded_call import MAX_HUNG_CALLS
from redpen.errors import Stop
from redpen.gateway.execution import MAX_DATA_SIZE, call_tool
from redpen.stop_reasons import find_stop_reason
from redpen.text.json_values import MAX_DEPTH

Resources = Callable[[], object]
LONG_S = 30.0
SHORT_S = 0.02


def ok(data: Any) -> dict[str, Any]:
    return {"status": "ok", "data": data}


def call(tool: Callable[..., Any], timeout_s: float = LONG_S, name: str = "probe", **args: Any) -> Any:
    return call_tool({name: tool}, name, args, timeout_s=timeout_s)


def reason_of(tool: Callable[..., Any], timeout_s: float = LONG_S, name: str = "probe") -> str:
    with pytest.raises(Stop) as caught:
        call(tool, timeout_s, name)
    assert find_stop_reason("guarded-policy", caught.value.reason) is not None
    json.dumps(caught.value.reason).encode()
    return caught.value.reason


class CustomBaseException(BaseException):
    """A BaseException that is no Exception."""


def raising(error: BaseException) -> Callable[..., Any]:
    def tool() -> Any:
        raise error

    return tool


@pytest.mark.parametrize(
    ("error", "end"),
    [
        (SystemExit(3), "SystemExit"),
        (GeneratorExit(), "GeneratorExit"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (asyncio.CancelledError(), "CancelledError"),
        (StopIteration(), "StopIteration"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "MemoryError"),
        (CustomBaseException(), "CustomBaseException"),
        (BaseExceptionGroup("two", [CustomBaseException(), CustomBaseException()]), "BaseExceptionGroup"),
        (type("Fehler_ä", (RuntimeError,), {})(), "Fehler_ä"),
        (type("two\nlines", (RuntimeError,), {})(), "RuntimeError"),
        (type("x" * 5_000, (RuntimeError,), {})(), "RuntimeError"),
        # A Stop raised by a tool does not end the run as that stop.
        (Stop("success", phase="execute"), "Stop"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_any_exception_of_tool_is_tool_error(error: BaseException, end: str) -> None:
    assert reason_of(raising(error)) == f"tool_error:probe:{end}"


@pytest.fixture
def listening() -> Iterator[None]:
    """Make SIGINT raise; a background job of a shell script inherits it as ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_keyboard_interrupt_reaches_caller(gate: threading.Event) -> None:
    main = threading.main_thread().ident
    assert main is not None
    assert threading.current_thread() is threading.main_thread()

    def tool() -> Any:
        signal.pthread_kill(main, signal.SIGINT)
        gate.wait()

    with pytest.raises(KeyboardInterrupt):
        call(tool)


class Blocking(Mapping[str, Any]):
    """A mapping that blocks when it is read."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate = gate

    def __getitem__(self, key: str) -> Any:
        self.gate.wait()
        return None

    def __iter__(self) -> Iterator[str]:
        self.gate.wait()
        return iter(())

    def __len__(self) -> int:
        return 1


class BlockingClass:
    """An object that blocks when its class is read."""

    def __init__(self, gate: threading.Event) -> None:
        self.gate = gate

    @property
    def __class__(self) -> type:  # type: ignore[override]
        self.gate.wait()
        return dict


def test_answer_that_blocks_when_read_times_out(gate: threading.Event) -> None:
    answers: tuple[Any, ...] = (
        Blocking(gate),
        ok(Blocking(gate)),
        ok({"rows": [Blocking(gate)]}),
        BlockingClass(gate),
        ok(BlockingClass(gate)),
        ok({"row": BlockingClass(gate)}),
    )
    for answer in answers:
        assert reason_of(lambda answer=answer: answer, SHORT_S) == "tool_timeout:probe"


class Endless(Mapping[str, Any]):
    """A mapping with infinitely many keys."""

    def __getitem__(self, key: str) -> Any:
        return 0

    def __iter__(self) -> Iterator[str]:
        return map(str, itertools.count())

    def __len__(self) -> int:
        return 1


class Breaking(Mapping[str, Any]):
    """A mapping that raises when it is read."""

    def __getitem__(self, key: str) -> Any:
        raise ConnectionError

    def __iter__(self) -> Iterator[str]:
        raise ConnectionError

    def __len__(self) -> int:
        return 1


def cyclic() -> dict[str, Any]:
    data: dict[str, Any] = {}
    data["itself"] = data
    return data


def doubled() -> dict[str, Any]:
    """Return sixty objects that expand to a quintillion when serialised."""
    data: dict[str, Any] = {}
    for _ in range(60):
        data = {"a": data, "b": data}
    return data


def nested(depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for _ in range(depth):
        data = {"a": data}
    return data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (cyclic(), "tool_invalid_output:probe"),
        (doubled(), "tool_invalid_output:probe"),
        (nested(MAX_DEPTH), "tool_invalid_output:probe"),
        ({"text": "x" * MAX_DATA_SIZE}, "tool_invalid_output:probe"),
        ({"x" * MAX_DATA_SIZE: 1}, "tool_invalid_output:probe"),
        ({"rows": [0] * MAX_DATA_SIZE}, "tool_invalid_output:probe"),
        ({"numbers": [10**4000] * 1_000}, "tool_invalid_output:probe"),
        (Endless(), "tool_invalid_output:probe"),
        (Breaking(), "tool_error:probe:ConnectionError"),
        ({"row": Breaking()}, "tool_error:probe:ConnectionError"),
        ({"text": "\ud800"}, "tool_invalid_output:probe"),
        ({"bytes": b"x"}, "tool_invalid_output:probe"),
        ({"set": {1}}, "tool_invalid_output:probe"),
        ({"more": (number for number in range(3))}, "tool_invalid_output:probe"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_unusable_data_stops_with_its_reason(data: Any, reason: str) -> None:
    assert reason_of(lambda: ok(data)) == reason


def test_large_data_within_limits_is_accepted() -> None:
    rows = [{"id": number, "text": "x" * 50} for number in range(5_000)]
    assert call(lambda: ok({"rows": rows})) == {"rows": rows}
    assert call(lambda: ok(nested(MAX_DEPTH - 1))) == nested(MAX_DEPTH - 1)


class OddString(str):
    """A string subclass whose `strip` raises."""

    __slots__ = ()

    def strip(self, chars: str | None = None, /) -> str:
        raise AssertionError(chars)


class OddInt(int):
    """An int subclass that converts to another number."""

    def __int__(self) -> int:
        return 99


def test_tool_data_is_converted_to_plain_types() -> None:
    data = call(
        lambda: ok(collections.OrderedDict(text=OddString("x"), number=OddInt(3), pair=(1, OddString("y"))))
    )
    assert data == {"text": "x", "number": 3, "pair": [1, "y"]}
    plain = [type(data), type(data["text"]), type(data["number"]), *map(type, data["pair"])]
    assert plain == [dict, str, int, int, str]


def test_thousand_timed_out_calls_leave_no_thread(resources: Resources, finish: Callable[[], None]) -> None:
    before = resources()
    most = 0
    for _ in range(40):
        gate = threading.Event()
        for _ in range(25):
            assert reason_of(lambda gate=gate: gate.wait() and None, 0.0005) == "tool_timeout:probe"
        most = max(most, threading.active_count())
        gate.set()
        finish()
    assert resources() == before
    assert most >= 25


def test_hung_calls_of_one_tool_are_limited(gate: threading.Event, finish: Callable[[], None]) -> None:
    calls: list[int] = []

    def hang() -> Any:
        calls.append(1)
        gate.wait()
        return ok({})

    for _ in range(MAX_HUNG_CALLS):
        assert reason_of(hang, 0.0005) == "tool_timeout:probe"
    assert reason_of(hang) == "tool_error:probe:TooManyHungCalls"
    assert call(lambda: ok({"n": 1}), name="another") == {"n": 1}
    begun = len(calls)
    gate.set()
    finish()
    assert begun <= MAX_HUNG_CALLS
    assert call(hang) == {}


def test_late_answer_is_discarded(gate: threading.Event) -> None:
    late = threading.Event()
    answers: dict[str, Any] = {}

    def first() -> Any:
        gate.wait()
        answers["late"] = ok({"of": "the first"})
        late.set()
        return answers["late"]

    def second() -> Any:
        gate.set()
        assert late.wait(LONG_S)
        answers["late"]["data"]["of"] = "both"
        return ok({"of": "the second"})

    assert reason_of(first, SHORT_S) == "tool_timeout:probe"
    assert call(second) == {"of": "the second"}


def test_later_change_of_answer_does_not_affect_data() -> None:
    kept = {"rows": [1]}
    data = call(lambda: ok(kept))
    kept["rows"].append(2)
    assert data == {"rows": [1]}


def test_call_that_times_out_before_start_is_not_made(
    gate: threading.Event, finish: Callable[[], None]
) -> None:
    called: list[str] = []

    def hold_up(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name == "run":
            gate.wait()

    # A profile function runs first in a new thread, so it simulates the delay of a busy machine.
    threading.setprofile(hold_up)
    try:
        assert reason_of(lambda: called.append("too late"), SHORT_S) == "tool_timeout:probe"
    finally:
        threading.setprofile(None)
    gate.set()
    finish()
    assert called == []


def test_huge_time_limit_is_accepted() -> None:
    assert call(lambda: ok({"n": 1}), timeout_s=1e300) == {"n": 1}


def test_arguments_that_cannot_be_copied_stop_action() -> None:
    with pytest.raises(Stop) as caught:
        call(lambda **_: ok({}), payload=nested(MAX_DEPTH))
    assert caught.value.reason == "tool_error:probe:ValueError"


def run(**tools: Any) -> dict[str, Any]:
    result = run_guarded_policy_agent(
        goal="Inform.",
        request=build_request(),
        policy={"action_timeout_s": 0.2},
        tools={**builtin_tools(), **tools},
    ).to_dict()
    json.dumps(result, allow_nan=False).encode()
    assert find_stop_reason("guarded-policy", result["stop_reason"]) is not None
    return result


def test_run_stops_with_documented_reason_for_each_fault(gate: threading.Event) -> None:
    faults: dict[str, Callable[..., Any]] = {
        "tool_timeout": lambda **_: gate.wait(),
        "tool_error": lambda **_: raising(SystemExit(1))(),
        "tool_invalid_output": lambda **_: ok(cyclic()),
        "tool_status_not_ok": lambda **_: {"status": OddString("late"), "data": {}},
    }
    for reason, tool in faults.items():
        # The ticket and the send of the third action are tested separately.
        for name in ("fetch_incident_snapshot", "create_manual_review_ticket", "send_status_update"):
            result = run(**{name: tool})
            assert result["stop_reason"].split(":")[:2] == [reason, name]
            assert (result["status"], result["phase"]) == ("stopped", "execute")
            assert "answer" not in result
    assert run()["status"] == "ok"


def test_tool_cannot_modify_arguments_of_run() -> None:
    def send(**args: Any) -> Any:
        sent = dict(args)
        args.clear()
        return ok({**sent, "queued_recipients": 1, "delivery_id": "d"})

    result, plain = run(send_status_update=send), run()
    assert result["executed_plan"] == plain["executed_plan"]
    assert result["history"][2]["executed_action"] == plain["history"][2]["executed_action"]
