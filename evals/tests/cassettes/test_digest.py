"""The digest of recordings: a replay notices that the file was edited."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen_evals.cassettes import file
from redpen_evals.cassettes.cassette import RunRequest
from redpen_evals.cassettes.digest import digest_of, is_unprotected
from redpen_evals.cassettes.encoding import JsonBody, RawBody
from redpen_evals.cassettes.file import Call, CallFailure, CallRequest, CallResponse
from redpen_evals.cassettes.session import open_recording
from redpen_evals.cassettes.store import CassetteLocation, load, rewrite, settle
from redpen_evals.errors import CassetteError

LONG = "Answer in a sentence. " * 40
REPLY = "Your order 81 is on its way. " * 9


@pytest.fixture
def live(tmp_path):
    """Give the location of a recorded live cassette."""
    return CassetteLocation(root=tmp_path / "cassettes", model="gpt", scenario="mail/order")


@pytest.fixture
def record(live):
    """Give a function that records replies to one request each."""

    def recorded(*replies, redact=False, kept=()):
        opened = open_recording(live, base_url="http://model.invalid/v1", kept=kept)
        with dataclasses.replace(opened, redact=redact) as session:
            for number, reply in enumerate(replies):
                messages = [{"role": "system", "content": LONG}, {"role": "user", "content": f"{number}?"}]
                content = json.dumps({"temperature": 0.5, "messages": messages}).encode()
                request = RunRequest(
                    method="POST", url="http://model.invalid/v1/chat/completions", content=content
                )
                if session.cassette.keep(request) is None:
                    session.cassette.append(request, reply)
            session.finish()
        return live.path

    return recorded


def _reply(text, **more):
    message = {"role": "assistant", "content": text}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "created": 1.0, **more}
    return CallResponse(status=200, headers={"content-type": ("application/json",)}, body=JsonBody(body))


TOOL = json.dumps({"name": "find", "args": {"id": 81, "since": "May"}})
STREAM = CallResponse(status=200, headers={}, body=RawBody(b"data: {}\n\ndata: [DONE]\n\n"))
FAILURE = CallFailure(failure="ReadTimeout", message="slow")
OLD_DIGEST = "3af7830fd1f19248b08661fd8d09a283cb1131c8512e61b3be74e783d341dd74"
REPLIES = (_reply(REPLY), _reply(TOOL), STREAM, FAILURE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("order 81 is on", "order 82 is on"),
        ('"since": "May"', '"since": "June"'),
        ("[DONE]", "[OVER]"),
        ('"status": 200', '"status": 201'),
        ("application/json", "text/plain"),
        ("ReadTimeout", "ConnectError"),
        ('"message": "slow"', '"message": "late"'),
        ('"created": 1.0', '"created": 2'),
        ('"0?"', '"what?"'),
        ('"temperature": 0.5', '"temperature": 0'),
        ("model.invalid/v1/chat", "other.invalid/v1/chat"),
        ('"method": "POST"', '"method": "PUT"'),
    ],
)
def test_edited_live_recording_is_refused(live, record, before, after):
    path = record(*REPLIES)
    assert load(live).sha256
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))
    with pytest.raises(CassetteError, match="was edited after it was recorded") as refused:
        load(live)
    assert (refused.value.kind, refused.value.path) == ("edited", path)
    assert "--record=all --model gpt" in refused.value.mend


def test_layout_of_file_does_not_matter(live, record):
    path = record(*REPLIES)
    text = path.read_text()
    joined = json.loads(text, object_hook=_with_joined_lines)
    assert joined != json.loads(text)
    for text in (json.dumps(joined, sort_keys=True), json.dumps(joined, indent=7, ensure_ascii=False)):
        path.write_text(text)
        assert load(live).calls[0].response.body.value["choices"][0]["message"]["content"] == REPLY


def _with_joined_lines(value):
    return {"$lines": ["".join(value["$lines"])]} if "$lines" in value else value


def test_every_way_to_rewrite_a_recording_keeps_it_valid(live, record):
    path = record(*REPLIES)
    before = load(live)
    settle(live.root)
    assert not rewrite(live)
    # A recording whose prompts are still in its bodies is rewritten with references to them.
    path.write_text(file.dump(before))
    assert rewrite(live)
    assert load(live) == before
    record(_reply("Another."), *REPLIES[1:], kept=[(call, 1.0) for call in before.calls])
    assert load(live).calls == before.calls
    record(_reply("Write to jane.roe@acme-mail.com."), redact=True)
    assert "jane.roe" not in live.path.read_text()
    assert load(live).sha256 not in {"", before.sha256}


def _without_digest(path, *, version):
    document = json.loads(path.read_text())
    del document["sha256"]
    document["redpen_cassette"] = version
    path.write_text(json.dumps(document))


def test_older_recording_without_digest_is_read_and_stays_without(live, record):
    path = record(*REPLIES)
    assert not is_unprotected(load(live))
    _without_digest(path, version=1)
    assert is_unprotected(load(live))
    assert rewrite(live)
    assert "sha256" not in json.loads(path.read_text())


def test_removed_digest_is_an_edit(live, record):
    _without_digest(record(*REPLIES), version=2)
    with pytest.raises(CassetteError, match="was edited after it was recorded") as refused:
        load(live)
    assert refused.value.kind == "edited"


def test_digest_of_older_recording_is_checked_as_it_was_made(live, record):
    # The first digests did not cover methods and addresses.
    path = record(_reply("Fine."))
    document = json.loads(path.read_text())
    document |= {"redpen_cassette": 1, "sha256": OLD_DIGEST[::-1]}
    path.write_text(json.dumps(document))
    with pytest.raises(CassetteError, match="was edited"):
        load(live)
    document["sha256"] = OLD_DIGEST
    path.write_text(json.dumps(document))
    assert load(live).calls[0].response.body.value["choices"][0]["message"]["content"] == "Fine."


class TestScripted:
    """A script vouches for the replies of the model; the digest vouches for all others."""

    @pytest.fixture
    def scripted(self, location):
        """Record a model call and the calls of two tools."""
        chat = json.dumps({"model": "small", "messages": [{"role": "user", "content": "Order 81?"}]}).encode()
        with open_recording(location) as session:
            for method, url, content, reply in (
                ("POST", "http://model.invalid/v1/chat/completions", chat, _reply("Fine.")),
                ("GET", "http://shop.invalid/81", b"", _reply("on its way")),
                ("GET", "http://shop.invalid/82", b"", _reply("lost")),
            ):
                session.cassette.append(RunRequest(method=method, url=url, content=content), reply)
            session.finish()
        return location.path

    @pytest.mark.parametrize(
        ("before", "after"),
        [("on its way", "lost"), ("shop.invalid/81", "shop.invalid/80"), ('"GET"', '"HEAD"')],
    )
    def test_edited_tool_reply_is_refused(self, location, scripted, before, after):
        assert load(location).sha256
        text = scripted.read_text()
        assert before in text
        scripted.write_text(text.replace(before, after, 1))
        with pytest.raises(CassetteError, match="was edited after it was recorded"):
            load(location)

    def test_removed_digest_is_an_edit(self, location, scripted):
        _without_digest(scripted, version=2)
        with pytest.raises(CassetteError, match="was edited after it was recorded"):
            load(location)

    def test_reply_of_the_model_is_left_to_the_script(self, location, scripted):
        scripted.write_text(scripted.read_text().replace("Fine.", "Done."))
        assert load(location)

    def test_older_recording_with_tools_is_unprotected(self, location, scripted):
        _without_digest(scripted, version=1)
        assert is_unprotected(load(location))

    def test_recording_of_a_model_alone_needs_no_digest(self, location):
        chat = json.dumps({"model": "small", "messages": [{"role": "user", "content": "Order 81?"}]}).encode()
        url = "http://model.invalid/v1/chat/completions"
        with open_recording(location) as session:
            session.cassette.append(RunRequest(method="POST", url=url, content=chat), _reply("Fine."))
            session.finish()
        text = location.path.read_text()
        assert '"redpen_cassette": 1' in text
        assert "sha256" not in text
        assert not is_unprotected(load(location))


_TEXTS = st.text() | st.builds(json.dumps, st.dictionaries(st.text(), st.integers() | st.text()))
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_VALUES, _VALUES | st.binary())
def test_digest_is_same_after_saving(request_value, reply):
    body = RawBody(reply) if isinstance(reply, bytes) else JsonBody(reply)
    call = Call(
        phase="chat",
        request=CallRequest(method="POST", url="http://model.invalid", body=JsonBody(request_value)),
        response=CallResponse(status=200, headers={}, body=body),
    )
    cassette = file.CassetteFile(
        kind="live", scenario="a/b", model="gpt", base_url="", recorded={}, calls=(call,)
    )
    text = file.dump(cassette)
    for layout in (text, json.dumps(json.loads(text), sort_keys=True)):
        assert digest_of(file.parse(layout, path=None).calls, "live") == digest_of([call], "live")
