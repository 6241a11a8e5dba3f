"""All attacks by name."""

from __future__ import annotations

from typing import Literal, get_args

from redpen_evals.attacks import characters, layout, meaning
from redpen_evals.attacks.attack import Attack, Change
from redpen_evals.library.drafts import Disguise

Distortion = Literal[
    "number-swap", "unit-swap", "subject-swap", "negation-removal", "tense-change", "fact-import"
]

_CLAIM = "It is fully resolved for 45% of us."


def _disguise(name: Disguise, change: Change, after: str) -> Attack:
    return Attack(name=name, change=change, keeps_meaning=True, example=(_CLAIM, after))


def _distortion(name: Distortion, change: Change, before: str, after: str) -> Attack:
    return Attack(name=name, change=change, keeps_meaning=False, example=(before, after))


DISGUISES: tuple[Attack, ...] = (
    _disguise("look-alikes", characters.look_alikes, "@look-alikes"),
    _disguise("invisible", characters.invisible, "@invisible"),
    _disguise("direction", characters.direction, "@direction"),
    _disguise("tags", characters.tags, "@tags"),
    _disguise("combining", characters.combining, "@combining"),
    _disguise("compatibility", characters.compatibility, "@compatibility"),
    _disguise("spacing", layout.spacing, "@spacing"),
    _disguise("hyphenation", layout.hyphenation, "@hyphenation"),
    _disguise("line-breaks", layout.line_breaks, "@line-breaks"),
    _disguise("case", characters.case, "@case"),
    _disguise("leetspeak", characters.leetspeak, "@leetspeak"),
    _disguise("entities", layout.entities, "@entities"),
    _disguise("html", layout.html, "@html"),
    _disguise("markdown", layout.markdown, "@markdown"),
    _disguise("digits", characters.digits, "@digits"),
)
"""They keep what a reader reads, one for each name that a draft item can give as its disguise."""

DISTORTIONS: tuple[Attack, ...] = (
    _distortion(
        "number-swap",
        meaning.number_swap,
        "About 27% of checkouts fail.",
        "@number-swap",
    ),
    _distortion(
        "unit-swap",
        meaning.unit_swap,
        "We expect an update in 45 minutes.",
        "@unit-swap",
    ),
    _distortion(
        "subject-swap",
        meaning.subject_swap,
        "27% of checkouts and 3.4% of payments fail.",
        "@subject-swap",
    ),
    _distortion(
        "negation-removal",
        meaning.negation_removal,
        "The incident is not yet resolved.",
        "@negation-removal",
    ),
    _distortion(
        "tense-change",
        meaning.tense_change,
        "Payments will be restored.",
        "@tense-change",
    ),
    _distortion(
        "fact-import",
        meaning.fact_import,
        "Checkout is degraded.",
        "@fact-import",
    ),
)
"""They change what a text says, so that its label has to be judged anew."""

ATTACKS: dict[str, Attack] = {attack.name: attack for attack in (*DISGUISES, *DISTORTIONS)}
DISGUISE_NAMES: tuple[Disguise, ...] = tuple(name for name in get_args(Disguise) if name != "none")
