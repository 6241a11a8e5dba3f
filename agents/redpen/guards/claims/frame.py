"""The words around a claim by which a text does not make it."""

from __future__ import annotations

from typing import NamedTuple

from redpen.guards.claims.phrases import Family


class Frame(NamedTuple):
    """Words around a claim that take it back.

    Attributes:
        families: the claims that it takes back.
        before: a pattern that ends where the claim begins or inside it.
        after: a pattern that begins inside the claim or after it; empty for none.
        example: a sentence that makes no claim because of it.
        near: a sentence near it that makes one.
    """

    families: frozenset[Family]
    before: str
    after: str
    example: str
    near: str
