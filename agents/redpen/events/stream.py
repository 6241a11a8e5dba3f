"""The event stream of one run: numbers, timestamps, redaction of secrets, size limits."""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from redpen.errors import Stop
from redpen.events.log import EventLog, Redactor
from redpen.events.model import EVENT, LONGEST_NAME, MOST_CODES, SCHEMA_VERSION, EventKind
from redpen.events.text import EventText, harmless_json
from redpen.text.json_values import printable
from redpen.text.keys import REDACTED, redact_keys

UNAVAILABLE: Final = "events_unavailable"
"""Stop reason of a run whose policy requires events, if one cannot be stored."""

LONGEST_TEXT: Final = 20_000
"""Longest text of an event, in characters; the JSON of an object or list counts."""
LARGEST_TEXTS: Final = 60_000
"""Most characters of all texts of one event."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/@+=,-]{1,200}")
_DIGITS: Final = 12


class EventStream:
    """Writes the events of one run to a log; without a log it does nothing.

    Args:
        log: the event log.
        agent: name of the agent.
        hashes: returns the digests of policy and prompts; called once, if there is a log.
        redact: redacts the secrets of this run, such as the key in use.
        required: whether the run stops if an event cannot be stored.
        run_id: id of a resumed run; by default a new id.

    Attributes:
        run_id: UUID4 of the run.
        lost: number of events that could not be stored.
    """

    def __init__(
        self,
        log: EventLog | None = None,
        *,
        agent: str = "",
        hashes: Callable[[], tuple[str | None, str | None]] = lambda: (None, None),
        redact: Redactor | None = None,
        required: bool = False,
        run_id: str | None = None,
    ) -> None:
        self.run_id = run_id or str(uuid.uuid4())
        self.lost = 0
        self._log = log
        self._agent = agent
        self._redact = redact
        self._required = required
        self._seq = 0
        self._is_muted = False
        # A user-defined planner may call its model in a thread of its own.
        self._lock = threading.Lock()
        self._hashes = hashes() if log is not None else (None, None)

    @property
    def is_on(self) -> bool:
        """Whether events are written now; callers can skip costly event fields otherwise."""
        return self._log is not None and not self._is_muted

    @property
    def has_log(self) -> bool:
        """Whether there is a log, even if the stream is muted."""
        return self._log is not None

    @property
    def last_number(self) -> int:
        """Number of the last event; 0 if there was none."""
        return self._seq

    def mute(self) -> None:
        """Write no events while a resumed run is replayed, because they are stored already."""
        self._is_muted = True

    def resume(self, after: int) -> None:
        """End muting, and number the next event after the given number; raises as ``write``."""
        self._is_muted = False
        self._seq = after
        self.write("resumed", after=after)

    def start(self, **texts: object) -> None:
        """Write the event of the run's start; raises as ``write``."""
        log = self._log
        about = (
            {} if log is None else {"scenario": log.scenario, "variant": log.variant, "sample": log.sample}
        )
        self.write("run_started", texts=texts, **about)

    def write(self, kind: EventKind, *, texts: Mapping[str, object] | None = None, **fields: Any) -> None:
        """Write one event.

        Args:
            kind: kind of the event.
            texts: texts by name, any JSON values.
            fields: fields of this kind of event.

        Raises:
            Stop: ``events_unavailable`` if the policy requires events and this one was not stored.
        """
        log = self._log
        if self._is_muted:
            return
        if log is None:
            if self._required:
                raise Stop(UNAVAILABLE, phase=fields.get("phase"))
            return
        with self._lock:
            self._seq += 1
            try:
                self._write(log, kind, texts or {}, fields)
            except Exception as error:
                self.lost += 1
                log.log_failure(error)
                if self._required:
                    raise Stop(UNAVAILABLE, phase=fields.get("phase")) from error

    def _write(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> None:
        write_text = log.write_text
        if write_text is not None:
            event = self._event_text(log, kind, texts, fields)
            if event is not None:
                write_text(event)
                return
        log.write(EVENT.validate_python(self._event_content(log, kind, texts, fields)))

    def _event_text(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> EventText | None:
        """Return the stored form of an event that needs no redaction or cut; None for other events."""
        agent, code, time = self._agent, fields.get("code"), _now()
        policy_hash, prompts_hash = self._hashes
        content: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "run_id": self.run_id,
            "seq": self._seq,
            "time": time,
            "agent": agent,
            "policy_hash": policy_hash,
            "prompts_hash": prompts_hash,
            "kind": kind,
            **fields,
        }
        if not all(map(_is_code_field, fields.values())) or len(agent) > LONGEST_NAME:
            return None
        if log.texts:
            content["texts"] = texts

        def redacted(text: str) -> str:
            return log.redact_known(text if self._redact is None else self._redact(text))

        text = harmless_json(content, redacted=redacted, most=LONGEST_TEXT)
        if text is None:
            return None
        return EventText(self.run_id, self._seq, time, kind, agent, code, text)

    def _event_content(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> dict[str, Any]:
        policy_hash, prompts_hash = self._hashes
        data: dict[str, Any] = {
            "fields": {"agent": self._agent, **fields},
            "texts": _json_copy(texts) if log.texts else None,
        }
        # Most events hold no secret; one scan of all their texts together shows that.
        written = "\n".join(_iter_texts(data))
        if self._redacted(log, written) != written:
            data = {name: self._without_secrets(log, name, value) for name, value in data.items()}
        content: dict[str, Any] = {name: _code_field(value) for name, value in data["fields"].items()}
        content |= {
            "kind": kind,
            "run_id": self.run_id,
            "seq": self._seq,
            "time": _now(),
            "agent": _encodable(data["fields"]["agent"])[:LONGEST_NAME],
            "policy_hash": policy_hash,
            "prompts_hash": prompts_hash,
        }
        if data["texts"] is not None:
            content["texts"], content["cut"] = _bounded(data["texts"])
        return content

    def _without_secrets(self, log: EventLog, name: str, value: Any) -> Any:
        match value:
            # Some secrets are recognised only by their name.
            case str() if redact_keys(f"{name}: {value}") != f"{name}: {value}":
                return REDACTED
            case str():
                return self._redacted(log, value)
            case dict():
                items = {key: self._without_secrets(log, key, item) for key, item in value.items()}
                return {self._redacted(log, key): item for key, item in items.items()}
            case list() | tuple():
                return [self._without_secrets(log, "", item) for item in value]
            case _:
                return value

    def _redacted(self, log: EventLog, text: str) -> str:
        if self._redact is not None:
            text = self._redact(text)
        return log.redacted(text)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _is_code_field(value: Any) -> bool:
    """Return whether a field of an event can be stored unchanged."""
    match value:
        case None | int():
            return True
        case str():
            return _NAME.fullmatch(value) is not None
        case list() | tuple():
            return len(value) <= MOST_CODES and all(map(_is_code_field, value))
        case _:
            return False


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _json_copy(value: object) -> Any:
    """Return a JSON copy of a value; other objects are replaced by the name of their type."""
    match value:
        case str():
            return _encodable(value)
        case Mapping():
            return {_encodable(str(key)): _json_copy(item) for key, item in value.items()}
        case list() | tuple():
            return [_json_copy(item) for item in value]
        case None | bool() | int() | float():
            return printable(value)
        case _:
            return type(value).__name__


def _iter_texts(value: Any) -> Iterator[str]:
    """Yield all texts of a value, those of an object with their keys."""
    match value:
        case str():
            yield value
        case dict():
            for name, item in value.items():
                if isinstance(item, str):
                    yield f"{name}: {item}"
                else:
                    yield name
                    yield from _iter_texts(item)
        case list() | tuple():
            for item in value:
                yield from _iter_texts(item)


def _code_field(value: Any) -> Any:
    """Return a field of an event with prose replaced by digests."""
    match value:
        case str():
            return _code_or_digest(_encodable(value))
        case list() | tuple():
            return [_code_field(item) for item in value[:MOST_CODES]]
        case _:
            return value


def _code_or_digest(text: str) -> str:
    """Return a name or code; a text that has not the form of one is replaced by its digest."""
    if _NAME.fullmatch(text):
        return text
    code, colon, rest = text.partition(":")
    if colon and _NAME.fullmatch(code):
        return f"{code}:{_code_or_digest(rest)}"[:LONGEST_NAME]
    from hashlib import sha256

    return f"other-{sha256(text.encode()).hexdigest()[:_DIGITS]}"


def _bounded(texts: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the texts cut to their limits, and the number of characters cut from each."""
    kept: dict[str, Any] = {}
    cut: dict[str, int] = {}
    left = LARGEST_TEXTS
    for name, value in texts.items():
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        most = min(LONGEST_TEXT, left)
        if len(written) > most:
            kept[name], cut[name] = written[:most], len(written) - most
        else:
            kept[name] = value
        left -= min(len(written), most)
    return kept, cut


# A context variable, so that code that calls a model needs no argument for the stream.
_CURRENT: ContextVar[EventStream | None] = ContextVar("redpen_event_stream", default=None)


def current_events() -> EventStream | None:
    """Return the stream of the current run, if it has a log."""
    return _CURRENT.get()


@contextmanager
def telling(stream: EventStream) -> Iterator[None]:
    """Write the events of the model calls inside the block to a stream."""
    if not stream.has_log:
        yield
        return
    token = _CURRENT.set(stream)
    try:
        yield
    finally:
        _CURRENT.reset(token)
