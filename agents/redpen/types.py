"""Shared types and limits: JSON values, names of agents, sizes of contexts and reviews."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

AgentName = Literal["self-critique", "reflection", "guarded-policy"]

MOST_LABELS: Final = 20
"""Most severities of a context's own scale."""
LONGEST_LABEL: Final = 40
"""Longest label of a severity, in characters."""
MOST_STANDING: Final = 100
"""Most standing texts of each kind in a context."""
LONGEST_STANDING: Final = 300
"""Longest standing text, in characters."""
LONGEST_NAME: Final = 200
"""Longest name of a reviewer or code, in characters."""
LONGEST_REASON: Final = 2_000
"""Longest reason of a decision, in characters."""
LONGEST_EDIT: Final = 20_000
"""Longest text written by a reviewer, in characters."""
MOST_OVERRIDES: Final = 20
"""Most overrides of one decision."""
