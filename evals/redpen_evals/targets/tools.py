"""The tools and gates that a run calls: canned ones, or functions of the project."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, assert_never

from redpen.agents.callbacks import Approver, Gate
from redpen.agents.guarded_policy import approve_safe_broadcast
from redpen.agents.tools import builtin_tools
from redpen.errors import ConfigurationError
from redpen.gateway.execution import Tool
from redpen.policy.packs import PolicyPack
from redpen.text.json_values import copy_object
from redpen.types import JsonObject
from redpen_evals.errors import TargetError
from redpen_evals.scenario_library.scenario import ApproverScript, GuardedPolicyScenario, ToolScript
from redpen_evals.targets.isolation import isolated
from redpen_evals.targets.loading import load_callable


@dataclass(slots=True, kw_only=True)
class ToolBox:
    """The tools of one run, and the calls that reached them.

    Attributes:
        calls: tool and arguments of every call, in order.
        canned: names of the tools with fixed answers, which do nothing.
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
        """Release tools that hang, after the run has ended."""
        self._released.set()

    def logged(self, name: str, tool: Tool) -> Tool:
        """Return the tool with its calls logged here."""

        def call(**args: Any) -> Mapping[str, Any]:
            self.calls.append((name, copy_object(args)))
            return tool(**args)

        return call

    def faulty(self, script: ToolScript) -> Tool:
        """Return a tool that behaves as scripted."""

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
    """Return tools, some of them scripted; the others are the built-in ones, which are canned, or ``own``."""
    tools = builtin_tools() if own is None else own
    box = ToolBox(canned=frozenset(tools if own is None else ()) - scripts.keys())
    for name in (*tools, *(scripts.keys() - tools.keys())):
        script = scripts.get(name)
        if script is None:
            box.tools[name] = box.logged(name, tools[name])
        elif script.fault != "missing":
            box.tools[name] = box.logged(name, box.faulty(script))
    return box


def scripted_approver(script: ApproverScript) -> Approver:
    """Return the approver that a scenario describes."""

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
                args |= {"channel": "external_email", "audience_segment": "all_customers"}
                return {"approved": True, "action": {**action, "args": args}, "reason": "send to all"}
            case "narrow":
                args |= {"max_recipients": 100}
                return {"approved": True, "action": {**action, "args": args}, "reason": "a few first"}
            case _:
                assert_never(script)

    return approve


_FIELD = "tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """The factory, ``module:factory``, of tools that are not canned; empty for the canned ones."""

    factory: str = ""
    paths: tuple[Path, ...] = ()
    root: Path | None = None


def check_tool_factory(spec: str) -> str:
    """Return the setting ``redpen_tools``; raises ConfigurationError unless it is ``module:factory``."""
    spec = spec.strip()
    module, _, factory = map(str.strip, spec.partition(":"))
    if spec and not (module and factory):
        raise ConfigurationError(f"redpen_tools: {spec[:100]!r}: write support.tools:make_tools")
    return spec


@contextmanager
def open_tools(scenario: GuardedPolicyScenario, settings: ToolSettings) -> Iterator[ToolBox]:
    """Provide the tools of one run, and release those that hang at its end.

    Args:
        scenario: its key ``tools`` names a factory, or scripts single tools.
        settings: of the project; the scenario's own factory has priority.

    Raises:
        TargetError: the factory cannot be imported or called, or does not make tools.
    """
    scripts = {} if isinstance(scenario.tools, str) else scenario.tools
    spec = scenario.tools if isinstance(scenario.tools, str) else settings.factory
    with isolated(paths=settings.paths) if spec else nullcontext():
        box = scripted_tools(scripts, make_tools(spec, settings.root) if spec else None)
        try:
            yield box
        finally:
            box.release()


def make_tools(spec: str, root: Path | None) -> dict[str, Tool]:
    """Return the tools that a factory of the project creates; raises TargetError if it fails."""
    try:
        factory = load_callable(spec, {}, root=root)
    except TargetError as error:
        raise TargetError(_FIELD, str(error)) from error
    try:
        tools = factory()
    except Exception as error:
        raise TargetError(_FIELD, f"{spec}() fails: {type(error).__name__}: {str(error)[:200]}") from error
    if not isinstance(tools, Mapping) or not tools:
        raise TargetError(_FIELD, f"{spec}() has to return tools by name, not {type(tools).__name__}")
    for name, tool in tools.items():
        if not isinstance(name, str) or not callable(tool):
            raise TargetError(_FIELD, f"{spec}(): {str(name)[:80]!r} is not a name with a callable")
    return dict(tools)


_POLICY = "policy"


@contextmanager
def open_gate(pack: PolicyPack, settings: ToolSettings) -> Iterator[Gate | None]:
    """Provide the gate of a pack for one run, None if it has none; raises TargetError if it is unusable."""
    if pack.gate is None:
        yield None
        return
    with isolated(paths=settings.paths):
        try:
            gate = load_callable(pack.gate, {}, root=settings.root)
        except TargetError as error:
            raise TargetError(_POLICY, f"{pack.place_of('gate')}: gate: {error}") from error
        yield gate
