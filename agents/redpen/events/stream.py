"""The events of one run: numbered, timed, without secrets, and never larger than their bound."""

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
from redpen.text.keys import STRUCK, strike_keys

UNAVAILABLE: Final = "events_unavailable"
"""Stop reason of a run whose policy requires events that cannot be kept."""

LONGEST_TEXT: Final = 20_000
"""Longest text of an event, in characters; of one that is an object or a list, of its JSON."""
LARGEST_TEXTS: Final = 60_000
"""Most characters of all texts of one event."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/@+=,-]{1,200}")
_DIGITS: Final = 12


class EventStream:
    """Tells a log what happens in one run; without a log it does nothing.

    Args:
        log: where events go.
        agent: whose run it is.
        hashes: digests of policy and prompts, asked once where events are wanted.
        redact: strikes the secrets of this run, such as the key in use.
        required: whether a run stops whose events cannot be kept.
        run_id: of a run that goes on; by default a new one.

    Attributes:
        run_id: UUID4 of the run.
        lost: events that could not be kept.
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
        # A planner of the user's own asks its model in a thread.
        self._lock = threading.Lock()
        self._hashes = hashes() if log is not None else (None, None)

    @property
    def is_on(self) -> bool:
        """Whether anybody listens; what is costly to tell need not be made otherwise."""
        return self._log is not None and not self._is_muted

    @property
    def has_log(self) -> bool:
        """Whether anybody listens, or will once the run goes on."""
        return self._log is not None

    @property
    def told(self) -> int:
        """Number of the last event; 0 where there was none."""
        return self._seq

    def mute(self) -> None:
        """Tell nothing while a run that goes on comes to the point where it stopped: that is told already."""
        self._is_muted = True

    def go_on(self, after: int) -> None:
        """Tell again, from the event after that number on; raises as ``tell``."""
        self._is_muted = False
        self._seq = after
        self.tell("resumed", after=after)

    def start(self, **texts: object) -> None:
        """Tell that the run begins; raises as ``tell``."""
        log = self._log
        about = (
            {} if log is None else {"scenario": log.scenario, "variant": log.variant, "sample": log.sample}
        )
        self.tell("run_started", texts=texts, **about)

    def tell(self, kind: EventKind, *, texts: Mapping[str, object] | None = None, **fields: Any) -> None:
        """Tell of one event.

        Args:
            kind: of the event.
            texts: by name, any JSON values.
            fields: the event's own.

        Raises:
            Stop: ``events_unavailable`` where the policy requires events and this one was not kept.
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
                self._keep(log, kind, texts or {}, fields)
            except Exception as error:
                self.lost += 1
                log.tell_failure(error)
                if self._required:
                    raise Stop(UNAVAILABLE, phase=fields.get("phase")) from error

    def _keep(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> None:
        write_text = log.write_text
        if write_text is not None:
            event = self._text(log, kind, texts, fields)
            if event is not None:
                write_text(event)
                return
        log.write(EVENT.validate_python(self._content(log, kind, texts, fields)))

    def _text(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> EventText | None:
        """Return the event as it is stored; None where it has to be looked at more closely."""
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
        if not all(map(_is_plain, fields.values())) or len(agent) > LONGEST_NAME:
            return None
        if log.texts:
            content["texts"] = texts

        def struck(text: str) -> str:
            return log.strike_known(text if self._redact is None else self._redact(text))

        text = harmless_json(content, struck=struck, most=LONGEST_TEXT)
        if text is None:
            return None
        return EventText(self.run_id, self._seq, time, kind, agent, code, text)

    def _content(
        self, log: EventLog, kind: EventKind, texts: Mapping[str, object], fields: Mapping[str, Any]
    ) -> dict[str, Any]:
        policy_hash, prompts_hash = self._hashes
        told: dict[str, Any] = {
            "fields": {"agent": self._agent, **fields},
            "texts": _copied(texts) if log.texts else None,
        }
        # Most events hold no secret, which one look at all that is written of them shows.
        written = "\n".join(_written(told))
        if self._struck(log, written) != written:
            told = {name: self._without_secrets(log, name, value) for name, value in told.items()}
        content: dict[str, Any] = {name: _plain(value) for name, value in told["fields"].items()}
        content |= {
            "kind": kind,
            "run_id": self.run_id,
            "seq": self._seq,
            "time": _now(),
            "agent": _encodable(told["fields"]["agent"])[:LONGEST_NAME],
            "policy_hash": policy_hash,
            "prompts_hash": prompts_hash,
        }
        if told["texts"] is not None:
            content["texts"], content["cut"] = _bounded(told["texts"])
        return content

    def _without_secrets(self, log: EventLog, name: str, value: Any) -> Any:
        match value:
            # Some secrets are known by their name alone.
            case str() if strike_keys(f"{name}: {value}") != f"{name}: {value}":
                return STRUCK
            case str():
                return self._struck(log, value)
            case dict():
                items = {key: self._without_secrets(log, key, item) for key, item in value.items()}
                return {self._struck(log, key): item for key, item in items.items()}
            case list() | tuple():
                return [self._without_secrets(log, "", item) for item in value]
            case _:
                return value

    def _struck(self, log: EventLog, text: str) -> str:
        if self._redact is not None:
            text = self._redact(text)
        return log.redacted(text)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _is_plain(value: Any) -> bool:
    """Return whether a field of an event is kept as it is."""
    match value:
        case None | int():
            return True
        case str():
            return _NAME.fullmatch(value) is not None
        case list() | tuple():
            return len(value) <= MOST_CODES and all(map(_is_plain, value))
        case _:
            return False


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _copied(value: object) -> Any:
    """Return a copy as JSON can hold it; of an object of somebody's own its type."""
    match value:
        case str():
            return _encodable(value)
        case Mapping():
            return {_encodable(str(key)): _copied(item) for key, item in value.items()}
        case list() | tuple():
            return [_copied(item) for item in value]
        case None | bool() | int() | float():
            return printable(value)
        case _:
            return type(value).__name__


