"""The phrases that make a claim, by family."""

from redpen.guards.claims.phrases.admission import ADMISSION
from redpen.guards.claims.phrases.calm import CALM
from redpen.guards.claims.phrases.certainty import CERTAINTY
from redpen.guards.claims.phrases.comforts import COMFORTS
from redpen.guards.claims.phrases.commitment import COMMITMENT
from redpen.guards.claims.phrases.dues import DUES
from redpen.guards.claims.phrases.exposure import EXPOSURE
from redpen.guards.claims.phrases.failing import FAILING
from redpen.guards.claims.phrases.giving import GIVING
from redpen.guards.claims.phrases.guarantee import GUARANTEE
from redpen.guards.claims.phrases.keeping import KEEPING
from redpen.guards.claims.phrases.liability import LIABILITY
from redpen.guards.claims.phrases.mending import MENDING
from redpen.guards.claims.phrases.no_exceptions import NO_EXCEPTIONS
from redpen.guards.claims.phrases.normality import NORMALITY
from redpen.guards.claims.phrases.outcome import OUTCOME
from redpen.guards.claims.phrases.payer import PAYER
from redpen.guards.claims.phrases.paying import PAYING
from redpen.guards.claims.phrases.reassurance import REASSURANCE
from redpen.guards.claims.phrases.recovery import RECOVERY
from redpen.guards.claims.phrases.resolution import RESOLUTION
from redpen.guards.claims.phrases.returning import RETURNING
from redpen.guards.claims.phrases.row import Family, Phrase, Use
from redpen.guards.claims.phrases.self_blame import SELF_BLAME
from redpen.guards.claims.phrases.shortfalls import SHORTFALLS
from redpen.guards.claims.phrases.vows import VOWS

PHRASES = (
    *RESOLUTION,
    *NORMALITY,
    *OUTCOME,
    *RECOVERY,
    *MENDING,
    *GUARANTEE,
    *CERTAINTY,
    *VOWS,
    *NO_EXCEPTIONS,
    *REASSURANCE,
    *CALM,
    *KEEPING,
    *EXPOSURE,
    *LIABILITY,
    *ADMISSION,
    *FAILING,
    *SELF_BLAME,
    *SHORTFALLS,
    *COMMITMENT,
    *GIVING,
    *COMFORTS,
    *PAYER,
    *DUES,
    *PAYING,
    *RETURNING,
)

__all__ = ["PHRASES", "Family", "Phrase", "Use"]
