"""Whatever a server sends, over a real socket: a reply or a documented stop, no key, and nothing left open.

Each property is tried five times as often as a full profile says, since a try takes a few milliseconds: 500
cases in ``ci``, 25,000 in ``nightly``.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from property_support.raw_endpoint import RawEndpoint, Step
from property_support.wire import completions, http_answers
from redpen.agents.guarded_policy import run_guarded_policy_agent
from redpen.agents.reflection import run_reflection_agent
from redpen.agents.self_critique import run_self_critique_agent
from redpen.chat import ChatClient, ChatSettings
from redpen.chat.pool import new_http_client
from redpen.context import build_incident_context, build_request
from redpen.errors import Stop
from redpen.stop_reasons import find_stop_reason
from redpen.types import AgentName
from redpen_evals.endpoint.wire import Response

pytestmark = pytest.mark.fuzz

KEY = "sk-fuzz-0d1c9b7e5a3f8642"
TIMES = 5
FULL = 100
"""Fewest examples of a full profile; one with fewer is followed as it is."""

# Far more than a case takes, which ends with the connection: a call that hung would end as a timeout.
TIMEOUT_S = 20.0


def in_full(chosen: settings) -> settings:
    examples = chosen.max_examples
    return settings(chosen, max_examples=TIMES * examples if examples >= FULL else examples)


@contextmanager
def a_model() -> Iterator[tuple[RawEndpoint, ChatClient]]:
    """A server and a client for it; leaves no thread, file or socket behind."""
    # What earlier tests left to be collected is not this one's.
    gc.collect()
    before = (len(list(Path("/dev/fd").iterdir())), set(threading.enumerate()))
    with new_http_client() as http_client, RawEndpoint() as endpoint:
        chat_settings = ChatSettings(
            api_key=SecretStr(KEY), base_url=endpoint.base_url, model="m", retries=0, timeout_s=TIMEOUT_S
        )
        yield endpoint, ChatClient(chat_settings, http_client=http_client)
    assert (len(list(Path("/dev/fd").iterdir())), set(threading.enumerate())) == before


def check_error(agent: AgentName, reason: str, error: Any) -> None:
    assert find_stop_reason(agent, reason) is not None, reason
    assert reason.startswith("llm_")
    assert set(error) == {"type", "message"}
    assert error["type"] != "APITimeoutError", error
    assert len(error["message"]) <= 300
    json.dumps(error, ensure_ascii=False).encode()


def ask(chat: ChatClient) -> tuple[Any, Stop | None]:
    try:
        return chat.complete(phase="draft", prompt="p", payload={}), None
    except Stop as stop:
        return None, stop


def test_any_bytes_are_a_reply_or_a_stop(fuzz_settings: settings) -> None:
    with a_model() as (endpoint, chat):

        @in_full(fuzz_settings)
        @given(http_answers(echo=KEY))
        def check(steps: list[Step]) -> None:
            endpoint.say(steps)
            reply, stop = ask(chat)
            if stop is None:
                assert isinstance(reply, dict)
            else:
                check_error("reflection", stop.reason, stop.details["error"])
            assert KEY not in json.dumps([reply, stop and stop.details])

        check()


def reflect(chat: ChatClient) -> dict[str, Any]:
    context = build_incident_context(example="reflection")
    return run_reflection_agent(goal="Inform.", incident_context=context, chat=chat).to_dict()


def criticise(chat: ChatClient) -> dict[str, Any]:
    context = build_incident_context()
    return run_self_critique_agent(goal="Inform.", incident_context=context, chat=chat).to_dict()


def act(chat: ChatClient) -> dict[str, Any]:
    return run_guarded_policy_agent(goal="Inform.", request=build_request(), chat=chat).to_dict()


AGENTS: dict[AgentName, Callable[[ChatClient], dict[str, Any]]] = {
    "reflection": reflect,
    "self-critique": criticise,
    "guarded-policy": act,
}


def test_any_completions_are_a_run_with_a_documented_end(fuzz_settings: settings) -> None:
    with a_model() as (endpoint, chat):

        @in_full(fuzz_settings)
        @given(agent=st.sampled_from(sorted(AGENTS)), replies=st.lists(completions(), min_size=1, max_size=3))
        def check(agent: AgentName, replies: list[Any]) -> None:
            endpoint.say(*([Response.of_json(200, reply).encode(keep_alive=False)] for reply in replies))
            result = AGENTS[agent](chat)
            assert result["status"] in {"ok", "stopped"}
            assert (result["stop_reason"] == "success") == (result["status"] == "ok")
            assert find_stop_reason(agent, result["stop_reason"]) is not None, result["stop_reason"]
            if "error" in result:
                check_error(agent, result["stop_reason"], result["error"])
            text = json.dumps(result, ensure_ascii=False, allow_nan=False)
            assert KEY not in text
            text.encode()

        check()
