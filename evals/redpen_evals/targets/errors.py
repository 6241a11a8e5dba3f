"""Why an agent of somebody's own cannot be run."""

from __future__ import annotations

from redpen.errors import ConfigurationError


class TargetError(ConfigurationError):
    """An agent cannot be loaded or called as its scenario asks; nothing is said of what it would answer.

    Attributes:
        field: of the scenario that is at fault, such as ``agent`` or ``input``.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
