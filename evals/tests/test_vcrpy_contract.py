"""What the cassette layer uses of vcrpy without a promise by it: this says when a release moves it."""

from __future__ import annotations

import inspect
from importlib import metadata

import httpx2
import pytest
from vcr.cassette import Cassette
from vcr.record_mode import RecordMode
from vcr.request import Request
from vcr.stubs import httpx_stubs

from redpen_evals.cassettes.cassette import RunCassette
from redpen_evals.cassettes.file import FAILURES


class Spy:
    """A cassette that notes what the stub asks of it."""

    def __init__(self, *, playable=False):
        """Start with an empty note."""
        self.asked = []
        self.playable = playable

    def __getattr__(self, name):
        """Note every access but those to own attributes."""
        self.asked.append(name)
        if name == "can_play_response_for":
            return lambda _request: self.playable
        if name == "write_protected":
            return False
        if name == "play_response":
            return lambda _request: {
                "status": {"code": 200, "message": None},
                "headers": {"a": ("1", "2")},
                "body": {"string": b"played"},
            }
        if name == "append":
            return lambda request, response: self.asked.append((request, response))
        raise AssertionError(f"the stub asks for {name}, which it did not when this was written")


def _request():
    return httpx2.Request("POST", "http://h.invalid/v1", content=b"{}", headers={"x-one": "1"})


def _handler(cassette, answer):
    return httpx_stubs.vcr_handle_request(cassette, answer, httpx2)


def test_the_release_is_one_that_the_layer_was_written_for():
    major, minor, *_ = map(int, metadata.version("vcrpy").split("."))
    assert (9, 4) <= (major, minor) < (10, 0)


def test_the_recording_stub_asks_send_and_append_and_nothing_else():
    spy = Spy()
    sent = []

    def answer(transport, request):
        sent.append((transport, request))
        return httpx2.Response(201, headers=[("a", "1"), ("a", "2")], stream=httpx2.ByteStream(b"body"))

    request = _request()
    response = _handler(spy, answer)("the transport", request)
    assert response.read() == b"body"
    assert sent == [("the transport", request)]
    assert spy.asked[:3] == ["can_play_response_for", "write_protected", "append"]
    recorded, stored = spy.asked[3]
    assert (recorded.method, recorded.uri, recorded.body) == ("POST", "http://h.invalid/v1", b"{}")
    assert recorded.headers["X-One"] == "1"
    assert stored == {
        "status": {"code": 201, "message": "Created"},
        "headers": {"a": ["1", "2"]},
        "body": {"string": b"body"},
    }


def test_a_failure_while_sending_or_reading_passes_through_the_stub():
    class Dropped(httpx2.SyncByteStream):
        def __iter__(self):
            yield b"half"
            raise httpx2.ReadError("dropped")

    def refuse(_transport, _request):
        raise httpx2.ConnectError("refused")

    def drop(_transport, _request):
        return httpx2.Response(200, stream=Dropped())

    for answer, failure in ((refuse, httpx2.ConnectError), (drop, httpx2.ReadError)):
        spy, request = Spy(), _request()
        with pytest.raises(failure):
            _handler(spy, answer)(None, request)
        assert "append" not in spy.asked
        # The body has to be readable once more, to record what was asked.
        assert b"".join(request.stream) == b"{}"


def test_the_replay_stub_asks_play_response_and_builds_an_answer():
    spy = Spy(playable=True)
    request = Request("POST", "http://h.invalid/v1", b"{}", {})
    response = httpx_stubs._play_responses(spy, request, httpx2)
    assert spy.asked == ["play_response"]
    assert (response.status_code, response.reason_phrase) == (200, "OK")
    assert response.headers.get_list("a") == ["1", "2"]
    assert response.read() == b"played"


def test_the_request_has_the_parts_that_are_read():
    made = httpx_stubs._make_vcr_request(_request(), b"{}")
    assert (made.method, made.uri, made.body) == ("POST", "http://h.invalid/v1", b"{}")
    made.__dict__["mark"] = 1
    assert made.__dict__["mark"] == 1


def test_the_base_class_has_what_is_overridden_with_the_same_parameters():
    for name in (
        "play_response",
        "append",
        "find_requests_with_most_matches",
        "_responses",
        "_load",
        "_save",
    ):
        ours = inspect.signature(getattr(RunCassette, name)).parameters
        theirs = inspect.signature(getattr(Cassette, name)).parameters
        assert [one.lstrip("_") for one in ours] == [one.lstrip("_") for one in theirs], name
    assert isinstance(inspect.getattr_static(Cassette, "all_played"), property)
    assert {"path", "record_mode"} <= set(inspect.signature(Cassette.__init__).parameters)


def test_the_base_class_keeps_the_state_that_is_built_on():
    cassette = Cassette("x", record_mode=RecordMode.NONE)
    assert (cassette.data, cassette.rewound, cassette.dirty) == ([], False, False)
    assert cassette.play_counts[3] == 0
    request = Request("GET", "http://h/", None, {})
    asked = []
    cassette._responses = lambda one: asked.append(one) or iter([(0, "response")])
    assert cassette.can_play_response_for(request) is False
    cassette.rewound = True
    assert cassette.can_play_response_for(request) is True
    assert asked == [request, request]


@pytest.mark.parametrize("name", FAILURES)
def test_every_failure_is_a_class_of_the_http_client(name):
    assert issubclass(getattr(httpx2, name), httpx2.TransportError)
