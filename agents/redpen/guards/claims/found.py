"""A claim that a text makes."""

from __future__ import annotations

from typing import NamedTuple

from redpen.guards.claims.phrases import Family

AS_USUAL = "as usual"
"""Stands in ``offered`` for "as usual" and "as before", which is said of desks and phones too."""


GOES_ON = "goes on"
"""Stands in ``offered`` for what is fine or running, no news where the original says so of it too."""


class Claim(NamedTuple):
    """One claim of a text.

    Attributes:
        family: what is claimed.
        start: index of its first character in the text read.
        end: index after its last.
        says: what it says, in words ("the incident is over").
        key: what is promised, given as cause or carried out as a remedy, as stems; may be empty.
        head: stem of the noun that names the cause; empty where none does.
        about: what is said to be over, safe or certain, see ``about``; may be empty.
        offered: stem of the word when all that is said is that something can be used ("is open"), which is
            said of desks and forms too; ``AS_USUAL`` when it is as usual or on time, ``GOES_ON``
            when it is fine or running; else empty.
        mention: whether a commitment is only spoken of and not promised ("ask support about refunds").
    """

    family: Family
    start: int
    end: int
    says: str
    key: frozenset[str] = frozenset()
    mention: bool = False
    head: str = ""
    about: frozenset[str] = frozenset()
    offered: str = ""

    def moved(self, by: int) -> Claim:
        """Return the claim with its places counted from ``by`` characters before."""
        return self._replace(start=self.start + by, end=self.end + by)
