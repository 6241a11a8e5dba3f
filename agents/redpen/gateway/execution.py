"""Executes an action: one tool call with a time limit, whose result is validated and limited in size."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from redpen.bounded_call import (
    CallFailed,
    CallTimedOut,
    TooManyHungCalls,
    call_in_time,
    class_names,
)
from redpen.errors import Stop
from redpen.text.json_values import copy_object
from redpen.types import JsonObject

MAX_DATA_SIZE = 1_000_000
"""Maximum size of a result's ``data``, in the unit of ``redpen.text.json_values.MAX_SIZE``."""

KEY: Final = "idempotency_key"
"""Argument by which a tool recognises a repeated call, whose result it must return without acting again."""

_BY_NAME: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_TIMEOUT_NAME = re.compile(r"\w{0,60}Timeout(?:Error|Expired|Exception)?")

Tool = Callable[..., Mapping[str, Any]]
"""Called with an action's arguments; returns ``{"status": "ok", "data": {…}}``."""


def takes_idempotency_key(tool: Tool | None) -> bool:
    """Return whether a tool has a parameter ``idempotency_key``, by which it recognises a repeated call."""
    try:
        parameter = inspect.signature(tool).parameters.get(KEY) if callable(tool) else None
    except Exception:  # noqa: BLE001 - a user's signature object may raise anything
        return False
    return parameter is not None and parameter.kind in _BY_NAME


def call_tool(
    tools: Mapping[str, Tool], name: str, args: JsonObject, *, timeout_s: float, key: str | None = None
) -> JsonObject:
    """Call a tool and return the data of its result.

    Args:
        tools: tools by name.
        name: the tool to call.
        args: its arguments; the tool gets a copy.
        timeout_s: time limit in seconds; a later result is discarded.
        key: idempotency key, passed to a tool that takes one; it replaces any key in the arguments.

    Returns:
        A copy of ``data``.

    Raises:
        Stop: ``tool_unmapped``, ``tool_timeout``, ``tool_error``, ``tool_invalid_output`` or
            ``tool_status_not_ok``, each with the tool's name, phase ``execute``. Every exception that the
            tool raises is a tool error, including ``SystemExit`` and ``KeyboardInterrupt``; only an interrupt
            by the user propagates to the caller. A tool with ``redpen.bounded_call.MAX_HUNG_CALLS``
            unfinished calls is not called: ``tool_error:<tool>:TooManyHungCalls``.
    """
    tool = tools.get(name)
    if tool is None:
        raise _stop(f"tool_unmapped:{name}")
    try:
        copy = copy_object(args)
        if key is not None and takes_idempotency_key(tool):
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


class _InvalidResultError(Exception):
    """The tool's result is invalid; the message is the stop reason."""


@dataclass(slots=True, kw_only=True)
class _Call:
    """One tool call and its result.

    The worker thread also reads the tool's result, because reading a user-defined object may hang. It stores
    only plain values here.
    """

    tool: Tool
    name: str
    args: JsonObject
    data: JsonObject | None = None
    failure: str = ""

    def run(self) -> None:
        try:
            self.data = self._parse_result(self.tool(**self.args))
        except _InvalidResultError as error:
            self.failure = str(error)
        except BaseException as error:  # noqa: BLE001 - every exception of a tool is a tool error
            self.failure = self._stop_reason(error)

    def _parse_result(self, result: object) -> JsonObject:
        if not isinstance(result, Mapping):
            raise _InvalidResultError(f"tool_invalid_output:{self.name}")
        status = result.get("status")
        if not isinstance(status, str) or status != "ok":
            raise _InvalidResultError(f"tool_status_not_ok:{self.name}")
        try:
            return copy_object(result.get("data"), max_size=MAX_DATA_SIZE)
        except ValueError as error:
            raise _InvalidResultError(f"tool_invalid_output:{self.name}") from error

    def _stop_reason(self, error: BaseException) -> str:
        # HTTP libraries and subprocess have timeout classes that do not derive from TimeoutError.
        names = class_names(error)
        if any(map(_TIMEOUT_NAME.fullmatch, names)):
            return f"tool_timeout:{self.name}"
        return f"tool_error:{self.name}:{names[0]}"


def _stop(reason: str) -> Stop:
    return Stop(reason, phase="execute")
