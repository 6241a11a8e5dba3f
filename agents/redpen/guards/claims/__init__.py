"""Claims that an update must not make: that it is over, certain, safe, owed, at fault, or why it happened.

Read in two ways: a floor of phrases, always a violation where it is affirmed and not known, and a detector
that was
learned from labelled edits, whose middle band is a concern.
"""

from redpen.guards.claims.finding import Claims, find_claims

__all__ = ["Claims", "find_claims"]
