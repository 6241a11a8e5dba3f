"""Concurrent runs with all kinds of HTTP clients, whose calls must stay in their own run's cassette."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import threading
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx2

from fault_campaigns.concurrency import at_once
from fault_campaigns.tally import Tally
from redpen.types import JsonObject
from redpen_evals.cassettes.cassette import RunCassette
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallRequest, CallResponse
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.network import NetworkGuard
from redpen_evals.traffic.patching import PATCH
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import RunScope, ScriptedUpstream

URL: Final = "http://model.invalid/v1/chat/completions"
_BASE_URL: Final = URL.removesuffix("/chat/completions")
_POOL: Final = ThreadPoolExecutor(4, thread_name_prefix="pool-of-a-module")
"""A pool that all runs share, like one in the module of an agent."""


def threads(_root: Path, *, workers: int, repeats: int) -> Tally:
    """Make runs in threads at the same time, each with all clients; every other one records."""

    def work(repeat: int, worker: int) -> list[str]:
        return _run_in_threads(f"thread-{repeat}-{worker}", worker, record=bool((repeat + worker) % 2))

    return _tally(f"{workers} threads", workers, repeats, lambda repeat: at_once(work, repeat, workers))


def tasks(_root: Path, *, workers: int, repeats: int) -> Tally:
    """Make runs in tasks of an event loop at the same time; every other one records."""

    async def together(repeat: int) -> list[list[str]]:
        return await asyncio.gather(
            *(
                _run_in_task(f"task-{repeat}-{worker}", worker, record=bool((repeat + worker) % 2))
                for worker in range(workers)
            )
        )

    return _tally(f"{workers} tasks", workers, repeats, lambda repeat: asyncio.run(together(repeat)))


def _tally(who: str, workers: int, repeats: int, make: Callable[[int], Sequence[list[str]]]) -> Tally:
    with NetworkGuard(allow_loopback=True) as guard:
        broken = [lines[0] for repeat in range(repeats) for lines in make(repeat) if lines]
    broken += [f"{attempt.event} to {attempt.target}" for attempt in guard.attempts]
    kinds = len(_sync_clients()) + len(_async_clients())
    return Tally(
        fault=f"{who} make runs at the same time with {kinds} kinds of clients",
        claim="each call belongs to its own run's cassette, and none reaches a network",
        tried=workers * repeats,
        broken=tuple(broken[: workers * repeats]),
    )


def _run_in_threads(run: str, turn: int, *, record: bool) -> list[str]:
    clients = _rotated(list(_sync_clients().items()), turn)
    names = [name for name, _ in clients]
    with _scope(run, names, record=record) as scope:
        found = [_way(at)(client, f"{run} {name}") for at, (name, client) in enumerate(clients)]
    return _problems(run, names, found, scope)


async def _run_in_task(run: str, turn: int, *, record: bool) -> list[str]:
    plain = [(name, _threaded(client)) for name, client in _sync_clients().items()]
    clients = _rotated([*_async_clients().items(), *plain], turn)
    names = [name for name, _ in clients]
    with _scope(run, names, record=record) as scope:
        found = [await client(f"{run} {name}") for name, client in clients]
    return _problems(run, names, found, scope)


@contextmanager
def _scope(run: str, names: Sequence[str], *, record: bool) -> Iterator[RunScope]:
    calls = None if record else tuple(_recorded(f"{run} {name}") for name in names)
    cassette = RunCassette(kind="scripted", calls=calls)
    script = [{"content": _answer(f"{run} {name}")} for name in names]
    with ScriptedEndpoint(parse_replies(script)) as endpoint:
        upstream = ScriptedUpstream(lambda: endpoint.base_url)
        scope = RunScope(cassette=cassette, script=upstream if record else None)
        try:
            with PATCH, ROUTER.running(scope):
                yield scope
        finally:
            upstream.close()


def _problems(run: str, names: Sequence[str], found: Sequence[str], scope: RunScope) -> list[str]:
    wanted = [f"{run} {name}" for name in names]
    lines = [f"{run}: {problem}" for problem in scope.problems]
    lines += [
        f"{asked}: was answered {reported!r}"
        for asked, reported in zip(wanted, found, strict=True)
        if reported != _answer(asked)
    ]
    made = [_question(call) for call in scope.cassette.made]
    if made != wanted:
        lines.append(f"{run}: the cassette holds {made}")
    return lines


def _recorded(question: str) -> Call:
    message: JsonObject = {"role": "assistant", "content": _answer(question)}
    return Call(
        phase="chat",
        request=CallRequest(method="POST", url=URL, body=JsonBody(_body(question))),
        response=CallResponse(
            status=200,
            headers={"content-type": ("application/json",)},
            body=JsonBody({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
        ),
    )


def _body(question: str) -> Any:
    return {"model": "m", "messages": [{"role": "user", "content": question}]}


def _question(call: Call) -> str:
    body: Any = call.request.body.value if isinstance(call.request.body, JsonBody) else None
    return str(body["messages"][0]["content"])


def _answer(question: str) -> str:
    return f"an answer to {question}"


def _content_of(value: Any) -> str:
    return str(value["choices"][0]["message"]["content"])


def _rotated(items: list[Any], turn: int) -> list[Any]:
    at = turn % len(items)
    return [*items[at:], *items[:at]]


def _way(at: int) -> Callable[[Callable[[str], str], str], str]:
    return (_directly, _in_thread, _in_pool)[at % 3]


def _directly(client: Callable[[str], str], question: str) -> str:
    return client(question)


def _in_thread(client: Callable[[str], str], question: str) -> str:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(client(question)))
    thread.start()
    thread.join()
    return found[0] if found else ""


def _in_pool(client: Callable[[str], str], question: str) -> str:
    return _POOL.submit(client, question).result()


def _threaded(client: Callable[[str], str]) -> Callable[[str], Awaitable[str]]:
    return lambda question: asyncio.to_thread(client, question)


def _sync_clients() -> dict[str, Callable[[str], str]]:
    found: dict[str, Callable[[str], str]] = {"httpx2": _httpx2, "openai": _openai, "urllib.request": _urllib}
    foreign: dict[str, Callable[[str], str]] = {"httpx": _httpx, "requests": _requests, "urllib3": _urllib3}
    return found | {name: client for name, client in foreign.items() if importlib.util.find_spec(name)}


def _async_clients() -> dict[str, Callable[[str], Awaitable[str]]]:
    found: dict[str, Callable[[str], Awaitable[str]]] = {
        "httpx2, async": _httpx2_async,
        "openai, async": _openai_async,
    }
    if importlib.util.find_spec("aiohttp"):
        found["aiohttp"] = _aiohttp
    return found


def _httpx2(question: str) -> str:
    with httpx2.Client(trust_env=False, verify=False) as client:
        return _content_of(client.post(URL, json=_body(question)).json())


async def _httpx2_async(question: str) -> str:
    async with httpx2.AsyncClient(trust_env=False, verify=False) as client:
        return _content_of((await client.post(URL, json=_body(question))).json())


def _openai(question: str) -> str:
    import openai

    with openai.OpenAI(api_key="none", base_url=_BASE_URL) as client:
        return _content_of(client.chat.completions.create(**_body(question)).model_dump())


async def _openai_async(question: str) -> str:
    import openai

    async with openai.AsyncOpenAI(api_key="none", base_url=_BASE_URL) as client:
        return _content_of((await client.chat.completions.create(**_body(question))).model_dump())


def _urllib(question: str) -> str:
    request = urllib.request.Request(
        URL, data=json.dumps(_body(question)).encode(), headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:  # noqa: S310 - nothing is sent
        return _content_of(json.load(response))


def _httpx(question: str) -> str:
    import httpx

    with httpx.Client(trust_env=False, verify=False) as client:  # noqa: S501 - nothing is sent
        return _content_of(client.post(URL, json=_body(question)).json())


def _requests(question: str) -> str:
    import requests

    with requests.Session() as session:
        return _content_of(session.post(URL, json=_body(question), timeout=20).json())


def _urllib3(question: str) -> str:
    import urllib3

    with urllib3.PoolManager() as pool:
        return _content_of(pool.request("POST", URL, json=_body(question)).json())


async def _aiohttp(question: str) -> str:
    import aiohttp

    async with aiohttp.ClientSession() as session, session.post(URL, json=_body(question)) as response:
        return _content_of(await response.json())
