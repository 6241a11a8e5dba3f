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

GAPS: tuple[Gap, ...] = (
    Gap(
        disguise="hyphenation",
        shows=_ANY,
        example="No data was ex-\nposed.",
    ),
    Gap(
        about=FACTS,
        disguise="leetspeak",
        shows=_ANY,
        example="27 per c3n7",
    ),
    Gap(
        about=("identifier",),
        disguise="html",
        shows=re.compile(r"_"),
        example="<b>inc</b>_<i>a</i>_1",
    ),
    Gap(
        about=("region",),
        disguise="spacing",
        shows=_ANY,
        example="G r e a t   B r i t a i n",
    ),
    Gap(
        about=("region", "date"),
        disguise="case",
        shows=re.compile(r"[a-z][A-Z]"),
        example="jApAn",
    ),
    Gap(
        about=("duration", "interval"),
        disguise="look-alikes",
        shows=_ANY,
        example="t\u04bbree quarters of an hour",
    ),
    Gap(
        about=("money",),
        shows=re.compile(r"US dollars"),
        example="We are holding payments of 2 US dollars.",
    ),
    Gap(
        about=("region",),
        shows=re.compile(r"of America"),
        example="Some customers in the United States of America see delays.",
    ),
    Gap(
        about=("moved-count",),
        shows=re.compile(r"support tickets"),
        example="There are 7 support tickets to look at.",
    ),
    Gap(
        about=("reassurance",),
        shows=re.compile(r"^While the estimate may change"),
        example="While the estimate may change, your funds are safe.",
    ),
    Gap(
        about=("kept-cause",),
        shows=re.compile(r"^Not only are we sorry"),
        example="Not only are we sorry, the outage was caused by a faulty deployment.",
    ),
    Gap(
        about=("kept-commitment",),
        shows=re.compile(r"free of charge"),
        example="Support is free of charge for affected customers.",
    ),
)


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
