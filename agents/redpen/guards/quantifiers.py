"""Words that say how many are hit without a number: most, the bulk, all, no, everyone, hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.quantifier_words import (
    ALONE,
    AMOUNTS,
    CLAUSE,
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
    NEGATIVE,
    PARTS,
    PEOPLE,
    SHARED,
    STRONG,
    SUPERLATIVE,
    TEAM,
    TELL,
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
    group = "thing" if word in THINGS else "people" if word in PEOPLE else ""
    if word == "no" and following == "one":
        group, index = "people", index + 1
    if group:
        named = group == "people" and following in ("here", "else", "outside")
        return None if named else _judged(pieces, start, index, amount, group)
    if word in ("every", "each") and following == "one" and low[index + 2] == "of":
        index += 1
    elif word == "all" and following == "but":
        index += 3 if low[index + 2] in ("a", "an") else 2
    noun, place = _noun(pieces, index, amount)
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
    if word == "all" and following == "but":
        return "most", index
    if before in NEARLY or (before == "but" and earlier == "all") or before == "just":
        return ("most" if amount == "all" else "least" if amount == "none" else amount), index - 1
    if before == "to" and earlier in ("next", "close") and amount in ("none", "all"):
        return ("least" if amount == "none" else "most"), index - 2
    negated = amount == "all" and before in NEGATIVE
    shared = word == "all" and before == "of" and (earlier in SHARED or earlier in PERCENT)
    idle = word == "no" and following in ("longer", "later", "more", "doubt", "matter")
    if negated or shared or idle or before in GREETINGS or (word == "most" and _superlative(low, index)):
        return "", index
    return amount, index


def _led(low: list[str], index: int, before: str, earlier: str) -> tuple[str, int]:
    """Return what a word says that counts only after certain others: hardly any, not a single."""
    word = low[index]
    first = index - 1
    if word in PARTS:
        found = before in LARGE and earlier in ("the", "far", "by") and low[index + 1] in ("of", "are", "is")
        amount = "most"
    elif word == "single":
        found, amount, first = (earlier, before) == ("not", "a"), "none", index - 2
    elif word == "one":
        found, amount = before == "not", "none"
    elif word == "few":
        found, amount = before == "very" or (earlier == "all" and before == "but"), "least"
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
            return "people" if word in ("you", "us") else "", here
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
    for ahead in range(place + 1, min(place + CLAUSE, pieces.count)):
        word = low[ahead]
        if word in ENDS:
            break
        checks_out = word == "check" and low[ahead + 1] == "out"
        if (word in WELL and not (hit and word == "normal")) or (word in TELL and not hit and not checks_out):
            told = True
        hit = hit or word in HIT
        lives = lives or (ahead < place + 8 and word in (LIVES if amount != "none" else MANAGES))
    if told:
        return None
    if hit or (lives and (people or amount != "all")):
        return made
    made.readings = (Reading(kind="quantifier", value=amount, unit=MENTIONED),)
    return made


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
