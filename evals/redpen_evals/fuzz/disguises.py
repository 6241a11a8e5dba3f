"""Disguises as strategies: which attack, on which piece of a text, with which chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from hypothesis import strategies as st

from redpen_evals.attacks import DISGUISES, Attack
from redpen_evals.scenario_library.drafts import Disguise

SEEDS = 40
"""How many ways of one attack on one piece of text are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disguising:
    """An attack with its chance fixed.

    Attributes:
        attack: the attack; it keeps the meaning.
        seed: its chance.
        plain: whether only ordinary characters may come of it: a result with any other is not used, so
            that a guard which refuses unusual characters gets no credit for reading.
    """

    attack: Attack
    seed: int
    plain: bool = False

    @property
    def name(self) -> Disguise:
        """Its name in the draft library."""
        return cast("Disguise", self.attack.name)

    def of(self, text: str) -> str:
        """Return a piece of text in disguise, or as it is where the disguise has no hold on it."""
        changed = self.attack(text, seed=self.seed)
        return text if self.plain and not _is_plain(changed) else changed


def disguisings(*, plain: bool = False, but: tuple[Disguise, ...] = ()) -> st.SearchStrategy[Disguising]:
    """Return a strategy of disguises.

    Args:
        plain: whether only ordinary characters may come of them.
        but: disguises to leave out.
    """
    attacks = [attack for attack in DISGUISES if attack.name not in but]
    return st.builds(
        lambda attack, seed: Disguising(attack=attack, seed=seed, plain=plain),
        st.sampled_from(attacks),
        st.integers(min_value=0, max_value=SEEDS - 1),
    )


def _is_plain(text: str) -> bool:
    return all(" " <= char <= "~" or char in "\r\n\t" for char in text)
