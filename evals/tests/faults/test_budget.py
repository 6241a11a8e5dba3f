"""The time budget of a run: calls are aborted when it is used up, and the trace notes retries and pauses.

The dripping servers would answer correctly, but long after the time limit: a run that waited for them
would succeed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from property_support.raw_endpoint import RawEndpoint, Step, answer_bytes
from redpen import build_request, run_guarded_policy_agent, run_reflection_agent, run_self_critique_agent
from redpen.agents.planners import fixed_plan, model_planner
from redpen.agents.run import Run
from redpen.chat import Chat, ChatClient
from redpen.chat.breaker import CircuitBreaker
from redpen.chat.budget import CallBudget, CallStats, current_budget
from redpen.policy import GuardedPolicy
from redpen_evals.endpoint.server import ScriptedEndpoint

Connect = Callable[..., ChatClient]
Raw = Callable[..., RawEndpoint]
Serve = Callable[..., ScriptedEndpoint]

DRAFT = {"draft": "Checkout in the US is degraded."}
APPROVE = {"decision": "approve"}
PLAN = fixed_plan("", build_request())
BUSY: dict[str, Any] = {"status": 503}


def dripping(content: object) -> list[Step]:
    whole = answer_bytes(content)
    start = b"HTTP/1.1 200 OK\r\n"
    return [start, *([b"X-A: b\r\n", 0.02] * 1_000), whole.removeprefix(start)]


class Wrapper:
    """A custom chat object with the minimal signature."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.phases: list[str] = []

    def complete(self, *, phase: Any, prompt: str, payload: Mapping[str, Any]) -> Any:
        self.phases.append(phase)
        return self.chat.complete(phase=phase, prompt=prompt, payload=payload)


def reflect(chat: Chat, **policy: Any) -> dict[str, Any]:
    return run_reflection_agent(goal="Inform.", incident_context={}, chat=chat, policy=policy).to_dict()


def criticise(chat: Chat, **policy: Any) -> dict[str, Any]:
    return run_self_critique_agent(goal="Inform.", incident_context={}, chat=chat, policy=policy).to_dict()


def act(chat: Chat, **policy: Any) -> dict[str, Any]:
    request = build_request()
    return run_guarded_policy_agent(goal="Inform.", request=request, chat=chat, policy=policy).to_dict()


@pytest.mark.parametrize(("run", "phase"), [(reflect, "draft"), (criticise, "draft"), (act, "plan")])
def test_run_times_out_during_first_call(
    raw: Raw, connect: Connect, run: Callable[..., dict[str, Any]], phase: str
) -> None:
    chat = connect(raw(dripping(DRAFT)).base_url, timeout_s=60, retries=2)
    result = run(chat, max_seconds=0.3)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", phase)
    assert result["error"]["type"] == "APITimeoutError"


@pytest.mark.parametrize(("run", "phase"), [(reflect, "review"), (criticise, "critique")])
def test_run_times_out_during_later_call(
    raw: Raw, connect: Connect, run: Callable[..., dict[str, Any]], phase: str
) -> None:
    endpoint = raw([answer_bytes(DRAFT)], dripping(APPROVE))
    result = run(connect(endpoint.base_url, timeout_s=60), max_seconds=1)
    assert (result["stop_reason"], result["phase"]) == ("llm_timeout", phase)
    assert [entry["phase"] for entry in result["trace"]] == ["draft"]


def test_custom_chat_object_passes_budget_on(raw: Raw, connect: Connect) -> None:
    good = Wrapper(connect(raw([answer_bytes(DRAFT)], [answer_bytes(APPROVE)]).base_url))
    assert reflect(good)["status"] == "ok"
    assert good.phases == ["draft", "review"]
    slow = Wrapper(connect(raw(dripping(DRAFT)).base_url, timeout_s=60))
    assert reflect(slow, max_seconds=0.3)["stop_reason"] == "llm_timeout"


def test_custom_planner_passes_budget_on(raw: Raw, connect: Connect) -> None:
    chat = connect(raw(dripping(PLAN)).base_url, timeout_s=60)
    result = run_guarded_policy_agent(
        goal="Inform.",
        request=build_request(),
        planner=model_planner(chat, GuardedPolicy()),
        policy={"max_seconds": 0.3},
    )
    assert (result.stop_reason, result.phase) == ("llm_timeout", "plan")


def test_retry_pause_beyond_budget_is_not_made(serve: Serve, connect: Connect, pauses: list[float]) -> None:
    endpoint = serve({**BUSY, "headers": {"Retry-After": 5}}, {"json": DRAFT})
    result = reflect(connect(endpoint.base_url, retries=5, timeout_s=60), max_seconds=3)
    assert (result["stop_reason"], pauses, endpoint.remaining) == ("llm_server_error", [], 1)


