"""Recording has the limits of a live call: dripping servers, floods and gzip bombs.

The endpoints send data for minutes, or more than fits into memory: a recording that read all of it
would end differently.
"""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from property_support.raw_endpoint import RawEndpoint, Step, answer_bytes
from redpen import run_reflection_agent
from redpen.chat import ChatClient, ChatSettings
from redpen_evals.cassettes.session import RecordingSession, open_recording, open_replay
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.cassettes.transport import SharedUpstream
from redpen_evals.endpoint.wire import Response
from redpen_evals.errors import CassetteError

Raw = Callable[..., RawEndpoint]
DRAFT = {"draft": "Checkout in the US is degraded."}
START = b"HTTP/1.1 200 OK\r\n"
WHOLE = answer_bytes(DRAFT)


def packed(content: bytes) -> bytes:
    head = b"Connection: close\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(content)
    return START + head + content


DRIPS: dict[str, list[Step]] = {
    "nothing": ["hold"],
    "headers": [START, *([b"X-A: b\r\n", 0.02] * 1_000), WHOLE.removeprefix(START)],
    "a body": [START, b"Content-Length: 9000\r\n\r\n", *([b" ", 0.02] * 1_000)],
    "chunks": [START, b"Transfer-Encoding: chunked\r\n\r\n", *([b"1\r\n \r\n", 0.02] * 1_000)],
    "hints": [*([b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.02] * 1_000), WHOLE],
}
FLOODS: dict[str, list[Step]] = {
    "a body": [START, b"\r\n", *[b" " * 65_536] * 40, "hold"],
    "chunks": [
        START,
        b"Transfer-Encoding: chunked\r\n\r\n",
        *[b"10000\r\n" + b" " * 65_536 + b"\r\n"] * 40,
        "hold",
    ],
    "a gzip bomb": [packed(gzip.compress(b" " * 50_000_000))],
    "a gzip bomb of an error": [
        packed(gzip.compress(b" " * 50_000_000)).replace(b"200 OK", b"400 No", 1),
    ],
    "no gzip": [packed(b"{}")],
    "gzip within gzip": [packed(gzip.compress(b"{}")).replace(b": gzip", b": gzip, gzip", 1)],
}


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., RecordingSession]:
    """Open a recording of a server, over its own connection or the one shared by live models."""

    def start(endpoint: RawEndpoint, *, shared: bool = False) -> RecordingSession:
        location = CassetteLocation(root=tmp_path, model="scripted", scenario="reflection/one")
        if shared:
            return open_recording(location, base_url=endpoint.base_url, upstream=SharedUpstream())
        return open_recording(location, upstream_url=endpoint.base_url)

    return start


def reflect(session: RecordingSession, **policy: Any) -> dict[str, Any]:
    settings = ChatSettings(
        api_key=SecretStr("none"), base_url=session.base_url, model="m", retries=0, timeout_s=60
    )
    with httpx2.Client(transport=session.transport, trust_env=False) as http_client:
        chat = ChatClient(settings, http_client=http_client)
        assert chat.keeps_deadlines
        ran = run_reflection_agent(goal="Inform.", incident_context={}, chat=chat, policy=policy)
    return ran.to_dict()


@pytest.mark.parametrize("shared", [False, True], ids=["own", "shared"])
@pytest.mark.parametrize("name", DRIPS)
def test_dripping_server_is_recorded_as_timeout(
    raw: Raw, record: Callable[..., RecordingSession], name: str, shared: bool
) -> None:
    with record(raw(DRIPS[name]), shared=shared) as session:
        result = reflect(session, max_seconds=0.3)
        assert (result["stop_reason"], result["error"]["type"]) == ("llm_timeout", "APITimeoutError")
        session.finish()
    with open_replay(session.location) as replay:
        settings = ChatSettings(api_key=SecretStr("none"), base_url=replay.base_url, model="m", retries=0)
        with httpx2.Client(transport=replay.transport) as http_client:
            chat = ChatClient(settings, http_client=http_client)
            assert chat.keeps_deadlines
            replayed = run_reflection_agent(goal="Inform.", incident_context={}, chat=chat)
    assert replayed.stop_reason == "llm_timeout"


@pytest.mark.parametrize("shared", [False, True], ids=["own", "shared"])
@pytest.mark.parametrize("name", FLOODS)
def test_oversized_or_undecodable_response_is_not_saved(
    raw: Raw, record: Callable[..., RecordingSession], name: str, shared: bool
) -> None:
    with record(raw(FLOODS[name]), shared=shared) as session:
        result = reflect(session)
        assert result["stop_reason"] == "llm_invalid_json"
        with pytest.raises(CassetteError, match=r"the response (is|has) "):
            session.finish()
    assert not session.location.path.exists()


def test_gzip_answer_is_stored_decoded(raw: Raw, record: Callable[..., RecordingSession]) -> None:
    body = WHOLE.partition(b"\r\n\r\n")[2]
    approve = answer_bytes({"decision": "approve"})
    with record(raw([packed(gzip.compress(body))], [approve])) as session:
        assert reflect(session)["status"] == "ok"
        session.finish()
    assert "Checkout in the US" in session.location.path.read_text(encoding="utf-8")
    assert "gzip" not in session.location.path.read_text(encoding="utf-8")


def test_endless_headers_are_recorded_as_failure(raw: Raw, record: Callable[..., RecordingSession]) -> None:
    lines = itertools.repeat(b"X-Filler: " + b"a" * 8_000 + b"\r\n", 100)
    with record(raw([START, *lines, "hold"])) as session:
        assert reflect(session)["stop_reason"] == "llm_timeout"
        session.finish()
    (call,) = session.cassette.calls
    assert getattr(call.response, "failure", "") == "RemoteProtocolError"


def test_plain_answer_is_recorded(raw: Raw, record: Callable[..., RecordingSession]) -> None:
    approve = Response.of_json(
        200, {"choices": [{"message": {"content": '{"decision": "approve"}'}}]}, {"x-key": "k"}
    )
    with record(raw([WHOLE], [approve.encode()])) as session:
        assert reflect(session)["status"] == "ok"
        session.finish()
    assert [call.phase for call in session.cassette.calls] == ["", ""]
