"""Strategies of the answers of a broken server: almost valid HTTP, and completions of any shape."""

from __future__ import annotations

import gzip
import itertools
import json
from typing import Any

from hypothesis import strategies as st

from property_support.plans import judgements
from property_support.raw_endpoint import Step
from redpen.agents.planners import fixed_plan
from redpen_evals.fuzz.building import any_texts

_STATUS_LINES = (
    *[b"HTTP/1.1 200 OK"] * 20, b"HTTP/1.0 200 OK", b"HTTP/1.1 200",
    b"HTTP/1.1 204 No Content", b"HTTP/1.1 206 Part", b"HTTP/1.1 301 Moved", b"HTTP/1.1 304 Same",
    b"HTTP/1.1 307 Elsewhere", b"HTTP/1.1 400 Bad", b"HTTP/1.1 401 Who", b"HTTP/1.1 403 No",
    b"HTTP/1.1 408 Late", b"HTTP/1.1 413 Large", b"HTTP/1.1 429 Many", b"HTTP/1.1 500 Broken",
    b"HTTP/1.1 502 <html>", b"HTTP/1.1 529 Full", b"HTTP/1.1 999 Odd", b"HTTP/1.1 20 OK", b"HTTP/1.1 -1 OK",
    b"HTTP/2 200", b"HTTP/9.9 200 OK", b"http/1.1 200 ok", b"ICY 200 OK", b"SSH-2.0-x", b"", b"\x00\xff",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", b"HTTP/1.1 101 Switch", b"HTTP/1.1 103 Hints",
    b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK",
)  # fmt: skip
_HEADERS = (
    b"Content-Length: 0", b"Content-Length: 1", b"Content-Length: -1", b"Content-Length: 1e3",
    b"Content-Length: 99999999999999999999", b"Content-Length: 7, 7", b"Content-Length:",
    b"Content-Length: 5\x00", b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity",
    b"Transfer-Encoding: gzip, chunked",
    b"Content-Encoding: gzip", b"Content-Encoding: deflate", b"Content-Encoding: br", b"Content-Encoding: z",
    b"Content-Encoding: gzip, gzip", b"Content-Encoding: ,", b"Content-Encoding: identity",
    b"Content-Type: application/json", b"Content-Type: text/html; charset=utf-16", b"Content-Type: \xff",
    b"Content-Type: application/json; charset=rot13", b"Content-Type: text/plain; charset=idna",
    b"Connection: close", b"Connection: keep-alive", b"Connection: upgrade\r\nUpgrade: h2c",
    b"Retry-After: 7", b"Retry-After: -1", b"Retry-After: 1e999", b"Retry-After: Fri, 99 Mar 2026 25:61:61",
    b"x-should-retry: true", b"x-request-id: \xff\xfe", b"Location: http://127.0.0.1:1/v1",
    b"Location: http://[", b"Location: //", b"Location: \xff", b"Set-Cookie: a=b; Max-Age=9999999999999999",
    b"Set-Cookie: \xff=\x01", b" folded: x", b"no colon", b": no name", b"X: " + b"a" * 9_000,
    b"Date: yesterday", b"WWW-Authenticate: Basic", b"Trailer: X",
)  # fmt: skip
_CHUNKS = (
    b"0\r\n\r\n",
    b"-1\r\n",
    b"zz\r\n",
    b"FFFFFFFFFFFFFFFFF\r\n",
    b"1;x=y\r\n{\r\n",
    b"5\r\n{}\r\n",
    b"\r\n",
)
_TEXTS = (
    "", "{}", "[]", "null", "NaN", '{"draft": NaN}', '{"draft": "a", "draft": "b"}', '{"draft": "\\ud800"}',
    '{"draft": 1e999, "revised_answer": -0.0}', "[" * 5_000, '{"a":' * 3_000, "9" * 5_000,
    '```json\n{"draft": "x"}\n```', '{"draft": "x"} {"draft": "y"}', '\ufeff{"draft": "x"}', "\x00",
    '{"draft": "', '{"draft": "x", "__proto__": {}}', '{"\\u0000": 1}', "<html>", "Sure! Here it is:",
)  # fmt: skip
# Arbitrary JSON values would take longer to draw than the rest of a case.
_ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 10**400, 0.5, float("nan"), float("inf"), "", " ", "x", "\ud800", "null",
    [], [[]], [None], ["x", 1], {}, {"": {}}, {"message": None}, {"content": "{}"}, {"code": {"a": [1]}},
    {"message": "full", "code": "content_filter"}, [{"message": {"content": "{}"}}], ["\udfff"],
)  # fmt: skip
_GOOD: tuple[dict[str, Any], ...] = (
    {"draft": "Checkout in the US is degraded. We check payment failures every 15 minutes."},
    {"revised_answer": "Checkout in the US is still degraded. We check payment failures every 15 minutes."},
    {"decision": "approve"},
    {
        "decision": "revise",
        "severity": "low",
        "risks": [{"type": "overconfidence", "note": "too bold"}],
        "issues": [{"type": "overconfidence", "note": "too bold"}],
        "required_changes": ['ADD "still"'],
        "fix_plan": ['ADD "still"'],
    },
    fixed_plan("", {"request": {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_1"}}),
)


def completions() -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of chat completions: valid ones, and ones with keys of any shape."""
    spare = st.sampled_from(_ODD)
    good = st.sampled_from(_GOOD)
    nearly = st.builds(_changed, good, st.integers(0, 9), spare)
    answers = _mixed((3, good), (3, nearly), (1, judgements())).map(json.dumps)
    content = _mixed((6, answers), (2, st.sampled_from(_TEXTS)), (1, any_texts()), (1, spare))
    message = st.fixed_dictionaries(
        {"content": content},
        optional={"refusal": st.sampled_from(["", None, None, "No.", 1]), "tool_calls": spare, "role": spare},
    )
    finishes: list[Any] = ["stop"] * 6 + ["length", "content_filter", "tool_calls", None, {}]
    finish = st.sampled_from(finishes)
    choice = st.fixed_dictionaries({"message": message}, optional={"finish_reason": finish, "index": spare})
    choices = st.lists(choice, min_size=1, max_size=2)
    whole = st.fixed_dictionaries({"choices": choices}, optional={"usage": spare, "error": spare})
    odd = st.fixed_dictionaries({}, optional={"choices": spare, "error": spare})
    return _mixed((9, whole), (1, odd))


def http_answers(*, echo: str) -> st.SearchStrategy[list[Step]]:
    """Return a strategy of the steps of a server on one connection.

    Args:
        echo: a text that the server may send anywhere, such as the key of the request.
    """
    reported = echo.encode("ascii")
    header = _mixed(
        (8, st.sampled_from(_HEADERS)),
        (1, st.sampled_from([b"X-Echo: " + reported, b"Content-Encoding: " + reported, reported])),
        (1, st.binary(max_size=12)),
    )
    error = st.sampled_from([*_ODD, {"message": echo, "code": echo}]).map(lambda value: {"error": value})
    body = _mixed(
        (4, completions().map(_as_json)),
        (2, error.map(_as_json)),
        (1, st.sampled_from([reported, b"<html>" + reported, b""])),
        (1, st.binary(max_size=60)),
    )
    whole = st.builds(
        _response,
        st.sampled_from(_STATUS_LINES),
        _mixed((2, st.just([])), (1, st.lists(header, max_size=3))),
        body,
        st.sampled_from(("length",) * 5 + ("chunks", "chunks", "wrong", "broken", "none")),
        st.sampled_from((False, False, True)),
    )
    garbage = st.lists(st.binary(max_size=80), max_size=2)
    change = st.tuples(st.integers(0, 2_000), st.binary(max_size=6))
    return st.builds(
        _pieces,
        _mixed((9, whole.map(lambda message: [message])), (1, st.lists(whole, max_size=2)), (1, garbage)),
        _mixed((3, st.just([])), (1, st.lists(change, max_size=2))),
        st.lists(st.integers(0, 2_000), max_size=2),
        st.sampled_from(("close",) * 8 + ("reset", "cut")),
    )


def _mixed(*shares: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    # A union counts equal strategies once, and each part of a nested union.
    return st.one_of(*(st.tuples(part).map(_only) for share, part in shares for _ in range(share)))


def _only(drawn: tuple[Any]) -> Any:
    return drawn[0]


def _changed(answer: dict[str, Any], place: int, value: Any) -> dict[str, Any]:
    keys = list(answer)
    return {**answer, keys[place]: value} if place < len(keys) else answer


def _as_json(value: object) -> bytes:
    return json.dumps(value).encode("ascii")


def _response(line: bytes, headers: list[bytes], body: bytes, framing: str, is_packed: bool) -> bytes:
    if is_packed:
        body = gzip.compress(body, mtime=0)
        headers = [*headers, b"Content-Encoding: gzip"]
    match framing:
        case "length":
            headers = [*headers, b"Content-Length: %d" % len(body)]
        case "wrong":
            headers = [*headers, b"Content-Length: %d" % (len(body) // 2 + 1)]
        case "chunks":
            headers = [*headers, b"Transfer-Encoding: chunked"]
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        case "broken":
            headers = [*headers, b"Transfer-Encoding: chunked"]
            body = b"%x\r\n%b\r\n" % (len(body), body) + _CHUNKS[len(body) % len(_CHUNKS)]
    return b"\r\n".join([line, *headers, b"", body])


def _pieces(messages: list[bytes], changes: list[tuple[int, bytes]], cuts: list[int], end: str) -> list[Step]:
    data = b"".join(messages)
    for at, change in changes:
        data = data[:at] + change + data[at + len(change) :]
    if end == "cut":
        data = data[: len(data) * 2 // 3]
    places = [0, *sorted(cuts), len(data)]
    pieces: list[Step] = [data[start:stop] for start, stop in itertools.pairwise(places)]
    return [*pieces, "reset"] if end == "reset" else pieces
