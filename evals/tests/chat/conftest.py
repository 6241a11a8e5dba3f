"""Fixtures of the chat client's tests: a scripted endpoint on loopback and a client for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedEndpoint]]:
    """Return a function that starts an endpoint with scripted replies; all are closed after the test."""
    with ExitStack() as stack:

        def start(*replies: object) -> ScriptedEndpoint:
            return stack.enter_context(ScriptedEndpoint(parse_replies(list(replies))))

        yield start


@pytest.fixture
def connect() -> Callable[..., ChatClient]:
    """Return a function that connects a client to an endpoint, by default without retries."""

    def start(endpoint: ScriptedEndpoint, **changes: Any) -> ChatClient:
        settings = {"api_key": SecretStr("test-key-123"), "model": "m", "retries": 0, "timeout_s": 30.0}
        return ChatClient(ChatSettings(base_url=endpoint.base_url, **{**settings, **changes}))

    return start
