"""Events that the agents emit, secrets in them, and runs whose events are lost."""

from __future__ import annotations

import itertools
import json
import logging

import httpx2
import jsonschema
import pytest
from pydantic import SecretStr

from redpen import build_incident_context, build_request, run_guarded_policy_agent
from redpen.chat import ChatClient, ChatSettings
from redpen.events import EVENT, EventLog, EventStream, event_schema, open_events
from redpen.events.stream import MAX_TEXT_CHARS, MAX_TOTAL_CHARS
from redpen.text.keys import SECRET_RULES
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

DRAFT = "Payments in the US are degraded and about 27% of checkouts are affected."
KEY = "local-canary-0123456789-abcdef"


def test_published_run_emits_each_step_in_order(approve, kept):
    result = approve(kept)
    assert kept.kinds == [
        "run_started",
        "model_asked",
        "model_answered",
        "model_asked",
        "model_answered",
        "judged",
        "published",
    ]
    assert [event.seq for event in kept.events] == list(range(1, 8))
    assert {event.run_id for event in kept.events} == {result.run_id}
    assert all(one.time <= other.time for one, other in itertools.pairwise(kept.events))
    assert kept.events[-1].texts == {"answer": result.answer}
    assert {(len(event.policy_hash), len(event.prompts_hash)) for event in kept.events} == {(12, 12)}


def test_changed_policy_changes_policy_hash_only(approve, kept):
    approve(kept)
    approve(kept, policy={"max_draft_chars": 800})
    assert len({event.policy_hash for event in kept.events}) == 2
    assert len({event.prompts_hash for event in kept.events}) == 1


def test_escalation_emits_review_asked_before_stopped(escalate, kept):
    escalate(kept)
    asked, stopped = kept.events[-2:]
    assert (asked.kind, asked.code, asked.phase) == ("review_asked", "policy_escalation", "review")
    assert asked.texts == {"reason": "A person should look."}
    assert (stopped.kind, stopped.code, stopped.phase) == ("stopped", "policy_escalation", "review")


def test_gate_decision_precedes_each_tool_call(kept):
    run_guarded_policy_agent(goal="Tell customers.", request=build_request(), events=kept)
    reported = [(event.kind, event.action, event.code) for event in kept.events[1:-1]]
    assert reported == [
        ("gate_decided", "a1", "policy.pass"),
        ("tool_called", "a1", None),
        ("gate_decided", "a2", "policy.pii_export"),
        ("gate_decided", "a3", "policy.mass_broadcast"),
        ("tool_called", "a3", None),
        ("review_asked", "a3", "policy.mass_broadcast"),
        ("decided", "a3", None),
        ("gate_decided", "a3", "policy.pass"),
        ("tool_called", "a3", None),
        ("gate_decided", "a4", "policy.rewrite"),
        ("tool_called", "a4", None),
    ]


def test_guard_findings_are_emitted_with_level_and_code(approve, kept):
    revise = {
        "decision": "revise",
        "severity": "low",
        "risks": [],
        "required_changes": ['ADD "We will keep you informed."'],
        "reason": "One word is clearer.",
    }
    revised = f"{DRAFT} We guarantee that it will last. We will keep you informed. Europe is affected too."
    approve(
        kept,
        replies=[{"draft": f"{DRAFT} We guarantee that it will last."}, revise, {"revised_answer": revised}],
    )
    found = [(event.level, event.code) for event in kept.events if event.kind == "guard_found"]
    assert ("ungrounded", "restricted_claims") in found
    assert ("violation", "new_region") in found
    assert kept.events[-1].code.startswith("patch_violation:")


def test_failed_model_call_emits_answer_with_stop_reason(approve, kept):
    result = approve(kept, replies=[])
    answered = kept.events[2]
    assert (answered.kind, answered.ok, answered.code) == ("model_answered", False, result.stop_reason)


