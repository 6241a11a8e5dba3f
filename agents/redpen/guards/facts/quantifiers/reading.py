"""Read quantifiers: most, the bulk, all, no, everyone, hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.quantifiers.amounts import (
    amount_at,
    any_noun_at,
    judged,
    made,
    noun_at,
    of_team,
)
from redpen.guards.facts.subjects import is_plural, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.fact import Fact
    from redpen.guards.facts.quantities.pieces import Pieces

_OWN_CLAUSE = 12
_NEAR = 7


def quantifiers(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the quantifiers over who or what is affected; ``at``: indices of words of ``vocab.AMOUNTS``.

    Quantifiers over people whom the team informs, watches or thanks are ignored, as are those that say that
    all is well, which is a claim. If the clause says neither, the unit is ``MENTIONED``.
    """
    for index in at:
        found = _read(pieces, index)
        if found is not None:
            yield found


def _read(pieces: Pieces, index: int) -> Fact | None:
    low = pieces.low
    word, following = low[index], low[index + 1]
    amount, start = amount_at(low, index)
    if not amount or (word == "neither" and "nor" in low[index : index + _NEAR]):
        # "Neither the app nor the site" names two things.
        return None
    apart = _apart(pieces, index, start)
    if word == "than" or (word == "all" and following in vocab.hit and low[index - 1] in vocab.verbs):
        # "More lots than not", "buyers are all waiting": the subject precedes the quantifier.
        found: Fact | None = made(pieces, start, index + 1, amount, "")
    elif word in vocab.throughout and _follows_noun(low, start):
        found = None if _is_ours(pieces, start) else made(pieces, start, index, amount, "")
    elif word == "board":
        found = judged(pieces, start, index, amount, "") and made(pieces, start, index, amount, "")
    elif apart is not None:
        found = judged(pieces, *apart, amount, _noun_before(low, apart[0]))
    elif word == "everything":
        found = judged(pieces, start, index, amount, "thing")
    elif word in vocab.owning_people:
        found = _owned(pieces, index, start, amount)
    elif word in vocab.anybody or (word == "no" and following == "one"):
        found = _anybody(pieces, index, start, amount)
    else:
        found = _things(pieces, index, start, amount)
    return found


def _owned(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read "everybody's" and "nobody's", but not "nobody's fault"."""
    if amount != "none":
        return judged(pieces, start, index, amount, "people")
    following = pieces.low[index + 1 : index + 1 + _NEAR]
    idle = following[0] in vocab.not_owned or following[0] in vocab.kept
    # After "nobody's", any verb states a fact: "nobody's card is read".
    kept = idle or not vocab.harmed.isdisjoint(following)
    return None if kept else made(pieces, start, index, amount, "people")


def _apart(pieces: Pieces, index: int, start: int) -> tuple[int, int] | None:
    """Return the beginning and end of a quantifier that is separate from its noun, if it is.

    These are adverbs (mostly, for the most part, every time) and appositions (…, all of them).
    """
    low = pieces.low
    word, following = low[index], low[index + 1]
    if word in vocab.adverbs or low[start] == "for":
        return start, index
    if (word == "most" and following == "part") or (word in vocab.singly and following == "time"):
        return start, index + 1
    begins = start - (low[start - 1] == ",")
    one = _one_after(low, index)
    if one and not pieces.is_word[one + 1]:
        return begins, one
    of = (one or index) + 1
    return (begins, of + 1) if low[of] == "of" and low[of + 1] in vocab.them else None


def _noun_before(low: list[str], begin: int) -> str:
    """Return the stem of the noun before the apposition "all of them": the deadlines, all of them."""
    return stem(low[begin - 1]) if low[begin] == "," and is_plural(low[begin - 1]) else ""


def _follows_noun(low: list[str], start: int) -> bool:
    """Whether "without exception" refers to the noun before it: homes, without exception, have none."""
    noun = low[start - 1 - (low[start - 1] == ",")]
    return is_plural(noun) and noun not in vocab.verbs_too


def _is_ours(pieces: Pieces, start: int) -> bool:
    """Whether the clause before a piece describes our own actions, so that nobody is affected."""
    clause = pieces.clause_before(start, _OWN_CLAUSE, vocab.stops)
    return not vocab.ours.isdisjoint(clause) and vocab.suffered.isdisjoint(clause)


def _one_after(low: list[str], index: int) -> int:
    """Return the index of the "one" of "every one" and "every last one", or 0."""
    place = index + 1 + (low[index + 1] in ("last", "single"))
    return place if low[index] in vocab.singly and low[place] == "one" else 0


def _anybody(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read "everyone" and "nobody", except people of the team."""
    low = pieces.low
    place = index + (low[index] == "no")
    following = low[place + 1]
    where = low[place + 2 : place + 6] if following in ("on", "in", "at", "from") else []
    ours = of_team(where[:3]) or not vocab.workplaces.isdisjoint(where)
    if ours or following in vocab.people_beside:
        return None
    if amount == "none" and not vocab.talks.isdisjoint(low[place + 1 : place + _NEAR]):
        return None
    if amount in vocab.strong:
        # "Stays blank for nearly everyone" states a fact whatever the verb.
        return made(pieces, start, place, amount, "people")
    return judged(pieces, start, place, amount, "people")


def _things(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read a quantifier with its noun."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    if following == "but":
        index += 3
    noun, place = noun_at(pieces, index, amount)
    if noun and low[place + 1] == "of" and of_team(low[place + 2 : place + 5]):
        return None
    if not noun and (word in vocab.uncounted or word == "any"):
        return _uncounted(pieces, index, start, amount)
    alone = word in ("majority", "minority") and following != "of"
    if amount in vocab.strong and (noun or alone):
        return made(pieces, start, place, amount, noun)
    alone = word in vocab.alone and following in vocab.verbs
    return judged(pieces, start, place, amount, noun) if noun or alone else None


def _uncounted(pieces: Pieces, index: int, start: int, amount: str) -> Fact | None:
    """Read a quantifier over things that no table contains."""
    low = pieces.low
    word = low[index]
    noun, place = any_noun_at(pieces, index + (word in vocab.hardly), singly=word != "all")
    if not noun:
        return None
    if amount == "none":
        # That none is harmed is a claim; that none works is a quantity.
        works = not vocab.works.isdisjoint(low[place + 1 : place + (3 if word == "single" else 2)])
        works = works and "guarantee" not in low[place + 1 : place + 5]
        return made(pieces, start, place, amount, noun) if works else None
    nearly = amount in vocab.strong and word in vocab.singly and not _is_ours(pieces, start)
    if nearly or word in vocab.hardly:
        return made(pieces, start, place, amount, noun)
    return judged(pieces, start, place, amount, noun)
