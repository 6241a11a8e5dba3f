"""What a campaign of faults comes to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The count of one campaign.

    Attributes:
        fault: what was done, in words.
        claim: what has to hold each time, in words.
        tried: how often it was done.
        broken: what did not hold, a line each; empty when all survived.
    """

    fault: str
    claim: str
    tried: int
    broken: tuple[str, ...] = ()

    @property
    def survived(self) -> int:
        """How often the claim held."""
        return self.tried - len(self.broken)
