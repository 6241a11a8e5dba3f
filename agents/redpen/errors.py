"""Exceptions for broken configuration and invalid input.

A run itself does not raise: if it cannot continue, it ends with a stop reason, which is a value.
"""

from __future__ import annotations


class RedpenError(Exception):
    """Base of all exceptions of Redpen."""


class ConfigurationError(RedpenError):
    """The configuration is invalid: no key, an unreadable timeout, an unknown option."""


class InvalidInputError(RedpenError, ValueError):
    """A goal, context, request, policy or plan is invalid."""


class Stop(Exception):  # noqa: N818 - not an error, but the way in which a check ends a run
    """Ends a run; the run catches it and returns a result with ``status: stopped``.

    Attributes:
        reason: the stop reason, a row of ``redpen.stop_reasons``.
        phase: the phase that stopped, if the check knows it; else the run fills it in.
        details: further fields of the result (``raw_critique``, ``error`` …).
    """

    def __init__(self, reason: str, *, phase: str | None = None, **details: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.phase = phase
        self.details = details
