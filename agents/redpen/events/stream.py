"""The event stream of one run: numbering, timestamps, redaction of secrets, size limits."""

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
from redpen.events.model import EVENT, MAX_CODES, MAX_NAME_CHARS, SCHEMA_VERSION, EventKind
from redpen.events.text import EventText, unchanged_json
from redpen.text.json_values import printable
from redpen.text.keys import REDACTED, redact_keys

UNAVAILABLE: Final = "events_unavailable"
"""Stop reason of a run whose policy requires events, if one cannot be stored."""

MAX_TEXT_CHARS: Final = 20_000
"""Maximum length of a text of an event, in characters; objects and lists are measured as JSON."""
MAX_TOTAL_CHARS: Final = 60_000
"""Maximum total length of the texts of one event, in characters."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/@+=,-]{1,200}")
_DIGITS: Final = 12


class EventStream:
    """Writes the events of one run to a log; without a log it does nothing.

    Args:
        log: the event log.
        agent: name of the agent.
        hashes: returns the digests of policy and prompts; called once, if there is a log.
        redact: redacts the secrets of this run, such as the API key in use.
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
        # A user-defined planner may call its model in another thread.
        self._lock = threading.Lock()
        self._hashes = hashes() if log is not None else (None, None)

    @property
    def is_on(self) -> bool:
        """Whether events are being written; if not, callers can skip computing costly fields."""
        return self._log is not None and not self._is_muted

    @property
    def has_log(self) -> bool:
        """Whether there is a log, even if the stream is muted."""
        return self._log is not None

    @property
    def last_number(self) -> int:
        """Number of the last event; 0 if there is none yet."""
        return self._seq

    def mute(self) -> None:
        """Stop writing events while a resumed run is replayed, because they have been stored before."""
        self._is_muted = True

    def resume(self, after: int) -> None:
        """Write events again, numbered after the given number; raises ``Stop`` as ``write`` does."""
        self._is_muted = False
        self._seq = after
        self.write("resumed", after=after)

    def start(self, **texts: object) -> None:
        """Write the event of the run's start; raises ``Stop`` as ``write`` does."""
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
        """Return the stored form of an event that needs no redaction or truncation; None for other events."""
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
        if not all(map(_is_code_field, fields.values())) or len(agent) > MAX_NAME_CHARS:
            return None
        if log.texts:
            content["texts"] = texts

        def redacted(text: str) -> str:
            return log.redact_known(text if self._redact is None else self._redact(text))

        text = unchanged_json(content, redacted=redacted, max_chars=MAX_TEXT_CHARS)
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
        # Most events contain no secret, which a single scan of all their texts shows.
        written = "\n".join(_iter_texts(data))
        if self._redacted(log, written) != written:
            data = {name: self._without_secrets(log, name, value) for name, value in data.items()}
        content: dict[str, Any] = {name: _code_field(value) for name, value in data["fields"].items()}
        content |= {
            "kind": kind,
            "run_id": self.run_id,
            "seq": self._seq,
            "time": _now(),
            "agent": _encodable(data["fields"]["agent"])[:MAX_NAME_CHARS],
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
    """Return whether a field of an event contains only codes, names and numbers."""
    match value:
        case None | int():
            return True
        case str():
            return _NAME.fullmatch(value) is not None
        case list() | tuple():
            return len(value) <= MAX_CODES and all(map(_is_code_field, value))
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
    """Yield all texts in a value; those of an object are prefixed with their keys."""
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
    """Return a field of an event in which digests replace prose."""
    match value:
        case str():
            return _code_or_digest(_encodable(value))
        case list() | tuple():
            return [_code_field(item) for item in value[:MAX_CODES]]
        case _:
            return value


def _code_or_digest(text: str) -> str:
    """Return a text if it has the form of a name or code, else its digest."""
    if _NAME.fullmatch(text):
        return text
    code, colon, rest = text.partition(":")
    if colon and _NAME.fullmatch(code):
        return f"{code}:{_code_or_digest(rest)}"[:MAX_NAME_CHARS]
    from hashlib import sha256

    return f"other-{sha256(text.encode()).hexdigest()[:_DIGITS]}"


def _bounded(texts: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the texts truncated to their limits, and the number of characters cut from each."""
    kept: dict[str, Any] = {}
    cut: dict[str, int] = {}
    left = MAX_TOTAL_CHARS
    for name, value in texts.items():
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        limit = min(MAX_TEXT_CHARS, left)
        if len(written) > limit:
            kept[name], cut[name] = written[:limit], len(written) - limit
        else:
            kept[name] = value
        left -= min(len(written), limit)
    return kept, cut


# A context variable, so that code that calls a model needs no parameter for the stream.
_CURRENT: ContextVar[EventStream | None] = ContextVar("redpen_event_stream", default=None)


def current_events() -> EventStream | None:
    """Return the stream of the current run, if it has a log."""
    return _CURRENT.get()


@contextmanager
def use_stream(stream: EventStream) -> Iterator[None]:
    """Make a stream the current one for model calls inside the block."""
    if not stream.has_log:
        yield
        return
    token = _CURRENT.set(stream)
    try:
        yield
    finally:
        _CURRENT.reset(token)
