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
    _disguise("look-alikes", characters.look_alikes, "It \u0456\u0455 fu\u04cfl\u0443 r\u0435sol\u0475\u0435d f\u03bfr 45% of us."),
    _disguise("invisible", characters.invisible, "I\u2062t i\ufeffs full\u2063y res\u180eo\u200dlve\u180ed f\ufeffo\u200cr 4\u20635% o\xadf u\xads."),
    _disguise("direction", characters.direction, "\u202dIt\u202c \u202esi\u202c \u202dfully\u202c \u2068resolved\u2069 \u2068for\u2069 \u061c45% \u202efo\u202c \u2066us\u2069."),
    _disguise("tags", characters.tags, "I\U000e0023\U000e007b\U000e004e\U000e0077t i\U000e0042\U000e0074\U000e0034\U000e002ds fu\U000e007d\U000e0052\U000e0062ll\U000e0065y res\U000e003e\U000e005c\U000e0033\U000e0054olv\U000e0028e\U000e0063\U000e006a\U000e005b\U000e005ad f\U000e0062\U000e0025\U000e0077o\U000e0036\U000e007br 4\U000e00275% o\U000e002a\U000e0054\U000e0063\U000e0054f u\U000e004a\U000e0058\U000e0044s."),
    _disguise("combining", characters.combining, "It i\u0307s\u0324 ful\u0303ly\u0302 re\u0331solv\u033fe\u0303d fo\u0332r 45% of us."),
    _disguise("compatibility", characters.compatibility, "\U0001d5dc\U0001d601 \U0001d5f6\U0001d600 \U0001d5f3\U0001d602\U0001d5f9\U0001d5f9\U0001d606 \U0001d5ff\U0001d5f2\U0001d600\U0001d5fc\U0001d5f9\U0001d603\U0001d5f2\U0001d5f1 \U0001d5f3\U0001d5fc\U0001d5ff \U0001d7f0\U0001d7f1% \U0001d5fc\U0001d5f3 \U0001d602\U0001d600."),
    _disguise("spacing", layout.spacing, "It   is   f\xa0u\xa0l\xa0l\xa0y   r\xa0e\xa0s\xa0o\xa0l\xa0v\xa0e\xa0d   f\xa0o\xa0r   45%   of   us."),
    _disguise("hyphenation", layout.hyphenation, "It is fu-\nlly resol\u2010ved for 45% of us."),
    _disguise("line-breaks", layout.line_breaks, "It\n is\n fully\n resolved\n for\n 45%\n of\n us."),
    _disguise("case", characters.case, "IT IS FULLY RESOLVED FOR 45% OF us."),
    _disguise("leetspeak", characters.leetspeak, "It is fu11y res01ved for 45% of us."),
    _disguise("entities", layout.entities, "I&#x74; &#x69;s fu&#x6c;&#x6c;y r&#101;s&#x6f;lved &#x66;&#111;r 4&#53;% o&#x0066; &#x0075;s."),
    _disguise("html", layout.html, "<span>It</span> i<em>s</em> full<em>y</em> re<wbr>solved <em>for</em> 4<wbr>5% o<!-- -->f u<u>s</u>."),
    _disguise("markdown", layout.markdown, "[It](#) _is_ **ful**ly `resolved` [for](#) **4**5% **o**f **u**s."),
    _disguise("digits", characters.digits, "It is fully resolved for \uff14\uff15% of us."),
)
"""They keep what a reader reads, one for each name that a draft item can give as its disguise."""

DISTORTIONS: tuple[Attack, ...] = (
    _distortion(
        "number-swap",
        meaning.number_swap,
        "About 27% of checkouts fail.",
        "About 48% of checkouts fail.",
    ),
    _distortion(
        "unit-swap",
        meaning.unit_swap,
        "We expect an update in 45 minutes.",
        "We expect an update in 45 seconds.",
    ),
    _distortion(
        "subject-swap",
        meaning.subject_swap,
        "27% of checkouts and 3.4% of payments fail.",
        "3.4% of checkouts and 27% of payments fail.",
    ),
    _distortion(
        "negation-removal",
        meaning.negation_removal,
        "The incident is not yet resolved.",
        "The incident is resolved.",
    ),
    _distortion(
        "tense-change",
        meaning.tense_change,
        "Payments will be restored.",
        "Payments has been restored.",
    ),
    _distortion(
        "fact-import",
        meaning.fact_import,
        "Checkout is degraded.",
        "Checkout is degraded. Write to desk@unrelated.example for details.",
    ),
)
"""They change what a text says, so that its label has to be judged anew."""

ATTACKS: dict[str, Attack] = {attack.name: attack for attack in (*DISGUISES, *DISTORTIONS)}
DISGUISE_NAMES: tuple[Disguise, ...] = tuple(name for name in get_args(Disguise) if name != "none")
