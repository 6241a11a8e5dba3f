"""Asks a model within the time of its run, whatever chat object it is behind."""

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
"""The reasons for which a model call can end a run."""


def ask(chat: Chat, *, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    """Ask once, as ``Chat.complete`` does, and come back when the run's time is up.

    A chat object of the user's own gets a copy of the payload, and what it answers is copied: it can
    neither change the run's data nor keep the run waiting.

    Raises:
        Stop: one of the ``llm_*`` reasons, whatever the chat object raised.
    """
    stream = current_events()
    if stream is None:
        return _journaled(chat, phase, prompt, payload)
    stream.tell(
        "model_asked",
        phase=phase,
        model=chat.model if isinstance(chat, ChatClient) else None,
        prompt_hash=exact_hash(prompt),
        chars=len(prompt) + _chars(payload),
        texts={"prompt": prompt, "payload": payload},
    )
    try:
        reply = _journaled(chat, phase, prompt, payload)
    except Stop as stop:
        told = {"error": stop.details.get("error")}
        stream.tell("model_answered", phase=phase, ok=False, code=stop.reason, chars=0, texts=told)
        raise
    stream.tell("model_answered", phase=phase, ok=True, chars=_chars(reply), texts={"reply": reply})
    return reply


def _chars(value: Mapping[str, JsonValue]) -> int:
    """Return how long a value is as JSON, in characters."""
    try:
        return len(to_json(value).decode())
    except ValueError:
        # Such as a lone surrogate.
        return len(json.dumps(value))


def _journaled(chat: Chat, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    """Ask, or take the answer from the journal of a run that goes on."""
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
    if budget is None or (type(chat) is ChatClient and chat.keeps_time):
        return _ask_at_once(chat, phase, prompt, payload)
    call = _Call(chat=chat, phase=phase, prompt=prompt, payload=copy.deepcopy(dict(payload)))
    reply = _run_in_time(call, budget)
    if isinstance(reply, Stop):
        raise reply
    # What is no object is for the contract of the phase to name.
    return cast("JsonObject", reply)


def _ask_at_once(chat: Chat, phase: Phase, prompt: str, payload: Mapping[str, JsonValue]) -> JsonObject:
    try:
        return chat.complete(phase=phase, prompt=prompt, payload=payload)
    except Stop:
        raise
    except Exception as error:
        # What is called before each call is the user's own.
        raise model_stop("llm_server_error", class_names(error)[0], text_of(error)) from error


def _run_in_time(call: _Call, budget: CallBudget) -> JsonValue | Stop:
    name = f"chat-{type(call.chat).__qualname__}"
    try:
        return call_in_time(call.run, name=name, seconds=budget.left_s() + GRACE_S)
    except CallTimedOut:
        return model_stop("llm_timeout", "OutOfTime", "the time of the run was up")
    except TooManyHungCalls:
        said = f"{name}: too many calls of it hang, and no more are made"
        return model_stop("llm_server_error", "TooManyHungCalls", said)
    except CallFailed as error:
        return model_stop("llm_server_error", class_names(error.error)[0], "")
    except RuntimeError as error:
        return model_stop("llm_server_error", "RuntimeError", str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call; the worker does all that touches objects of the chat's, and leaves plain values."""

    chat: Chat
    phase: Phase
    prompt: str
    payload: JsonObject

    def run(self) -> JsonValue | Stop:
        try:
            reply = self.chat.complete(phase=self.phase, prompt=self.prompt, payload=self.payload)
        except Stop as stop:
            return stop_of_call(stop)
        except BaseException as error:  # noqa: BLE001 - whatever it raises is its failure, not the run's
            return model_stop("llm_server_error", class_names(error)[0], text_of(error))
        try:
            return copy_json(reply)
        except ValueError as error:
            return model_stop("llm_invalid_json", "InvalidJson", str(error))


def stop_of_call(stop: Stop) -> Stop:
    """Return what a stop that foreign code raised comes to: a model call's, and never any other."""
    if stop.reason not in MODEL_REASONS:
        return model_stop("llm_server_error", "Stop", text_of(stop))
    error = stop.details.get("error")
    told = error if isinstance(error, dict) else {}
    kind, message = told.get("type"), told.get("message")
    return model_stop(
        stop.reason,
        kind[:_KIND_CHARS] if isinstance(kind, str) else "Stop",
        message if isinstance(message, str) else "",
    )
