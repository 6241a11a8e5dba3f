"""Matching of requests with recordings by method, URL and canonical body; credentials and volatile values."""

from __future__ import annotations

import gzip
import urllib.parse
import urllib.request

import httpx2
import pytest

from redpen_evals.cassettes.encoding import body_bytes
from redpen_evals.cassettes.matching import read_volatile
from redpen_evals.traffic.bodies import BOUNDARY, canonical_content, without_credentials

FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}


@pytest.fixture
def compare(traffic):
    """Give a function that records one request and replays another; it returns the match and the call."""
    server = traffic.serve_http(
        (200, {"content-type": "application/json", "x-request-id": "r-1"}, [b'{"n": 1}'])
    )

    def compared(first, second, **scope):
        recorded, calls = traffic.record(ask(server.url, **first), **scope)
        replayed = traffic.replay(ask(server.url, **second), calls, **scope)
        assert (recorded, len(server.asked)) == ((200, {"n": 1}), 1)
        return replayed == recorded, calls[0]

    return compared


def ask(base_url, *, method="POST", path="/v1/lookup", **options):
    """Return a function that makes one request and returns status and value of the answer."""

    def work():
        with httpx2.Client(trust_env=False) as client:
            response = client.request(method, base_url + path, **options)
            return response.status_code, response.json()

    return work


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"content": b'{"a": 1, "b": [1.0]}'}, {"content": b'{"b":[1],"a":1}'}),
        ({"content": b"b=2&a=1", "headers": FORM}, {"content": b"a=1&b=2", "headers": FORM}),
        ({"content": b"a=1+1&b=", "headers": FORM}, {"content": b"b=&a=1%201", "headers": FORM}),
        ({"content": b"a=1&password=x", "headers": FORM}, {"content": b"password=y&a=1", "headers": FORM}),
        (
            {"content": gzip.compress(b'{"a": 1}', mtime=1), "headers": {"content-encoding": "gzip"}},
            {"content": gzip.compress(b'{"a": 1}', mtime=2), "headers": {"content-encoding": "gzip"}},
        ),
        ({"path": "/v1?key=AAA&q=x"}, {"path": "/v1?key=BBB&q=x"}),
        ({"method": "GET"}, {"method": "GET", "headers": {"x-other": "1"}}),
        ({"files": {"f": ("a.txt", b"text")}}, {"files": {"f": ("a.txt", b"text")}}),
    ],
    ids=str,
)
def test_equivalent_requests_match_and_hide_credentials(compare, first, second):
    matches, call = compare(first, second)
    assert matches
    kept = call.request.url + repr(body_bytes(call.request.body))
    assert not any(secret in kept for secret in ("AAA", "password=x"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"content": b'{"a": 1}'}, {"content": b'{"a": true}'}),
        ({"content": b'{"a": "x"}'}, {"content": b'{"a": "x "}'}),
        ({"content": b"a=1&a=2", "headers": FORM}, {"content": b"a=2&a=1", "headers": FORM}),
        ({"content": b"b=2&a=1"}, {"content": b"a=1&b=2"}),
        ({"path": "/v1?key=AAA&q=x"}, {"path": "/v1?key=AAA&q=y"}),
        ({"path": "/v1?q=x"}, {"path": "/v1?q=x&q=x"}),
        ({"method": "GET"}, {"method": "POST"}),
        ({"files": {"f": ("a.txt", b"text")}}, {"files": {"f": ("a.txt", b"texts")}}),
    ],
    ids=str,
)
def test_different_request_is_a_miss(compare, traffic, first, second):
    matches, _ = compare(first, second)
    assert (matches, len(traffic.scope.cassette.misses), traffic.attempts) == (False, 1, ())


def test_multipart_body_is_stored_with_fixed_boundary(compare):
    _, call = compare({"files": {"f": ("a.txt", b"-- text")}}, {"files": {"f": ("a.txt", b"-- text")}})
    content = body_bytes(call.request.body)
    assert content.startswith(b"--" + BOUNDARY + b"\r\n")
    assert content.endswith(b"-- text\r\n--" + BOUNDARY + b"--\r\n")


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b"--b\r\n\r\ntext with b and --bb\r\n--b--\r\n", "multipart/form-data"),
        (b"\xff=%ff", "text/plain"),
        (b"", "multipart/form-data; boundary=b"),
        (b"no parts", 'multipart/mixed; boundary="b"'),
    ],
)
def test_content_that_does_not_fit_its_type_is_unchanged(content, content_type):
    assert canonical_content(content, content_type) == content


