"""`compare_script`: recorded calls whose scripted reply has changed, for every API."""

from __future__ import annotations

import base64
import gzip
from itertools import product

import httpx2
import pytest

from redpen_evals.cassettes.encoding import RawBody, dump_file, encode_body, parse_body, parse_file, to_body
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.evaluation.observing import compare_script
from redpen_evals.stale.calls import ReplyChange

MESSAGES = [{"role": "user", "content": "x"}]
REQUESTS = {
    "/v1/chat/completions": {"model": "m", "messages": MESSAGES},
    "/v1/responses": {"model": "m", "input": "x"},
    "/v1/messages": {"model": "m", "messages": MESSAGES, "max_tokens": 9},
}
WAYS = [
    pytest.param(path, {**body, "stream": stream}, id=f"{path} {'stream' if stream else 'plain'}")
    for (path, body), stream in product(REQUESTS.items(), (False, True))
]
LOOKUP = {"name": "lookup_order", "args": {"id": 81}}
TWO_REPLIES = [{"tool_calls": [LOOKUP]}, {"content": "Order 81 was sent on Monday."}]


def record(replies, path, body, times=None):
    """Return the calls that an endpoint answered, as read back from a cassette."""
    with ScriptedEndpoint(parse_replies(replies)) as endpoint, httpx2.Client(trust_env=False) as client:
        count = len(replies) if times is None else times
        url = f"{endpoint.anthropic_base_url}{path}"
        return [as_call(url, client.post(url, json=body)) for _ in range(count)]


def as_call(url, response):
    return Call(
        phase="",
        request=CallRequest(method="POST", url=url, body=stored(response.request.content)),
        response=CallResponse(status=response.status_code, headers={}, body=stored(response.content)),
    )


def stored(content):
    return to_body(parse_file(dump_file(encode_body(parse_body(content)))))


@pytest.mark.parametrize(("path", "body"), WAYS)
def test_unchanged_script_has_no_outdated_calls(path, body):
    replies = [*TWO_REPLIES, {"refusal": "No."}, {"json": {"a": "ж"}}, {"status": 400}, {"body": "{"}]
    calls = record(replies, path, body)
    assert isinstance(calls[1].response.body, RawBody) == body["stream"]
    assert compare_script(parse_replies(replies), calls)[0] == {}


@pytest.mark.parametrize(
    ("changed", "excerpt"),
    [
        ({"content": "Order 82 was sent on Monday."}, "Order [-81-] {+82+} was sent on Monday."),
        ({"status": 500}, "[-status 200-] {+status 500+}"),
        ({"refusal": "No."}, "[-Order 81 was sent on Monday-] {+No+}."),
        ({"fault": "reset"}, "[-status 200-] {+a fault+}"),
    ],
)
@pytest.mark.parametrize(("path", "body"), WAYS)
def test_changed_reply_makes_its_call_outdated(path, body, changed, excerpt):
    calls = record(TWO_REPLIES, path, body)
    outdated = compare_script(parse_replies([TWO_REPLIES[0], changed]), calls)[0]
    assert outdated.keys() == {2}
    assert outdated[2].what.startswith("the scenario's reply or the cassette file has changed")
    assert excerpt in outdated[2].excerpt


@pytest.mark.parametrize(
    "tool", [{**LOOKUP, "args": {"id": 82}}, {**LOOKUP, "name": "find"}, {**LOOKUP, "id": "mine"}], ids=str
)
@pytest.mark.parametrize(("path", "body"), WAYS)
def test_changed_tool_call_makes_its_call_outdated(path, body, tool):
    calls = record(TWO_REPLIES, path, body)
    changed = parse_replies([{"tool_calls": [tool]}, TWO_REPLIES[1]])
    outdated = compare_script(changed, calls)[0]
    assert outdated.keys() == {1}
    assert "{+" in outdated[1].excerpt


@pytest.mark.parametrize(("path", "body"), WAYS)
def test_unchanged_raw_choices_are_current_in_every_api(path, body):
    replies = [{"choices": [{"index": 0, "message": {"content": "a b c d"}, "finish_reason": "stop"}]}]
    assert compare_script(parse_replies(replies), record(replies, path, body))[0] == {}


@pytest.mark.parametrize(("path", "body"), WAYS)
def test_packed_reply_is_compared_unpacked(path, body):
    def packed(text):
        content = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
        return [{"status": 200, "body_base64": content, "headers": {"Content-Encoding": "gzip"}}]

    calls = record(packed('{"order": 81}'), path, body)
    assert compare_script(parse_replies(packed('{"order": 81}')), calls)[0] == {}
    assert compare_script(parse_replies(packed('{"order": 82}')), calls)[0].keys() == {1}


def test_calls_without_scripted_reply_are_skipped():
    path, body = "/v1/responses", {"model": "m", "input": "x"}
    calls = record(TWO_REPLIES, path, body)
    (refused,) = record([], path, {"model": "m"}, times=1)
    tool = Call(
        phase="",
        request=CallRequest(method="POST", url="http://shop.invalid/orders/81", body=stored(b"{}")),
        response=CallResponse(status=200, headers={}, body=stored(b"{}")),
    )
    mixed = [tool, calls[0], refused, tool, calls[1]]
    assert compare_script(parse_replies(TWO_REPLIES), mixed)[0] == {}
    changed = parse_replies([TWO_REPLIES[0], {"content": "Another text."}])
    assert compare_script(changed, mixed)[0].keys() == {5}


def test_call_whose_reply_was_removed_is_outdated():
    path, body = "/v1/responses", {"model": "m", "input": "x"}
    calls = record(TWO_REPLIES, path, body)
    assert compare_script(parse_replies(TWO_REPLIES[:1]), calls)[0] == {
        2: ReplyChange(what="the scenario no longer scripts a reply to it")
    }


@pytest.mark.parametrize("passing", [{"status": 429}, {"status": 500}, {"fault": "drop"}])
def test_retried_replies_are_counted_when_calls_are_matched(passing):
    path, body = "/v1/responses", {"model": "m", "input": "x"}
    replies = parse_replies([{**passing, "times": 2}, *TWO_REPLIES])
    with ScriptedEndpoint(replies, skip=2) as endpoint, httpx2.Client(trust_env=False) as client:
        url = f"{endpoint.anthropic_base_url}{path}"
        calls = [as_call(url, client.post(url, json=body)) for _ in range(2)]
    assert compare_script(replies, calls)[0] == {}
    # With the first reply removed, the numbers of the replies no longer match.
    assert compare_script(replies[1:], calls)[0].keys() == {1, 2}


def test_connection_failure_is_current_only_for_scripted_fault_or_delay():
    request = CallRequest(
        method="POST",
        url="http://scripted.invalid/v1/responses",
        body=stored(b'{"model": "m", "input": "x"}'),
    )
    failed = Call(phase="", request=request, response=CallFailure(failure="ReadError", message="cut"))
    assert compare_script(parse_replies([{"fault": "reset"}]), [failed])[0] == {}
    assert compare_script(parse_replies([{"content": "x", "delay_s": 1}]), [failed])[0] == {}
    assert compare_script(parse_replies([{"content": "x"}]), [failed])[0].keys() == {1}
