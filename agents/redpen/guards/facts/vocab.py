"""The vocabulary of the fact readers.

Maps are listed here; every other lower-case name is a set of ``facts`` in ``words.json``, loaded on first
use (``vocab.articles``). In such a set, ``@units`` means the words of another table.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.data import count_map, number_map, texts, word_map, word_set

if TYPE_CHECKING:
    from collections.abc import Collection

UNITS = count_map("facts", "units")
TENS = count_map("facts", "tens")
SCALES = count_map("facts", "scales")
GLUED_SCALES = count_map("facts", "glued_scales")
PARTS = count_map("facts", "parts")
ORDINALS = count_map("facts", "ordinals")
PACKS = count_map("facts", "packs")
PLURALS = count_map("facts", "plurals")
MULTIPLIERS = number_map("facts", "multipliers") | {
    f"{word}fold": Fraction(value)
    for word, value in (*UNITS.items(), *TENS.items(), ("hundred", 100), ("thousand", 1000))
    if value
}
AMOUNTS = word_map("facts", "amounts")
"""Quantifier words and their amounts."""

TIME = number_map("facts", "time")
"""Seconds of a unit of time."""
EVERY_ONE = count_map("facts", "every_one")
"""Interval in seconds."""
MONTHS = count_map("facts", "months")
WEEKDAYS = word_map("facts", "weekdays")
SHORT_WEEKDAYS = word_map("facts", "short_weekdays")
NAMED_TIMES = count_map("facts", "named_times")
"""Minutes since midnight."""
ZONES = word_map("facts", "zones")
OWNERS = word_map("facts", "owners")
"""Days and times by their possessive form (tonight's run)."""

SIGNS = word_map("facts", "signs")
SIGN_PREFIXES = word_map("facts", "sign_prefixes")
CURRENCY_WORDS = word_map("facts", "currency_words")
SHARED_UNITS = texts("facts", "shared_units")
"""Currency words of several countries, with the currencies, the likeliest first."""
COINS = word_map("facts", "coins")
BANKNOTES = count_map("facts", "banknotes")
"""Amounts in pounds by the name of a note."""
NATIONAL = word_map("facts", "national")
PATTERNS = texts("facts", "patterns")
"""Regular expressions by name."""

ISO3 = word_map("facts", "iso3")
"""Country codes of three letters, with those of two."""
CALLING_CODES = word_map("facts", "calling_codes")
"""Calling codes by canonical region."""
MET = word_map("facts", "met")
"""Participles of actions on a party, with the reporting verb that they imply."""
CLASSES = word_map("facts", "classes")
"""Classes of things that are counted, by noun; things of different classes are never the same."""
SAME = word_map("facts", "same")
"""Synonyms, with the word that represents them."""

function_words = word_set("clauses", "function_words")


def table(name: str) -> frozenset[str]:
    """Return the words of a map or of a set."""
    known = globals()
    found = known.get(name.upper()) or known.get(name)
    return __getattr__(name) if found is None else frozenset(found)


def expand(items: Collection[str]) -> frozenset[str]:
    """Return a set of words in which ``@name`` is replaced by the words of a table."""
    own = frozenset(item for item in items if item[:1] != "@")
    return own.union(*(table(item[1:]) for item in items if item[:1] == "@"))


def __getattr__(name: str) -> frozenset[str]:
    """Return the set of words of a name and keep it as a global.

    Raises:
        AttributeError: there is no such table.
    """
    if name[0] == "_":
        raise AttributeError(name)
    try:
        found = expand(word_set("facts", name))
    except KeyError:
        raise AttributeError(f"words.json: facts: there is no table {name!r}") from None
    globals()[name] = found
    return found
