"""Words that say how many are hit without a number: most, the bulk, all, no, everyone, hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.quantifier_words import (
    ADVERBS,
    ALONE,
    AMOUNTS,
    BEFORE_STATE,
    CLAUSE,
    COUNTING,
    DESCRIBED,
    DETERMINERS,
    ENDS,
    GREETINGS,
    HARDLY,
    HIT,
    LARGE,
    LED,
    LIVES,
    MANAGES,
    MENTIONED,
    NEARLY,
    NEARLY_TOO,
    NEGATIVE,
    NO_NOUNS,
    OPENING,
    PARTS,
    PEOPLE,
    SHARED,
    SIZEABLE,
    STEPPED,
    STEPS,
    STRONG,
    SUPERLATIVE,
    TEAM,
    TELL,
    THEM,
    THINGS,
    VERBS,
    VERBS_TOO,
    WELL,
    WHOLES,
    YOU,
)
from redpen.guards.quantities_units import ENDS_NOUN_PHRASE, PERCENT
from redpen.guards.readings import Fact, Reading
from redpen.guards.subjects import CLASSES, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.quantities_lexer import Pieces


def quantifiers(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the quantifiers over who or what is hit; ``at`` is where one of ``AMOUNTS`` stands.

    A quantifier over whom the team tells, watches or thanks is none of these; nor is one that says that
    all is well, which is a claim. One whose clause says nothing of the kind has the unit ``MENTIONED``.
    """
    for index in at:
        found = _read(pieces, index)
        if found is not None:
            yield found


def _read(pieces: Pieces, index: int) -> Fact | None:
    low = pieces.low
    word, following = low[index], low[index + 1]
    amount, start = _amount(low, index)
    if not amount:
        return None
    if word == "than":
        return _made(pieces, start, index + 1, amount, "")
    if word in ADVERBS:
        return _judged(pieces, start, index, amount, "")
    if word == "most" and following == "part":
        return _judged(pieces, start, index + 1, amount, "")
    if following == "time" and word in ("every", "each") and not pieces.is_word[index + 2]:
        return _judged(pieces, start, index + 1, amount, "")
    one = index + 1 + (following in ("last", "single"))
    one_by_one = word in ("every", "each") and low[one] == "one"
    of = one + 1 if one_by_one else index + 1
    if low[of] == "of" and low[of + 1] in THEM and word not in LED:
        begins = start - (start > 0 and low[start - 1] == ",")
        return _judged(pieces, begins, of + 1, amount, "")
    group = "thing" if word in THINGS else "people" if word in PEOPLE else ""
    if word == "no" and following == "one":
        group, index = "people", index + 1
    if group:
        named = group == "people" and following in ("here", "else", "outside")
        near = low[index + 2 : index + 5] if following in ("on", "in", "at", "from") else ()
        named = named or any(stem(word) in TEAM for word in near)
        return None if named else _judged(pieces, start, index, amount, group)
    if one_by_one and low[of] == "of":
        index += 1
    elif word == "all" and following == "but":
        index += 3 if low[index + 2] in ("a", "an") else 2
    noun, place = _noun(pieces, index, amount)
    if not noun and word in ("all", "every", "each"):
        noun, place = _any_noun(pieces, index)
        return _judged(pieces, start, place, amount, noun) if noun else None
    if noun and low[place + 1] == "of" and any(stem(near) in TEAM for near in low[place + 2 : place + 5]):
        return None
    if noun and amount in STRONG:
        return _made(pieces, start, place, amount, noun)
    alone = word in ALONE and following in VERBS
    return _judged(pieces, start, place if noun else index, amount, noun) if noun or alone else None


def _amount(low: list[str], index: int) -> tuple[str, int]:
    """Return what the words at a piece say, empty for an idiom, and where they begin."""
    word, following = low[index], low[index + 1]
    amount = AMOUNTS[word]
    before = low[index - 1] if index else ""
    earlier = low[index - 2] if index > 1 else ""
    if word in LED:
        return _led(low, index, before, earlier)
    if word == "most" and before == "the" and earlier == "for" and following == "part":
        return amount, index
    if (earlier, before) in NEARLY_TOO:
        return ("most" if amount == "all" else "least" if amount == "none" else amount), index - 2
    if word == "all" and following == "but":
        return "most", index
    if before in NEARLY or (before == "but" and earlier == "all") or before == "just":
        return ("most" if amount == "all" else "least" if amount == "none" else amount), index - 1
    if before == "to" and earlier in ("next", "close") and amount in ("none", "all"):
        return ("least" if amount == "none" else "most"), index - 2
    negated = amount == "all" and before in NEGATIVE
    of_part = earlier in SHARED or earlier in PERCENT or earlier[:2] == "0."
    shared = word == "all" and before == "of" and of_part
    idle = word == "no" and following in ("longer", "later", "more", "doubt", "matter")
    rate = word == "every" and before in ("of", "in") and (following in COUNTING or following[:1].isdecimal())
    rate = rate or (word == "every" and following in STEPPED)
    if negated or shared or idle or rate or before in GREETINGS or (word == "most" and _superlative(low, index)):
        return "", index
    return amount, index


