"""Custom chats, planners, approvers and gates: a run ends in time with a documented stop reason.

The hanging ones wait until the test releases them: a run that waited for them would never end.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx2
import pytest

from property_support.raw_endpoint import RawEndpoint, answer_bytes
from redpen import bounded_call, build_request, run_guarded_policy_agent, run_reflection_agent
from redpen import run_self_critique_agent as run_self_critique
from redpen.agents.planners import fixed_plan, model_planner
from redpen.agents.tools import builtin_tools
from redpen.bounded_call import CallFailed, CallTimedOut, TooManyHungCalls, call_in_time
from redpen.chat import ChatClient
from redpen.chat.pool import new_http_client
from redpen.errors import InvalidInputError, Stop
from redpen.policy import GuardedPolicy
from redpen.stop_reasons import find_stop_reason

DRAFT = {"draft": "Checkout in the US is degraded."}
APPROVE = {"decision": "approve"}
SHORT_S = 0.0005
LONG_S = 30.0
Agent = Callable[..., dict[str, Any]]


class Scripted:
    """A chat with one turn per call: a function is called with the payload, any other value is the reply."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)

    def complete(self, *, phase: Any, prompt: str, payload: Mapping[str, Any]) -> Any:
        del phase, prompt
        turn = self.turns.pop(0)
        return turn(payload) if callable(turn) else turn


def checked_dict(agent: str, result: Any) -> dict[str, Any]:
    plain: dict[str, Any] = result.to_dict()
    json.dumps(plain, allow_nan=False, ensure_ascii=False).encode()
    assert find_stop_reason(agent, plain["stop_reason"]) is not None  # type: ignore[arg-type]
    return plain


def reflect(chat: Any, **policy: Any) -> dict[str, Any]:
    ran = run_reflection_agent(goal="Inform.", incident_context={"region": "US"}, chat=chat, policy=policy)
    return checked_dict("reflection", ran)


def criticise(chat: Any, **policy: Any) -> dict[str, Any]:
    return checked_dict(
        "self-critique", run_self_critique(goal="Inform.", incident_context={}, chat=chat, policy=policy)
    )


def act(chat: Any = None, *, max_seconds: float = 25, **given: Any) -> dict[str, Any]:
    policy = {"max_seconds": max_seconds, "action_timeout_s": 600}
    ran = run_guarded_policy_agent(goal="Inform.", request=build_request(), chat=chat, policy=policy, **given)
    return checked_dict("guarded-policy", ran)


@pytest.mark.parametrize(("run", "phase"), [(reflect, "draft"), (criticise, "draft"), (act, "plan")])
def test_hanging_chat_ends_run_with_timeout(gate: threading.Event, run: Agent, phase: str) -> None:
    result = run(Scripted(lambda _: gate.wait()), max_seconds=0.01)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", phase)
    assert result["error"] == {"type": "OutOfTime", "message": "the run had no time left"}


@pytest.mark.parametrize(("run", "phase"), [(reflect, "review"), (criticise, "critique")])
def test_chat_hanging_in_later_call_ends_run_with_timeout(
    gate: threading.Event, run: Agent, phase: str
) -> None:
    result = run(Scripted(DRAFT, lambda _: gate.wait()), max_seconds=0.5)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", phase)
    assert [entry["phase"] for entry in result["trace"]] == ["draft"]


def test_hanging_planner_ends_run_with_max_seconds(gate: threading.Event) -> None:
    result = act(planner=lambda *_: gate.wait(), max_seconds=0.01)
    assert (result["stop_reason"], result["phase"], result["trace"]) == ("max_seconds", "plan", [])


def test_planner_with_hanging_chat_ends_run_with_llm_timeout(gate: threading.Event) -> None:
    planner = model_planner(Scripted(lambda _: gate.wait()), GuardedPolicy())
    result = act(planner=planner, max_seconds=0.3)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", "plan")


