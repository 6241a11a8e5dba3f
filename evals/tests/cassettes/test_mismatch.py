"""Explanations of requests that match no recording."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.prompts import base_prompts
from redpen_evals.cassettes.encoding import JsonBody, RawBody
from redpen_evals.cassettes.file import CallRequest
from redpen_evals.cassettes.mismatch import ABSENT, explain
from redpen_evals.stale.calls import stale_calls
from redpen_evals.stale.report import change_name
from redpen_evals.text_diff import word_diff

URL = "http://scripted.invalid/v1/chat/completions"
PROMPT = "You write one update about an incident. " * 60
PAYLOAD = {
    "goal": "inform",
    "incident_context": {"region": "US", "eta_minutes": 45},
    "draft": "We work on it.",
}


def _body(system=PROMPT, payload=PAYLOAD, **more):
    return {
        "model": "m",
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": json.dumps(payload)},
        ],
        "temperature": 0,
        **more,
    }


def _live(body, *, method="POST", url=URL):
    return CallRequest(method=method, url=url, body=JsonBody(body))


@pytest.mark.parametrize(
    ("live", "path", "excerpt"),
    [
        (_body(system=PROMPT + "Only facts."), "messages[0].content", "{+Only facts.+}"),
        (_body(system=PROMPT.replace("one", "two", 1)), "messages[0].content", "[-one-] {+two+}"),
        (
            _body(payload=PAYLOAD | {"draft": "We fix it."}),
            "messages[1].content → draft",
            "[-work on-] {+fix+}",
        ),
        (
            _body(payload=PAYLOAD | {"incident_context": {"region": "US", "eta_minutes": 50}}),
            "messages[1].content → incident_context.eta_minutes",
            "[-45-] {+50+}",
        ),
        (_body(payload=PAYLOAD | {"a b": 1}), 'messages[1].content → ["a b"]', "{+1+}"),
        (_body(temperature=0.7), "temperature", "[-0-]"),
        (_body(temperature=False), "temperature", "[-0-] {+false+}"),
        (_body(top_p=1), "top_p", "{+1+}"),
    ],
)
def test_changed_path_is_named_with_excerpt(call, live, path, excerpt):
    recorded = [call({"other": "call"}), call(_body(), phase="critique"), call({"last": 1})]
    found = explain(_live(live), recorded, 2)
    assert (found.reason, found.call, found.total, found.phase, found.nearest) == (
        "changed",
        2,
        3,
        "critique",
        2,
    )
    assert found.path == path
    assert excerpt in found.excerpt
    assert found.text.startswith(f"call 2 of 3 (critique): {path} changed\n")
    assert "\n" not in found.excerpt


def test_payload_differing_only_in_formatting_is_shown_as_text(call):
    body = _body()
    body["messages"][1]["content"] = json.dumps(PAYLOAD, separators=(",", ":"))
    found = explain(_live(body), [call(_body())], 1)
    assert found.path == "messages[1].content"
    assert found.excerpt


def test_path_missing_on_one_side_is_absent(call):
    shorter = _body()
    del shorter["messages"][1]
    found = explain(_live(shorter), [call(_body())], 1)
    assert found.path == "messages[1]"
    (change,) = found.changes
    assert (change.before, change.after) == (_body()["messages"][1], ABSENT)


def test_all_changes_are_listed_and_counted(call):
    found = explain(_live(_body(system="new", temperature=1)), [call(_body())], 1)
    assert [change.path for change in found.changes] == ["messages[0].content", "temperature"]
    assert "and 1 more place" in found.text


@pytest.mark.parametrize("url", [f"{URL}?v=2", URL.replace("scripted", "other"), URL.replace("v1", "v2")])
def test_changed_url_is_named(call, url):
    found = explain(_live(_body(), url=url), [call(_body())], 1, phase="draft")
    assert [change.path for change in found.changes] == ["(url)"]


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("GET", URL),
        ("GET", "http://other.invalid/track"),
        ("POST", "http://other.invalid/track"),
        ("POST", "http://scripted.invalid/track"),
    ],
)
def test_new_call_is_named_with_method_and_url(call, method, url):
    recorded = [call(_body(), phase="chat")]
    found = explain(_live(None, url=url, method=method), recorded, 1, phase="get")
    assert (found.reason, found.nearest, found.changes) == ("new", None, ())
    assert found.text == f"call 1 of 1 (get): new call {method} {url}"
    (stale, follows) = stale_calls(found, {}, recorded, base_prompts()).calls
    assert (stale.why, change_name(stale.phase, stale.what)) == ("new", f"get: new call {method} {url}")
    assert (follows.position, follows.why) == (1, "follows")


def test_non_json_body_is_compared_as_text(call):
    live = CallRequest(method="POST", url=URL, body=RawBody(b"a=1&b=2"))
    assert explain(live, [call(_body())], 1).path == "(body)"


def test_nearest_unplayed_recording_is_compared(call):
    revise, critique = "Revise the draft as asked. " * 9, "Judge the draft once. " * 9
    recorded = [
        call(_body("Write a draft. " * 9)),
        call(_body(critique)),
        call(_body(revise), phase="revise"),
    ]
    found = explain(_live(_body(revise + "Please.")), recorded, 2, played={0})
    assert (found.nearest, found.phase) == (3, "revise")
    assert "compared with recorded call 3" in found.text
    alike = [call(_body("A" + PROMPT)), call(_body("B" + PROMPT))]
    assert explain(_live(_body("C" + PROMPT)), alike, 2).nearest == 2
    assert explain(_live(_body("C" + PROMPT)), alike, 1).nearest == 1
    assert explain(_live(_body("C" + PROMPT)), alike, 3, played={0}, phase="x").phase == "x"


@pytest.mark.parametrize(
    ("recorded", "live", "reason", "text"),
    [
        ([], {"a": 1}, "empty", "holds no call"),
        ([{"a": 1}], {"a": 1}, "repeated", "same request was made again"),
        (
            [{"a": 1}],
            {"b": 1},
            "extra",
            "call 2: POST http://scripted.invalid/v1/chat/completions comes after",
        ),
        ([{"a": 1}, {}], {"b": 1}, "extra", "comes after all 2 recorded calls"),
    ],
)
def test_mismatch_without_candidate_states_reason(call, recorded, live, reason, text):
    found = explain(_live(live), [call(body) for body in recorded], 2, played=range(len(recorded)))
    assert (found.reason, found.nearest, found.changes, found.path, found.excerpt) == (
        reason,
        None,
        (),
        "",
        "",
    )
    assert text in found.text
    may_be_bug = "if the agent should have stopped before it, this is the bug; otherwise record it"
    assert (may_be_bug in found.text) == (reason != "empty")


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (
            "Use only facts from the context and no others.",
            "Use only facts from the given context and no others.",
            "{+given +}",
        ),
        ("a b c", "a x c", "a [-b-] {+x+} c"),
        ("", "new", "{+new+}"),
        ("gone", "", "[-gone-]"),
        ("one\ntwo", "one\n\ntwo", "⏎"),
        ("a b", "a\u00a0b", "\\xa0"),
        ("ab", "a\u200bb", "\\u200b"),
        ("27%", "28%", "[-27-] {+28+}%"),
        ("x" * 5000 + "a", "x" * 5000 + "b", "xa-] {+…"),
    ],
)
def test_excerpt_shows_first_change(before, after, shown):
    assert shown in word_diff(before, after)


@pytest.mark.parametrize("position", [0, 1, 500, 998, 999])
def test_excerpt_is_centred_on_change_in_long_text(position):
    words = [f"word{number}" for number in range(1000)]
    changed = [*words[:position], "changed", *words[position + 1 :]]
    excerpt = word_diff(" ".join(words), " ".join(changed))
    assert f"[-word{position}-] {{+changed+}}" in excerpt
    assert len(excerpt) < 200
    assert excerpt.startswith("…") == (position > 10)
    assert excerpt.endswith("…") == (position < 990)


@given(st.text(), st.text())
def test_word_diff_is_printable_and_empty_only_for_equal_texts(before, after):
    excerpt = word_diff(before, after)
    assert bool(excerpt) == (before != after)
    assert excerpt.isprintable()
    assert word_diff(before * 300, before * 300 + "x")
