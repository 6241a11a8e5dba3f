"""What an attack is: a named, repeatable change of a text, aimed at a piece of it or at all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Change = Callable[[str, Random], str]
"""Takes a piece of text and the source of chance, and returns the piece changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A named change of a text.

    Attributes:
        name: what it is called in reports.
        change: what it does to a piece of text; leaves alone what it has no hold on.
        keeps_meaning: whether a reader reads the same afterwards. If so the label of a draft stays.
        example: a text, and what becomes of it with seed 0.
    """

    name: str
    change: Change
    keeps_meaning: bool
    example: tuple[str, str]

    def __call__(self, text: str, span: tuple[int, int] | None = None, seed: int = 0) -> str:
        """Return the text changed.

        Args:
            text: any text.
            span: start and end (exclusive) of the piece to change; None for all of it.
            seed: the same text, span and seed give the same result.

        Raises:
            ValueError: the span does not lie in the text.
        """
        start, end = (0, len(text)) if span is None else span
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"span {start}:{end} does not lie in a text of {len(text)} characters")
        rng = Random(seed)  # noqa: S311 - chance that has to repeat, not to be secret
        return text[:start] + self.change(text[start:end], rng) + text[end:]


def compose(first: Attack, second: Attack) -> Attack:
    """Return the attack that applies one and then the other to the same piece of text."""

    def both(text: str, rng: Random) -> str:
        return second.change(first.change(text, rng), rng)

    before = first.example[0]
    return Attack(
        name=f"{first.name}+{second.name}",
        change=both,
        keeps_meaning=first.keeps_meaning and second.keeps_meaning,
        example=(before, both(before, Random(0))),  # noqa: S311 - as in a call with seed 0
    )


def aim(attack: Attack, text: str, spans: tuple[tuple[int, int], ...], seed: int = 0) -> str:
    """Return the text with an attack on each of several pieces; pieces that overlap count as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    # From the back, so that the places in front stay where they are.
    for span in reversed(merged):
        text = attack(text, span, seed)
    return text
