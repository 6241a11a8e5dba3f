"""Fixtures of the agents' tests: a scripted endpoint with a client, and a clock."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint


@dataclass(frozen=True, slots=True)
class Script:
    """A scripted model: the client for an agent, and the endpoint with its requests."""

    chat: ChatClient
    endpoint: ScriptedEndpoint

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Payload of every call, in order."""
        return [json.loads(self._message(call, 1)) for call in range(len(self.endpoint.requests))]

    @property
    def prompts(self) -> list[str]:
        """System message of every call, in order."""
        return [self._message(call, 0) for call in range(len(self.endpoint.requests))]

    def _message(self, call: int, at: int) -> str:
        content = self.endpoint.requests[call].body["messages"][at]["content"]
        assert isinstance(content, str)
        return content


@pytest.fixture
def script() -> Iterator[Callable[..., Script]]:
    """Return a function that starts a scripted model; mappings without reply keys become JSON content."""
    with ExitStack() as stack:

        def start(*replies: Any) -> Script:
            forms = {"content", "status", "fault", "refusal", "choices", "json", "body"}
            parsed = parse_replies([reply if forms & reply.keys() else {"json": reply} for reply in replies])
            endpoint = stack.enter_context(ScriptedEndpoint(parsed))
            settings = ChatSettings(api_key=SecretStr("k-1"), base_url=endpoint.base_url, retries=0)
            return Script(ChatClient(settings), endpoint)

        yield start


@pytest.fixture
def ticking() -> Callable[[float], Callable[[], float]]:
    """Return a function that makes a clock, which advances by the given seconds with each reading."""

    def make(seconds: float) -> Callable[[], float]:
        readings = iter(range(1_000_000))
        return lambda: 1000 + seconds * next(readings)

    return make
