"""Exports events as OpenTelemetry spans: a trace for each run, by the conventions for generative AI.

The run is a span ``invoke_agent``, its model calls are spans ``chat`` and its tool calls ``execute_tool``;
everything else is an event of the run's span. Attributes without a conventional name begin with
``redpen.``. Texts are included if ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` is true.
Spans are exported in the background; failures of the exporter do not affect the run. OpenTelemetry's
environment variables (``OTEL_EXPORTER_OTLP_ENDPOINT`` …) define where spans are sent.

Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ (status: development).
"""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib.metadata import entry_points
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.events.model import Event, ModelAnswered, ModelAsked, Published, Stopped, ToolCalled

try:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
    from opentelemetry.sdk.trace.id_generator import IdGenerator
    from opentelemetry.trace import (
        NonRecordingSpan,
        Span,
        SpanContext,
        SpanKind,
        Status,
        StatusCode,
        TraceFlags,
        Tracer,
        set_span_in_context,
    )
except ImportError as error:
    raise ConfigurationError(f"otel needs {error.name}: pip install 'redpen-evals[otel]'") from error

_MOST_RUNS: Final = 1_000
"""Maximum number of open runs; when it is reached, the span of the oldest run is ended."""
_BATCH_SPANS: Final = 512
_SHOWN_CHARS: Final = 40
_COMMON: Final = frozenset({"schema_version", "run_id", "seq", "time", "kind", "texts", "cut"})
_CAPTURE: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_PROTOCOLS: Final = {"http/protobuf": "otlp_proto_http", "grpc": "otlp_proto_grpc"}


@dataclass(slots=True, kw_only=True)
class _Run:
    span: Span
    last: int
    chat: Span | None = None


class OtelEvents:
    """An event sink that exports spans.

    Args:
        make_processors: returns the processors of ended spans; by default they export in the background, to
            the exporters that the environment names.

    Raises:
        ConfigurationError: the environment names an exporter that is not installed.
    """

    def __init__(self, make_processors: Callable[[], Sequence[SpanProcessor]] | None = None) -> None:
        self._make_processors = make_processors or _background
        self._lock = threading.Lock()
        self._runs: dict[str, _Run] = {}
        self._ids = _Ids()
        self._captures = os.environ.get(_CAPTURE, "").strip().lower() == "true"
        self._provider: TracerProvider | None = None
        self._tracer = self._open()

    def write(self, event: Event) -> None:
        """Record one event; spans are exported when they end."""
        with self._lock:
            self._record(event, _nanoseconds(event.time))

    def close(self) -> None:
        """End and export all open spans; the next event opens a new provider."""
        with self._lock:
            for run_id in list(self._runs):
                self._end(run_id)
            if self._provider is not None:
                self._provider.shutdown()
            self._provider = None

    def _open(self) -> Tracer:
        processors = self._make_processors()
        resource = Resource.create(
            None if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "redpen"}
        )
        self._provider = TracerProvider(resource=resource, id_generator=self._ids)
        for processor in processors:
            self._provider.add_span_processor(processor)
        return self._provider.get_tracer("redpen")

    def _record(self, event: Event, time: int) -> None:
        if self._provider is None:
            self._tracer = self._open()
        run = self._runs.get(event.run_id) or self._start(event, time)
        # Without the maximum, a span could end before it began if the clock was set back.
        begun, run.last = run.last, max(run.last, time)
        match event:
            case ModelAsked():
                run.chat = self._start_chat(event, run)
            case ModelAnswered() if run.chat is not None:
                self._finish(run.chat, event, run.last)
                run.chat = None
            case ToolCalled():
                # The call began at the previous event, the decision on the action.
                self._finish(self._start_tool(event, run, begun), event, run.last)
            case Published() | Stopped():
                run.span.set_attribute("redpen.status", event.kind)
                run.span.set_attributes(self._attributes(event))
                self._end(event.run_id)
            case _:
                run.span.add_event(f"redpen.{event.kind}", self._attributes(event), run.last)

    def _start(self, event: Event, time: int) -> _Run:
        if len(self._runs) >= _MOST_RUNS:
            self._end(next(iter(self._runs)))
        trace = _trace_id(event.run_id)
        # A resumed run is a span of the same trace, a child of the run's first span.
        first = SpanContext(trace, _span_id(event.run_id, 1), is_remote=True, trace_flags=TraceFlags(1))
        parent = None if event.seq == 1 else set_span_in_context(NonRecordingSpan(first))
        self._ids.next = (trace, _span_id(event.run_id, event.seq))
        span = self._tracer.start_span(
            f"invoke_agent {event.agent}",
            parent,
            SpanKind.INTERNAL,
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": event.agent,
                "redpen.run_id": event.run_id,
                **({} if event.seq > 1 else self._attributes(event)),
            },
            start_time=time,
        )
        run = self._runs[event.run_id] = _Run(span=span, last=time)
        return run

    def _start_chat(self, event: ModelAsked, run: _Run) -> Span:
        model = {} if event.model is None else {"gen_ai.request.model": event.model}
        # The built-in client uses OpenAI's API; for custom agents the phase is the name of the API.
        provider = "anthropic" if event.phase == "messages" else "openai"
        about = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, **model}
        self._ids.next = (_trace_id(event.run_id), _span_id(event.run_id, event.seq))
        return self._tracer.start_span(
            f"chat {event.model}" if event.model else "chat",
            set_span_in_context(run.span),
            SpanKind.CLIENT,
            {**about, **self._attributes(event)},
            start_time=run.last,
        )

    def _start_tool(self, event: ToolCalled, run: _Run, begun: int) -> Span:
        self._ids.next = (_trace_id(event.run_id), _span_id(event.run_id, event.seq))
        return self._tracer.start_span(
            f"execute_tool {event.tool}",
            set_span_in_context(run.span),
            SpanKind.INTERNAL,
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.type": "function",
                "gen_ai.tool.name": event.tool,
                "gen_ai.tool.call.id": event.action,
            },
            start_time=begun,
        )

    def _finish(self, span: Span, event: ModelAnswered | ToolCalled, time: int) -> None:
        attributes = self._attributes(event)
        if isinstance(event, ModelAnswered):
            attributes["redpen.answer_chars"] = attributes.pop("redpen.chars")
        span.set_attributes(attributes)
        if not event.ok:
            span.set_attribute("error.type", event.code or "_OTHER")
            span.set_status(Status(StatusCode.ERROR))
        span.end(time)

    def _end(self, run_id: str) -> None:
        run = self._runs.pop(run_id)
        if run.chat is not None:
            run.chat.end(run.last)
        run.span.end(run.last)

    def _attributes(self, event: Event) -> dict[str, Any]:
        own = event.model_dump(mode="json", exclude=set(_COMMON) | {"agent"})
        found = {f"redpen.{name}": value for name, value in own.items() if value not in (None, [])}
        if self._captures:
            for name, value in (event.texts or {}).items():
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                found[f"redpen.text.{name}"] = text
        return found


