"""What an incident context says in words: its approved actions, and every other value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

MAX_CONTEXT_STRINGS = 400
"""Most strings of a context that are read."""
MAX_CONTEXT_CHARS = 4_000
"""Longest piece of one context string that is read."""
_MAX_DEPTH = 40


def _as_prose(key: str, value: object) -> tuple[str, ...]:
    """Return what a context value says when it is read as prose."""
    name = key[:MAX_CONTEXT_CHARS].replace("_", " ")
    if isinstance(value, str):
        text = value[:MAX_CONTEXT_CHARS]
        return (f"{name}: {text}",)
    if value is True:
        return (name,)
    return (f"no {name}",) if value is False or value == 0 else ()


def amount_names(context: Mapping[str, Any]) -> list[str]:
    """Return the keys under which a context has numbers, in words ("failed payment rate")."""
    named = (
        key[:MAX_CONTEXT_CHARS].replace("_", " ")
        for value, key, _ in _values(context)
        if isinstance(value, int | float) and not isinstance(value, bool)
    )
    return list(islice(named, MAX_CONTEXT_STRINGS))


def context_prose(context: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what a context says in words.

    Args:
        context: the incident context, any JSON object.

    Returns:
        The approved actions; and every other value that can be read as prose, with its key.
    """
    actions: list[str] = []
    others: list[str] = []
    for value, key, approved in _values(context):
        if len(actions) + len(others) >= MAX_CONTEXT_STRINGS:
            break
        if approved and isinstance(value, str):
            actions.append(value[:MAX_CONTEXT_CHARS])
        else:
            others += _as_prose(key, value)
    return actions, others


def _values(context: Mapping[str, Any]) -> Iterator[tuple[object, str, bool]]:
    """Yield each value of a context that holds no other, with its key and whether it stands in an action."""
    stack: list[tuple[Any, str, bool, int]] = [(context, "", False, 0)]
    while stack:
        value, key, approved, depth = stack.pop()
        if depth > _MAX_DEPTH:
            continue
        # What most values are comes first: whether something is a mapping is slow to ask.
        if isinstance(value, str):
            yield value, key, approved
        elif isinstance(value, list | tuple):
            stack += [(item, key, approved, depth + 1) for item in value]
        elif isinstance(value, Mapping):
            for name, item in value.items():
                stack.append((item, str(name), approved or name == "approved_actions", depth + 1))
        else:
            yield value, key, approved
