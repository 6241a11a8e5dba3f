"""Fixtures of the cassette tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx2
import pytest

from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallRequest, CallResponse, CassetteFile
from redpen_evals.cassettes.store import CassetteLocation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from redpen.types import JsonValue

URL = "http://scripted.invalid/v1/chat/completions"


@pytest.fixture
def location(tmp_path: Path) -> CassetteLocation:
    """Give the location of a scripted cassette."""
    return CassetteLocation(root=tmp_path / "cassettes", model="scripted", scenario="self-critique/approve")


@pytest.fixture
def call() -> Callable[..., Call]:
    """Give a function that builds one recorded call."""

    def build(body: JsonValue = None, reply: JsonValue = None, *, phase: str = "draft") -> Call:
        return Call(
            phase=phase,
            request=CallRequest(method="POST", url=URL, body=JsonBody(body)),
            response=CallResponse(
                status=200, headers={"content-type": ("application/json",)}, body=JsonBody(reply)
            ),
        )

    return build


@pytest.fixture
def cassette_file(call: Callable[..., Call]) -> CassetteFile:
    """Give a small cassette with two calls."""
    return CassetteFile(
        kind="scripted",
        scenario="self-critique/approve",
        model="scripted",
        base_url="http://scripted.invalid/v1",
        recorded={"at": "2026-03-06T10:00:00Z"},
        calls=(
            call({"messages": [{"role": "user", "content": "one"}]}, {"id": 1}),
            call({"messages": [{"role": "user", "content": "two"}]}, {"id": 2}, phase="critique"),
        ),
    )


@pytest.fixture
def server() -> Callable[..., httpx2.MockTransport]:
    """Give a function that builds an upstream that returns the given answers in order."""

    def build(*answers: JsonValue | httpx2.Response | Exception) -> httpx2.MockTransport:
        waiting = iter(answers)

        def answer(_request: httpx2.Request) -> httpx2.Response:
            reply = next(waiting)
            if isinstance(reply, Exception):
                raise reply
            if isinstance(reply, httpx2.Response):
                return reply
            return httpx2.Response(
                200, headers={"content-type": "application/json"}, content=json.dumps(reply).encode()
            )

        return httpx2.MockTransport(answer)

    return build
