"""All disguises by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from redpen_evals.attacks import characters, layout
from redpen_evals.scenario_library.drafts import Disguise

Change = Callable[[str, Random], str]
"""Takes a piece of text and a random generator, and returns the changed piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A named change of a text that keeps its meaning, and so the label of a draft.

    Attributes:
        name: its name in reports and in the draft library.
        change: changes a piece of text, or returns it unchanged if it does not apply.
        example: a text, and the result with seed 0.
    """

    name: Disguise
    change: Change
    example: tuple[str, str]

    def __call__(self, text: str, span: tuple[int, int] | None = None, seed: int = 0) -> str:
        """Return the changed text.

        Args:
            text: any text.
            span: start and end (exclusive) of the piece to change; None for all of it.
            seed: seed of the random generator.

        Raises:
            ValueError: the span is not inside the text.
        """
        start, end = (0, len(text)) if span is None else span
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"span {start}:{end} is not inside a text of {len(text)} characters")
        rng = Random(seed)  # noqa: S311 - must be reproducible, not secret
        return text[:start] + self.change(text[start:end], rng) + text[end:]


def aim(attack: Attack, text: str, spans: tuple[tuple[int, int], ...], seed: int = 0) -> str:
    """Apply an attack to several pieces of a text; overlapping pieces are merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    # From the end, so that earlier spans stay valid.
    for span in reversed(merged):
        text = attack(text, span, seed)
    return text


def _disguise(name: Disguise, change: Change, before: str, after: str) -> Attack:
    return Attack(name=name, change=change, example=(before, after))


DISGUISES: tuple[Attack, ...] = (
    _disguise(
        "look-alikes", characters.look_alikes, "It is resolved.", "It \u0456\u0455 re\u0455o\u04cf\u0475ed."
    ),
    _disguise("invisible", characters.invisible, "It is resolved.", "I\u2062t i\ufeffs resol\xadved."),
    _disguise(
        "direction",
        characters.direction,
        "Fixed for 45%.",
        "\u202dFixed\u202c \u202erof\u202c\u200e \u202d45\u202c%.",
    ),
    _disguise(
        "tags",
        characters.tags,
        "Fixed.",
        "Fix\U000e0046\U000e006a\U000e003c\U000e004de\U000e004f\U000e003ad.",
    ),
    _disguise(
        "combining", characters.combining, "It is resolved.", "It i\u0307s\u0324 res\u0307ol\u0303v\u0323ed."
    ),
    _disguise(
        "compatibility",
        characters.compatibility,
        "Fixed: 45%",
        "\U0001d5d9\U0001d5f6\U0001d605\U0001d5f2\U0001d5f1: \U0001d7f0\U0001d7f1%",
    ),
    _disguise("spacing", layout.spacing, "It is resolved.", "It   is   r_e_s_o_l_v_e_d."),
    _disguise("hyphenation", layout.hyphenation, "It is resolved.", "It is re-\nsolved."),
    _disguise("line-breaks", layout.line_breaks, "It is fully resolved.", "It\n is\n fully\n resolved."),
    _disguise("case", characters.case, "It is resolved for us.", "IT IS RESOLVED FOR us."),
    _disguise("leetspeak", characters.leetspeak, "It is resolved.", "It is r3so1ved."),
    _disguise("entities", layout.entities, "It is resolved.", "&#x0049;&#x74; i&#x73; r&#101;s&#x6f;lved."),
    _disguise("html", layout.html, "It is resolved.", "<span>It</span> i<em>s</em> reso<em>lved</em>."),
    _disguise("markdown", layout.markdown, "It is fully resolved.", "[It](#) _is_ ==ful==ly **re**solved."),
    _disguise("digits", characters.digits, "45 minutes", "\uff14\uff15 minutes"),
)
"""One attack for each disguise of the draft library."""

ATTACKS: dict[str, Attack] = {attack.name: attack for attack in DISGUISES}
