"""Places: the names of regions, countries and cities with what their people are called; clouds, flags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.guards.data import word_map, word_set
from redpen.guards.facts.fact import Fact, Reading
from redpen.guards.facts.quantities.numbers import CURRENCY_WORDS
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces


ISO3 = word_map("place_names", "iso3")
"""Codes of three letters, as those of two."""
MIDDLE = frozenset({"-", "'", ".", ",", "&"})
"""Marks that may stand inside a name."""


def _table() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return, by first word, the names that begin with it, the longest first, and their canonical form."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    cities = {name: name for name in word_set("place_names", "cities")}
    for name, canonical in (cities | word_map("place_names", "names") | ISO3).items():
        words = tuple(name.replace(".", " . ").split())
        table.setdefault(words[0], []).append((words, canonical))
    return {first: tuple(sorted(found, key=lambda item: -len(item[0]))) for first, found in table.items()}


PLACES = _table()
PLACE_STARTS = frozenset({*PLACES, *(f"{word}'s" for word in PLACES)})
PLACE_SECONDS = {
    first: frozenset({*MIDDLE, *(words[1] for words, _ in names), *(f"{words[1]}'s" for words, _ in names)})
    for first, names in PLACES.items()
    if all(len(words) > 1 for words, _ in names)
}
"""What may follow the words that are no place by themselves."""


_CAPITAL_ONLY = word_set("places", "capital_only")
_CODES_IN_CAPITALS = word_set("places", "codes_in_capitals")
_ADJECTIVES_OF_NAMES = frozenset("express airlines airways eagle standard football english".split())
_CLOUD = lazy_pattern(
    r"(?<![\w-])(?:(?:us|eu|ap|sa|ca|me|af|il|cn|mx|uk)-(?:gov-)?(?:north|south|east|west|central)(?:east|west)?-\d{1,2}[a-f]?"
    r"|(?:us|europe|asia|northamerica|southamerica|australia|me|africa)-(?:north|south|east|west|central)(?:east|west)?\d{1,2}(?:-[a-f])?"
    r"|(?:east|west|central|north|south|northcentral|southcentral|westcentral)us\d?|(?:north|west)europe"
    r"|(?:east|southeast)asia|(?:uk|germany|france|canada|japan|australia|korea|brazil|switzerland|norway)"
    r"(?:north|south|east|west|central)(?:east|west)?\d?"
    r"|(?:us|eu|ap|na|sa)(?:-(?:north|south|east|west|central)){1,2}|(?:us|eu|ap|na|sa|af|au)\d{1,2})(?![\w])",
    re.IGNORECASE,
)
CLOUD_WORDS = word_set("places", "cloud_words")
"""Words of which every cloud region holds one."""
_FLAG_LETTERS = {chr(0x1F1E6 + place): letter for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
_GLOBES = frozenset("🌍🌎🌏🌐")
FLAG_SIGNS = _GLOBES | _FLAG_LETTERS.keys()


_CURRENCIES = frozenset(CURRENCY_WORDS)
_ENGLISH = word_set("places", "english")
"""What "English" may tell the place of, where it is not the language."""
_SPEAKS = frozenset("speak speaks spoke speaking spoken".split())
_SPOKEN = frozenset("speaking speaker speakers language translation translations".split())
"""What stands beside the name of a language, which is no place."""
_AREA_WORDS = word_set("places", "area_words")


def places(pieces: Pieces, at: Iterable[int]) -> Iterator[tuple[Fact, int, int]]:
    """Yield the places of a text with the indices of the first piece and of the piece after.

    Args:
        pieces: the text.
        at: where one of ``PLACE_STARTS`` stands.

    Values are canonical: ``us`` for America, U.S. and American; a city or cloud region is itself.
    """
    low = pieces.low
    done = 0
    for index in at:
        if index < done:
            continue
        word = low[index].removesuffix("'s")
        for words, canonical in PLACES[word]:
            end = _matched(pieces, index, words)
            if end and _is_place(pieces, index, end, words):
                start, last = pieces.starts[index], pieces.ends[end - 1]
                text = pieces.text[start:last]
                beyond = _beyond(low, index)
                reading = Reading(kind="region", value=f"outside {canonical}" if beyond else canonical)
                yield Fact(readings=(reading,), start=start, end=last, text=text), index, end
                done = end
                break


def _beyond(low: list[str], index: int) -> bool:
    """Whether a place is named to speak of what lies outside it."""
    place = index - 1
    while place >= 0 and low[place] in ("the", "of"):
        place -= 1
    return place >= 0 and low[place] in ("outside", "beyond")


def _matched(pieces: Pieces, index: int, words: tuple[str, ...]) -> int:
    """Return the index after a name, or 0: hyphens and commas between its words are read over."""
    low = pieces.low
    place = index
    for number, word in enumerate(words):
        if number and word != "." and low[place] in MIDDLE and low[place] != word:
            place += 1
        if low[place] != word and low[place].removesuffix("'s") != word:
            return 0
        if word == "." and not pieces.glued_before(place):
            return 0
        place += 1
    if "." in words and low[place] == "." and pieces.glued_before(place):
        place += 1
    return place


def _is_place(pieces: Pieces, index: int, end: int, words: tuple[str, ...]) -> bool:
    low, raw = pieces.low, pieces.raw
    name = " ".join(words)
    spoken = (low[index - 1] if index else "") in _SPEAKS or low[end + (low[end] == "-")] in _SPOKEN
    if spoken or (low[end] == "$" and pieces.glued_before(end)) or low[end] in _CURRENCIES:
        return False
    before = low[index - 1] if index else ""
    if name == "us":
        return _is_us(pieces, index)
    if name == "everywhere":
        return before.endswith("s") or before in ("down", "out", "offline", "affected")
    if name.upper() in _CODES_IN_CAPITALS:
        return _is_code(pieces, index, end, name)
    if words[0] == "the" or name in _CAPITAL_ONLY:
        last = index + len(words) - 1 if words[0] == "the" else index
        language = name == "english" and low[end] not in _ENGLISH
        return (raw[last][:1].isupper() and not language) or name == "the whole world"
    return not (low[end] in _ADJECTIVES_OF_NAMES and raw[end][:1].isupper())


def _is_code(pieces: Pieces, index: int, end: int, name: str) -> bool:
    """Tell EU and GB from the words and units that are written like them."""
    low = pieces.low
    if name == "gb" and index and pieces.digits(index - 1):
        return False
    if pieces.raw[index].isupper():
        return True
    before = low[index - 1] if index else ""
    if len(name) == 2:
        return name in ("eu", "uk") and (
            before in ("", "the", "in") or low[end] in _AREA_WORDS or not low[end]
        )
    return name not in ISO3


def _is_us(pieces: Pieces, index: int) -> bool:
    """Tell the country from the pronoun: "in the US", "US customers", but "contact us"."""
    low, raw = pieces.low, pieces.raw
    before = low[index - 1] if index else ""
    if raw[index] == "US":
        shouting = (
            index > 1
            and raw[index - 1].isupper()
            and raw[index - 2].isupper()
            and before not in ("the", "in")
        )
        return not (shouting and (low[index + 1] not in _AREA_WORDS))
    if before == "the" and low[index - 2] in (
        "in",
        "across",
        "within",
        "throughout",
        "from",
        "for",
        "of",
        "outside",
        "and",
    ):
        return low[index + 1] not in ("we", "to")
    if low[index + 1] == "-" and low[index + 2] in ("based", "only", "wide", "east", "west"):
        return True
    return low[index + 1] in (
        "customers",
        "customer",
        "region",
        "users",
        "market",
        "merchants",
        "checkouts",
        "shoppers",
    ) and before in (
        "",
        "for",
        "affected",
        "our",
        "of",
        "the",
        "affecting",
        "some",
        "all",
    )


def cloud_regions(pieces: Pieces, at: list[int]) -> Iterator[tuple[Fact, int, int]]:
    """Yield the cloud regions of a text, as ``places`` does; ``at``: where ``CLOUD_WORDS`` stand."""
    low = pieces.low
    if not any(pieces.digits(i + 1) or low[i + 1] == "-" or len(low[i]) > 6 for i in at):
        return
    index = 0
    for match in _CLOUD.finditer(pieces.text):
        while index < pieces.count and pieces.ends[index] <= match.start():
            index += 1
        end = index
        while end < pieces.count and pieces.starts[end] < match.end():
            end += 1
        value = match.group().lower()
        yield (
            Fact(
                readings=(Reading(kind="region", value=value),),
                start=match.start(),
                end=match.end(),
                text=match.group(),
            ),
            index,
            end,
        )


def flags(pieces: Pieces, at: Iterable[int]) -> Iterator[tuple[Fact, int, int]]:
    """Yield the flags and globes of a text, as ``places`` does; ``at``: where ``FLAG_SIGNS`` stand."""
    done = 0
    globes: set[str] = set()
    for index in at:
        first, second = pieces.raw[index], pieces.raw[index + 1]
        if index < done or first in globes:
            continue
        done = index + 1
        canonical = "global"
        if first in _GLOBES:
            globes.add(first)
        elif second in _FLAG_LETTERS:
            done = index + 2
            code = _FLAG_LETTERS[first] + _FLAG_LETTERS[second]
            canonical = {"gb": "uk", "un": "global"}.get(code, code)
        else:
            continue
        start, last = pieces.starts[index], pieces.ends[done - 1]
        reading = Reading(kind="region", value=canonical)
        yield Fact(readings=(reading,), start=start, end=last, text=pieces.text[start:last]), index, done
