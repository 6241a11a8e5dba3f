"""How a guard is called: the names of its parameters decide what each of them gets."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from redpen.errors import ConfigurationError
from redpen_evals.targets.calling import LOOPS

Role = Literal["original", "revised", "context"]

NAMES: Final[Mapping[Role, tuple[str, ...]]] = {
    "original": ("original", "draft", "before", "old", "source"),
    "revised": (
        "revised", "revision", "text", "output", "answer", "response", "reply", "message", "value", "content",
        "after", "new", "candidate", "completion",
    ),
    "context": ("context", "facts", "metadata", "incident", "ctx"),
}  # fmt: skip
"""Names of parameters, and what they get."""

_METHODS: Final = ("validate", "check")
"""Of an object that is no function: the method that judges."""

Ask = Callable[[str, str, Mapping[str, Any]], object]
"""Takes original, revised text and context; returns the guard's own answer."""


def how_to_ask(guard: object, *, name: str = "") -> Ask:
    """Return what calls a guard.

    Args:
        guard: a function, plain or async, an object that can be called, or one with a method ``validate`` or
            ``check``. Each parameter that has no default must have a name of ``NAMES``; a single parameter
            may have any name, and gets the revised text.
        name: how it is called in messages.

    Raises:
        ConfigurationError: it cannot be called, or a parameter's name says nothing.
    """
    target = _callable_of(guard, name)
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError):
        # Some callables written in C tell nothing of their parameters.
        parameters = inspect.signature(lambda text: text).parameters
    roles = _roles(parameters, name or _named(target))

    def ask(original: str, revised: str, context: Mapping[str, Any]) -> object:
        given: dict[Role, Any] = {"original": original, "revised": revised}
        if "context" in roles.values():
            # A guard that changes what it is given must not change what the next one sees.
            given["context"] = copy.deepcopy(dict(context))
        positional = [given[role] for one, role in roles.items() if _by_place(parameters.get(one))]
        named = {one: given[role] for one, role in roles.items() if not _by_place(parameters.get(one))}
        answer = target(*positional, **named)
        return LOOPS.get().run_until_complete(answer) if inspect.isawaitable(answer) else answer

    return ask


def _callable_of(guard: object, name: str) -> Callable[..., Any]:
    called = guard
    if inspect.isclass(guard):
        try:
            called = guard()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise ConfigurationError(
                f"{name or guard.__name__}: cannot be made without arguments: {said}"
            ) from error
    if not inspect.isroutine(called):
        for method in _METHODS:
            found: Callable[..., Any] | None = getattr(called, method, None)
            if callable(found):
                return found
    if not callable(called):
        raise ConfigurationError(f"{name}: {type(called).__name__} cannot be called")
    return called


def _roles(parameters: Mapping[str, inspect.Parameter], name: str) -> dict[str, Role]:
    """Return what each parameter gets, by its name."""
    plain = {
        one.name: one for one in parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }
    found: dict[str, Role] = {}
    for one in plain:
        if (role := _role(one)) and role not in found.values():
            found[one] = role
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        found |= {role: role for role in NAMES if role not in found.values()}
    needed = [one for one in plain if plain[one].default is inspect.Parameter.empty and one not in found]
    if "revised" not in found.values():
        # ``guard(draft)`` judges that draft; what has one parameter that says nothing judges that.
        alone = [one for one, role in found.items() if role == "original"] or needed[:1]
        if alone:
            found[alone[0]] = "revised"
            needed = [one for one in needed if one != alone[0]]
    if needed or "revised" not in found.values():
        known = "; ".join(f"{role}: {', '.join(names)}" for role, names in NAMES.items())
        problem = f"what is {needed[0]!r} to get?" if needed else "it has no parameter for the text"
        raise ConfigurationError(f"{name}: {problem} Name its parameters so ({known}), or give it a default")
    return found


def _role(name: str) -> Role | None:
    low = name.lower()
    for role, names in NAMES.items():
        if low in names:
            return role
    words = low.split("_")
    return next((role for role, names in NAMES.items() if any(one in words for one in names)), None)


def _by_place(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and parameter.kind is parameter.POSITIONAL_ONLY


def _named(target: object) -> str:
    return str(getattr(target, "__qualname__", None) or type(target).__name__)
