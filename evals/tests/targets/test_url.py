"""Agents behind a URL: one HTTP call, recorded and replayed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

CANARY = "canary-" + "t0k3n-a1B2c3D4"


def calling(service, **more):
    """Return a scenario that calls the service."""
    return {"url": f"{service.url}/reply", "input": {"ticket": "Where is order 81?"}, **more}


def test_input_is_sent_as_body_and_answer_is_replayed(project, service):
    assert project.run(calling(service), record="all").outcome == "passed"
    ((method, path, headers, body),) = service.requests
    assert (method, path, headers["content-type"]) == ("POST", "/reply", "application/json")
    assert json.loads(body) == {"ticket": "Where is order 81?"}
    service.close()
    result = project.again()
    assert (result.outcome, result.answer) == ("passed", "Order 81 is on its way.")
    assert [(call.phase, call.state) for call in result.calls] == [("post", "replayed")]


def test_replay_sends_no_request(project, service):
    project.run(calling(service), record="all")
    project.again()
    project.again()
    assert len(service.requests) == 1


def test_missing_cassette_is_stale(project, service):
    result = project.run(calling(service))
    assert result.outcome == "stale"
    assert "there is no recording" in result.reasons[0]
    assert service.requests == []


def test_changed_input_is_stale_with_diff(project, service):
    project.run(calling(service), record="all")
    result = project.run(calling(service, input={"ticket": "Where is order 82?"}))
    assert result.outcome == "stale"
    assert "ticket changed" in result.reasons[0]
    assert "81" in result.reasons[0]


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_put_and_patch_are_recorded(project, service, method):
    assert project.both(calling(service, method=method)).outcome == "passed"
    assert service.requests[0][0] == method


def test_get_sends_input_in_the_query(project, service):
    scenario = {"url": f"{service.url}/reply?v=1", "method": "GET", "input": {"q": "a b&c", "n": [1, True]}}
    assert project.both(scenario).outcome == "passed"
    ((method, path, headers, body),) = service.requests
    assert (method, path, body) == ("GET", "/reply?v=1&q=a+b%26c&n=%5B1%2C+true%5D", b"")
    assert "content-type" not in headers


def test_headers_expand_variables_and_are_not_saved(project, service, monkeypatch):
    monkeypatch.setenv("SHOP_ACCESS", CANARY)
    scenario = calling(service, headers={"Authorization": "Bearer ${SHOP_ACCESS}", "x-plain": "yes"})
    assert project.run(scenario, record="all").outcome == "passed"
    headers = {name.lower(): value for name, value in service.requests[0][2].items()}
    assert (headers["authorization"], headers["x-plain"]) == (f"Bearer {CANARY}", "yes")
    saved = b"".join(project.scenario_library.cassettes().values()).decode()
    assert CANARY not in saved
    assert "x-plain" not in saved
    monkeypatch.delenv("SHOP_ACCESS")
    assert project.again().outcome == "passed"


def test_unset_variable_in_header_is_errored_with_line(project, service, monkeypatch):
    monkeypatch.setenv("SHOP_ACCESS", CANARY)
    monkeypatch.delenv("SHOP_ACCES", raising=False)
    result = project.run(calling(service, headers={"authorization": "Bearer ${SHOP_ACCES}"}), record="all")
    assert result.outcome == "errored"
    message = "the environment variable SHOP_ACCES is not set (did you mean `SHOP_ACCESS`?)"
    assert result.reasons == (f"scenarios/mine/one.yaml:5: {message}",)
    assert service.requests == []


def test_invalid_header_value_is_errored_without_the_value(project, service, monkeypatch):
    monkeypatch.setenv("SHOP_ACCESS", f"{CANARY}\r\nx-more: 1")
    result = project.run(calling(service, headers={"authorization": "${SHOP_ACCESS}"}), record="all")
    assert result.outcome == "errored"
    assert "its value has a character that is invalid in headers" in result.reasons[0]
    assert CANARY not in result.model_dump_json()
    assert service.requests == []


def test_answer_with_value_of_header_variable_is_not_saved(project, service, monkeypatch):
    monkeypatch.setenv("SHOP_ACCESS", CANARY)
    service.body = json.dumps({"answer": f"You are {CANARY}."}).encode()
    result = project.run(calling(service, headers={"x-access": "${SHOP_ACCESS}"}), record="all")
    assert result.outcome == "errored"
    assert "contains the value of the variable SHOP_ACCESS" in result.reasons[0]
    assert CANARY not in result.model_dump_json()
    assert project.scenario_library.cassettes() == {}


def test_credentials_in_url_are_refused(project):
    result = project.run({"url": "http://me:secret@127.0.0.1:9/reply"}, record="all")
    assert result.outcome == "errored"
    assert "contains credentials" in result.reasons[0]
    assert "secret" not in result.reasons[0]


def test_status_404_is_recorded_and_fails(project, service):
    service.status, service.body = 404, b"no such order"
    result = project.both(calling(service))
    assert (result.outcome, result.reasons) == ("failed", ("status 404: no such order",))
    assert result.stop_reason == "status:404"


def test_error_status_can_be_expected(project, service):
    service.status = 403
    assert project.both(calling(service, expect={"raises": "status:403"})).outcome == "passed"


def test_redirect_is_not_followed_and_fails(project, service):
    service.status, service.headers = 307, {"location": "/elsewhere"}
    result = project.both(calling(service))
    assert result.reasons == ("status 307: a redirect to /elsewhere, which is not followed",)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_server_error_is_not_recorded(project, service, status):
    service.status = status
    result = project.run(calling(service), record="all")
    assert result.outcome == "errored"
    assert result.reasons == (f"nothing was saved: {service.url}/reply gave no answer: status {status}",)
    assert project.scenario_library.cassettes() == {}


def test_recorded_server_error_fails_in_replay(project, service):
    project.run(calling(service), record="all")
    path = project.scenario_library.cassette("mine/one", "live")
    saved = json.loads(path.read_text(encoding="utf-8"))
    # An edit is an error of its own, but recordings of the first version had no digest.
    del saved["sha256"]
    saved["redpen_cassette"] = 1
    saved["calls"][0]["response"] |= {"status": 503, "body": {"error": "out of order"}}
    path.write_text(json.dumps(saved), encoding="utf-8")
    result = project.again()
    assert (result.outcome, result.reasons) == ("failed", ('status 503: {"error":"out of order"}',))
    saved["calls"][0]["response"] = {"failure": "ConnectError", "message": "ConnectError"}
    path.write_text(json.dumps(saved), encoding="utf-8")
    result = project.again()
    assert (result.outcome, result.reasons) == ("failed", ("no_answer: ConnectError",))


def test_unreachable_service_is_not_recorded(project, service):
    service.close()
    result = project.run(calling(service), record="all")
    assert result.outcome == "errored"
    assert result.reasons == (f"nothing was saved: {service.url}/reply gave no answer: ConnectError",)
    assert project.scenario_library.cassettes() == {}


def test_service_timeout_is_not_recorded(project, silent_url):
    result = project.run({"url": f"{silent_url}/reply", "timeout_s": 0.4}, record="all")
    assert result.outcome == "errored"
    assert result.reasons == ("nothing was saved: timed_out: it had not answered after 0.4 s",)


def test_server_error_keeps_the_old_cassette(project, service):
    project.run(calling(service), record="all")
    before = project.scenario_library.cassettes()
    service.status = 500
    project.again(record="all")
    assert project.scenario_library.cassettes() == before


def test_each_turn_sends_the_conversation(project, service):
    turns = [{"user": "Where is it?", "expect": {"contains": ["81"]}}, {"user": "Thanks."}]
    result = project.both(calling(service, turns=turns))
    assert result.outcome == "passed"
    first, second = service.bodies
    assert first["ticket"] == "Where is order 81?"
    assert first["message"] == "Where is it?"
    assert first["messages"] == [{"role": "user", "content": "Where is it?"}]
    assert second["messages"] == [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "Order 81 is on its way."},
        {"role": "user", "content": "Thanks."},
    ]


def test_publishes_path_selects_text_of_answer(project, service):
    service.body = b'{"email": {"body": "Order 81.", "cc": null}}'
    scenario = calling(service, publishes="email.body", expect={"absent": ["email.bcc"]})
    result = project.both(scenario)
    assert (result.outcome, result.answer) == ("passed", "Order 81.")


def test_plain_text_answer_is_accepted(project, service):
    service.headers, service.body = {"content-type": "text/plain"}, "Bestellung 81 läuft.\n".encode()
    assert project.both(calling(service)).answer == "Bestellung 81 läuft."


def test_binary_answer_is_errored(project, service):
    service.headers, service.body = {"content-type": "image/png"}, b"\x89PNG\xff"
    result = project.run(calling(service), record="all")
    assert result.outcome == "errored"
    assert result.reasons == ("scenarios/mine/one.yaml:2: the answer is not UTF-8 text: at byte 0",)


def test_oversized_answer_is_not_recorded(project, service):
    service.headers, service.pieces = {}, [b"x" * 1_000_000] * 20
    result = project.run(calling(service), record="all")
    assert result.outcome == "errored"
    assert "is larger than 16,000,000 bytes" in result.reasons[0]
    assert project.scenario_library.cassettes() == {}


def test_answer_is_checked_against_context(project, service):
    service.body = b'{"answer": "Checkout is degraded for 99% of attempts."}'
    result = project.both(calling(service, context="payments"))
    assert result.outcome == "failed"
    assert result.reasons[0].startswith("grounded_in_context: ")


def test_http_proxy_of_environment_is_used(project, service, monkeypatch):
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", service.url)
    assert project.run({"url": "http://shop.invalid/reply"}, record="all").outcome == "passed"
    assert service.requests[0][1] == "http://shop.invalid/reply"


def test_concurrent_replays_are_separate(project, service):
    names = [f"mine/run-{n}" for n in range(6)]
    for name in names:
        assert (
            project.run(calling(service, input={"name": name}), record="all", name=name).outcome == "passed"
        )
    service.close()
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda name: project.again(name=name), names))
    assert [(result.scenario, result.outcome) for result in results] == [(name, "passed") for name in names]


def test_key_in_query_is_neither_reported_nor_saved(project, service):
    scenario = {"url": f"{service.url}/reply?api_key={CANARY}"}
    assert project.both(scenario).outcome == "passed"
    assert CANARY in service.requests[0][1]
    assert CANARY.encode() not in b"".join(project.scenario_library.cassettes().values())
    service.status = 503
    assert CANARY not in project.again(record="all").reasons[0]
