"""The phrases that make a claim, by family."""

from redpen.guards.claims.phrases.commitment import COMMITMENT
from redpen.guards.claims.phrases.guarantee import GUARANTEE
from redpen.guards.claims.phrases.liability import LIABILITY
from redpen.guards.claims.phrases.reassurance import REASSURANCE
from redpen.guards.claims.phrases.resolution import RESOLUTION
from redpen.guards.claims.phrases.row import Family, Phrase, Use

PHRASES = (*RESOLUTION, *GUARANTEE, *REASSURANCE, *LIABILITY, *COMMITMENT)

__all__ = ["PHRASES", "Family", "Phrase", "Use"]
