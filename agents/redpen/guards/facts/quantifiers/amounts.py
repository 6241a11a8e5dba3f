"""How many a quantifier says, and where it begins: nearly all, hardly a soul, the lion's share."""

from __future__ import annotations

from redpen.guards.data import word_set
from redpen.guards.facts.quantifiers.words import (
    AMOUNTS,
    COUNTING,
    GREETINGS,
    HARDLY,
    LARGE,
    LED,
    NEARLY,
    NEARLY_TOO,
    NEGATIVE,
    OPENING,
    PARTS,
    SHARED,
    SIZEABLE,
    STEPPED,
    SUPERLATIVE,
)
from redpen.guards.facts.quantities.units import PERCENT

Amount = tuple[str, int]
"""``most``, ``least``, ``all``, ``none`` or nothing, and the index of the first piece."""

_WEAKER = {"all": "most", "none": "least"}
"""What "nearly" makes of an amount."""

_WHOLE = frozenset({"entire", "whole", "entirety"})
_OWNED = frozenset({"the", "your", "our", "their", "its", "this"})
"""What may stand between "nearly" and "whole"."""

_IDLE_AFTER_NO = word_set("quantifier_amounts", "idle_after_no")
"""What none of is no number of the things that are hit."""


def amount_at(low: list[str], index: int) -> Amount:
    """Return what the words at a piece say, empty for an idiom, and where they begin.

    Args:
        low: the pieces of a text in lower case.
        index: where one of ``AMOUNTS`` stands.
    """
    word, following = low[index], low[index + 1]
    amount = AMOUNTS[word]
    before = low[index - 1] if index else ""
    earlier = low[index - 2] if index > 1 else ""
    if word in LED:
        return _led(low, index, before, earlier)
    if word == "all" and following == "but":
        return "most", index
    nearly_whole = word in _WHOLE and before in _OWNED and (earlier in NEARLY or earlier == "just")
    nearly = (earlier, before) in NEARLY_TOO or (before == "to" and earlier in ("next", "close"))
    if nearly or nearly_whole:
        return _WEAKER.get(amount, amount), index - 2
    if before in NEARLY or before == "just" or (before == "but" and earlier == "all"):
        return _WEAKER.get(amount, amount), index - 1
    if _is_idiom(word, before, earlier, following) or (word == "most" and _superlative(low, index)):
        return "", index
    return amount, index


def _is_idiom(word: str, before: str, earlier: str, following: str) -> bool:
    """Whether a quantifier tells nothing of how many are hit: not all, no longer, in every ten."""
    match word:
        case "all" if before == "of" and (earlier in SHARED or earlier in PERCENT or earlier[:2] == "0."):
            return True
        case "no":
            # "Balance or no balance": whichever it is.
            either = before == "or" and earlier == following
            return either or following in _IDLE_AFTER_NO or before in GREETINGS
        case "every" if following in STEPPED or (
            before in ("of", "in") and (following in COUNTING or following[:1].isdecimal())
        ):
            return True
        case "whole" | "entire" if before in ("a", "an"):
            return True
        case _:
            return before in GREETINGS or (AMOUNTS[word] == "all" and before in NEGATIVE)


def _led(low: list[str], index: int, before: str, earlier: str) -> Amount:
    """Return what a word says that counts only after certain others: hardly any, not a single."""
    word, following = low[index], low[index + 1]
    amount, first = AMOUNTS[word], index - 1
    match word:
        case "than":
            found, first = following == "not", index
        case "exception":
            found = before == "without"
        case "nothing":
            found, first = (earlier, before) == ("next", "to"), index - 2
        case "board":
            found, first = (earlier, before) == ("across", "the"), index - 2
        case "single":
            found, first = (earlier, before) == ("not", "a"), index - 2
        case "one":
            found = before == "not"
        case "few":
            opens = before in OPENING and following != "of"
            found = opens or before == "very" or (earlier == "all" and before == "but")
            first = index if opens else first
        case _ if word in PARTS:
            found = _is_large_part(low, index)
        case _ if word in HARDLY:
            found, first = following in ("a", "an", "one"), index
        case _:
            found, amount = before in HARDLY, "least"
    return (amount, first) if found else ("", index)


def _is_large_part(low: list[str], index: int) -> bool:
    """Whether a part is most of the whole: the greater part of, a large share of, for the better part."""
    before, earlier, following = low[index - 1], low[index - 2], low[index + 1]
    if before in LARGE and (low[index - 3], earlier) == ("for", "the"):
        return True
    if before in LARGE and earlier in ("the", "far", "by"):
        return following in ("of", "are", "is")
    return before in SIZEABLE and earlier in ("a", "an", "very") and following == "of"


def _superlative(low: list[str], index: int) -> bool:
    """Whether "most" compares or limits: at most, the most recent, affects mobile users most."""
    before, following = low[index - 1] if index else "", low[index + 1]
    if before == "the" and index > 1 and low[index - 2] in ("far", "for"):
        return low[index - 2] == "for" and following != "part"
    if before in ("at", "the", "a", "your", "our", "its", "their", "matters", "matter"):
        return True
    return following in SUPERLATIVE and low[index + 2] not in ("customers", "users")