def test_retry_pause_within_budget_is_made(serve: Serve, connect: Connect, pauses: list[float]) -> None:
    endpoint = serve({**BUSY, "headers": {"Retry-After": 5}}, {"json": DRAFT}, {"json": APPROVE})
    result = reflect(connect(endpoint.base_url, retries=5, timeout_s=60), max_seconds=60)
    assert (result["status"], pauses) == ("ok", [5.0])


def test_budget_timeout_does_not_open_breaker(raw: Raw, connect: Connect) -> None:
    breaker = CircuitBreaker(threshold=1)
    slow = raw(dripping(DRAFT))
    assert reflect(connect(slow.base_url, timeout_s=60, retries=1, breaker=breaker), max_seconds=0.1)["error"]
    assert not breaker.is_open
    assert reflect(connect(slow.base_url, timeout_s=0.1, retries=1, breaker=breaker))["error"]
    assert breaker.is_open


def test_first_try_is_made_with_zero_budget(serve: Serve, connect: Connect) -> None:
    result = reflect(connect(serve({"json": DRAFT}).base_url, timeout_s=60), max_seconds=0)
    assert (result["stop_reason"], result["phase"]) == ("max_seconds", "review")
    assert [entry["phase"] for entry in result["trace"]] == ["draft"]


def test_custom_clock_is_read_once_per_check(serve: Serve, connect: Connect) -> None:
    looks = itertools.count()
    chat = connect(serve({"json": DRAFT}, {"json": APPROVE}).base_url)
    result = run_reflection_agent(
        goal="Inform.", incident_context={}, chat=chat, clock=lambda: float(next(looks))
    )
    assert (result.status, next(looks)) == ("ok", 2)


def test_budget_is_set_only_during_run() -> None:
    run = Run(max_seconds=100)
    seen: list[CallBudget | None] = []

    def work() -> dict[str, object]:
        seen.append(current_budget())
        return {}

    from redpen.agents.run import AgentResult

    assert current_budget() is None
    run.finish(AgentResult, work, given={})
    assert current_budget() is None
    assert seen[0] is not None
    assert 99 < seen[0].left_s() <= 100


def test_trace_notes_attempts_and_waits_of_step(serve: Serve, connect: Connect, pauses: list[float]) -> None:
    endpoint = serve({**BUSY, "times": 2}, {"json": DRAFT}, {"json": APPROVE})
    result = reflect(connect(endpoint.base_url, retries=2))
    draft, review, final = result["trace"]
    assert (draft["attempts"], draft["waited_s"]) == (3, round(sum(pauses), 3))
    assert {"attempts", "waited_s", "breaker"}.isdisjoint(review | final)
    assert "breaker" not in draft


def test_attempts_of_all_calls_of_step_are_summed(
    serve: Serve, connect: Connect, pauses: list[float]
) -> None:
    long = {"draft": "Checkout in the US is degraded. " * 40}
    endpoint = serve(BUSY, {"json": long}, BUSY, {"json": DRAFT}, {"json": APPROVE})
    draft = criticise(connect(endpoint.base_url, retries=2))["trace"][0]
    assert (draft["attempts_used"], draft["attempts"], len(pauses)) == (2, 4, 2)


def test_planning_attempts_are_noted_at_first_action(
    serve: Serve, connect: Connect, pauses: list[float]
) -> None:
    endpoint = serve(BUSY, {"json": PLAN})
    trace = act(connect(endpoint.base_url, retries=2))["trace"]
    assert [entry.get("attempts") for entry in trace] == [2, *[None] * 4]
    assert trace[0]["waited_s"] == round(pauses[0], 3)


def test_trace_has_no_notes_without_retries(serve: Serve, connect: Connect) -> None:
    for retries in (0, 2):
        endpoint = serve({"json": DRAFT}, {"json": APPROVE})
        for entry in reflect(connect(endpoint.base_url, retries=retries))["trace"]:
            assert {"attempts", "waited_s", "breaker"}.isdisjoint(entry)


def test_take_trace_fields_returns_and_resets_notes() -> None:
    budget = CallBudget(deadline=0)
    assert budget.take_trace_fields() == {}
    budget.add(CallStats(tries=1))
    assert budget.take_trace_fields() == {}
    budget.add(CallStats(tries=1, breaker="half_open"))
    budget.add(CallStats(tries=3, waited_s=1.23456))
    assert budget.take_trace_fields() == {"attempts": 4, "waited_s": 1.235, "breaker": "half_open"}
    assert budget.take_trace_fields() == {}


def test_error_message_states_tries_and_pauses(serve: Serve, connect: Connect, pauses: list[float]) -> None:
    endpoint = serve({**BUSY, "times": 3})
    result = reflect(connect(endpoint.base_url, retries=2))
    assert result["error"]["message"].endswith(f"(after 3 attempts, with pauses of {sum(pauses):.1f} s)")
    assert result["trace"] == []
