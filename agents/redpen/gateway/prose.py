"""Prose in the arguments of an action: it says only what the request and the last snapshot say."""

from __future__ import annotations

from collections.abc import Mapping

from redpen.gateway.texts import ungrounded_findings
from redpen.guards.seen import read
from redpen.types import JsonValue

REMOVED = "text removed by policy"
"""What stands in place of prose that is taken out: some tools need the argument."""

_FEWEST_WORDS = 2


def grounded(value: JsonValue, known: Mapping[str, JsonValue]) -> JsonValue:
    """Return a JSON value without the prose that what is known does not allow.

    Args:
        value: an argument; texts at any depth are looked at. One word alone is a name and no prose.
        known: what facts and claims may be taken from: the request and the last snapshot.

    Returns:
        The same value where nothing has to go.
    """
    match value:
        case dict():
            return {key: grounded(item, known) for key, item in value.items()}
        case list():
            return [grounded(item, known) for item in value]
        case str() if _is_prose(value) and ungrounded_findings(value, known, claims="inherit"):
            return REMOVED
        case _:
            return value


def _is_prose(text: str) -> bool:
    words = (word for word in read(text).text.split() if any(map(str.isalpha, word)))
    return sum(1 for _ in words) >= _FEWEST_WORDS
