"""The proxy of a command: model calls and other HTTP are recorded, replayed or refused."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.targets.environment import PLACEHOLDER

ONE_CALL = "print(content_of(ask('Where is ' + given['order'])))"
REPLY = {"content": "Order 81 is on its way."}
CHAT_URL = "https://api.openai.com/v1/chat/completions"
KEY = "sk-" + "canary-a1B2c3D4e5F6"


def asking(project, source=ONE_CALL, **more):
    """Return a scenario of one scripted call."""
    scenario = {"command": project.asking(source), "input": {"order": "81"}, "replies": [REPLY]}
    return {**scenario, **more}


def test_scripted_call_is_recorded_and_replayed(project):
    result = project.both(asking(project))
    assert (result.outcome, result.answer) == ("passed", REPLY["content"])
    assert [(call.phase, call.state) for call in result.calls] == [("chat", "replayed")]
    (call,) = project.cassette()["calls"]
    assert call["request"]["url"] == CHAT_URL
    assert "127.0.0.1" not in json.dumps(project.cassette())


def test_recording_twice_gives_the_same_calls(project):
    project.run(asking(project), record="all")
    first = project.cassette()["calls"]
    project.again(record="all")
    assert project.cassette()["calls"] == first


@pytest.mark.parametrize(
    ("path", "find", "dialect"),
    [
        ("/responses", "['output'][0]['content'][0]['text']", "responses"),
        ("/v1/messages", "['content'][0]['text']", "messages"),
    ],
)
def test_responses_and_messages_apis_are_recorded(project, path, find, dialect):
    base = "ANTHROPIC_BASE_URL" if dialect == "messages" else "OPENAI_BASE_URL"
    body = "input='hi'" if dialect == "responses" else "max_tokens=9"
    source = f"print(json.load(ask('hi', os.environ['{base}'], '{path}', {body})){find})"
    result = project.both(asking(project, source))
    assert (result.outcome, result.answer) == ("passed", REPLY["content"])
    assert [call.phase for call in result.calls] == [dialect]
    host = "api.anthropic.com" if dialect == "messages" else "api.openai.com"
    assert project.cassette()["calls"][0]["request"]["url"].startswith(f"https://{host}/v1/")


def test_stream_is_sent_event_by_event(project):
    source = """
import http.client, urllib.parse
base = urllib.parse.urlsplit(os.environ["OPENAI_BASE_URL"])
connection = http.client.HTTPConnection(base.hostname, base.port)
body = json.dumps({"model": "any", "stream": True, "messages": [{"role": "user", "content": "hi"}]})
connection.request("POST", base.path + "/chat/completions", body, {"content-type": "application/json"})
raw = connection.getresponse()
assert raw.headers["transfer-encoding"] == "chunked", raw.headers
pieces = []
while size := int(raw.fp.readline(), 16):
    pieces.append(raw.fp.read(size + 2)[:-2].decode())
assert all(piece.startswith("data:") and piece.endswith("\\n\\n") for piece in pieces), pieces
values = [json.loads(piece[5:]) for piece in pieces if "[DONE]" not in piece]
print("".join(c["delta"].get("content") or "" for value in values for c in value["choices"]), len(pieces) > 2)
"""
    result = project.both(asking(project, source))
    assert (result.outcome, result.answer) == ("passed", f"{REPLY['content']} True")


def test_model_tool_calls_are_checked(project):
    reply = {"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]}
    scenario = asking(project, "print(json.load(ask('hi'))['choices'][0]['finish_reason'])", replies=[reply])
    wanted = {"calls": [{"name": "lookup_order", "args": {"id": 81}}]}
    result = project.both({**scenario, "tools": wanted, "expect": {"calls": 1}})
    assert (result.outcome, result.answer) == ("passed", "tool_calls")


def test_changed_prompt_is_stale_with_word_diff(project):
    (project.root / "prompt.md").write_text("Answer the customer in a warm tone.", encoding="utf-8")
    source = "print(content_of(ask(open('prompt.md').read())))"
    project.run(asking(project, source), record="all")
    (project.root / "prompt.md").write_text("Answer the customer in a dry tone.", encoding="utf-8")
    result = project.again()
    assert result.outcome == "stale"
    assert "[-warm-] {+dry+}" in result.reasons[0]
    assert "prompt.md:1" in result.reasons[0]


def test_miss_swallowed_by_command_is_stale(project):
    swallowing = """
