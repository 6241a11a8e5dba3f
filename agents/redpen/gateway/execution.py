"""Carrying an action out: one tool call, bounded in time, its answer held to a contract."""

from __future__ import annotations

import contextvars
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from redpen.errors import Stop
from redpen.text.json_values import copy_object
from redpen.types import JsonObject

_TIMEOUT_NAME = re.compile(r"\w{0,60}Timeout(?:Error|Expired|Exception)?")

Tool = Callable[..., Mapping[str, Any]]
"""Called with an action's arguments; answers ``{"status": "ok", "data": {…}}``."""


@dataclass(slots=True)
class _Outcome:
    answer: object = None
    error: BaseException | None = None


def call_tool(tools: Mapping[str, Tool], name: str, args: JsonObject, *, timeout_s: float) -> JsonObject:
    """Call a tool and return the data of its answer.

    Args:
        tools: tools by name.
        name: the tool to call.
        args: its arguments; the tool gets a copy.
        timeout_s: how long it may take, in seconds; what it returns later is dropped.

    Returns:
        A copy of ``data``.

    Raises:
        Stop: ``tool_unmapped``, ``tool_timeout``, ``tool_error``, ``tool_invalid_output`` or
            ``tool_status_not_ok``, each with the tool's name, phase ``execute``.
    """
    tool = tools.get(name)
    if tool is None:
        raise _stop(f"tool_unmapped:{name}")
    answer = _call(tool, name, copy_object(args), timeout_s)
    if not isinstance(answer, Mapping):
        raise _stop(f"tool_invalid_output:{name}")
    status = answer.get("status")
    if not isinstance(status, str) or status != "ok":
        raise _stop(f"tool_status_not_ok:{name}")
    try:
        return copy_object(answer.get("data"))
    except ValueError as error:
        raise _stop(f"tool_invalid_output:{name}") from error


def _call(tool: Tool, name: str, args: JsonObject, timeout_s: float) -> object:
    # A thread of its own for each call: a tool that hangs keeps nobody else's place, and its late
    # answer lands in an outcome that nobody reads any more.
    outcome = _Outcome()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            answer = context.run(lambda: tool(**args))
            # Whatever kind of mapping a tool answers with, its methods run here, under the time limit.
            outcome.answer = dict(answer) if isinstance(answer, Mapping) else answer
        except BaseException as error:  # noqa: BLE001 - whatever a tool raises is its failure, not ours
            outcome.error = error

    worker = threading.Thread(target=work, name=f"redpen-tool-{name}", daemon=True)
    worker.start()
    worker.join(timeout_s)
    if worker.is_alive():
        raise _stop(f"tool_timeout:{name}")
    if outcome.error is not None and _is_timeout(outcome.error):
        raise _stop(f"tool_timeout:{name}")
    if outcome.error is not None:
        raise _stop(f"tool_error:{name}:{type(outcome.error).__name__}")
    return outcome.answer


def _is_timeout(error: BaseException) -> bool:
    # HTTP libraries and subprocess have timeout errors of their own, which are no TimeoutError.
    return any(_TIMEOUT_NAME.fullmatch(kind.__name__) for kind in type(error).__mro__)


def _stop(reason: str) -> Stop:
    return Stop(reason, phase="execute")
