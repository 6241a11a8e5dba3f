"""`redpen cassettes show`: a recording as a conversation, with control characters escaped."""

from __future__ import annotations

import dataclasses
import json
import unicodedata

import pytest

from redpen_evals.cassettes.encoding import JsonBody, RawBody
from redpen_evals.cassettes.file import CallFailure
from redpen_evals.maintenance.listing import conversation

APPROVE = "self-critique/approve"


def _body(messages, **parameters):
    return JsonBody({"model": "gpt", "messages": messages, **parameters})


@pytest.fixture
def talk(stocked):
    """Give a function that shows a cassette whose first call asks or answers something else."""

    def show(*, body=None, response=None, latencies=None, **options):
        content = stocked.content()
        first, second = content.calls
        if body is not None:
            first = dataclasses.replace(first, request=dataclasses.replace(first.request, body=body))
        if isinstance(response, CallFailure):
            first = dataclasses.replace(first, response=response)
        elif response is not None:
            first = dataclasses.replace(first, response=dataclasses.replace(first.response, **response))
        recorded = {**content.recorded, "latency_ms": latencies}
        content = dataclasses.replace(content, calls=(first, second), recorded=recorded)
        return list(conversation(content, "name", **options))

    return show


@pytest.mark.usefixtures("stocked")
def test_recording_is_shown_as_conversation(cassettes):
    done = cassettes("show", APPROVE)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == APPROVE
    assert lines[1].startswith("  scripted at http://scripted.invalid/v1, recorded 20")
    heads = [line for line in lines if line.startswith("call ")]
    assert heads[0].startswith("call 1 of 2, draft, 200, ")
    assert heads[1].startswith("call 2 of 2, critique, 200, ")
    assert all(head.endswith(" tokens") for head in heads)
    assert [line for line in lines if line.startswith("  ") and line[2] != " "][1:5] == [
        "  system",
        "  user",
        "  parameters",
        "  answer",
    ]
    assert '      "goal": "Tell customers.",' in lines
    assert '      "draft": "Checkout in the US is degraded for 27% of attempts."' in lines
    assert '    model scripted, temperature 0, response_format {"type": "json_object"}' in lines


def test_system_prompts_are_shortened_without_full_option(stocked, cassettes):
    short, full = cassettes("show", APPROVE).stdout, cassettes("show", APPROVE, "--full").stdout
    system = stocked.content().calls[0].request.body.value["messages"][0]["content"]
    assert "more characters, shown by --full)" in short
    assert len(short) < len(full)
    for line in filter(None, system.splitlines()):
        assert f"    {line}\n" in full
    assert "more characters" not in full


def test_variant_model_and_sample_select_recording(stocked, cassettes, answering, completion):
    for variant, sample in (("", 1), ("critique=v2", 1), ("critique=v2", 3)):
        words = f"{variant or 'base'} {sample}"
        calls = answering(stocked.content().calls, completion(words), None)
        stocked.put(variant=variant, sample=sample, calls=calls)
    assert "    base 1\n" in cassettes("show", APPROVE, "--model", "gpt").stdout
    done = cassettes("show", APPROVE, "--model", "gpt", "--variant", "critique=v2", "--sample", 3)
    assert "    critique=v2 3\n" in done.stdout
    assert done.stdout.splitlines()[0] == f"{APPROVE} [critique=v2] #3"


class TestAnswers:
    def test_heading_shows_tokens_and_recorded_latency(self, talk, completion):
        lines = talk(response={"body": JsonBody(completion("Hello."))}, latencies=[812.3, None])
        heads = [line for line in lines if line.startswith("call ")]
        assert heads[0] == "call 1 of 2, draft, 200, 1,200 + 34 tokens, 812.3 ms when recorded"
        assert "ms" not in heads[1]
        assert lines[lines.index("  answer") + 1] == "    Hello."

    @pytest.mark.parametrize("latencies", [None, "fast", [], [1, 2, 3, 4], ["x", {}]])
    def test_invalid_latencies_are_omitted(self, talk, latencies):
        assert len([line for line in talk(latencies=latencies) if line.startswith("call ")]) == 2

    def test_failure_is_shown(self, talk):
        lines = talk(response=CallFailure(failure="ReadTimeout", message="timed out"))
        assert "call 1 of 2, draft, failed" in lines
        assert lines[lines.index("  no answer") + 1] == "    ReadTimeout: timed out"

    def test_server_error_is_shown_with_status_and_headers(self, talk):
        lines = talk(
            response={
                "status": 429,
                "headers": {"content-type": ("application/json",), "retry-after": ("20",)},
                "body": JsonBody({"error": {"message": "Rate limit reached."}}),
            }
        )
        at = lines.index("  HTTP 429 Too Many Requests")
        assert lines[at + 1] == "    retry-after: 20"
        assert '        "message": "Rate limit reached."' in lines[at:]

    def test_refusal_truncation_and_filter_are_shown(self, talk, completion):
        refused = talk(response={"body": JsonBody(completion(None, refusal="I cannot.\nSorry."))})
        at = refused.index("  refused")
        assert refused[at + 1 : at + 3] == ["    I cannot.", "    Sorry."]
        cut = completion('{"draft": "Half a')
        cut["choices"][0]["finish_reason"] = "length"
        lines = talk(response={"body": JsonBody(cut)})
        assert lines[lines.index("  answer, cut off at the token limit") + 1] == '    {"draft": "Half a'
        cut["choices"][0]["finish_reason"] = "content_filter"
        assert "  answer, cut off by the server's filter" in talk(response={"body": JsonBody(cut)})

    def test_several_answers_and_tool_calls_are_shown(self, talk, completion):
        body = completion("One.")
        body["choices"].append({"message": {"tool_calls": [{"id": "t1"}], "content": None}})
        lines = talk(response={"body": JsonBody(body)})
        assert lines[lines.index("  answer 1") + 1] == "    One."
        assert lines[lines.index("  answer 2") + 1] == "    (none)"
        assert '        "id": "t1"' in lines

    @pytest.mark.parametrize(
        ("body", "line"),
        [
            (RawBody(b"<html>\nSign in</html>"), "    <html>"),
            (RawBody(b"\xff\x00"), "    \\xff\\x00"),
            (JsonBody({"choices": []}), '      "choices": []'),
            (JsonBody([1]), "      1"),
            (JsonBody({"choices": ["odd"]}), "    (none)"),
        ],
    )
    def test_non_completion_body_is_shown_raw(self, talk, body, line):
        assert line in talk(response={"body": body})


