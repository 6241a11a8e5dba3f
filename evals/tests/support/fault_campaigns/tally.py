"""The result of a campaign of faults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The count of one campaign.

    Attributes:
        fault: the injected fault, in words.
        claim: the property that must hold each time, in words.
        tried: number of tries.
        broken: a line for each violation; empty if there is none.
    """

    fault: str
    claim: str
    tried: int
    broken: tuple[str, ...] = ()

    @property
    def survived(self) -> int:
        """Number of tries in which the claim held."""
        return self.tried - len(self.broken)
