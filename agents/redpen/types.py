"""Shapes that every part of Redpen shares: JSON values and the closed vocabularies of the agents."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

AgentName = Literal["self-critique", "reflection", "guarded-policy"]

MOST_LABELS: Final = 20
"""Severities of a context's own scale."""
LONGEST_LABEL: Final = 40
"""Longest name of such a severity, in characters."""
MOST_STANDING: Final = 100
"""Standing texts of a kind that a context may give."""
LONGEST_STANDING: Final = 300
"""Longest standing text, in characters."""
