"""Binding of a scenario's input to the arguments of its agent."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redpen.text.suggestion import suggestion
from redpen.types import JsonObject
from redpen_evals.errors import TargetError
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.traffic.scope import RunScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The inputs of one run.

    Attributes:
        target: callable to run instead of the scenario's agent; None for that agent.
        arguments: the input; values of any kind if from a test.
        names: short names of agents, and their full names.
        model: model that the agent should use; None if the agent chooses.
    """

    scenario: OwnAgentScenario
    target: Callable[..., Any] | None
    arguments: Mapping[str, Any]
    context: JsonObject | None
    scope: RunScope
    names: Mapping[str, str]
    root: Path
    model: str | None = None


CONTEXT: Final = "context"
MESSAGES: Final = "messages"
MESSAGE: Final = "message"
MODEL: Final = "model"


def bind_arguments(
    target: Callable[..., Any],
    arguments: Mapping[str, Any],
    *,
    context: Mapping[str, Any] | None = None,
    field: str = "input",
) -> inspect.BoundArguments:
    """Bind the arguments of one call.

    Args:
        context: facts, for a parameter ``context`` that ``arguments`` does not set.

    Raises:
        TargetError: an argument is missing, or there is no such parameter.
    """
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        # Some callables written in C have no signature.
        signature = inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_KEYWORD)])
    values = dict(arguments)
    if context is not None and CONTEXT in signature.parameters and CONTEXT not in values:
        values[CONTEXT] = copy.deepcopy(dict(context))
    _check_names(target, signature, values, field)
    parameters = signature.parameters.items()
    missing = [name for name, parameter in parameters if _is_required(parameter) and name not in values]
    if missing:
        hint = ", or name a `context`" if missing == [CONTEXT] and field == "input" else ""
        needed, where = ", ".join(map(repr, missing)), f"in `{field}`" if field == "input" else "by name"
        raise TargetError(field, f"{_named(target)} needs {needed}: give it {where}{hint}")
    return signature.bind(*_positional(signature, values), **values)


def takes(target: Callable[..., Any], name: str, *, by_name: bool = False) -> bool:
    """Return whether a callable has a parameter of that name, or, unless ``by_name``, takes any name."""
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError):
        return False
    if name in parameters:
        return parameters[name].kind not in {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return not by_name and any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def _is_required(parameter: inspect.Parameter) -> bool:
    if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
        return False
    return parameter.default is parameter.empty


def _positional(signature: inspect.Signature, values: dict[str, Any]) -> list[Any]:
    """Remove and return the positional-only arguments; gaps before the last one get their defaults."""
    parameters = [each for each in signature.parameters.values() if each.kind is each.POSITIONAL_ONLY]
    while parameters and parameters[-1].name not in values:
        parameters.pop()
    return [values.pop(parameter.name, parameter.default) for parameter in parameters]


def _check_names(
    target: Callable[..., Any], signature: inspect.Signature, values: Mapping[str, Any], field: str
) -> None:
    parameters = signature.parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_POSITIONAL]
    for name in values:
        if name not in known:
            listed = f"; it takes {', '.join(known)}" if known else "; it takes none"
            hint = suggestion(name, known)
            raise TargetError(field, f"{_named(target)} has no parameter {name!r}{hint}{listed}")


def _named(target: Any) -> str:
    called = target.func if isinstance(target, functools.partial) else target
    return str(getattr(called, "__qualname__", None) or type(called).__name__)
