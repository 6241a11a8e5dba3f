"""Tokens of a recorded call, whatever the API counts them in."""

from __future__ import annotations

import pytest

from redpen_evals.cassettes.encoding import parse_body
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse
from redpen_evals.stale.calls import tokens_of

STREAM = (
    b'event: message_start\ndata: {"type": "message_start", "message": {"usage": {"input_tokens": 7}}}\n\n'
    b'event: message_delta\ndata: {"type": "message_delta", "usage": {"output_tokens": 3}}\n\n'
)


def _call(path, response):
    url = f"https://model.example/v1/{path}"
    request = CallRequest(method="POST", url=url, body=parse_body(b"{}"))
    return Call(phase="", request=request, response=response)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("chat/completions", b'{"usage": {"prompt_tokens": 7, "completion_tokens": 3}}'),
        ("responses", b'{"usage": {"input_tokens": 7, "output_tokens": 3}}'),
        ("messages", b'{"usage": {"input_tokens": 7, "output_tokens": 3}}'),
        ("messages", STREAM),
    ],
)
def test_every_api_is_counted(path, body):
    assert tokens_of(_call(path, CallResponse(status=200, headers={}, body=parse_body(body)))) == (7, 3)


def test_a_failure_has_none():
    assert tokens_of(_call("responses", CallFailure(failure="ReadError", message=""))) == (None, None)
