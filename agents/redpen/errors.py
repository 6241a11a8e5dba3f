"""What goes wrong outside a run: broken configuration and broken input.

Inside a run nothing raises: a run that cannot go on ends with a stop reason, which is a value.
"""

from __future__ import annotations


class RedpenError(Exception):
    """Base of every error that Redpen raises on purpose."""


class ConfigurationError(RedpenError):
    """The surroundings are wrong: no key, an unreadable timeout, an unknown option."""


class InvalidInputError(RedpenError, ValueError):
    """A goal, context, request, policy or plan that no run can start from."""


class Stop(Exception):  # noqa: N818 - not an error: the value with which a check ends a run
    """A check's verdict that the run ends here.

    It never leaves a run: the run turns it into a result with ``status: stopped``.

    Attributes:
        reason: the stop reason, a row of ``redpen.stop_reasons``.
        phase: the phase that stopped, when the check knows it; else the run fills it in.
        details: what the stop adds to the result (``raw_critique``, ``error`` …).
    """

    def __init__(self, reason: str, *, phase: str | None = None, **details: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.phase = phase
        self.details = details
