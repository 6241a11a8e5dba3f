"""Claims that an update must not make: resolution, guarantee, reassurance, commitment, liability, cause.

Two readers find them: a floor of plain phrases, which always block when affirmed and not known, and a
detector trained on labelled edits, whose middle band is a concern.
"""

from redpen.guards.claims.finding import Claims, find_claims

__all__ = ["Claims", "find_claims"]
