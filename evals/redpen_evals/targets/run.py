"""What a run leaves behind, whatever was run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redpen.types import JsonObject
from redpen_evals.scenario_library.own_agent import OwnExpectation, ToolExpectation


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRun:
    """One turn of a conversation with an agent of somebody's own; a run without turns is a single one.

    Attributes:
        user: what the user said; None in a run without turns.
        value: what the agent returned, as JSON values.
        texts: what of it a customer reads.
        tool_calls: tools that the model asked for, with their arguments.
        calls: model calls that were made.
        expect: what the turn has to answer.
        tools: the tools that it has to ask for.
    """

    user: str | None = None
    value: Any = None
    texts: tuple[str, ...] = ()
    tool_calls: tuple[tuple[str, Any], ...] = ()
    calls: int = 0
    expect: OwnExpectation = field(default_factory=OwnExpectation)
    tools: ToolExpectation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a run left behind.

    Attributes:
        result: the agent's result as JSON values.
        tool_calls: tool and arguments of every call that reached a tool of a built-in agent.
        canned: names of those tools that did nothing, for they are canned.
        turns: of an agent of somebody's own.
        returned: what such an agent returned, as it is.
        problem: why the run failed in itself: it raised, hung or ended the process; None where it did not.
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
        """Names of the class of what an agent raised, and of those that it comes from."""
        return self.returned.names if isinstance(self.returned, Raised) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """How a call into somebody's own code ended without a result.

    Attributes:
        stop_reason: ``raised:OrderNotFound``, ``timed_out`` or ``exited:3``.
        names: of the exception's class and those that it comes from.
        message: what it says.
        lines: where it came from in the user's own files, the outermost first, as ``file:line in function``.
        error: the exception itself; None where the call was ended from outside.
    """

    stop_reason: str
    names: tuple[str, ...] = ()
    message: str = ""
    lines: tuple[str, ...] = ()
    error: BaseException | None = None

    def to_dict(self) -> Mapping[str, Any]:
        """Return it as JSON values."""
        return {
            "type": self.names[0] if self.names else "",
            "message": self.message,
            "where": list(self.lines),
        }
