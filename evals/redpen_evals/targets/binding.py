"""From a scenario's input to the arguments of its agent."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from redpen.text.suggestion import suggestion
from redpen_evals.targets.errors import TargetError

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
    """Return the arguments of one call.

    Args:
        target: what is called.
        arguments: values by name of the parameter.
        context: facts; given to a parameter named ``context`` that ``arguments`` does not name.
        field: of the scenario, for messages.

    Raises:
        TargetError: an argument is missing, or there is no such parameter.
    """
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        # Some callables written in C tell nothing of their parameters.
        signature = inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_KEYWORD)])
    given = dict(arguments)
    if context is not None and CONTEXT in signature.parameters and CONTEXT not in given:
        given[CONTEXT] = copy.deepcopy(dict(context))
    _check_names(signature, given, field)
    positional = [
        given.pop(name)
        for name, parameter in signature.parameters.items()
        if parameter.kind is parameter.POSITIONAL_ONLY and name in given
    ]
    try:
        return signature.bind(*positional, **given)
    except TypeError as error:
        raise TargetError(field, f"{_named(target)}: {error}") from None


def takes(target: Callable[..., Any], name: str) -> bool:
    """Return whether a callable has a parameter of that name."""
    try:
        return name in inspect.signature(target).parameters
    except (TypeError, ValueError):
        return False


def _check_names(signature: inspect.Signature, given: Mapping[str, Any], field: str) -> None:
    parameters = signature.parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [one.name for one in parameters if one.kind is not one.VAR_POSITIONAL]
    for name in given:
        if name not in known:
            listed = f"; it takes {', '.join(known)}" if known else "; it takes none"
            raise TargetError(field, f"the agent has no parameter {name!r}{suggestion(name, known)}{listed}")


def _named(target: Any) -> str:
    return str(getattr(target, "__qualname__", None) or type(target).__name__)
