"""Matching of requests to recorded calls."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.cassettes.encoding import JsonBody, RawBody, parse_body
from redpen_evals.cassettes.file import CallRequest
from redpen_evals.cassettes.matching import CallIndex, canonical, request_key

URL = "http://scripted.invalid/v1/chat/completions"
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=3), children, max_size=4)
    ),
    max_leaves=12,
)


def _shuffled(value, source):
    if isinstance(value, dict):
        items = [(key, _shuffled(item, source)) for key, item in value.items()]
        source.shuffle(items)
        return dict(items)
    return [_shuffled(item, source) for item in value] if isinstance(value, list) else value


def _request(content, *, method="POST", url=URL):
    return CallRequest(method=method, url=url, body=parse_body(content))


@given(VALUES, st.randoms(use_true_random=False), st.sampled_from([None, 0, 3]), st.booleans())
def test_match_ignores_key_order_and_white_space(value, source, indent, escaped):
    content = json.dumps(_shuffled(value, source), indent=indent, ensure_ascii=escaped).encode()
    assert canonical(parse_body(content)) == canonical(JsonBody(value))
    assert CallIndex([_request(json.dumps(value).encode())]).take("POST", URL, content) == 0


@given(VALUES, VALUES)
def test_any_changed_value_prevents_match(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical(JsonBody(one)) == canonical(JsonBody(other))) == same


def test_numbers_are_normalised_and_types_distinguished():
    assert canonical(parse_body(b"[1.0, 1e2, -0.0]")) == canonical(parse_body(b"[1, 100, 0]"))
    assert (
        len({canonical(parse_body(text)) for text in (b"1", b"true", b'"1"', b"1.5", b"null", b"[1]")}) == 6
    )


def test_json_in_string_is_compared_as_string():
    assert canonical(JsonBody('{"a": 1}')) != canonical(JsonBody('{"a":1}'))


def test_raw_body_never_matches_json_body():
    assert canonical(RawBody(b"{}")) != canonical(JsonBody({}))
    assert request_key(_request(b"a")) != request_key(_request(b"b"))


def test_method_and_url_must_match_except_for_their_spelling():
    def key(method, url):
        return request_key(_request(b"1", method=method, url=url))

    assert key("post", "http://h") == key("POST", "http://h/")
    assert key("GET", "http://H:80/a b?q=1") == key("GET", "http://h/a%20b?q=1")
    assert key("GET", "not a url") != key("GET", "http://[")
    assert key("GET", URL) != key("POST", URL)
    assert key("GET", URL + "?a=1") != key("GET", URL)


def test_identical_requests_are_matched_in_order_and_once():
    index = CallIndex([_request(b'{"a": 1, "b": 2}'), _request(b"[]"), _request(b'{"a": 1, "b": 2}')])
    same = (b'{"a":1,"b":2}', b'{"b": 2, "a": 1}', b'{"a":1,"b":2}')
    assert [index.take("POST", URL, content) for content in same] == [0, 2, None]
    assert index.take("POST", URL, b"[]") == 1


def test_recordings_are_found_in_any_order():
    contents = [json.dumps({"call": number % 7}).encode() for number in range(40)]
    index = CallIndex(map(_request, contents))
    random.Random(1).shuffle(contents)  # noqa: S311 - no secret
    assert sorted(index.take("POST", URL, content) for content in contents) == list(range(40))
