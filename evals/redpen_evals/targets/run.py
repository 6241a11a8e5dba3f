"""The result of a run of any target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redpen.types import JsonObject
from redpen_evals.scenario_library.own_agent import OwnExpectation, ToolExpectation


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRun:
    """One turn of a conversation with a user-defined agent; a run without turns is a single turn.

    Attributes:
        user: what the user said; None in a run without turns.
        value: what the agent returned, as JSON values.
        texts: the parts of it that a customer reads.
        tool_calls: tools that the model asked for, with their arguments.
        unpublished: why a text is not where the scenario says; empty if it is.
    """

    user: str | None = None
    value: Any = None
    texts: tuple[str, ...] = ()
    tool_calls: tuple[tuple[str, Any], ...] = ()
    calls: int = 0
    expect: OwnExpectation = field(default_factory=OwnExpectation)
    tools: ToolExpectation | None = None
    unpublished: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The result of a run.

    Attributes:
        tool_calls: tool and arguments of every call that reached a tool of a built-in agent.
        canned: names of the tools with canned answers.
        returned: the unconverted return value of a user-defined agent.
        problem: how the run itself failed: it raised, hung or ended the process; None otherwise.
        decisions_left: decisions of the scenario that the run did not ask for.
    """

    result: dict[str, Any]
    tool_calls: tuple[tuple[str, JsonObject], ...] = ()
    canned: tuple[str, ...] = ()
    turns: tuple[TurnRun, ...] = ()
    returned: Any = None
    problem: str | None = None
    decisions_left: int = 0

    @property
    def raised_names(self) -> tuple[str, ...]:
        """Names of the class of the exception that an agent raised, and of its base classes."""
        return self.returned.names if isinstance(self.returned, Raised) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The end of a call into user code that returned no result.

    Attributes:
        stop_reason: ``raised:OrderNotFound``, ``timed_out`` or ``exited:3``.
        names: names of the exception's class and its base classes.
        lines: its traceback in the user's files, the outermost first, as ``file:line in function``.
        error: the exception itself; None if the call was ended from outside.
    """

    stop_reason: str
    names: tuple[str, ...] = ()
    message: str = ""
    lines: tuple[str, ...] = ()
    error: BaseException | None = None

    def to_dict(self) -> Mapping[str, Any]:
        """Return it as JSON values."""
        name = self.names[0] if self.names else ""
        return {"type": name, "message": self.message, "where": list(self.lines)}
