"""The phrases that make a claim, by family."""

from redpen.guards.claims.phrases.admission import ADMISSION
from redpen.guards.claims.phrases.commitment import COMMITMENT
from redpen.guards.claims.phrases.exposure import EXPOSURE
from redpen.guards.claims.phrases.giving import GIVING
from redpen.guards.claims.phrases.guarantee import GUARANTEE
from redpen.guards.claims.phrases.liability import LIABILITY
from redpen.guards.claims.phrases.outcome import OUTCOME
from redpen.guards.claims.phrases.reassurance import REASSURANCE
from redpen.guards.claims.phrases.resolution import RESOLUTION
from redpen.guards.claims.phrases.row import Family, Phrase, Use

PHRASES = (
    *RESOLUTION,
    *OUTCOME,
    *GUARANTEE,
    *REASSURANCE,
    *EXPOSURE,
    *LIABILITY,
    *ADMISSION,
    *COMMITMENT,
    *GIVING,
)

__all__ = ["PHRASES", "Family", "Phrase", "Use"]
