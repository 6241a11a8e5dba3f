"""Words that say how many without a number, and the noun that they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.quantities.numbers import (
    ENDS_NOUN_PHRASE,
    ORDINALS,
    PERCENT,
    SCALES,
    TENS,
    TIME,
    UNITS,
)
from redpen.guards.facts.subjects import CLASSES, stem

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


AMOUNTS = word_map("quantifier_words", "amounts")
"""Words that say how many, and what they say."""

NEARLY = word_set("quantifier_words", "nearly")
NEARLY_TOO = frozenset({("pretty", "much"), ("or", "less"), ("good", "as"), ("near", "enough")})
"""Words, the last but one and the last, that mean "nearly" together; "or less" ends "more or less"."""
ADVERBS = word_set("quantifier_words", "adverbs")
OPENING = frozenset({"", ".", "!", "?", ":", ";", "only", "relatively", "comparatively", "precious"})
"""Words and marks after which "few" stands without an article."""
SIZEABLE = word_set("quantifier_words", "sizeable")
THEM = frozenset({"them", "these", "those", "which", "whom"})
HARDLY = frozenset("hardly barely scarcely".split())
UNCOUNTED = HARDLY | {"all", "every", "each", "no", "one", "single", "whole", "entire"}
"""Words after which a thing may be counted that no table has."""
LED = word_set("quantifier_words", "led")
"""Words that say how many only after certain others."""
LARGE = word_set("quantifier_words", "large")
PARTS = frozenset({"part", "portion", "share", "proportion", "percentage"})
PEOPLE = frozenset({"everyone", "everybody", "nobody", "anyone", "anybody"})
OWNERS = frozenset({"everyone's", "everybody's", "nobody's"})
"""Words for people that stand before what is theirs."""
THINGS = frozenset({"everything"})
YOU = frozenset({"you", "them", "us", "those", "these", "whom", "which"})
SHARED = word_set("quantifier_words", "shared") | {""}
GREETINGS = frozenset("hi hello hey dear morning afternoon evening ".split())
TEAM = word_set("quantifier_words", "team")
VERBS_TOO = frozenset({"times", "work", "works", "update", "support"})
SUPERLATIVE = word_set("quantifier_words", "superlative")
HIT = word_set("quantifier_words", "hit")
LIVES = word_set("quantifier_words", "lives")
MANAGES = word_set("quantifier_words", "manages")
WELL = word_set("quantifier_words", "well")
TELL = word_set("quantifier_words", "tell")
DESCRIBED = frozenset({"affected", "impacted"})
ALONE = frozenset({"none", "all", "majority", "minority", "most", "bulk"})
VERBS = frozenset("are is were was have has".split())
BEFORE_STATE = word_set("quantifier_words", "before_state")
STEPS = frozenset("wait waits waiting stop stops reach reaches behind once".split())
"""What happens to each thing in its turn, without anything being wrong."""
COUNTING = frozenset({*UNITS, *TENS, *SCALES})
STEPPED = frozenset({*ORDINALS, "second", "other"})
NO_NOUNS = frozenset({*COUNTING, *STEPPED, *TIME, "few", "half", "possible", "necessary"})
"""Words after "every" and "all" that it does not count."""
CLAUSE = 14
ENDS = frozenset({".", ";", "!", "?", ":"})
STRONG = frozenset({"most", "least"})
NEGATIVE = frozenset({"not", "n't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't"})
DETERMINERS = word_set("quantifier_words", "determiners")
WHOLES = frozenset({"traffic", "region", "base", "volume", "platform", "fleet", "queue", "estate", "world"})


Counted = tuple[str, int]
"""Stem of the thing counted, empty for none, and the index of its word."""

_REACH = 8
_PEOPLE = word_set("quantifier_nouns", "people")
_YOURS = frozenset({"your", "their"})
"""Whose people are hit like any others: your whole team."""


def noun_at(pieces: Pieces, index: int, amount: str) -> Counted:
    """Return the thing counted within a few words after a quantifier, its place; empty for the team's own."""
    low = pieces.low
    found, plural = ("", index), ("", index)
    of = False
    for here in range(index + 1, index + _REACH):
        word = low[here]
        if (word == "-" and pieces.glued(here)) or (word in DETERMINERS and not found[0]):
            continue
        if word == "of" and not (found[0] or plural[0]):
            of = True
            continue
        if of and word in YOU and not found[0]:
            return "people" if word == "you" else "", here
        if _ends_phrase(pieces, here) or (found[0] and word in VERBS_TOO):
            break
        known = stem(word)
        if known in TEAM:
            yours = known in _PEOPLE and not _YOURS.isdisjoint(low[index - 1 : here])
            return ("people", here) if yours else ("", index)
        if CLASSES.get(known, "place") not in ("place", "episode") or known in WHOLES:
            found = (known, here)
        elif is_plural(word):
            plural = (known, here)
        elif found[0]:
            break
    return plural if not found[0] and (of or amount in STRONG) else found


def any_noun_at(pieces: Pieces, index: int, *, singly: bool) -> Counted:
    """Return what a quantifier counts when no table has it: the word after, if it may be a noun.

    Args:
        pieces: the text.
        index: where the quantifier stands.
        singly: whether it counts one by one (every, each), so that the noun is no plural.
    """
    low = pieces.low
    place = index + 1
    while low[place] in DETERMINERS or low[place] in ("single", "of"):
        place += 1
    first = place
    while not (singly or low[place].endswith("s") or _ends_phrase(pieces, place + 1)) and place < index + 6:
        place += 1
    word = low[place]
    if not pieces.is_word[place] or _ends_phrase(pieces, place) or word in VERBS_TOO or word in NO_NOUNS:
        return "", index
    known = stem(word)
    other = CLASSES.get(known) == "place" or any(stem(near) in TEAM for near in low[first : place + 1])
    fits = len(word) > 2 and not other and (singly or (word.endswith("s") and not word.endswith("ss")))
    return (known, place) if fits else ("", index)


def is_plural(word: str) -> bool:
    """Whether a word has the ending of a plural."""
    return word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))


def _ends_phrase(pieces: Pieces, index: int) -> bool:
    word = pieces.low[index]
    broken = bool(pieces.breaks) and pieces.broken(index - 1)
    return not pieces.is_word[index] or broken or word in ENDS_NOUN_PHRASE


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
        case "all" if before == "at":
            return True
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
