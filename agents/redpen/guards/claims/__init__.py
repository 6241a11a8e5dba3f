"""Claims that an update must not make: that it is over, certain, safe, owed, at fault, or why it happened."""

from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.judging import find_restricted_claims

__all__ = ["find_claims", "find_restricted_claims"]
