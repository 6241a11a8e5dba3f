"""Attacks on guards: named changes of a text that keep its meaning."""

from redpen_evals.attacks.registry import ATTACKS, DISGUISES, Attack, aim

__all__ = ["ATTACKS", "DISGUISES", "Attack", "aim"]