try:
    print(content_of(ask("Where is " + given["order"])))
except urllib.error.HTTPError as error:
    print(error.code, error.headers["x-should-retry"], json.load(error)["error"]["code"])
"""
    scenario = asking(project, swallowing)
    assert project.run(scenario, record="all").answer == REPLY["content"]
    result = project.run({**scenario, "input": {"order": "82"}})
    assert result.outcome == "stale"
    assert "82" in result.reasons[0]


def test_miss_response_says_not_to_retry(project):
    printing = """
try:
    ask("hi")
except urllib.error.HTTPError as error:
    print(error.code, error.headers["x-should-retry"], file=open("seen", "w"))
"""
    result = project.run({"command": project.asking(printing)})
    assert result.outcome == "stale"
    assert (project.root / "seen").read_text() == "400 false\n"


def test_record_stale_rerecords_only_from_changed_call_on(project):
    source = "ask('one').read(); print(content_of(ask(given['order'])))"
    scenario = asking(project, source, replies=[{"content": "First."}, {"content": "Second."}])
    assert project.run(scenario, record="all").answer == "Second."
    result = project.run({**scenario, "input": {"order": "82"}}, record="stale")
    assert (result.outcome, result.answer) == ("passed", "Second.")
    assert [call.state for call in result.calls] == ["replayed", "recorded"]


def test_call_beyond_the_script_is_errored(project):
    source = "ask('one').read(); print(content_of(ask('two')))"
    result = project.run(asking(project, source), record="all")
    assert result.outcome == "errored"
    assert "the scenario scripts 1 replies" in result.reasons[0]


def test_broken_connection_is_replayed(project):
    source = """
try:
    ask("hi").read()
except Exception as error:
    print("broken", isinstance(error, OSError) or type(error).__module__ == "http.client")
"""
    result = project.both(asking(project, source, replies=[{"fault": "reset"}]))
    assert (result.outcome, result.answer) == ("passed", "broken True")


def test_recorded_call_that_is_no_longer_made_fails(project):
    project.run(asking(project), record="all")
    project.asking("print('nothing')")
    result = project.again()
    assert result.outcome == "failed"
    assert result.reasons[0] == "recorded call 1 (chat) was never made"


def test_concurrent_calls_are_all_recorded(project):
    source = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    print(sorted({content_of(answer) for answer in pool.map(ask, map(str, range(8)))}))
"""
    replies = [{"content": f"Answer {n}.", "times": 1} for n in range(8)]
    result = project.both(asking(project, source, replies=replies))
    assert result.outcome == "passed"
    assert len(result.calls) == 8
    assert result.detail["value"] == f"{[f'Answer {n}.' for n in range(8)]}"


