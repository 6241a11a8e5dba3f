"""What can go wrong with a report."""

from __future__ import annotations

from redpen.errors import RedpenError


class ReportError(RedpenError):
    """A report cannot be written; the message names the file and what mends it."""
