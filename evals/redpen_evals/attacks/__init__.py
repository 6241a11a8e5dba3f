"""Attacks on guards: named changes of a text that keep or change its meaning."""

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