def _written(value: Any) -> Iterator[str]:
    """Yield every text of a value, those of an object with their names."""
    match value:
        case str():
            yield value
        case dict():
            for name, item in value.items():
                if isinstance(item, str):
                    yield f"{name}: {item}"
                else:
                    yield name
                    yield from _written(item)
        case list() | tuple():
            for item in value:
                yield from _written(item)


def _plain(value: Any) -> Any:
    """Return a field of an event, its names and codes in a form that is no prose."""
    match value:
        case str():
            return _name(_encodable(value))
        case list() | tuple():
            return [_plain(item) for item in value[:MOST_CODES]]
        case _:
            return value


def _name(text: str) -> str:
    """Return a name or code; what is none of ours and reads like prose is told by its digest alone."""
    if _NAME.fullmatch(text):
        return text
    code, colon, rest = text.partition(":")
    if colon and _NAME.fullmatch(code):
        return f"{code}:{_name(rest)}"[:LONGEST_NAME]
    from hashlib import sha256

    return f"other-{sha256(text.encode()).hexdigest()[:_DIGITS]}"


def _bounded(texts: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return texts within their bounds, and how much of each was cut."""
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


# As with the time that a run has left: what asks a model for a run need not be told of the run.
_CURRENT: ContextVar[EventStream | None] = ContextVar("redpen_event_stream", default=None)


def current_events() -> EventStream | None:
    """Return the stream of the run that this code works for, if anybody listens to it."""
    return _CURRENT.get()


@contextmanager
def telling(stream: EventStream) -> Iterator[None]:
    """Have the model calls inside told to a stream."""
    if not stream.has_log:
        yield
        return
    token = _CURRENT.set(stream)
    try:
        yield
    finally:
        _CURRENT.reset(token)
