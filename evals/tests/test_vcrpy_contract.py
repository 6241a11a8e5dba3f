"""The private parts of vcrpy that the patch of the HTTP libraries uses; fails when a release changes them."""

from __future__ import annotations

import inspect
from importlib import metadata

import httpx2
import pytest
from vcr.cassette import Cassette
from vcr.request import Request
from vcr.stubs import httpx_stubs

from redpen_evals.cassettes.file import FAILURES
from redpen_evals.traffic.dispatch import Dispatch


class Spy:
    """A cassette that logs every attribute that the stub reads."""

    def __init__(self, *, playable=False):
        """Start with an empty log."""
        self.asked = []
        self.playable = playable

    def __getattr__(self, name):
        """Log the access and return a stand-in for the attribute."""
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


def test_installed_vcrpy_release_is_supported():
    major, minor, *_ = map(int, metadata.version("vcrpy").split("."))
    assert (9, 4) <= (major, minor) < (10, 0)


def test_recording_stub_sends_and_appends_only():
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


def test_transport_error_passes_through_stub_and_is_not_recorded():
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
        # The body has to be readable again, so that the request can be recorded.
        assert b"".join(request.stream) == b"{}"


def test_replay_stub_builds_response_from_play_response():
    spy = Spy(playable=True)
    request = Request("POST", "http://h.invalid/v1", b"{}", {})
    response = httpx_stubs._play_responses(spy, request, httpx2)
    assert spy.asked == ["play_response"]
    assert (response.status_code, response.reason_phrase) == (200, "OK")
    assert response.headers.get_list("a") == ["1", "2"]
    assert response.read() == b"played"


def test_vcr_request_has_the_attributes_used():
    made = httpx_stubs._make_vcr_request(_request(), b"{}")
    assert (made.method, made.uri, made.body) == ("POST", "http://h.invalid/v1", b"{}")
    assert made.headers["X-One"] == "1"
    made.__dict__["mark"] = 1
    assert made.__dict__["mark"] == 1


def test_overridden_methods_have_the_base_signatures():
    for name in ("can_play_response_for", "play_response", "append", "find_requests_with_most_matches"):
        ours = inspect.signature(getattr(Dispatch, name)).parameters
        theirs = inspect.signature(getattr(Cassette, name)).parameters
        assert [name_.lstrip("_") for name_ in ours] == [name_.lstrip("_") for name_ in theirs], name
    assert isinstance(inspect.getattr_static(Cassette, "write_protected"), property)
    assert {"path", "record_mode"} <= set(inspect.signature(Cassette.__init__).parameters)


@pytest.mark.parametrize("name", FAILURES)
def test_failure_names_are_httpx2_transport_errors(name):
    assert issubclass(getattr(httpx2, name), httpx2.TransportError)
