"""The names of places: regions with their other names, countries, cities, what their people are called."""

from __future__ import annotations

from redpen.guards.data import word_map, word_set

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
