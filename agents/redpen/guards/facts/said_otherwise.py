"""Whether what no allowed fact equals is no fact in its sentence, or one that is known in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts.implied import is_implied
from redpen.guards.facts.kept_subjects import keeps_subject
from redpen.guards.facts.matching import restated
from redpen.guards.facts.ordinary_senses import is_ordinary

if TYPE_CHECKING:
    from collections.abc import Callable

    from redpen.guards.facts.fact import Fact, Kind
    from redpen.guards.facts.implied import Implied
    from redpen.guards.facts.knowledge import Knowledge

_COUNTED: tuple[Kind, ...] = ("share", "count")


def says_no_more(
    fact: Fact, text: str, allowed: tuple[Knowledge, ...], implied: Callable[[], Implied]
) -> bool:
    """Whether what seems new in a text is no fact there, or one that is known in other words.

    Args:
        fact: a fact of the text that no allowed one equals, or whose number seems to be moved.
        text: what a reader sees of the revision.
        allowed: the facts of context and original.
        implied: returns what they imply; asked for only when it decides.
    """
    return is_ordinary(fact, text) or is_implied(fact, text, implied) or _is_kept(fact, text, allowed)


def _is_kept(fact: Fact, text: str, allowed: tuple[Knowledge, ...]) -> bool:
    """Whether a share or a count that seems to be moved is still said of its own, in other words."""
    if fact.kind not in _COUNTED:
        return False
    matches = [
        known for reading in fact.readings for each in allowed for known in restated(reading, fact, each)
    ]
    own = {known.fact.head for known in matches}
    named = {stem for knowledge in allowed for kind in _COUNTED for stem in knowledge.heads.get(kind, ())}
    words = {word for knowledge in allowed for word in knowledge.words}
    return keeps_subject(fact, text, matches, named - own, words)