def test_events_without_texts_contain_no_text(approve, kept):
    approve(EventLog(sink=kept, texts=False))
    assert all(event.texts is None for event in kept.events)
    written = " ".join(event.model_dump_json() for event in kept.events)
    assert "degraded" not in written
    assert "Tell customers" not in written


def test_invented_tool_names_are_hashed_without_texts(kept):
    prose = "tell Ann Lee, ann@example.com, that all is lost"
    plan = {"actions": [{"id": prose, "tool": prose, "args": {}}]}
    run_guarded_policy_agent(
        goal="Tell.",
        request=build_request(),
        planner=lambda *_: plan,
        events=EventLog(sink=kept, texts=False),
    )
    decided = next(event for event in kept.events if event.kind == "gate_decided")
    assert (decided.tool == decided.action, decided.tool.startswith("other-")) == (True, True)
    assert "Ann" not in " ".join(event.model_dump_json() for event in kept.events)


def test_long_text_is_truncated_and_counted(approve, kept):
    context = {**build_incident_context(), "notes": "x" * 50_000}
    approve(kept, context=context)
    started = kept.events[0]
    assert len(started.texts["incident_context"]) == MAX_TEXT_CHARS
    assert started.cut["incident_context"] > 30_000
    assert all(len(event.model_dump_json()) < 2 * MAX_TOTAL_CHARS for event in kept.events)


def test_events_contain_no_key_or_redacted_word(kept, approve):
    secrets = [rule.blocks for rule in SECRET_RULES]
    context = {**build_incident_context(), "notes": [KEY, *secrets], "api_key": "a1B2c3D4e5F6g7H8"}
    replies = parse_replies([{"json": {"draft": f"The key is {KEY[:10]}."}}])
    with ScriptedEndpoint(replies) as endpoint, httpx2.Client(trust_env=False) as http_client:
        settings = ChatSettings(api_key=SecretStr(KEY), base_url=endpoint.base_url, retries=0)
        approve(
            EventLog(sink=kept, redact=lambda text: text.replace("customers", "[who]")),
            chat=ChatClient(settings, http_client=http_client),
            context=context,
        )
    written = " ".join(event.model_dump_json() for event in kept.events)
    assert len(kept.events) >= 4
    assert "[key]" in written
    assert [secret for secret in (KEY, "a1B2c3D4e5F6g7H8", "customers") if secret in written] == []
    assert [rule.name for rule in SECRET_RULES if rule.pattern.search(written)] == []


def test_events_match_schema(approve, escalate, kept):
    approve(kept)
    escalate(kept)
    run_guarded_policy_agent(goal="Tell customers.", request=build_request(), events=kept)
    validator = jsonschema.Draft202012Validator(event_schema())
    for event in kept.events:
        validator.validate(event.model_dump(mode="json"))


def test_failing_sink_counts_lost_events_and_warns_once(approve, failing, caplog):
    without_events = approve(None).to_dict()
    with caplog.at_level(logging.WARNING, logger="redpen.events"):
        log = EventLog(sink=failing(first=3, message=f"postgres://ann:{KEY}@db is away"))
        results = [approve(log).to_dict(), approve(log).to_dict()]
    assert [result.pop("events_lost") for result in results] == [5, 7]
    for result in (*results, without_events):
        del result["run_id"]
    assert results == [without_events, without_events]
    assert len(caplog.records) == 1
    assert "events are lost" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("first", range(1, 8))
def test_run_that_requires_events_stops_when_one_is_lost(approve, failing, first):
    result = approve(failing(first), policy={"events": "required"})
    assert (result.status, result.stop_reason, result.answer) == ("stopped", "events_unavailable", None)


def test_run_that_requires_events_stops_without_sink(approve):
    result = approve(None, policy={"events": "required"}, replies=[])
    assert (result.stop_reason, result.trace) == ("events_unavailable", [])