def test_only_multipart_delimiters_are_replaced():
    content = b"--b\r\n\r\nhas --b inside, and --bb\r\n--bb\r\n--b--\r\n"
    fixed = canonical_content(content, 'multipart/form-data; boundary="b"')
    assert fixed == b"--%b\r\n\r\nhas --b inside, and --bb\r\n--bb\r\n--%b--\r\n" % (BOUNDARY, BOUNDARY)


def test_undecodable_form_bytes_stay_distinct():
    forms = {canonical_content(content, FORM["content-type"]) for content in (b"a=%ff", b"a=%fe", b"a=\xfd")}
    assert len(forms) == 3


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://u:p@h.invalid/a?b=@", "https://h.invalid/a?b=@"),
        ("https://h.invalid/a?key=1&q=%2F", "https://h.invalid/a?key=REDACTED&q=%2F"),
        ("https://h.invalid/a?X-Amz-Signature=1&x-goog-signature=2", None),
        ("https://h.invalid/a?api-key=1&access_token=2&refresh_token=3&client_secret=4#top", None),
        ("https://h.invalid/a/key?monkey=1&tokens=9", "https://h.invalid/a/key?monkey=1&tokens=9"),
        ("https://h.invalid/a@b", "https://h.invalid/a@b"),
    ],
)
def test_credentials_are_removed_from_url(url, kept):
    found = without_credentials(url)
    if kept is not None:
        assert found == kept
    values = urllib.parse.parse_qs(urllib.parse.urlsplit(found).query)
    assert not {"1", "2", "3", "4"} & {value for name in values if name != "monkey" for value in values[name]}


def test_volatile_values_are_neither_compared_nor_stored(compare):
    volatile = read_volatile(["$.meta.id", "$.items[*].at", "header:etag"])
    first = {"json": {"meta": {"id": "one"}, "items": [{"at": 1, "n": 1}, {"at": 2}], "q": "x"}}
    second = {"json": {"meta": {"id": "two"}, "items": [{"at": 3, "n": 1}, {"at": 4}], "q": "x"}}
    matches, call = compare(first, second, volatile=volatile)
    assert matches
    assert call.request.body.value == {
        "meta": {"id": "(volatile)"},
        "items": [{"at": "(volatile)", "n": 1}, {"at": "(volatile)"}],
        "q": "x",
    }


def test_other_values_are_compared_beside_volatile_ones(compare):
    volatile = read_volatile(["$.meta.id"])
    matches, _ = compare(
        {"json": {"meta": {"id": 1}, "q": "x"}}, {"json": {"meta": {"id": 2}, "q": "y"}}, volatile=volatile
    )
    assert not matches


def test_old_recording_matches_after_path_became_volatile(traffic):
    server = traffic.serve_http((200, JSON, [b'{"n": 1}']))
    recorded, calls = traffic.record(ask(server.url, json={"id": "one", "q": "x"}))
    volatile = read_volatile(["$.id"])
    assert traffic.replay(ask(server.url, json={"id": "two", "q": "x"}), calls, volatile=volatile) == recorded


def test_equal_requests_are_replayed_in_order(traffic):
    server = traffic.serve_http(*((200, JSON, [b'{"n": %d}' % at]) for at in range(3)))

    def work():
        return [ask(server.url)()[1]["n"] for _ in range(3)]

    recorded, calls = traffic.record(work)
    assert recorded == [0, 1, 2]
    assert traffic.replay(work, calls) == recorded


def test_redirect_is_followed_in_replay(traffic):
    server = traffic.serve_http((307, {"location": "/second?token=T1"}, []), (200, JSON, [b'{"n": 2}']))

    def work():
        request = urllib.request.Request(f"{server.url}/first")  # noqa: S310 - an address of the test's own
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
            return response.read(), urllib.parse.urlsplit(response.url).path

    recorded, calls = traffic.record(work)
    assert recorded == (b'{"n": 2}', "/second")
    assert traffic.replay(work, calls) == (b'{"n":2}', "/second")
    assert "T1" not in str(calls)