def test_command_environment_has_placeholder_keys_and_loopback_urls(project, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    source = """
import json, os
names = ("OPENAI_", "ANTHROPIC_", "HTTP", "http", "ALL_PROXY", "NO_PROXY")
print(json.dumps({name: value for name, value in os.environ.items() if name.startswith(names)}))
"""
    command = project.program(source)
    for record in ("none", "all"):
        found = project.run({"command": command, "passthrough": ["127.0.0.9"]}, record=record).detail["value"]
        assert found["OPENAI_API_KEY"] == found["ANTHROPIC_API_KEY"] == PLACEHOLDER
        assert found["ANTHROPIC_AUTH_TOKEN"] == PLACEHOLDER
        assert found["OPENAI_BASE_URL"].startswith("http://127.0.0.1:")
        assert found["OPENAI_BASE_URL"].endswith("/v1")
        assert found["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
        assert found["HTTPS_PROXY"] == found["http_proxy"] == found["ALL_PROXY"]
        assert found["NO_PROXY"] == "127.0.0.1,localhost,::1,127.0.0.9"


def test_live_recording_uses_configured_url_and_key(project, service, monkeypatch):
    service.body = json.dumps({"choices": [{"message": {"content": "Live."}}]}).encode()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{service.url}/gateway/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    source = "print(content_of(ask('hi', headers={'x-mine': 'kept', 'authorization': 'Bearer mine'})))"
    scenario = {"command": project.asking(source)}
    assert project.run(scenario, record="all").answer == "Live."
    ((_, path, headers, _),) = service.requests
    assert path == "/gateway/v1/chat/completions"
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["x-mine"] == "kept"
    assert project.cassette(model="live")["calls"][0]["request"]["url"] == f"{service.url}{path}"
    assert KEY.encode() not in b"".join(project.scenario_library.cassettes().values())
    service.close()
    monkeypatch.delenv("OPENAI_BASE_URL")
    replayed = project.again()
    assert (replayed.outcome, replayed.answer) == ("passed", "Live.")


def test_vendor_key_is_sent_only_to_its_vendor(project, service, monkeypatch):
    service.body = b'{"content": []}'
    monkeypatch.setenv("ANTHROPIC_BASE_URL", service.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "another-a1B2c3D4e5F6")
    source = "ask('hi', os.environ['ANTHROPIC_BASE_URL'], '/v1/messages').read()"
    scenario = {"command": project.asking(source), "invariants": []}
    assert project.run(scenario, record="all").outcome == "passed"
    ((_, path, headers, _),) = service.requests
    assert path == "/v1/messages"
    sent = {name.lower(): value for name, value in headers.items()}
    assert sent["x-api-key"] == KEY
    assert "authorization" not in sent


def test_request_outside_given_base_url_is_refused(project, service, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    source = """
import urllib.parse
base = urllib.parse.urlsplit(os.environ["OPENAI_BASE_URL"])
try:
    ask("hi", f"http://{base.netloc}/openai/v1")
except urllib.error.HTTPError as error:
    print(error.code)
"""
    assert project.run({"command": project.asking(source)}, record="all").answer == "404"
    assert service.requests == []


@pytest.mark.parametrize("status", [401, 429, 503])
def test_live_model_error_status_is_not_recorded(project, service, monkeypatch, status):
    service.status = status
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    source = "\ntry:\n    ask('hi')\nexcept urllib.error.HTTPError:\n    print('sorry')"
    result = project.run({"command": project.asking(source)}, record="all")
    assert result.outcome == "errored"
    assert f"gave no answer: status {status}" in result.reasons[0]
    assert project.scenario_library.cassettes() == {}


def test_oversized_response_is_not_recorded(project, service, monkeypatch):
    service.headers = {"content-type": "text/event-stream"}
    service.pieces = [b"data: " + b"x" * 1_000_000 + b"\n\n"] * 20
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    source = "\ntry:\n    ask('hi').read()\nexcept Exception:\n    print('sorry')"
    result = project.run({"command": project.asking(source)}, record="all")
    assert result.outcome == "errored"
    assert "unrecordable: the response of POST" in result.reasons[0]
    assert "is larger than 16,000,000 bytes" in result.reasons[0]


def test_other_http_is_recorded_through_the_proxy(project, service, monkeypatch):
    source = f"""
os.environ["no_proxy"] = os.environ["NO_PROXY"] = ""
print(json.load(urllib.request.urlopen("{service.url}/orders?id=81"))["answer"])
"""
    scenario = {"command": project.asking(source)}
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert project.run(scenario, record="all").answer == "Order 81 is on its way."
    ((method, path, headers, _),) = service.requests
    assert (method, path) == ("GET", "/orders?id=81")
    assert KEY not in str(headers)
    service.close()
    result = project.again()
    assert (result.outcome, result.answer) == ("passed", "Order 81 is on its way.")


def test_telemetry_is_refused_and_counted(project):
    source = """
for host in ("http://us.i.posthog.com/batch/", "https://us.i.posthog.com/batch/"):
    try:
        urllib.request.urlopen(urllib.request.Request(host, b"{}"))
    except OSError:
        pass
print(content_of(ask("hi")))
"""
    result = project.both(asking(project, source))
    assert result.outcome == "passed"
    assert result.telemetry == {"posthog": 2}
    assert len(project.cassette()["calls"]) == 1


@pytest.mark.parametrize("record", ["none", "all"])
def test_tls_tunnel_is_refused_and_named(project, record):
    source = """
try:
    urllib.request.urlopen("https://weather.invalid/today")
except OSError as error:
    print(error)
"""
    result = project.run({"command": project.asking(source)}, record=record)
    assert result.outcome == "errored"
    assert "the command opens a TLS tunnel to weather.invalid:443" in result.reasons[0]
    assert "`passthrough`" in result.reasons[0]


def test_non_http_request_gets_400(project):
    source = """
import socket, urllib.parse
base = urllib.parse.urlsplit(os.environ["OPENAI_BASE_URL"])
with socket.create_connection((base.hostname, base.port)) as connection:
    connection.sendall(b"hello\\r\\n\\r\\n")
    print(connection.recv(100).split(b"\\r\\n")[0].decode())
"""
    assert project.run({"command": project.asking(source)}).answer == "HTTP/1.1 400 Bad Request"


def test_failure_message_hides_the_proxy_port(project):
    source = "raise SystemExit(os.environ['OPENAI_BASE_URL'] + ' ' + os.environ['HTTP_PROXY'])"
    result = project.run({"command": project.asking(source)})
    assert result.reasons == ("exited: status 1\n  https://api.openai.com/v1 http://127.0.0.1",)


def test_waiting_call_ends_at_the_timeout(project):
    scenario = asking(project, replies=[{"content": "Late.", "delay_s": 50}], timeout_s=1)
    result = project.run(scenario, record="all")
    assert result.outcome == "errored"
    assert "timed_out: it had not ended after 1 s" in result.reasons[0]


def test_scripted_endpoint_serves_as_live_model(project, monkeypatch):
    with ScriptedEndpoint(parse_replies([REPLY])) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        scenario = {"command": project.asking(ONE_CALL), "input": {"order": "81"}}
        assert project.run(scenario, record="all").answer == REPLY["content"]
    assert project.again().answer == REPLY["content"]


SDK = """
import json, openai, sys
client = openai.OpenAI()
asked = {"model": "any", "messages": [{"role": "user", "content": json.load(sys.stdin)["order"]}]}
plain = client.chat.completions.create(**asked).choices[0].message.content
parts = client.chat.completions.create(stream=True, **asked)
print(plain, "".join(part.choices[0].delta.content or "" for part in parts if part.choices))
"""


def test_openai_sdk_works_and_does_not_retry_a_miss(project):
    replies = [{**REPLY, "times": 2}]
    scenario = {"command": project.program(SDK), "input": {"order": "81"}, "replies": replies}
    result = project.both(scenario)
    assert (result.outcome, result.answer) == ("passed", f"{REPLY['content']} {REPLY['content']}")
    stale = project.run({**scenario, "input": {"order": "82"}})
    assert (stale.outcome, len(stale.reasons)) == ("stale", 1)


def test_concurrent_runs_are_separate(project):
    names = [f"mine/run-{n}" for n in range(6)]
    for n, name in enumerate(names):
        scenario = asking(project, input={"order": str(n)}, replies=[{"content": f"Answer {n}."}])
        assert project.run(scenario, record="all", name=name).outcome == "passed"
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda name: project.again(name=name), names))
    assert [result.answer for result in results] == [f"Answer {n}." for n in range(6)]


def test_non_ascii_response_header_does_not_break_answer(project, service, monkeypatch):
    service.headers = {"content-type": "application/json", "x-greeting": "h\u00e9llo"}
    service.body = json.dumps({"choices": [{"message": {"content": "Live."}}]}).encode()
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    assert project.both({"command": project.asking("print(content_of(ask('hi')))")}).answer == "Live."


def test_gzip_response_is_decompressed(project, service, monkeypatch):
    service.headers = {"content-type": "application/json", "content-encoding": "gzip"}
    service.body = gzip.compress(json.dumps({"choices": [{"message": {"content": "Live."}}]}).encode())
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    assert project.both({"command": project.asking("print(content_of(ask('hi')))")}).answer == "Live."
