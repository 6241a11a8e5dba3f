"""Events as OpenTelemetry spans: structure of traces, failing exporters and settings."""

from __future__ import annotations

import uuid

import pytest
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from redpen import build_request, run_guarded_policy_agent
from redpen.errors import ConfigurationError
from redpen.events import open_events
from redpen.events.otel import CollectedSpans, OtelEvents

pytestmark = pytest.mark.otel

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SDK_DISABLED", CAPTURE):
        monkeypatch.delenv(name, raising=False)


class Spans:
    """A sink that exports its spans to memory."""

    def __init__(self):
        self.exporter = InMemorySpanExporter()
        self.sink = OtelEvents(lambda: [CollectedSpans(self.exporter)])
        self.close = self.sink.close

    def all(self):
        self.sink._provider.force_flush()
        return self.exporter.get_finished_spans()


@pytest.fixture
def spans():
    found = Spans()
    yield found
    found.close()


def test_run_is_a_trace_with_the_run_id(spans, approve):
    result = approve(spans.sink)
    *chats, run = spans.all()
    assert {span.context.trace_id for span in (*chats, run)} == {uuid.UUID(result.run_id).int}
    assert (run.name, run.parent, run.kind) == ("invoke_agent self-critique", None, SpanKind.INTERNAL)
    assert [span.name for span in chats] == ["chat", "chat"]
    assert {(span.parent.span_id, span.kind) for span in chats} == {(run.context.span_id, SpanKind.CLIENT)}
    assert run.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert run.attributes["gen_ai.agent.name"] == "self-critique"
    assert run.attributes["redpen.status"] == "published"
    assert run.attributes["redpen.outcome"] == "approved_direct"
    assert [span.attributes["redpen.phase"] for span in chats] == ["draft", "critique"]
    assert all(span.attributes["gen_ai.operation.name"] == "chat" for span in chats)
    assert [event.name for event in run.events] == ["redpen.run_started", "redpen.judged"]
    assert run.start_time <= chats[0].start_time <= chats[0].end_time <= chats[1].start_time <= run.end_time


def test_tool_calls_are_spans_and_decisions_are_events(spans):
    run_guarded_policy_agent(goal="Tell customers.", request=build_request(), events=spans.sink)
    *tools, run = spans.all()
    called = [(span.attributes["gen_ai.tool.call.id"], span.attributes["gen_ai.tool.name"]) for span in tools]
    assert called == [
        ("a1", "fetch_incident_snapshot"),
        ("a3", "create_manual_review_ticket"),
        ("a3", "send_status_update"),
        ("a4", "send_status_update"),
    ]
    assert [span.name for span in tools] == [f"execute_tool {name}" for _, name in called]
    assert {span.attributes["gen_ai.operation.name"] for span in tools} == {"execute_tool"}
    assert {span.status.status_code for span in tools} == {StatusCode.UNSET}
    decided = [event for event in run.events if event.name == "redpen.gate_decided"]
    assert [event.attributes["redpen.code"] for event in decided][:2] == ["policy.pass", "policy.pii_export"]


def test_failed_model_call_is_an_error_span(spans, approve):
    result = approve(spans.sink, replies=[])
    chat, run = spans.all()
    assert (chat.status.status_code, chat.attributes["error.type"]) == (StatusCode.ERROR, result.stop_reason)
    assert (run.attributes["redpen.status"], run.attributes["redpen.code"]) == ("stopped", result.stop_reason)


def test_texts_are_captured_only_if_environment_enables_it(spans, approve, monkeypatch):
    approve(spans.sink)
    assert "Tell customers" not in "".join(span.to_json() for span in spans.all())
    monkeypatch.setenv(CAPTURE, "true")
    captured = Spans()
    approve(captured.sink)
    assert "Tell customers" in "".join(span.to_json() for span in captured.all())
    captured.close()


def test_resumed_run_continues_the_same_trace(spans, make_event):
    run_id = str(uuid.uuid4())
    for seq, event in enumerate(
        [
            {"kind": "run_started"},
            {"kind": "review_asked", "phase": "review"},
            {"kind": "stopped", "code": "pending_review"},
            {"kind": "resumed", "after": 3, "time": "2026-03-06T11:00:00.000000Z"},
            {"kind": "published", "chars": 3},
        ],
        start=1,
    ):
        spans.sink.write(make_event(seq, run_id=run_id, **event))
    first, second = spans.all()
    assert first.context.trace_id == second.context.trace_id == uuid.UUID(run_id).int
    assert (first.parent, second.parent.span_id) == (None, first.context.span_id)


def test_span_never_ends_before_its_start(spans, make_event):
    ask = {"kind": "model_asked", "phase": "draft", "chars": 1}
    spans.sink.write(make_event(1, **ask))
    answer = {"kind": "model_answered", "phase": "draft", "ok": True, "chars": 1}
    spans.sink.write(make_event(2, time="2026-03-06T11:59:00.000000Z", **answer))
    spans.sink.write(make_event(3, time="2026-03-06T11:58:00.000000Z"))
    assert all(span.start_time <= span.end_time for span in spans.all())


class Failing(SpanExporter):
    """An exporter whose exports fail."""

    def export(self, spans):
        del spans
        return SpanExportResult.FAILURE


class Raising(SpanExporter):
    """An exporter that raises."""

    def export(self, spans):
        raise RuntimeError(f"broken at {len(spans)} spans")


@pytest.mark.parametrize("exporter", [Failing(), Raising()])
def test_failing_exporter_does_not_change_the_run(approve, exporter):
    without_events = approve(None).to_dict()
    collected = CollectedSpans(exporter)
    sink = OtelEvents(lambda: [collected])
    result = approve(sink).to_dict()
    assert {**result, "run_id": ""} == {**without_events, "run_id": ""}
    sink.close()
    assert (collected.sent, collected.failed) == (0, 3)


def test_spans_are_sent_to_endpoint_of_environment(approve, monkeypatch, traffic):
    server = traffic.serve_http((200, {"content-type": "application/x-protobuf"}, []))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
    log = open_events("otel")
    assert "events_lost" not in approve(log).to_dict()
    log.close()
    assert [(method, path) for method, path, _ in server.asked] == [("POST", "/v1/traces")]
    assert b"invoke_agent self-critique" in server.asked[0][2]


def test_missing_exporter_is_a_configuration_error(monkeypatch):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "carrier-pigeon")
    with pytest.raises(ConfigurationError, match="the exporter 'carrier-pigeon' is not installed"):
        open_events("otel")


def test_events_command_sends_stored_run_as_spans(approve, monkeypatch, traffic, tmp_path, redpen):
    log = open_events(f"sqlite:///{tmp_path}/events.db")
    approve(log)
    log.close()
    server = traffic.serve_http((200, {}, []))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
    result = redpen("events", tmp_path / "events.db", "--to", "otel")
    assert (result.exit_code, result.stdout) == (0, "sent 3 spans\n")
    assert b"invoke_agent self-critique" in server.asked[0][2]
    refused = traffic.serve_http((400, {}, []))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", refused.url)
    result = redpen("events", tmp_path / "events.db", "--to", "otel")
    assert (result.exit_code, result.stdout) == (1, "sent 0 spans\n")
    assert "3 spans were rejected" in result.stderr


def test_run_command_refuses_otel_as_events_address(library, monkeypatch, redpen):
    monkeypatch.chdir(library.root)
    result = redpen("run", "self-critique", "--events", "otel")
    assert result.exit_code == 2
    assert "--to otel" in result.stderr
