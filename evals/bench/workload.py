"""What the replay bench repeats: the same three model calls, over memory and over a cassette."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

import httpx2
from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen.chat.replies import Phase
from redpen.prompts import base_prompts
from redpen_evals.cassettes.encoding import parse_body
from redpen_evals.cassettes.file import Call, CallRequest, CallResponse, CassetteFile
from redpen_evals.cassettes.session import open_replay
from redpen_evals.cassettes.store import CassetteLocation, save

BASE_URL = "http://scripted.invalid/v1"
PHASES: tuple[Phase, ...] = ("draft", "critique", "revise")
_SETTINGS = ChatSettings(api_key=SecretStr("none"), base_url=BASE_URL, model="scripted", retries=0)
_CONTENT = json.dumps({"draft": "Payments are degraded; about 27% of checkouts are affected. " * 8})


class InMemory(httpx2.BaseTransport):
    """Answers every request with the same completion."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        return httpx2.Response(200, headers={"content-type": "application/json"}, content=_completion())


def in_memory() -> None:
    """Three calls over the in-memory transport."""
    _ask(InMemory(), PHASES)


def cassette() -> None:
    """The same three calls over a cassette of them, read from the working folder."""
    _replay(Path("cassettes"), calls=3)


def seconds_a_call(root: Path, *, calls: int, rounds: int) -> float:
    """Return the seconds that one call takes from a cassette of so many calls, reading it included."""
    save_cassette(root, calls=calls)
    _replay(root, calls=calls)
    started = time.perf_counter()
    for _ in range(rounds):
        _replay(root, calls=calls)
    return (time.perf_counter() - started) / (calls * rounds)


def typed_seconds_a_call(*, calls: int, rounds: int) -> float:
    """Return the seconds that one call of the SDK's typed method takes over the in-memory transport."""
    from openai import OpenAI

    started = time.perf_counter()
    for _ in range(rounds):
        with httpx2.Client(transport=InMemory(), trust_env=False) as http_client:
            client = OpenAI(api_key="none", base_url=BASE_URL, max_retries=0, http_client=http_client)
            for at in range(calls):
                client.chat.completions.create(**json.loads(_request(at)))
    return (time.perf_counter() - started) / (calls * rounds)


def memory_seconds_a_call(*, calls: int, rounds: int) -> float:
    """Return the seconds that one call of our chat client takes over the in-memory transport."""
    phases = tuple(PHASES[at % len(PHASES)] for at in range(calls))
    started = time.perf_counter()
    for _ in range(rounds):
        _ask(InMemory(), phases)
    return (time.perf_counter() - started) / (calls * rounds)


def foreign_seconds_a_call(*, calls: int, dispatched: bool) -> float:
    """Return the seconds that one call of somebody's own SDK client takes.

    Args:
        calls: how many it makes.
        dispatched: answered from a run's cassette through the patch of the process, else over the in-memory
            transport.
    """
    from openai import OpenAI

    from redpen_evals.cassettes.cassette import RunCassette
    from redpen_evals.traffic.patching import PATCH
    from redpen_evals.traffic.router import ROUTER
    from redpen_evals.traffic.scope import RunScope

    transport = None if dispatched else InMemory()
    requests = [json.loads(_request(at)) for at in range(calls)]
    with httpx2.Client(transport=transport, trust_env=False) as http_client:
        client = OpenAI(api_key="none", base_url=BASE_URL, max_retries=0, http_client=http_client)
        client.chat.completions.with_raw_response  # noqa: B018 - is made at the first use
        cassette = RunCassette(kind="scripted", calls=_calls(calls))
        with ExitStack() as stack:
            if dispatched:
                stack.enter_context(PATCH)
                stack.enter_context(ROUTER.running(RunScope(cassette=cassette)))
            started = time.perf_counter()
            for request in requests:
                client.chat.completions.create(**request)
            seconds = time.perf_counter() - started
    assert not dispatched or not cassette.unplayed
    return seconds / calls


def save_cassette(root: Path, *, calls: int) -> None:
    """Save a cassette of so many calls below a folder."""
    recorded = CassetteFile(
        kind="scripted",
        scenario=f"bench/{calls}",
        model="scripted",
        base_url=BASE_URL,
        recorded={},
        calls=_calls(calls),
    )
    save(_location(root, calls), recorded)


def _replay(root: Path, *, calls: int) -> None:
    phases = tuple(PHASES[at % len(PHASES)] for at in range(calls))
    with open_replay(_location(root, calls)) as session:
        _ask(session.transport, phases)


def _location(root: Path, calls: int) -> CassetteLocation:
    return CassetteLocation(root=root, model="scripted", scenario=f"bench/{calls}")


def _ask(transport: httpx2.BaseTransport, phases: tuple[Phase, ...]) -> None:
    with httpx2.Client(transport=transport, trust_env=False) as http_client:
        chat = ChatClient(_SETTINGS, http_client=http_client)
        for at, phase in enumerate(phases):
            chat.complete(phase=phase, prompt=base_prompts()["draft"].text, payload={"goal": f"call {at}"})


def _calls(count: int) -> tuple[Call, ...]:
    return tuple(
        Call(
            phase=PHASES[at % len(PHASES)],
            request=CallRequest(
                method="POST", url=f"{BASE_URL}/chat/completions", body=parse_body(_request(at))
            ),
            response=CallResponse(
                status=200, headers={"content-type": ("application/json",)}, body=parse_body(_completion())
            ),
        )
        for at in range(count)
    )


def _request(at: int) -> bytes:
    body = {
        "model": "scripted",
        "messages": [
            {"role": "system", "content": base_prompts()["draft"].text},
            {"role": "user", "content": json.dumps({"goal": f"call {at}"})},
        ],
        "temperature": 0,
        "response_format": {"type": "json_object"},
    }
    return json.dumps(body).encode()


@lru_cache(maxsize=1)
def _completion() -> bytes:
    message = {"role": "assistant", "content": _CONTENT}
    return json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
