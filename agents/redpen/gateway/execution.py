"""Carrying an action out: one tool call, bounded in time and size, its answer held to a contract."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from redpen.bounded_call import (
    MAX_HUNG_CALLS,
    CallFailed,
    CallTimedOut,
    TooManyHungCalls,
    call_in_time,
    class_names,
)
from redpen.errors import Stop
from redpen.text.json_values import copy_object
from redpen.types import JsonObject

__all__ = ["MAX_DATA_SIZE", "MAX_HUNG_CALLS", "Tool", "call_tool", "takes_key"]

MAX_DATA_SIZE = 1_000_000
"""Largest ``data`` of an answer, counted as ``redpen.text.json_values.MAX_SIZE`` is."""

KEY: Final = "idempotency_key"
"""Argument of a tool by which it knows a call that is made again, and then only answers."""

_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_TIMEOUT_NAME = re.compile(r"\w{0,60}Timeout(?:Error|Expired|Exception)?")

Tool = Callable[..., Mapping[str, Any]]
"""Called with an action's arguments; answers ``{"status": "ok", "data": {…}}``."""


def takes_key(tool: Tool | None) -> bool:
    """Return whether a tool takes an ``idempotency_key``, by which it knows a call that is made again."""
    try:
        parameter = inspect.signature(tool).parameters.get(KEY) if callable(tool) else None
    except Exception:  # noqa: BLE001 - a signature of somebody else's making
        return False
    return parameter is not None and parameter.kind in _BY_NAME


def call_tool(
    tools: Mapping[str, Tool], name: str, args: JsonObject, *, timeout_s: float, key: str | None = None
) -> JsonObject:
    """Call a tool and return the data of its answer.

    Args:
        tools: tools by name.
        name: the tool to call.
        args: its arguments; the tool gets a copy.
        timeout_s: how long it may take, in seconds; what it returns later is dropped.
        key: given to a tool that takes one, in place of any that the arguments hold.

    Returns:
        A copy of ``data``.

    Raises:
        Stop: ``tool_unmapped``, ``tool_timeout``, ``tool_error``, ``tool_invalid_output`` or
            ``tool_status_not_ok``, each with the tool's name, phase ``execute``. Whatever a tool raises is
            its failure, ``SystemExit`` and a ``KeyboardInterrupt`` of its own included; an interrupt by the
            user reaches the caller. A tool with ``MAX_HUNG_CALLS`` is
            ``tool_error:<tool>:TooManyHungCalls``.
    """
    tool = tools.get(name)
    if tool is None:
        raise _stop(f"tool_unmapped:{name}")
    try:
        copy = copy_object(args)
        if key is not None and takes_key(tool):
            copy[KEY] = key
        call = _Call(tool=tool, name=name, args=copy)
    except ValueError as error:
        raise _stop(f"tool_error:{name}:{type(error).__name__}") from error
    try:
        call_in_time(call.run, name=f"tool-{name}", seconds=timeout_s)
    except CallTimedOut as error:
        raise _stop(f"tool_timeout:{name}") from error
    except CallFailed as error:
        raise _stop(f"tool_error:{name}:{class_names(error.error)[0]}") from error
    except (TooManyHungCalls, RuntimeError) as error:
        raise _stop(f"tool_error:{name}:{type(error).__name__}") from error
    if call.data is None:
        raise _stop(call.failure)
    return call.data


class _UnfitAnswerError(Exception):
    """An answer that breaks the contract; its text is the stop reason."""


@dataclass(slots=True, kw_only=True)
class _Call:
    """One call of a tool, and how it ended.

    The worker does all that touches objects of the tool's: to read one may take for ever. What it leaves
    here is plain values.
    """

    tool: Tool
    name: str
    args: JsonObject
    data: JsonObject | None = None
    failure: str = ""

    def run(self) -> None:
        try:
            self.data = self._read(self.tool(**self.args))
        except _UnfitAnswerError as unfit:
            self.failure = str(unfit)
        except BaseException as error:  # noqa: BLE001 - whatever a tool raises is its failure, not ours
            self.failure = self._failure(error)

    def _read(self, answer: object) -> JsonObject:
        if not isinstance(answer, Mapping):
            raise _UnfitAnswerError(f"tool_invalid_output:{self.name}")
        status = answer.get("status")
        if not isinstance(status, str) or status != "ok":
            raise _UnfitAnswerError(f"tool_status_not_ok:{self.name}")
        try:
            return copy_object(answer.get("data"), max_size=MAX_DATA_SIZE)
        except ValueError as error:
            raise _UnfitAnswerError(f"tool_invalid_output:{self.name}") from error

    def _failure(self, error: BaseException) -> str:
        # HTTP libraries and subprocess have timeout errors of their own, which are no TimeoutError.
        names = class_names(error)
        if any(map(_TIMEOUT_NAME.fullmatch, names)):
            return f"tool_timeout:{self.name}"
        return f"tool_error:{self.name}:{names[0]}"


def _stop(reason: str) -> Stop:
    return Stop(reason, phase="execute")
