"""Idioms and fixed phrases that make a claim, with an example that each row blocks and one it lets pass.

How patterns are written is said in ``patterns``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Family = Literal["resolution", "guarantee", "reassurance", "cause", "commitment", "liability"]

Use = Literal["state", "done", "copula", "word", "always", "denied"]
"""How a phrase is judged.

``state``: a predicate, judged by its verb group (``will be`` makes a guarantee). ``done``: the same, but its
simple present tells what is done as a rule and claims nothing. ``copula``: the same, and it
needs an auxiliary. ``word``: said unless negation, condition or question take it back. ``always``: as
``word``, but holds its own negation. ``denied``: a claim only when a negation reaches it.
"""

UNDECIDED = "whether decide decided deciding discuss discussing consider considering review reviewing"
"""Words with which something to be given is still open."""


class Phrase(NamedTuple):
    """One phrase.

    Attributes:
        family: what it claims.
        use: how it is judged.
        pattern: its places.
        blocks: a text that is a claim because of this row.
        passes: a text near it that is none.
        unless: words, parted by spaces, that, anywhere in the sentence, give the phrase another sense.
        kind: what a commitment is about; empty where the words found tell it.
    """

    family: Family
    use: Use
    pattern: str
    blocks: str
    passes: str
    unless: str = ""
    kind: str = ""