class TestRequests:
    def test_messages_of_any_shape_are_shown(self, talk):
        parts = [{"type": "text", "text": "Hi."}]
        lines = talk(
            body=_body(
                [{"role": "assistant", "content": "Plain\nwords"}, {"role": "user", "content": parts}, 7, {}]
            )
        )
        assert lines[lines.index("  assistant") + 1 : lines.index("  assistant") + 3] == [
            "    Plain",
            "    words",
        ]
        assert '        "text": "Hi."' in lines
        assert "    7" in lines

    @pytest.mark.parametrize("body", [RawBody(b"no json"), JsonBody([]), JsonBody(None)])
    def test_non_object_request_is_shown_raw(self, talk, body):
        assert any(line.startswith("  request POST http://scripted.invalid/v1/") for line in talk(body=body))

    def test_cassette_without_calls_is_shown(self, stocked):
        empty = dataclasses.replace(stocked.content(), calls=())
        assert list(conversation(empty, "name"))[-1] == "  (no calls)"


STEERING = "a\x1b[31m\x9b2J\x07\r\b\x00\x7f\u202e\u200b\u2028\U000e0041\ufeff\u00adz"


@pytest.mark.parametrize("colour", [False, True])
def test_recorded_control_characters_are_escaped(talk, completion, colour):
    hostile = completion(STEERING, refusal=STEERING)
    hostile["choices"].append({"message": {"content": json.dumps({STEERING: STEERING}, ensure_ascii=False)}})
    hostile["choices"].append({"message": {"tool_calls": [STEERING]}, "finish_reason": STEERING})
    body = _body([{"role": STEERING, "content": STEERING}], temperature=STEERING)
    pages = [
        talk(body=body, response={"body": JsonBody(hostile)}, full=True, colour=colour),
        talk(response=CallFailure(failure="ReadTimeout", message=STEERING), colour=colour),
        talk(
            response={"status": 500, "headers": {"x": (STEERING,)}, "body": RawBody(STEERING.encode())},
            colour=colour,
        ),
    ]
    own = {"\x1b"} if colour else set()
    for line in (line for page in pages for line in page):
        steering = {char for char in line if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}}
        assert steering <= own
        if colour:
            # Only escapes written by the page itself: colours, bold and reset.
            assert {part.split("m")[0] for part in line.split("\x1b[")[1:]} <= {"0", "1", "31", "32", "36"}


def test_colour_is_used_only_on_request(cassettes, talk):
    assert "\x1b" not in cassettes("show", APPROVE).stdout
    assert any("\x1b[" in line for line in talk(colour=True))
    assert not any("\x1b" in line for line in talk())


def test_json_has_complete_calls(stocked, cassettes, answering, completion):
    failure = CallFailure(failure="ReadTimeout", message="timed out")
    calls = answering(stocked.content().calls, completion("Hi."), failure)
    stocked.put(calls=calls, recorded={"latency_ms": [5.5, None]})
    value = json.loads(cassettes("show", APPROVE, "--model", "gpt", "--json").stdout)
    assert value["path"].endswith(f"gpt/{APPROVE}.json")
    answered, failed = value["calls"]
    assert (answered["phase"], answered["status"], answered["latency_ms"]) == ("draft", 200, 5.5)
    assert (answered["prompt_tokens"], answered["completion_tokens"]) == (1200, 34)
    assert answered["request"]["messages"][0]["role"] == "system"
    assert answered["response"] == completion("Hi.")
    assert (failed["failure"], failed["message"], failed["latency_ms"]) == ("ReadTimeout", "timed out", None)


class TestNotFound:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (
                ["self-critique/aprove"],
                "no cassette of 'self-critique/aprove' (did you mean `self-critique/approve`?)",
            ),
            (
                [APPROVE, "--model", "gtp"],
                f"redpen cassettes show {APPROVE} --model gpt --variant a=b --sample 2",
            ),
            ([APPROVE, "--sample", "9"], f"  redpen cassettes show {APPROVE}\n"),
            (["../etc"], "is not a scenario id"),
            ([APPROVE, "--model", " "], "the model name is empty"),
        ],
    )
    def test_missing_recording_exits_2_with_available_ones(self, stocked, cassettes, args, message):
        stocked.put(variant="a=b", sample=2)
        done = cassettes("show", *args)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_unreadable_cassette_exits_2_with_reason(self, stocked, cassettes):
        stocked.write(stocked.root / "scripted" / f"{APPROVE}.json", "{")
        done = cassettes("show", APPROVE)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "the file is truncated or damaged" in done.stderr
        assert "pytest --record=all" in done.stderr
