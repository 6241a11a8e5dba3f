"""The tools of guarded-policy: canned, scripted by the scenario, or made by the project's factory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen.gateway.execution import Tool
from redpen_evals.doubles import ToolBox, scripted_tools
from redpen_evals.errors import TargetError
from redpen_evals.scenario_library.scenario import GuardedPolicyScenario
from redpen_evals.targets.isolation import isolated
from redpen_evals.targets.loading import load_callable

_FIELD = "tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """Where tools come from that are not canned.

    Attributes:
        factory: ``module:factory`` of the project; empty for the canned tools.
        paths: folders from which it is imported.
        root: folder of the project, for messages.
    """

    factory: str = ""
    paths: tuple[Path, ...] = ()
    root: Path | None = None


def check_tool_factory(spec: str) -> str:
    """Return the setting ``redpen_tools``; raises ConfigurationError where it is no ``module:factory``."""
    spec = spec.strip()
    if spec and not all(part.strip() for part in (spec.partition(":")[0], spec.partition(":")[2])):
        raise ConfigurationError(f"redpen_tools: {spec[:100]!r}: write support.tools:make_tools")
    return spec


@contextmanager
def open_tools(scenario: GuardedPolicyScenario, settings: ToolSettings) -> Iterator[ToolBox]:
    """Give the tools of one run; those that hang are let go at its end.

    Args:
        scenario: whose key ``tools`` names a factory, or scripts single tools.
        settings: of the project; the scenario's own factory goes first.

    Raises:
        TargetError: the factory cannot be imported or called, or does not make tools.
    """
    scripts = {} if isinstance(scenario.tools, str) else scenario.tools
    spec = scenario.tools if isinstance(scenario.tools, str) else settings.factory
    if not spec:
        box = scripted_tools(scripts)
        try:
            yield box
        finally:
            box.release()
        return
    with isolated(paths=settings.paths):
        box = scripted_tools(scripts, make_tools(spec, settings.root))
        try:
            yield box
        finally:
            box.release()


def make_tools(spec: str, root: Path | None) -> dict[str, Tool]:
    """Return the tools that a factory of the project makes; raises TargetError where it makes none."""
    try:
        factory = load_callable(spec, {}, root=root)
    except TargetError as error:
        raise TargetError(_FIELD, str(error)) from error
    try:
        made = factory()
    except Exception as error:
        raise TargetError(_FIELD, f"{spec}() fails: {type(error).__name__}: {str(error)[:200]}") from error
    if not isinstance(made, Mapping) or not made:
        raise TargetError(_FIELD, f"{spec}() has to return tools by name, not {type(made).__name__}")
    for name, tool in made.items():
        if not isinstance(name, str) or not callable(tool):
            raise TargetError(_FIELD, f"{spec}(): {str(name)[:80]!r} is no name with a callable")
    return dict(made)
