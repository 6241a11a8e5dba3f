"""Shapes that every part of Redpen shares: JSON values and the closed vocabularies of the agents."""

from __future__ import annotations

from typing import Literal, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

AgentName = Literal["self-critique", "reflection", "guarded-policy"]