def test_hanging_policy_gate_ends_run_with_max_seconds(gate: threading.Event) -> None:
    result = act(gate=lambda *_: gate.wait(), max_seconds=0.05)
    assert (result["stop_reason"], result["phase"], result["trace"]) == ("max_seconds", "execute", [])


def test_late_approval_of_hanging_approver_sends_nothing(
    gate: threading.Event, finish: Callable[[], None]
) -> None:
    sent: list[dict[str, Any]] = []

    def approver(action: Any, _reason: str) -> Any:
        gate.wait()
        return {"approved": True, "action": action}

    def send(**args: Any) -> Any:
        sent.append(args)
        return {"status": "ok", "data": {}}

    result = act(approver=approver, tools={**builtin_tools(), "send_status_update": send}, max_seconds=0.5)
    assert (result["stop_reason"], result["phase"]) == ("max_seconds", "execute")
    assert [entry["action_id"] for entry in result["trace"]] == ["a1", "a2"]
    gate.set()
    finish()
    assert sent == []


@pytest.mark.parametrize(
    "tool", ["fetch_incident_snapshot", "create_manual_review_ticket", "send_status_update"]
)
def test_action_timeout_is_limited_by_run_budget(gate: threading.Event, tool: str) -> None:
    result = act(tools={**builtin_tools(), tool: lambda **_: gate.wait()}, max_seconds=0.5)
    assert (result["stop_reason"], result["phase"]) == (f"tool_timeout:{tool}", "execute")


def test_client_without_deadline_support_is_abandoned(
    connect: Callable[..., ChatClient], raw: Callable[..., RawEndpoint], finish: Callable[[], None]
) -> None:
    whole = answer_bytes(DRAFT)
    drip = [whole[:17], *([b"X-A: b\r\n", 0.02] * 1_000), whole[17:]]
    endpoint = raw(drip)
    with httpx2.Client() as plain:
        client = connect(endpoint.base_url, http_client=plain, timeout_s=60)
        assert not client.keeps_deadlines
        # Longer than the pauses between the lines, which would be a timeout of the client itself.
        result = reflect(client, max_seconds=0.5)
        assert (result["stop_reason"], result["error"]["type"]) == ("llm_timeout", "OutOfTime")
        endpoint.close()
        finish()


def test_own_http_clients_keep_time(connect: Callable[..., ChatClient]) -> None:
    assert connect("http://127.0.0.1:9/v1").keeps_deadlines
    with new_http_client() as another:
        assert connect("http://127.0.0.1:9/v1", http_client=another).keeps_deadlines


class UnprintableError(Exception):
    """An error whose `str()` raises."""

    def __str__(self) -> str:
        raise RuntimeError