class CollectedSpans(SpanProcessor):
    """Exports spans in batches, in the thread that ends them, and counts failures.

    Args:
        exporter: exports the spans; by default the exporters that the environment names.

    Attributes:
        sent: number of spans that were exported.
        failed: number of spans whose export failed.
    """

    def __init__(self, exporter: SpanExporter | None = None) -> None:
        self._exporters = list(_exporters()) if exporter is None else [exporter]
        self._spans: list[Any] = []
        self.sent = 0
        self.failed = 0

    def on_end(self, span: Any) -> None:
        """Queue a span, and export a full batch."""
        self._spans.append(span)
        if len(self._spans) >= _BATCH_SPANS:
            self.force_flush()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Export all queued spans; returns whether no export has failed so far."""
        del timeout_millis
        spans, self._spans = self._spans, []
        for exporter in self._exporters if spans else ():
            try:
                is_sent = exporter.export(spans) is SpanExportResult.SUCCESS
            except Exception:  # noqa: BLE001 - a custom exporter may raise anything
                is_sent = False
            if is_sent:
                self.sent += len(spans)
            else:
                self.failed += len(spans)
        return not self.failed

    def shutdown(self) -> None:
        """Export all queued spans, and shut the exporters down."""
        self.force_flush()
        for exporter in self._exporters:
            exporter.shutdown()


class _Ids(IdGenerator):
    """Returns ids that are derived from the run, so that exporting a run again gives the same trace."""

    def __init__(self) -> None:
        self.next = (0, 0)

    def generate_trace_id(self) -> int:
        return self.next[0]

    def generate_span_id(self) -> int:
        return self.next[1]


def _trace_id(run_id: str) -> int:
    try:
        found = uuid.UUID(run_id).int
    except ValueError:
        found = 0
    return found or int.from_bytes(sha256(run_id.encode("utf-8", "surrogatepass")).digest()[:16])


def _span_id(run_id: str, seq: int) -> int:
    return int.from_bytes(sha256(f"{run_id}:{seq}".encode("utf-8", "surrogatepass")).digest()[:8]) or 1


def _nanoseconds(time: str) -> int:
    found = datetime.fromisoformat(time)
    return int(found.timestamp()) * 1_000_000_000 + found.microsecond * 1_000


def _background() -> Sequence[SpanProcessor]:
    return [BatchSpanProcessor(exporter) for exporter in _exporters()]


def _exporters() -> Iterator[SpanExporter]:
    """Yield the exporters that the environment names, by default OTLP."""
    for listed in os.environ.get("OTEL_TRACES_EXPORTER", "").split(","):
        name = listed.strip() or "otlp"
        if name == "none":
            continue
        if name == "otlp":
            protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
            protocol = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", protocol)
            exporter = _PROTOCOLS.get(protocol, protocol)
        else:
            exporter = name
        shown = repr(exporter[:_SHOWN_CHARS])
        found = next(iter(entry_points(group="opentelemetry_traces_exporter", name=exporter)), None)
        if found is None:
            raise ConfigurationError(f"otel: the exporter {shown} is not installed; see OTEL_TRACES_EXPORTER")
        try:
            yield found.load()()
        except (ImportError, ValueError) as error:
            raise ConfigurationError(f"otel: the exporter {shown} cannot be used: {error}") from error
