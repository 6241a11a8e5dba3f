"""Recording and replay of runs with a real client."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import gzip
import json
import subprocess
import sys
import threading

import httpx2
import openai
import pytest

from redpen_evals.cassettes import file
from redpen_evals.cassettes.cassette import CassetteMiss
from redpen_evals.cassettes.session import SCRIPTED_BASE_URL, open_recording, open_replay
from redpen_evals.cassettes.store import CassetteLocation, load
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.errors import CassetteError, SecretFound
from redpen_evals.network import NetworkGuard

MORNING = datetime.datetime(2026, 3, 6, 10, 0, tzinfo=datetime.UTC)


def _completion(content):
    message = {"role": "assistant", "content": content}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }


def _client(session, *, retries=0):
    return openai.OpenAI(
        api_key="unused",
        base_url=session.base_url,
        max_retries=retries,
        http_client=httpx2.Client(transport=session.transport),
    )


def _ask(client, text, **more):
    reply = client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": text}], temperature=0, **more
    )
    return reply.choices[0].message.content


def _record(location, upstream, asks, *, retries=0, **more):
    opened = open_recording(location, upstream=upstream, **more)
    with dataclasses.replace(opened, now=lambda: MORNING) as session:
        client = _client(session, retries=retries)
        for text in asks:
            # The client raises ValueError for an answer that is not UTF-8.
            with contextlib.suppress(openai.APIError, ValueError):
                _ask(client, text)
        session.finish()


def test_recorded_run_is_replayed_without_network(location, server):
    _record(location, server(_completion("one ✓"), _completion('{"draft": "two"}')), ["a", "b"])
    with NetworkGuard() as guard, open_replay(location) as session:
        client = _client(session)
        assert session.base_url == SCRIPTED_BASE_URL
        assert [_ask(client, "a"), _ask(client, "b")] == ["one ✓", '{"draft": "two"}']
    assert (session.cassette.misses, session.cassette.unplayed, guard.attempts) == ([], (), ())


def test_recordings_of_same_traffic_differ_only_in_metadata(location, server):
    texts = []
    for headers in ({"x-request-id": "1", "date": "today", "set-cookie": "a"}, {"x-request-id": "2"}):
        reply = httpx2.Response(200, headers=headers, json=_completion("x"))
        _record(location, server(reply, _completion("y")), ["a", "b"])
        texts.append(location.path.read_text())
    documents = [json.loads(text) for text in texts]
    assert documents[0].pop("recorded").keys() == {"at", "redpen", "openai", "vcrpy"}
    assert documents[1].pop("recorded")["at"] == "2026-03-06T10:00:00Z"
    assert json.dumps(documents[0]) == json.dumps(documents[1])
    assert documents[0]["calls"][0]["response"]["headers"] == {"content-type": "application/json"}
    assert "unused" not in texts[0]


def test_live_recording_keeps_request_id_and_latency(tmp_path, server):
    location = CassetteLocation(root=tmp_path, model="gpt-x", scenario="s")
    reply = httpx2.Response(
        200, headers={"x-request-id": "r1", "openai-organization": "o"}, json=_completion("x")
    )
    upstream = server(reply, httpx2.ReadTimeout("slow"))
    _record(location, upstream, ["a", "b"], base_url="https://api.example.com/v1")
    saved = file.read(location.path)
    assert (saved.kind, saved.base_url) == ("live", "https://api.example.com/v1")
    assert set(saved.calls[0].response.headers) == {"content-type", "x-request-id"}
    first, second = saved.recorded["latency_ms"]
    assert first >= 0
    assert second is None
    assert open_replay(location).base_url == "https://api.example.com/v1"


@pytest.mark.parametrize(
    ("failure", "seen"),
    [
        (httpx2.ReadTimeout("slow"), openai.APITimeoutError),
        (httpx2.ConnectTimeout("slow"), openai.APITimeoutError),
        (httpx2.ConnectError("refused"), openai.APIConnectionError),
        (httpx2.RemoteProtocolError("dropped"), openai.APIConnectionError),
    ],
)
def test_connection_failure_is_replayed_as_same_failure(location, server, failure, seen):
    _record(location, server(failure), ["a"])
    session = open_replay(location)
    with pytest.raises(seen) as caught:
        _ask(_client(session), "a")
    assert type(caught.value.__cause__) is type(failure)
    assert str(caught.value.__cause__) == str(failure)
    assert not session.cassette.unplayed


def test_status_retry_after_and_non_json_bytes_are_replayed(location, server):
    limited = httpx2.Response(429, headers={"retry-after": "7"}, json={"error": {"message": "slow down"}})
    torn = httpx2.Response(200, headers={"content-type": "application/json"}, content=b'{"choices": [\xff')
    _record(location, server(limited, torn), ["a", "b"])
    session = open_replay(location)
    client = _client(session)
    with pytest.raises(openai.RateLimitError) as caught:
        _ask(client, "a")
    assert caught.value.response.headers["retry-after"] == "7"
    raw = httpx2.Client(transport=session.transport).post(
        f"{session.base_url}/chat/completions",
        json={"messages": [{"role": "user", "content": "b"}], "model": "m", "temperature": 0},
    )
    assert raw.content == b'{"choices": [\xff'


def zipped(content):
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    return httpx2.Response(200, headers=headers, stream=httpx2.ByteStream(content))


def test_compressed_answer_is_stored_decoded(location, server):
    _record(location, server(zipped(gzip.compress(json.dumps(_completion("zipped")).encode()))), ["a"])
    assert "zipped" in location.path.read_text()
    assert _ask(_client(open_replay(location)), "a") == "zipped"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda: zipped(b"no gzip"), "the response is not valid gzip"),
        (lambda: zipped(gzip.compress(b" " * 20_000_000)), "the response is larger than 2000000 bytes"),
        (lambda: httpx2.Response(200, content=b" " * 2_000_001), "the response is larger than 2000000 bytes"),
        (
            lambda: httpx2.Response(200, headers={"content-encoding": "br"}, stream=httpx2.ByteStream(b"x")),
            "content encoding 'br'",
        ),
    ],
    ids=["no gzip", "a gzip bomb", "too large", "another encoding"],
)
def test_oversized_or_undecodable_answer_is_not_recorded(location, server, answer, message):
    with pytest.raises(CassetteError, match="not saved, a call could not be recorded") as caught:
        _record(location, server(answer()), ["a"])
    assert message in str(caught.value)
    assert not location.path.exists()


def test_only_last_try_of_call_is_recorded(location, server):
    busy = httpx2.Response(503, headers={"retry-after-ms": "1"}, json={"error": {"message": "busy"}})
    upstream = server(_completion("one"), busy, httpx2.ReadTimeout("slow"), _completion("two"))
    _record(location, upstream, ["a", "b"], retries=3)
    assert len(file.read(location.path).calls) == 2
    client = _client(open_replay(location))
    assert [_ask(client, "a"), _ask(client, "b")] == ["one", "two"]


def test_error_after_all_retries_is_replayed(location, server):
    down = httpx2.Response(500, headers={"retry-after-ms": "1"}, json={"error": {"message": "down"}})
    _record(location, server(down, down, down, _completion("b")), ["a", "b"], retries=2)
    session = open_replay(location)
    client = _client(session, retries=2)
    with pytest.raises(openai.InternalServerError):
        _ask(client, "a")
    assert _ask(client, "b") == "b"
    assert (session.cassette.misses, session.cassette.unplayed) == ([], ())


def test_fresh_request_after_all_retries_needs_its_own_recording(location, server):
    down = httpx2.Response(500, headers={"retry-after-ms": "1"}, json={"error": {"message": "down"}})
    with open_recording(location, upstream=server(down, down, _completion("up"))) as session:
        client = _client(session, retries=1)
        with pytest.raises(openai.InternalServerError):
            _ask(client, "a")
        assert _ask(client, "a") == "up"
        session.finish()
    session = open_replay(location)
    client = _client(session, retries=1)
    with pytest.raises(openai.InternalServerError):
        _ask(client, "a")
    assert _ask(client, "a") == "up"
    assert (session.cassette.misses, session.cassette.unplayed) == ([], ())
    with pytest.raises(CassetteMiss):
        _ask(client, "a")
    assert [miss.reason for miss in session.cassette.misses] == ["repeated"]


def test_identical_calls_are_recorded_separately(location, server):
    _record(location, server(_completion("one"), _completion("two")), ["a", "a"])
    client = _client(open_replay(location))
    assert [_ask(client, "a"), _ask(client, "a")] == ["one", "two"]
    with pytest.raises(CassetteMiss, match="the same request was made again"):
        _ask(client, "a")


def test_miss_is_logged_when_caller_swallows_it(location, server):
    with open_recording(location, upstream=server(_completion("x"), _completion("y"))) as recording:
        client = _client(recording)
        for phase, text in (("draft", "write a draft"), ("critique", "judge the draft")):
            recording.cassette.phase = phase
            _ask(client, text)
        recording.finish()
    session = open_replay(location)
    session.cassette.phase = "critique"
    client = _client(session, retries=2)
    _ask(client, "write a draft")
    with pytest.raises(CassetteMiss, match="call 2 of 2"):
        _ask(client, "judge the new draft")
    (found,) = session.cassette.misses
    assert (found.call, found.phase, found.path) == (2, "critique", "messages[0].content")
    assert "{+new +}" in found.excerpt
    assert session.cassette.unplayed == ((2, "critique"),)


def test_threads_of_run_share_cassette_and_runs_are_isolated(location, server, tmp_path):
    other = CassetteLocation(root=tmp_path, model="scripted", scenario="other")
    _record(location, server(*(_completion(f"mine {number}") for number in range(20))), map(str, range(20)))
    _record(other, server(*(_completion(f"theirs {number}") for number in range(20))), map(str, range(20)))
    sessions = [open_replay(location), open_replay(other)]
    answers = {}

    def work(client, name, number):
        answers[name, number] = _ask(client, str(number))

    threads = [
        threading.Thread(target=work, args=(client, name, number))
        for client, name in zip(map(_client, sessions), ("mine", "theirs"), strict=True)
        for number in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {
        (name, number): f"{name} {number}" for name in ("mine", "theirs") for number in range(20)
    }
    assert not any(session.cassette.unplayed for session in sessions)


def test_interrupted_recording_keeps_old_cassette(location, server):
    _record(location, server(_completion("old")), ["a"])
    before = location.path.read_bytes()

    def interrupted():
        with open_recording(location, upstream=server(_completion("new"))) as session:
            _ask(_client(session), "a")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert location.path.read_bytes() == before


@pytest.mark.parametrize("error", [ValueError("a bug"), OSError("a disk")])
def test_recording_that_lost_call_is_not_saved(location, server, error):
    with open_recording(location, upstream=server(error, _completion("x"))) as session:
        client = _client(session)
        with pytest.raises(type(error)):
            _ask(client, "a")
        _ask(client, "b")
        with pytest.raises(CassetteError, match="could not be recorded") as caught:
            session.finish()
    assert caught.value.kind == "incomplete"
    assert not location.path.exists()


def test_request_to_another_address_is_not_recorded(location, server):
    with open_recording(location, upstream=server(_completion("x"))) as session:
        stray = openai.OpenAI(
            api_key="unused",
            base_url="http://elsewhere.invalid/v1",
            http_client=httpx2.Client(transport=session.transport),
        )
        with pytest.raises(Exception, match="elsewhere"):
            _ask(stray, "a")
        with pytest.raises(CassetteError):
            session.finish()


def test_key_in_answer_prevents_save(location, server):
    with open_recording(location, upstream=server(_completion("key: house-key-77"))) as session:
        _ask(_client(session), "a")
    with open_recording(
        location, upstream=server(_completion("house-key-77")), live_keys=("house-key-77",)
    ) as session:
        _ask(_client(session), "a")
        with pytest.raises(SecretFound):
            session.finish()
    assert not location.path.exists()


def test_loopback_upstream_is_recorded_under_public_address(location):
    with (
        NetworkGuard(allow_loopback=True),
        ScriptedEndpoint(parse_replies([{"content": "x"}])) as endpoint,
        open_recording(location, upstream_url=f"{endpoint.base_url}/") as session,
    ):
        assert _ask(_client(session), "a") == "x"
        session.finish()
    (request,) = endpoint.requests
    assert (request.path, request.headers["host"]) == ("/v1/chat/completions", f"127.0.0.1:{endpoint.port}")
    assert str(endpoint.port) not in location.path.read_text()
    assert file.read(location.path).calls[0].request.url == f"{SCRIPTED_BASE_URL}/chat/completions"


def test_refused_connection_is_recorded_without_port(location, closed_port):
    with open_recording(location, upstream_url=f"{closed_port}/v1") as session:
        with pytest.raises(openai.APIConnectionError):
            _ask(_client(session), "a")
        session.finish()
    assert file.read(location.path).calls[0].response.failure == "ConnectError"
    assert closed_port.rpartition(":")[2] not in location.path.read_text()


def test_run_without_calls_has_empty_cassette(location, server):
    _record(location, server(), [])
    session = open_replay(location)
    assert not session.cassette.unplayed
    with pytest.raises(CassetteMiss, match="holds no call"):
        _ask(_client(session), "a")


def test_cassettes_do_not_import_openai():
    code = (
        "import sys; import redpen_evals.cassettes; light = set(sys.modules)\n"
        "import redpen_evals.cassettes.store, redpen_evals.cassettes.secrets, redpen_evals.network\n"
        "assert not {'vcr', 'httpx2', 'openai'} & set(sys.modules)\n"
        "import redpen_evals.cassettes.session; assert 'openai' not in sys.modules\n"
    )
    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        check=True,
    )


def test_kept_calls_end_at_first_different_request(location, server):
    _record(location, server(_completion("one"), _completion("two"), _completion("three")), ["a", "b", "c"])
    kept = [(call, None) for call in load(location).calls]
    _record(location, server(_completion("new"), _completion("newer")), ["a", "other", "c"], kept=kept)
    with open_replay(location) as session:
        client = _client(session)
        assert [_ask(client, text) for text in ("a", "other", "c")] == ["one", "new", "newer"]
