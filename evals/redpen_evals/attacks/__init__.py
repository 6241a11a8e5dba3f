"""Attacks: named changes of a text that keep or break what it says, to try guards with."""

from redpen_evals.attacks.registry import (
    ATTACKS,
    DISGUISES,
    DISTORTIONS,
    Attack,
    Change,
    Distortion,
    aim,
    compose,
)

__all__ = ["ATTACKS", "DISGUISES", "DISTORTIONS", "Attack", "Change", "Distortion", "aim", "compose"]