class NamelessType(type):
    """A metaclass whose classes raise when asked for their name."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError


class NamelessError(Exception, metaclass=NamelessType):
    """An error whose class has no readable name."""


ERRORS = [
    (SystemExit(3), "SystemExit"),
    (KeyboardInterrupt(), "KeyboardInterrupt"),
    (GeneratorExit(), "GeneratorExit"),
    (UnprintableError(), "UnprintableError"),
    (NamelessError(), "NamelessError"),
    (type("two\nlines", (RuntimeError,), {})(), "RuntimeError"),
]


def raising(error: BaseException) -> Callable[..., Any]:
    def code(*_: Any, **__: Any) -> Any:
        raise error

    return code


@pytest.mark.parametrize(("error", "name"), ERRORS, ids=[name for _, name in ERRORS])
def test_any_exception_of_user_code_is_reported_as_its_failure(error: BaseException, name: str) -> None:
    for result in (reflect(Scripted(raising(error))), criticise(Scripted(raising(error)))):
        assert (result["stop_reason"], result["error"]["type"]) == ("llm_server_error", name)
    assert act(planner=raising(error))["stop_reason"] == f"planner_error:{name}"
    assert act(approver=raising(error))["stop_reason"] == "policy_escalation_rejected"
    denied = act(gate=raising(error))
    assert {entry["policy_decision"] for entry in denied["trace"]} == {"deny"}
    assert denied["trace"][0]["policy_code"] == "policy.gate_error"
    tools = {**builtin_tools(), "fetch_incident_snapshot": raising(error)}
    assert act(tools=tools)["stop_reason"] == f"tool_error:fetch_incident_snapshot:{name}"


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Stop("success"), "llm_server_error"),
        (Stop("policy_escalation", phase="finalize", answer="x"), "llm_server_error"),
        (Stop("llm_refused"), "llm_refused"),
        (Stop("llm_refused", phase="elsewhere", error={"type": 7, "message": b"x"}, more=1), "llm_refused"),
        (Stop("llm_timeout", error={"type": "Slow", "message": "\ud800" * 10_000}), "llm_timeout"),
    ],
)
def test_stop_raised_by_user_code_is_only_failed_call(stop: Stop, reason: str) -> None:
    result = reflect(Scripted(raising(stop)))
    assert (result["status"], result["stop_reason"], result["phase"]) == ("stopped", reason, "draft")
    assert set(result["error"]) == {"type", "message"}
    planned = act(planner=raising(stop))
    expected = reason if stop.reason == reason else "planner_error:Stop"
    assert (planned["stop_reason"], planned["phase"]) == (expected, "plan")
    assert expected != reason or set(planned["error"]) == {"type", "message"}


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["itself"] = value
    return value


@pytest.mark.parametrize(
    "reply", [cyclic(), {"draft": {1}}, {"draft": "\ud800"}, {1: "x"}, object(), "x" * 3_000_000]
)
def test_reply_that_is_no_json_stops_run(reply: Any) -> None:
    for result in (reflect(Scripted(reply)), reflect(Scripted(DRAFT, reply))):
        assert result["stop_reason"] == "llm_invalid_json"


def test_reply_that_blocks_when_read_times_out(gate: threading.Event) -> None:
    class Blocking(dict[str, Any]):
        def items(self) -> Any:
            gate.wait()

    assert reflect(Scripted(Blocking()), max_seconds=0.01)["stop_reason"] == "llm_timeout"
    assert act(planner=lambda *_: Blocking(), max_seconds=0.01)["stop_reason"] == "invalid_plan:actions"
    plan = {"actions": [{"id": "a", "tool": "b", "args": Blocking()}]}
    assert act(planner=lambda *_: plan, max_seconds=0.01)["stop_reason"] == "max_seconds"
    hidden = act(approver=lambda *_: Blocking(), max_seconds=0.01)
    assert hidden["stop_reason"] == "max_seconds"


def test_user_code_cannot_modify_inputs_of_run() -> None:
    def forge(payload: Any) -> Any:
        payload["incident_context"]["approved_actions"] = ["refund every order within 48 hours"]
        payload["incident_context"]["incident"] = {"failed_payment_rate": 0.99}
        return {
            "decision": "revise",
            "issues": [{"type": "overconfidence", "note": "n"}],
            "fix_plan": ["Say how many payments fail."],
        }

    revised = {"revised_answer": f"{DRAFT['draft']} 99% of payments fail."}
    assert reflect(Scripted(DRAFT, forge, revised))["stop_reason"] == "patch_violation:no_new_facts"

    def planner(_goal: str, request: Any) -> Any:
        plan = fixed_plan("", request)
        request["request"].clear()
        return plan

    assert act(planner=planner)["aggregate"]["region"] == "US"


def test_later_change_of_reply_does_not_affect_run() -> None:
    kept: dict[str, Any] = {"draft": DRAFT["draft"]}

    def tamper(_payload: Any) -> Any:
        kept["draft"] = "All is well."
        return APPROVE

    assert reflect(Scripted(kept, tamper))["answer"] == DRAFT["draft"]


@pytest.mark.parametrize("name", ["\ud800", "x\ud800"])
def test_lone_surrogate_in_action_name_is_refused(name: str) -> None:
    for key in ("id", "tool"):
        action = {"id": "a", "tool": "b", "args": {}, key: name}
        result = act(planner=lambda *_, action=action: {"actions": [action]})
        assert result["stop_reason"] == f"invalid_action:{key}"


class MappingWithoutGet(dict[str, Any]):
    """A mapping whose `get` raises."""

    def get(self, key: str, default: Any = None) -> Any:
        raise KeyError(key, default)


def test_tools_are_validated_before_run() -> None:
    assert act(tools=MappingWithoutGet(builtin_tools()))["stop_reason"] == act()["stop_reason"]
    for tools in (object(), 5, ["fetch"], "fetch"):
        with pytest.raises(InvalidInputError, match="tools: must be a mapping"):
            act(tools=tools)


@pytest.mark.parametrize("code", [5, object(), "x"], ids=["a number", "an object", "a text"])
def test_non_callable_user_code_is_reported_as_failure(code: Any) -> None:
    assert reflect(code)["error"]["type"] == "AttributeError"
    assert act(planner=code)["stop_reason"] == "planner_error:TypeError"
    assert act(approver=code)["stop_reason"] == "policy_escalation_rejected"
    assert act(gate=code)["trace"][0]["policy_code"] == "policy.gate_error"


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

    def interrupt(*_: Any) -> None:
        signal.pthread_kill(main, signal.SIGINT)
        gate.wait()

    for start in (lambda: reflect(Scripted(interrupt)), lambda: act(planner=interrupt)):
        with pytest.raises(KeyboardInterrupt):
            start()


def test_hung_calls_of_one_kind_are_limited(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch, finish: Callable[[], None]
) -> None:
    monkeypatch.setattr(bounded_call, "MAX_HUNG_CALLS", 1)
    hang: Callable[..., Any] = lambda *_: gate.wait()  # noqa: E731 - one callable for both
    assert reflect(Scripted(hang), max_seconds=0.01)["stop_reason"] == "llm_timeout"
    refused = reflect(Scripted(hang))
    assert (refused["stop_reason"], refused["error"]["type"]) == ("llm_server_error", "TooManyHungCalls")
    assert act(planner=hang, max_seconds=0.01)["stop_reason"] == "max_seconds"
    assert act(planner=hang)["stop_reason"] == "planner_error:TooManyHungCalls"
    assert act(approver=hang, max_seconds=0.5)["stop_reason"] == "max_seconds"
    assert act(approver=hang)["stop_reason"] == "policy_escalation_rejected"
    gate.set()
    finish()
    assert reflect(Scripted(DRAFT, APPROVE))["status"] == "ok"


def test_thousand_hung_calls_leave_no_thread(
    resources: Callable[[], object], finish: Callable[[], None]
) -> None:
    before = resources()
    for _ in range(40):
        gate = threading.Event()
        for _ in range(25):
            with pytest.raises(CallTimedOut):
                call_in_time(gate.wait, name="probe", seconds=SHORT_S)
        gate.set()
        finish()
    assert resources() == before


def test_call_in_time_returns_or_raises_how_call_ended(gate: threading.Event) -> None:
    assert call_in_time(lambda: None, name="probe", seconds=LONG_S) is None
    with pytest.raises(CallFailed) as failed:
        call_in_time(raising(UnprintableError()), name="probe", seconds=LONG_S)
    assert isinstance(failed.value.error, UnprintableError)
    for _ in range(bounded_call.MAX_HUNG_CALLS):
        with pytest.raises(CallTimedOut):
            call_in_time(gate.wait, name="probe", seconds=-1)
    with pytest.raises(TooManyHungCalls):
        call_in_time(gate.wait, name="probe", seconds=LONG_S)
    assert call_in_time(lambda: 1, name="another", seconds=1e300) == 1
