"""Events of runs under the harness: their labels, their redaction, and those of the user's own agents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from redpen.errors import ConfigurationError
from redpen.events import Event, EventLog, EventStream, open_events
from redpen.events.address import OTEL
from redpen.events.sql import SqlEvents
from redpen.events.text import EventText
from redpen.text.normal import plain_hash
from redpen_evals.cassettes.file import Call
from redpen_evals.model_calls.reading import ModelCall, read_calls
from redpen_evals.network import trusted
from redpen_evals.settings import read_switch
from redpen_evals.targets.environment import SECRETS

if TYPE_CHECKING:
    from redpen_evals.evaluation.subject import Subject
    from redpen_evals.targets.run import Run


def open_project_events(place: str, *, texts: object, root: Path) -> EventLog:
    """Open the log of a project's events, with the secrets of the environment redacted.

    Args:
        place: ``jsonl:PATH``, ``sqlite:///PATH`` or ``postgresql://…``.
        texts: the setting ``redpen_events_texts``.
        root: folder that a relative path starts from.

    Raises:
        ConfigurationError: place or setting cannot be used.
    """
    if place == OTEL:
        # A run under the harness reaches no network, and the exporter's background thread belongs to no run.
        raise ConfigurationError(
            "events: otel is for agents of your own program; keep these in a file or database, and send them "
            "with `redpen events FILE --to otel`"
        )
    keeps_texts = read_switch("redpen_events_texts", texts)
    log = open_events(place, texts=keeps_texts, redact=SECRETS.redacted, root=root)
    return replace(log, sink=_TrustedSink(log.sink)) if isinstance(log.sink, SqlEvents) else log


class _TrustedSink:
    """A database that a run may write to although the network is blocked."""

    def __init__(self, sink: SqlEvents) -> None:
        self._sink = sink
        self.address = sink.address

    def write(self, event: Event) -> None:
        with trusted():
            self._sink.write(event)

    def write_text(self, event: EventText) -> None:
        with trusted():
            self._sink.write_text(event)

    def close(self) -> None:
        self._sink.close()


def log_about(log: EventLog, subject: Subject) -> EventLog:
    """Return a log for the runs of a subject."""
    return log.for_scenario(
        scenario=subject.case.id, variant=subject.variant.label or None, sample=subject.sample
    )


def write_own_run(log: EventLog, subject: Subject, run: Run, calls: Sequence[Call]) -> str:
    """Write the events of a run of the user's own agent that its traffic and its result show.

    Args:
        log: where events go.
        subject: what was run.
        run: its result.
        calls: the HTTP calls that it made; their events have the time of writing.

    Returns:
        The id of the run.
    """
    stream = EventStream(
        log_about(log, subject), agent=subject.case.agent, hashes=lambda: (subject.pack.hash, None)
    )
    arguments = (
        subject.own.input if subject.own is not None and subject.arguments is None else subject.arguments
    )
    stream.start(input={**(arguments or {}), **subject.variant.arguments}, context=subject.case.subject)
    for call in read_calls(calls):
        if call.dialect is not None:
            _write_call(stream, call)
    result = run.result
    answer = "\n\n".join(text for turn in run.turns for text in turn.texts)
    if result["status"] == "ok":
        stream.write(
            "published",
            outcome=result.get("outcome"),
            code=result["stop_reason"],
            answer_hash=plain_hash(answer),
            chars=len(answer),
            texts={"answer": answer},
        )
    else:
        stream.write("stopped", code=result["stop_reason"], texts={"error": result.get("error")})
    return stream.run_id


def _write_call(stream: EventStream, call: ModelCall) -> None:
    phase = call.dialect or ""
    stream.write(
        "model_asked",
        phase=phase,
        model=call.model or None,
        chars=len(json.dumps(call.request, ensure_ascii=False)),
        texts={"request": call.request},
    )
    ok = call.status is not None and call.status < 400
    tool_calls = [{"name": tool.name, "args": tool.args} for tool in call.tool_calls]
    stream.write(
        "model_answered",
        phase=phase,
        ok=ok,
        code=None if ok else f"http:{call.status}" if call.status else "http:failed",
        chars=len(call.text),
        texts={"text": call.text, "tool_calls": tool_calls} if ok else {"response": call.response},
    )
