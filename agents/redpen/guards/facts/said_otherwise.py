"""Whether what no allowed fact equals is no fact in its sentence, or one that is known in other words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.guards.facts.implied import is_implied
from redpen.guards.facts.kept_subjects import keeps_subject
from redpen.guards.facts.matching import restated
from redpen.guards.facts.ordinary_senses import is_left_open, is_ordinary
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from redpen.guards.facts.fact import Fact, Kind
    from redpen.guards.facts.implied import Implied
    from redpen.guards.facts.knowledge import Knowledge

_ELLIPSIS = lazy_pattern(
    r"(?: of (?:them|these|those))?(?: (?:are|were|have been|has been|is|was))?"
    r"(?: (?:still|now|already|so far))?(?: that)?(?: we(?:[’']ve| have)?(?: so far)?)? "
    r"(?:waiting|found|pending|affected|reported|missing|outstanding|stuck|involved|counted|recorded|logged"
    r"|registered|seen|known|concerned|delayed|late|held|listed|confirmed|hit|caught|open|unresolved|left|traced|identified|detected|noted|spotted|tallied)"
    r"(?=[^\w ]|$| (?:in|at|on|so|and|but|with|for|since|by|to|from|until|across|as|far|there|here)\b)",
    re.IGNORECASE,
)
"""What stands after a count of what was named before."""
_TWO_WORDS = lazy_pattern(r"\w+ \w{3,}")
_COUNTED: tuple[Kind, ...] = ("share", "count")


def says_no_more(
    fact: Fact, text: str, original: str, allowed: tuple[Knowledge, ...], implied: Callable[[], Implied]
) -> bool:
    """Whether what seems new in a text is no fact there, or one that is known in other words.

    Args:
        fact: a fact of the text that no allowed one equals, or whose number seems to be moved.
        text: what a reader sees of the revision.
        original: what a reader sees of the original.
        allowed: the facts of context and original.
        implied: returns what they imply; asked for only when it decides.
    """
    return (
        is_ordinary(fact, text)
        or is_implied(fact, text, implied)
        or _is_kept(fact, text, allowed)
        or _is_elliptic(fact, text, allowed)
        or _says_again(fact, text, original)
        or (_is_beyond_known(fact, allowed) and is_left_open(text, fact.start))
    )


def _is_elliptic(fact: Fact, text: str, allowed: tuple[Knowledge, ...]) -> bool:
    """Whether an allowed count leaves out what it counts ("1,280 waiting", "133 that we found")."""
    if fact.kind != "count" or not _ELLIPSIS.match(text, fact.end):
        return False
    return any(restated(reading, fact, each) for reading in fact.readings for each in allowed)


def _says_again(fact: Fact, text: str, original: str) -> bool:
    """Whether a quantifier stands before the word that it stands before in the original ("each change")."""
    if fact.kind != "quantifier":
        return False
    found = _TWO_WORDS.match(text, fact.start)
    return found is not None and re.search(rf"\b{re.escape(found[0])}\b", original, re.IGNORECASE) is not None


def _is_beyond_known(fact: Fact, allowed: tuple[Knowledge, ...]) -> bool:
    """Whether a fact is what lies outside an allowed place."""
    name = str(fact.readings[0].value)
    inside = name.removeprefix("outside ")
    return fact.kind == "region" and name != inside and any(it.find_key("region", inside) for it in allowed)


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
