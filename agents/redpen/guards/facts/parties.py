"""Read named parties: companies and people that a text mentions by name.

People who are greeted, who sign or who are not involved in the incident are not parties.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING

from redpen.guards.data import read_words
from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.places import PLACES
from redpen.guards.text import prose_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.facts.quantities.pieces import Pieces


VENDOR_STARTS = frozenset(re.findall(r"[a-z]+|[0-9]+", name)[0] for name in vocab.vendors)
"""First words of the names of known companies."""

_FIRST_SYMBOL, _LAST_SYMBOL = "\u2190", "\U0001faff"
"""Range of arrows, pictographs and similar symbols, which end a sentence like full stops."""

_PLACE_WORDS = frozenset(
    first for first, names in PLACES.items() if any(len(words) == 1 for words, _ in names)
)
_EVERYDAY = ("s", "ing", "er", "ers", "one", "body", "ion", "ment", "ance", "ence", "ness", "ity", "ple")
"""Endings of ordinary nouns, which are capitalised at the beginning of a sentence."""
PLACE = "place"
"""Unit of a name in the position of a place."""
_SHORT = 2
_SHORTEST = 4


_NO_NAMES = vocab.ordinary - VENDOR_STARTS


def capitals(raw: list[str], low: list[str]) -> list[int]:
    """Return the indices of words with which a name may begin: capitalised and not common.

    Args:
        raw: the words as written.
        low: the words in lower case.
    """
    changed = compress(range(len(raw)), map(ne, raw, low))
    return [index for index in changed if low[index] not in _NO_NAMES]


def parties(pieces: Pieces, taken: bytearray, at: list[int]) -> Iterator[Fact]:
    """Yield the named parties of a text.

    Args:
        pieces: the text.
        taken: one byte a piece, set where another rule has read it.
        at: where a name may begin: ``capitals``, and words of ``vocab.vendors`` in any case.

    Yields:
        Facts whose value is the name in lower case: known companies anywhere, other names if they are
        capitalised inside a sentence that is not a heading.
    """
    shouting: dict[int, bool] = {}
    done = 0
    low, raw = pieces.low, pieces.raw
    for index in at:
        if index < done or taken[index] or not pieces.is_word[index] or low[index - 1] == "#":
            continue
        capital = raw[index][0].isupper()
        known = low[index] in VENDOR_STARTS and (capital or low[index] in vocab.vendors)
        end = _vendor(pieces, index) if known else 0
        if not end and capital:
            end = _name(pieces, index, taken, shouting)
            if end and _is_bystander(pieces, index, end, acts=_reports(pieces, end - 1)):
                done, end = end, 0
        if end:
            yield _found(pieces, index, end, unit=PLACE if not known and _is_where(low, index) else "")
            done = end


def _is_where(low: list[str], index: int) -> bool:
    """Whether a name has the position of a place: in Flanders, across the Algarve, around Swansea."""
    before = index - 1 - (low[index - 1] == "the")
    return before >= 0 and low[before] in vocab.before_places


def _found(pieces: Pieces, index: int, end: int, *, unit: str = "") -> Fact:
    fact = pieces.fact(index, end)
    value = " ".join(fact.text.lower().removesuffix("'s").split())
    fact.readings = (Reading(kind="party", value=value, unit=unit),)
    return fact


def _vendor(pieces: Pieces, index: int) -> int:
    """Return the index after a known company that begins at a piece, or 0."""
    low = pieces.low
    for length in (4, 3, 2, 1):
        end = index + length
        if not low[end - 1]:
            continue
        name = pieces.text[pieces.starts[index] : pieces.ends[end - 1]].lower().removesuffix("'s")
        if name not in vocab.vendors or (name == "box" and low[end] == "office"):
            continue
        word = length == 1 and low[index] in vocab.vendors_and_words
        short = length == 1 and len(name) < _SHORTEST and name != "aws"
        if (word or short) and not pieces.is_capital(index):
            continue
        opening = length == 1 and low[index] in vocab.words_at_start and low[end] not in vocab.acts
        if opening and _opens(pieces, index):
            continue
        return end
    return 0


def _opens(pieces: Pieces, index: int) -> bool:
    """Whether the piece begins a sentence, a line, a quotation, a label or a list item."""
    before = pieces.low[index - 1]
    return (
        not before
        or before in vocab.before_capitals
        or pieces.broken(index - 1)
        or _FIRST_SYMBOL <= before[0] <= _LAST_SYMBOL
    )


def _name(pieces: Pieces, index: int, taken: bytearray, shouting: dict[int, bool]) -> int:
    """Return the index after an unknown name that begins at a piece, or 0."""
    low, raw = pieces.low, pieces.raw
    word = raw[index].removesuffix("'s")
    # "PUTs" is the plural of an abbreviation.
    plural = word.endswith("s") and word[:-1].isupper() and len(word) > _SHORT
    is_label = low[index + 1] == ":" and pieces.opens_line(index)
    common = not _unknown(low[index]) or low[index].partition("'")[0] in vocab.function_words
    if plural or is_label or common:
        return 0
    if word.isupper() and len(word) > 1:
        named = len(word) > _SHORT and (_introduced(low, index) or _reports(pieces, index))
        return index + 1 if named else 0
    camel = len(word) >= _SHORTEST and word[1:] != low[index][1 : len(word)]
    company = raw[index + 1] in vocab.company and low[index + 2] != "-"
    cued = low[index - 1] in vocab.cues or low[index - 2] in vocab.titles or _is_cued_after(low, index)
    if low[index] in prose_words() and not (cued or camel or company or pieces.is_capital(index + 1)):
        return 0
    if _opens(pieces, index) and not (cued or camel or company or _reports(pieces, index)):
        goes_on = low[index - 1] == ";" and low[index + 1] in vocab.modals
        return index + 1 if goes_on and not low[index].endswith(_EVERYDAY) else 0
    if len(word) <= _SHORT or not word.isascii() or _title(pieces, index, shouting):
        return 0
    end = index + 1
    while pieces.is_word[end] and pieces.is_capital(end) and end < index + 4:
        if taken[end] or pieces.broken(end - 1) or not (_unknown(low[end]) or raw[end] in vocab.company):
            break
        end += 1
    return end


def _is_cued_after(low: list[str], index: int) -> bool:
    """Whether a word for a party follows a name, as in "Acme, our vendor, is looking"."""
    return low[index + 1] == "," and low[index + 2] in ("our", "the", "a") and low[index + 3] in vocab.cues


def _introduced(low: list[str], index: int) -> bool:
    """Whether a word for a party directly precedes a name, as in "the regulator, the CFTC"."""
    place = index - 1
    while place > 0 and low[place] in ("the", ",", "(", "our"):
        place -= 1
    return (place < index - 1 and low[place] in vocab.cues) or low[place] in vocab.MET


def _reports(pieces: Pieces, index: int) -> bool:
    low = pieces.low
    following = low[index + 1]
    if following in ("is", "are") and _acts(low, index + 2):
        return low[index] not in vocab.ordinary_workers and not low[index].endswith(_EVERYDAY)
    if following in {"has", "have"}:
        following = low[index + 2] if low[index + 2] != "been" else vocab.MET.get(low[index + 3], "")
    if following in vocab.nouns_too and low[index + 2] not in vocab.reported:
        return False
    return following in vocab.says and not low[index].endswith(("s", "ing", "er", "ers", "one", "body"))


def _acts(low: list[str], index: int) -> bool:
    """Whether the words at a piece describe somebody who works on the incident ("looking into it")."""
    place = index + (low[index] in ("now", "still", "already", "also"))
    return low[place] in vocab.at_work or (low[place] in ("on", "at") and low[place + 1] in vocab.on_site)


def _unknown(word: str) -> bool:
    bare = word.removesuffix("'s")
    return (
        not (bare in vocab.ordinary or bare.rstrip("s") in vocab.ordinary or bare in _PLACE_WORDS)
        and "'" not in bare
    )


def _title(pieces: Pieces, index: int, seen: dict[int, bool]) -> bool:
    """Whether the line of a piece is a heading: most of its longer words are capitalised."""
    place = pieces.starts[index]
    begin = pieces.text.rfind("\n", max(0, place - 200), place) + 1
    if begin in seen:
        return seen[begin]
    stop = pieces.text.find("\n", place, place + 200)
    line = pieces.text[begin : stop if stop >= 0 else place + 200]
    words = [word for word in line.split() if len(word) > 3 and word[0].isalpha()]
    capital = sum(1 for word in words if word[0].isupper())
    closed = line.rstrip().endswith((".", "!", "?"))
    seen[begin] = len(words) > 1 and capital * 4 >= len(words) * 3 and not closed
    return seen[begin]


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    return frozenset(read_words("given_names"))


def _is_bystander(pieces: Pieces, start: int, end: int, *, acts: bool) -> bool:
    """Whether the name from ``start`` up to ``end`` belongs to a person who is not involved in the incident.

    ``acts``: whether the name reports on the incident or works on it.
    """
    low = pieces.low
    before = _before(low, start)
    dot = low[before] == "." and low[before - 1] in vocab.titles
    is_titled = dot or low[before] in vocab.titles
    if is_titled:
        before = _before(low, before - dot)
    word = low[before] if before >= 0 else ""
    if word == "to" and low[before - 1] in vocab.salutations:
        return True
    if (
        word in vocab.salutations
        or word in vocab.staff
        or (word in vocab.closings and _ends_line(pieces, end))
        or word == "i'm"
    ):
        return True
    if acts or word in vocab.officers or word in vocab.contacting or word in vocab.cues:
        return False
    return is_titled or (_is_name(low, start, end) and not _is_firm(pieces, end))


def _is_name(low: list[str], start: int, end: int) -> bool:
    """Whether a name begins with a given name or follows one that begins the sentence."""
    first = low[start].removesuffix("'s")
    if first in vocab.titles or first in vocab.staff or (first in vocab.names_and_words and end > start + 1):
        return True
    return first in _given_names() or (start > 0 and low[start - 1] in _given_names())


def _before(low: list[str], index: int) -> int:
    """Return the index before a piece, past a comma; -1 at the beginning."""
    return index - 1 - (index > 1 and low[index - 1] == ",")


def _ends_line(pieces: Pieces, end: int) -> bool:
    """Whether a name ends like a signature: with the text, its line or its sentence."""
    return not pieces.low[end] or pieces.broken(end - 1) or pieces.low[end] in vocab.after_signatures


def _is_firm(pieces: Pieces, end: int) -> bool:
    """Whether a name continues like that of a company: "Ross & Sons", "Kelly Couriers", "Henry Ltd"."""
    following = pieces.raw[end]
    return (following == "&" or following in vocab.company or pieces.raw[end - 1] in vocab.company) or (
        pieces.is_word[end] and pieces.is_capital(end) and not pieces.broken(end - 1)
    )
