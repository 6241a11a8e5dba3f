"""Claims that a revision only carries over from its original, or makes of something besides the incident.

Where no claim may stand at all, the draft's own count too. But a rule that reads loosely, so as to catch
the next paraphrase, also reads ordinary sentences of the draft as claims; in a revision these come back
in other words. So what the original says already counts only where its words leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from redpen.guards.claims.about import thing
from redpen.guards.claims.found import Claim

_WORD = re.compile(r"[a-z']+")
_LITTLE = frozenset(
    "a an and are as at be been by for from has have he in is it its no not of on or our she so than that "
    "the their them then they this to up us was we were will with you your".split()
)
_BEYOND_DOUBT = (
    "resolv", "solv", "fixed", "restor", "recover", "mitigat", "rectif", "remed", "cured", "over", "normal",
    "operational", "healthy", "behind", "guarante", "promis", "definite", "certain", "assur", "swear",
    "sworn", "pledge", "bet", "safe", "secure", "lost", "exposed", "leak", "compromis", "impact", "caus",
    "due", "because", "root", "trigger", "stem", "owing", "thanks", "fault", "liab", "responsib", "blame",
    "neglig", "refund", "reimburs", "compensat", "waiv", "word", "longer", "credit", "again", "deploy",
    "roll", "patch", "free", "charge", "pay", "money", "back", "work", "stable", "clos", "end", "done",
    "right",
)  # fmt: skip
_OF_ANYTHING = frozenset(("open",))
"""What desks, forms and questions are too, whatever the state of the service."""
_LASTING = frozenset(("stay", "stays", "remain", "remains", "kept", "keeps"))


def is_carried_over(claim: Claim, text: str, original: str, given: Sequence[Claim]) -> bool:
    """Whether the original makes a claim of the revision already, in words that may mean something else.

    Args:
        claim: a claim of the revision.
        text: the revision as read.
        original: the original as read.
        given: the claims of the original.
    """
    words = _content(text[claim.start : claim.end])
    if claim.family == "resolution" and words - _LASTING == _OF_ANYTHING:
        said = _content(original)
        return said >= _OF_ANYTHING or _besides(claim.about, frozenset(map(thing, said)))
    if claim.family == "cause" or any(word.startswith(_BEYOND_DOUBT) for word in words):
        return False
    return any(
        claim.family == other.family and not words.isdisjoint(_content(original[other.start : other.end]))
        for other in given
    )


def _besides(about: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a claim is about something of which no more than half is known."""
    return len(about & known) * 2 <= len(about)


def _content(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _LITTLE