def test_tool_is_not_called_when_its_decision_event_is_lost(failing):
    called = []

    def tool(**_):
        called.append("sent")
        return {"status": "ok", "data": {}}

    result = run_guarded_policy_agent(
        goal="Tell.",
        request=build_request(),
        tools=dict.fromkeys(("fetch_incident_snapshot", "send_status_update"), tool),
        policy={"events": "required"},
        events=failing(first=2),
    )
    assert (result.stop_reason, called) == ("events_unavailable", [])


def test_file_and_database_return_the_same_events(approve, tmp_path):
    for place in (f"jsonl:{tmp_path}/e.jsonl", f"sqlite:///{tmp_path}/e.db"):
        log = open_events(place)
        approve(log)
        read = [entry.content for entry in log.sink.read()]
        log.sink.close()
        assert [event.kind for event in read] == [
            "run_started",
            *["model_asked", "model_answered"] * 2,
            "judged",
            "published",
        ]
        assert read[-1].texts is not None


class TextSink:
    """A sink that accepts events as objects and in their stored form."""

    def __init__(self):
        self.events = []
        self.texts = []

    def write(self, event):
        self.events.append(event)

    def write_text(self, event):
        self.texts.append(event)


def comparable(events):
    return [event.model_dump(exclude={"run_id", "time"}) for event in events]


def test_stored_form_of_event_equals_the_event(approve, escalate, kept):
    stored = TextSink()
    for sink in (kept, stored):
        approve(sink, context={**build_incident_context(), "notes": [1, 2.5, None, True, 'é\n"x" \\n']})
        escalate(sink)
        run_guarded_policy_agent(goal="Tell customers.", request=build_request(), events=sink)
    # Nothing in these events is redacted or truncated, so all of them are written as text.
    assert stored.events == []
    assert comparable(EVENT.validate_json(item.text) for item in stored.texts) == comparable(kept.events)
    for item in stored.texts:
        event = EVENT.validate_json(item.text)
        assert item[:-1] == (event.run_id, event.seq, event.time, event.kind, event.agent, event.code)


KNOWN = (KEY, 'a"quoted"\\key', "two\nlines", "a\x01b\x02c", "schlüssel")
"""Known secrets that match no rule; JSON escapes characters of some of them."""


@pytest.mark.parametrize("secret", [*(rule.blocks for rule in SECRET_RULES), *KNOWN])
def test_event_with_secret_is_never_stored_unredacted(approve, secret):
    stored = TextSink()
    context = {**build_incident_context(), "notes": [f"see\n{secret}"], secret: "as a name"}
    redact = (lambda text: text.replace(secret, "[key]")) if secret in KNOWN else None
    approve(EventLog(sink=stored, redact=redact), context=context)
    written = [item.text for item in stored.texts] + [event.model_dump_json() for event in stored.events]
    assert len(written) == 7
    everything = [str(json.loads(text)) for text in written]
    assert any("[key]" in text for text in everything)
    assert not any(str([secret])[1:-1].strip("'") in text for text in everything)
    assert not any(rule.pattern.search(text) for rule in SECRET_RULES for text in everything)


def test_long_text_is_truncated_in_store(approve, tmp_path):
    log = open_events(f"jsonl:{tmp_path}/events")
    approve(log, context={**build_incident_context(), "notes": "x" * 50_000})
    first = next(iter(log.sink.read())).content
    log.close()
    assert len(first.texts["incident_context"]) == MAX_TEXT_CHARS
    assert first.cut["incident_context"] > 30_000


def test_values_that_are_not_json_are_replaced(tmp_path):
    log = open_events(f"jsonl:{tmp_path}/events")
    stream = EventStream(log, agent="mine")
    stream.start(input={"at": float("nan"), "who": object(), "odd": "\ud800"})
    first = next(iter(log.sink.read())).content
    log.close()
    assert stream.lost == 0
    assert first.texts["input"] == {"at": "nan", "who": "object", "odd": "?"}
