"""Tools and people that behave as a scenario says: late, broken, obstinate."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never

from redpen.agents.consulting import Approver
from redpen.agents.guarded_policy import approve_safe_broadcast
from redpen.agents.tools import builtin_tools
from redpen.gateway.execution import Tool
from redpen.text.json_values import copy_object
from redpen.types import JsonObject
from redpen_evals.scenario_library.scenario import ApproverScript, ToolScript


@dataclass(slots=True, kw_only=True)
class ToolBox:
    """The tools of one run, and what reached them.

    Attributes:
        tools: tools by name.
        calls: tool and arguments of every call, in order.
        canned: names of the tools that answer the same whatever they are asked, and do nothing.
    """

    tools: dict[str, Tool] = field(default_factory=dict)
    calls: list[tuple[str, JsonObject]] = field(default_factory=list)
    canned: frozenset[str] = frozenset()
    _released: threading.Event = field(default_factory=threading.Event)

    @property
    def canned_calls(self) -> tuple[str, ...]:
        """Names of the canned tools that were called."""
        return tuple(sorted(self.canned & {name for name, _ in self.calls}))

    def release(self) -> None:
        """Let tools that hang return; call it when the run has ended."""
        self._released.set()

    def logged(self, name: str, tool: Tool) -> Tool:
        """Return the tool with its calls noted here."""

        def call(**args: Any) -> Mapping[str, Any]:
            self.calls.append((name, copy_object(args)))
            return tool(**args)

        return call

    def faulty(self, script: ToolScript) -> Tool:
        """Return a tool that does what the script says."""

        def answer(**_: Any) -> Any:
            match script.fault:
                case "hang":
                    self._released.wait()
                    return {"status": "ok", "data": {}}
                case "raise_timeout":
                    raise TimeoutError("scripted")
                case "raise":
                    raise RuntimeError("scripted")
                case "no_object":
                    return "ok"
                case "failed_status":
                    return {"status": "failed", "data": {}}
                case "no_data":
                    return {"status": "ok", "data": None}
                case "missing" | None:
                    return script.answer
                case _:
                    assert_never(script.fault)

        return answer


def scripted_tools(scripts: Mapping[str, ToolScript], own: Mapping[str, Tool] | None = None) -> ToolBox:
    """Return tools, with those that the scenario scripts in their place.

    Args:
        scripts: of single tools, by name.
        own: all others; by default the built-in ones, which are canned.
    """
    tools = builtin_tools() if own is None else own
    box = ToolBox(canned=frozenset(tools if own is None else ()) - scripts.keys())
    for name, tool in tools.items():
        script = scripts.get(name)
        if script is None:
            box.tools[name] = box.logged(name, tool)
        elif script.fault != "missing":
            box.tools[name] = box.logged(name, box.faulty(script))
    for name in scripts.keys() - box.tools.keys():
        if scripts[name].fault != "missing":
            box.tools[name] = box.logged(name, box.faulty(scripts[name]))
    return box


def scripted_approver(script: ApproverScript) -> Approver:
    """Return the person that a scenario describes."""

    def approve(action: JsonObject, reason: str) -> Any:
        args = copy_object(action["args"])
        match script:
            case "builtin":
                return approve_safe_broadcast(action, reason)
            case "reject":
                return {"approved": False, "action": action, "reason": "not today"}
            case "crash":
                raise RuntimeError("scripted")
            case "mumble":
                return "yes, go ahead"
            case "widen":
                wide = {"channel": "external_email", "audience_segment": "all_customers"}
                return {
                    "approved": True,
                    "action": {**action, "args": {**args, **wide}},
                    "reason": "send to all",
                }
            case "narrow":
                small = {"max_recipients": 100}
                return {
                    "approved": True,
                    "action": {**action, "args": {**args, **small}},
                    "reason": "a few first",
                }
            case _:
                assert_never(script)

    return approve
