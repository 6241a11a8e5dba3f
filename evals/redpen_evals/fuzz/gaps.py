"""What the guards are known not to read rightly yet: strategies leave it out, and say so here alone.

A row goes as soon as the guards read what it shows; then the properties hold them to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redpen_evals.library.drafts import Disguise


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One thing that is not read rightly.

    Attributes:
        about: names of the forms of fact, families of claims or properties that it is about; none for all.
        disguise: the disguise that hides it; ``none`` where it is in plain sight.
        shows: found in a text that has it.
        example: such a text.
    """

    about: tuple[str, ...] = ()
    disguise: Disguise = "none"
    shows: re.Pattern[str]
    example: str


FACTS = (
    "share", "rate", "count", "duration", "interval", "date", "time", "money", "multiplier", "identifier",
    "severity", "region", "contact",
)  # fmt: skip
_ANY = re.compile(r"(?s).")

GAPS: tuple[Gap, ...] = ()


def is_gap(about: str, text: str, *, disguise: Disguise = "none") -> bool:
    """Whether a piece of text is known not to be read rightly.

    Args:
        about: the form, family or property that made it.
        text: the piece, disguised.
        disguise: its disguise.
    """
    return any(
        gap.disguise == disguise and (not gap.about or about in gap.about) and gap.shows.search(text)
        for gap in GAPS
    )
