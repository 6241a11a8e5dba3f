"""Known facts and statements, computed once per context and once per original."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from redpen.guards.claims.clauses import Known
from redpen.guards.facts.context import build_knowledge, walk
from redpen.guards.severity_scale import scale_in
from redpen.guards.standing import facts_of, standing_in
from redpen.guards.text import read_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from redpen.guards.facts.knowledge import Knowledge
    from redpen.text.views import View

_MOST_STRINGS = 400
_MOST_CHARS = 4_000
_MAX_TEXT = 100_000


class KnownContext:
    """The facts and texts of a context.

    Args:
        context: the incident context, any JSON object.

    Attributes:
        context: the context itself.
        scale: the labels of its severity scale; may be empty.
        standing: its standing text; may be None.
        values: its strings, numbers and booleans, each with its JSON path and its nearest key.
    """

    def __init__(self, context: Mapping[str, Any]) -> None:
        self.context = context
        self.scale = scale_in(context)
        self.standing = standing_in(context)
        self.values = tuple(walk(facts_of(context, self.scale)))

    @cached_property
    def texts(self) -> list[str]:
        """Its strings, as read."""
        return read_all([value[:_MAX_TEXT] for _, _, value in self.values if isinstance(value, str)])

    @cached_property
    def facts(self) -> Knowledge:
        """The facts that it allows."""
        return build_knowledge(self.values, self.texts)

    @cached_property
    def prose(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Its approved actions, and all other texts, each with its key."""
        actions: list[str] = []
        others: list[str] = []
        texts = iter(self.texts)
        for path, key, value in self.values[:_MOST_STRINGS]:
            name = key[:_MOST_CHARS].replace("_", " ")
            if isinstance(value, str):
                text = next(texts)[:_MOST_CHARS]
                if "approved_actions" in path:
                    actions.append(text)
                else:
                    others.append(f"{name}: {text}")
            else:
                others.append(f"no {name}" if value is False or value == 0 else name)
        return tuple(actions), tuple(others)


def known_context(context: Mapping[str, Any]) -> KnownContext:
    """Return the known facts of a context; cached by its JSON."""
    as_json = json_of(context)
    return KnownContext(context) if as_json is None else known_json(as_json)


def json_of(context: Mapping[str, Any]) -> str | None:
    """Return a context as JSON; None if it cannot be serialized."""
    try:
        return json.dumps(context)
    except (RecursionError, TypeError, ValueError):
        return None


@lru_cache(maxsize=64)
def known_json(context: str) -> KnownContext:
    """Return the known facts of a context given as JSON."""
    return KnownContext(json.loads(context))


@lru_cache(maxsize=64)
def _known_claims(original: str, context: KnownContext, inherit: bool) -> Known:
    actions, others = context.prose
    return Known(original, actions, others, inherit=inherit)


def known_claims(original: View, context: KnownContext, *, inherit: bool) -> Known:
    """Return the known statements as clauses.

    Args:
        original: the text before the revision.
        context: its context.
        inherit: whether claims of context and original may be repeated.
    """
    return _known_claims(original.text, context, inherit)
