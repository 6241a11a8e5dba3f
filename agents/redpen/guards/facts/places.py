"""Read places: names and adjectives of regions, countries and cities; cloud regions; flags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from redpen.guards.data import word_map
from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Reading, fact_in
from redpen.guards.facts.phrases import phrases_of
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.facts.quantities.pieces import Pieces


def _table() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return the names by their first word, the longest first, with their canonical form."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    cities = {name: name for name in vocab.cities}
    for name, canonical in (cities | word_map("facts", "place_names") | vocab.ISO3).items():
        words = tuple(name.replace(".", " . ").split())
        table.setdefault(words[0], []).append((words, canonical))
    return {first: tuple(sorted(found, key=lambda item: -len(item[0]))) for first, found in table.items()}


PLACES = _table()
PLACE_STARTS = frozenset({*PLACES, *(f"{word}'s" for word in PLACES)})
PLACE_SECONDS = {
    first: frozenset(
        {*vocab.middle, *(words[1] for words, _ in names), *(f"{words[1]}'s" for words, _ in names)}
    )
    for first, names in PLACES.items()
    if all(len(words) > 1 for words, _ in names)
}
"""Second words of places whose first word alone is not a place."""


_CLOUD = lazy_pattern(vocab.PATTERNS["cloud_region"], re.IGNORECASE)
_FIRST_FLAG_LETTER = 0x1F1E6
_FLAG = lazy_pattern(f"[\U0001f1e6-\U0001f1ff]{{2}}|[{''.join(vocab.globes)}]")


def places(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the places of a text; ``at`` is where one of ``PLACE_STARTS`` stands.

    Values are canonical: ``us`` for America, U.S. and American; cities and cloud regions are kept.
    """
    low = pieces.low
    for index in at:
        word = low[index].removesuffix("'s")
        for words, canonical in PLACES[word]:
            end = _matched(pieces, index, words)
            if end and _is_place(pieces, index, end, words):
                value = f"outside {canonical}" if _beyond(low, index) else canonical
                yield pieces.fact(index, end, Reading(kind="region", value=value))
                break


def _beyond(low: list[str], index: int) -> bool:
    """Whether the text refers to the area outside a place."""
    before = [word for word in low[max(0, index - 3) : index] if word not in ("the", "of")]
    return before[-1:] in (["outside"], ["beyond"])


def _matched(pieces: Pieces, index: int, words: tuple[str, ...]) -> int:
    """Return the index after a name, or 0; hyphens and commas between its words are ignored."""
    low = pieces.low
    place = index
    for number, word in enumerate(words):
        if number and word != "." and low[place] in vocab.middle and low[place] != word:
            place += 1
        if low[place] != word and low[place].removesuffix("'s") != word:
            return 0
        place += 1
    if "." in words and low[place] == "." and pieces.glued_before(place):
        place += 1
    return place


def _is_place(pieces: Pieces, index: int, end: int, words: tuple[str, ...]) -> bool:
    low, raw = pieces.low, pieces.raw
    name = " ".join(words)
    spoken = (low[index - 1]) in vocab.speaks or low[end + (low[end] == "-")] in vocab.spoken
    before = low[index - 1]
    spoken |= name in vocab.languages and _is_language(pieces, index, end)
    if spoken or (low[end] == "$" and pieces.glued_before(end)) or low[end] in vocab.currencies:
        return False
    if name == "us":
        return _is_us(pieces, index)
    if name == "everywhere":
        return before.endswith("s") or before in ("down", "out", "offline", "affected")
    if name.upper() in vocab.codes_in_capitals:
        return _is_code(pieces, index, end, name)
    if words[0] == "the" or name in vocab.capital_only:
        last = index + len(words) - 1 if words[0] == "the" else index
        language = name == "english" and low[end] not in vocab.english
        return (raw[last][:1].isupper() and not language) or name == "the whole world"
    return not (low[end] in vocab.adjectives_of_names and raw[end][:1].isupper())


def _is_language(pieces: Pieces, index: int, end: int) -> bool:
    """Whether a name is a language by itself: "in French", "in English and Spanish"."""
    low = pieces.low
    listed = low[index - 1] in ("and", "or") and low[index - 2] in vocab.languages
    alone = not pieces.is_word[end] or low[end] in ("and", "or", "too")
    return alone and (listed or low[index - 1] == "in")


def _is_code(pieces: Pieces, index: int, end: int, name: str) -> bool:
    """Distinguish EU and GB from words and units with the same letters."""
    low = pieces.low
    if name == "gb" and index and pieces.digits(index - 1):
        return False
    in_small = name in ("eu", "uk") and (low[index - 1] in ("the", "in") or low[end] in vocab.area_words)
    return in_small or pieces.raw[index].isupper()


def _is_us(pieces: Pieces, index: int) -> bool:
    """Distinguish the country from the pronoun: "in the US", "US customers", but "contact us"."""
    low, raw = pieces.low, pieces.raw
    before = low[index - 1]
    if raw[index] == "US":
        shouting = raw[index - 1].isupper() and raw[index - 2].isupper()
        return not shouting or before in ("the", "in") or low[index + 1] in vocab.area_words
    found = phrases_of("us_phrases").find(low, index)
    return found is not None and found.means == "country"


def cloud_regions(pieces: Pieces, at: list[int]) -> Iterator[Fact]:
    """Yield the cloud regions of a text, as ``places`` does; ``at``: where ``vocab.cloud_words`` stand."""
    low = pieces.low
    if not any(pieces.digits(i + 1) or low[i + 1] == "-" or len(low[i]) > 6 for i in at):
        return
    for match in _CLOUD.finditer(pieces.text):
        yield fact_in(pieces.text, *match.span(), "region", match.group().lower())


def flags(text: str) -> Iterator[Fact]:
    """Yield the flags and globes of a text, as ``places`` does."""
    for match in _FLAG.finditer(text):
        code = "".join(chr(ord(sign) - _FIRST_FLAG_LETTER + ord("a")) for sign in match[0])
        value = "global" if match[0] in vocab.globes else {"gb": "uk", "un": "global"}.get(code, code)
        yield fact_in(text, *match.span(), "region", value)
