"""Calls a model through any chat object, within the time limit of the run."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pydantic_core import to_json

from redpen.bounded_call import (
    CallFailed,
    CallTimedOut,
    TooManyHungCalls,
    call_in_time,
    class_names,
    text_of,
)
from redpen.chat.budget import GRACE_S, CallBudget, current_budget
from redpen.chat.client import Chat, ChatClient
from redpen.chat.failures import model_stop
from redpen.chat.replies import Phase
from redpen.errors import Stop
from redpen.events import current_events
from redpen.review.journal import current_journal
from redpen.stop_reasons import STOP_REASONS
from redpen.text.json_values import copy_json
from redpen.text.normal import exact_hash
from redpen.types import JsonObject, JsonValue

_KIND_CHARS = 100

MODEL_REASONS: frozenset[str] = frozenset(
    row.code for row in STOP_REASONS if row.code.startswith("llm_") and row.argument is None
)
"""Stop reasons of failed model calls."""


def ask(chat: Chat, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    """Call ``Chat.complete`` once, within the time limit of the run.

    A user-defined chat object gets a copy of the payload, and its answer is copied, so that it cannot change
    the run's data.

    Raises:
        Stop: the call failed or timed out; the reason is one of ``llm_*``, whatever the chat object raised.
    """
    stream = current_events()
    if stream is None:
        return _ask_with_journal(chat, phase, prompt, payload)
    stream.write(
        "model_asked",
        phase=phase,
        model=chat.model if isinstance(chat, ChatClient) else None,
        prompt_hash=exact_hash(prompt),
        chars=len(prompt) + _chars(payload),
        texts={"prompt": prompt, "payload": payload},
    )
    try:
        reply = _ask_with_journal(chat, phase, prompt, payload)
    except Stop as stop:
        error_texts = {"error": stop.details.get("error")}
        stream.write("model_answered", phase=phase, ok=False, code=stop.reason, chars=0, texts=error_texts)
        raise
    stream.write("model_answered", phase=phase, ok=True, chars=_chars(reply), texts={"reply": reply})
    return reply


def _chars(value: Mapping[str, JsonValue]) -> int:
    """Return the length of a value as JSON, in characters."""
    try:
        return len(to_json(value).decode())
    except ValueError:
        # The value contains, e.g., a lone surrogate.
        return len(json.dumps(value))


def _ask_with_journal(chat: Chat, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    """Call the model, or return the answer from the journal of a resumed run."""
    journal = current_journal()
    if journal is None:
        return _ask(chat, phase, prompt, payload)
    reply = journal.call(
        "judge" if phase == "judge" else "model",
        phase,
        {"prompt": prompt, "payload": dict(payload)},
        lambda _key: _ask(chat, phase, prompt, payload),
    )
    return cast("JsonObject", reply)


def _ask(chat: Chat, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    budget = current_budget()
    if budget is None or (type(chat) is ChatClient and chat.keeps_deadlines):
        return _ask_directly(chat, phase, prompt, payload)
    call = _Call(chat=chat, phase=phase, prompt=prompt, payload=copy.deepcopy(dict(payload)))
    reply = _run_in_time(call, budget)
    if isinstance(reply, Stop):
        raise reply
    # The contract of the phase rejects a reply that is not an object.
    return cast("JsonObject", reply)


def _ask_directly(chat: Chat, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    try:
        return chat.complete(phase=phase, prompt=prompt, payload=payload)
    except Stop:
        raise
    except Exception as error:
        # The `on_call` callback is user code and may raise anything.
        raise model_stop("llm_server_error", class_names(error)[0], text_of(error)) from error


def _run_in_time(call: _Call, budget: CallBudget) -> JsonValue | Stop:
    name = f"chat-{type(call.chat).__qualname__}"
    try:
        return call_in_time(call.run, name=name, seconds=budget.left_s() + GRACE_S)
    except CallTimedOut:
        return model_stop("llm_timeout", "OutOfTime", "the run had no time left")
    except TooManyHungCalls:
        message = f"{name}: too many calls hang, so no further call is made"
        return model_stop("llm_server_error", "TooManyHungCalls", message)
    except CallFailed as error:
        return model_stop("llm_server_error", class_names(error.error)[0], "")
    except RuntimeError as error:
        return model_stop("llm_server_error", "RuntimeError", str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call; only the worker thread touches the chat's objects, and it returns plain values."""

    chat: Chat
    phase: Phase
    prompt: str
    payload: JsonObject

    def run(self) -> JsonValue | Stop:
        try:
            reply = self.chat.complete(phase=self.phase, prompt=self.prompt, payload=self.payload)
        except Stop as stop:
            return stop_of_call(stop)
        except BaseException as error:  # noqa: BLE001 - every exception of a chat object is a failed call
            return model_stop("llm_server_error", class_names(error)[0], text_of(error))
        try:
            return copy_json(reply)
        except ValueError as error:
            return model_stop("llm_invalid_json", "InvalidJson", str(error))


def stop_of_call(stop: Stop) -> Stop:
    """Convert a stop raised by user code into the stop of a failed model call."""
    if stop.reason not in MODEL_REASONS:
        return model_stop("llm_server_error", "Stop", text_of(stop))
    error = stop.details.get("error")
    fields = error if isinstance(error, dict) else {}
    kind, message = fields.get("type"), fields.get("message")
    return model_stop(
        stop.reason,
        kind[:_KIND_CHARS] if isinstance(kind, str) else "Stop",
        message if isinstance(message, str) else "",
    )