def _led(low: list[str], index: int, before: str, earlier: str) -> tuple[str, int]:
    """Return what a word says that counts only after certain others: hardly any, not a single."""
    word = low[index]
    first = index - 1
    if word in PARTS:
        found = before in LARGE and earlier in ("the", "far", "by") and low[index + 1] in ("of", "are", "is")
        found = found or (before in SIZEABLE and earlier in ("a", "an", "very") and low[index + 1] == "of")
        amount = "most"
    elif word == "than":
        found, amount, first = low[index + 1] == "not", "most", index
    elif word == "exception":
        found, amount = before == "without", "all"
    elif word == "nothing":
        found, amount, first = (earlier, before) == ("next", "to"), "least", index - 2
    elif word == "board":
        found, amount, first = (earlier, before) == ("across", "the"), "all", index - 2
    elif word == "single":
        found, amount, first = (earlier, before) == ("not", "a"), "none", index - 2
    elif word == "one":
        found, amount = before == "not", "none"
    elif word == "few":
        opens = before in OPENING and low[index + 1] != "of"
        found, amount = opens or before == "very" or (earlier == "all" and before == "but"), "least"
        first = index if opens else first
    else:
        found, amount = before in HARDLY, "least"
    return (amount, first) if found else ("", index)


def _superlative(low: list[str], index: int) -> bool:
    """Whether "most" compares or limits: at most, the most recent, affects mobile users most."""
    before, following = low[index - 1] if index else "", low[index + 1]
    if before in ("at", "the", "a", "your", "our", "its", "their", "matters", "matter"):
        return True
    return following in SUPERLATIVE and low[index + 2] not in ("customers", "users")


def _noun(pieces: Pieces, index: int, amount: str) -> tuple[str, int]:
    """Return the thing counted within a few words, as its stem, and its place."""
    low = pieces.low
    found, plural = ("", index), ("", index)
    of = False
    for here in range(index + 1, index + 8):
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
            return "", index
        if CLASSES.get(known, "place") not in ("place", "episode") or known in WHOLES:
            found = (known, here)
        elif word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is")):
            plural = (known, here)
        elif found[0]:
            break
    return plural if not found[0] and (of or amount in STRONG) else found


def _any_noun(pieces: Pieces, index: int) -> tuple[str, int]:
    """Return what "every" or "all" counts when no table has it: the word after, if it may be a noun."""
    low = pieces.low
    each = low[index] in ("every", "each")
    place = index + 1
    while low[place] in DETERMINERS or low[place] in ("single", "of"):
        place += 1
    first = place
    while not each and pieces.is_word[place + 1] and not _ends_phrase(pieces, place + 1) and place < index + 6:
        place += 1
    word = low[place]
    if not pieces.is_word[place] or _ends_phrase(pieces, place) or word in VERBS_TOO or word in NO_NOUNS:
        return "", index
    known = stem(word)
    other = CLASSES.get(known) == "place" or any(stem(near) in TEAM for near in low[first : place + 1])
    fits = len(word) > 3 and not other and (each or (word.endswith("s") and not word.endswith("ss")))
    return (known, place) if fits else ("", index)


def _ends_phrase(pieces: Pieces, index: int) -> bool:
    word = pieces.low[index]
    broken = bool(pieces.breaks) and pieces.broken(index - 1)
    return not pieces.is_word[index] or broken or word in ENDS_NOUN_PHRASE


def _judged(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact | None:
    """Keep a quantifier as a fact only where its clause says that something hits the counted ones."""
    low = pieces.low
    made = _made(pieces, start, place, amount, noun)
    told = False
    for word in _backwards(pieces, start):
        told = told or word in TELL
        if word in HIT and not told and low[start] != "each":
            return made
    told = told or not DESCRIBED.isdisjoint(low[start : place + 1])
    hit = False
    lives = False
    people = noun == "people" or CLASSES.get(noun) == "people"
    if low[start] == "each" and not people:
        # Of things taken one by one it is told what is done with them, unless that is all that is said.
        hit = _plainly_hit(low, place + 1)
        return made if hit and not told else _mentioned(made)
    for ahead in range(place + 1, min(place + CLAUSE, pieces.count)):
        word = low[ahead]
        if word in ENDS:
            break
        checks_out = word == "check" and low[ahead + 1] == "out"
        if (word in WELL and not (hit and word == "normal")) or (word in TELL and not hit and not checks_out):
            told = True
        hit = hit or word in HIT or (word == "out" and low[ahead + 1] == "of")
        lives = lives or (ahead < place + 8 and word in (LIVES if amount != "none" else MANAGES))
    if told:
        return None
    if hit or (lives and (people or amount != "all")):
        return made
    return _mentioned(made)


def _plainly_hit(low: list[str], index: int) -> bool:
    """Whether the verb that begins at a piece says that its subject is hit: is late, has failed."""
    while low[index] in BEFORE_STATE:
        index += 1
    return low[index] in HIT and low[index] not in STEPS


def _mentioned(fact: Fact) -> Fact:
    fact.readings = (Reading(kind="quantifier", value=fact.readings[0].value, unit=MENTIONED),)
    return fact


def _backwards(pieces: Pieces, start: int) -> Iterator[str]:
    """Yield the words of the clause before a piece, the nearest first."""
    for place in range(start - 1, max(-1, start - CLAUSE), -1):
        word = pieces.low[place]
        if word in ENDS or word == ",":
            return
        yield word


def _made(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact:
    first, last = pieces.starts[start], pieces.ends[place]
    reading = Reading(kind="quantifier", value=amount)
    return Fact(readings=(reading,), start=first, end=last, text=pieces.text[first:last], head=noun)
