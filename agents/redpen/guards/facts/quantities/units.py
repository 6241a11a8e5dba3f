"""Words and signs of units: time, percent, money, multipliers; and the words that end a noun phrase."""

from __future__ import annotations

from fractions import Fraction

from redpen.guards.data import count_map, number_map, texts, word_map, word_set
from redpen.guards.facts.quantities.numbers import TENS, UNITS

TIME = number_map("quantities_units", "time")
"""Seconds."""
GLUED_TIME = frozenset("s m h d w mo".split())
"""Letters that are units only right after digits."""

EVERY_ONE = count_map("quantities_units", "every_one")
"""Seconds between two."""
BEFORE_UNIT = word_set("quantities_units", "before_unit")

SIGNS = word_map("quantities_units", "signs")
SIGN_PREFIXES = word_map("quantities_units", "sign_prefixes")
CODES = word_set("quantities_units", "codes")
CURRENCY_WORDS = word_map("quantities_units", "currency_words")
SHARED_UNITS = texts("quantities_units", "shared_units")
"""Words for money of several countries, the likeliest first."""
COINS = {"cent": "usd", "cents": "usd", "penny": "usd", "pennies": "usd", "pence": "gbp"}
NATIONAL = word_map("quantities_units", "national")

PERCENT = frozenset({"%", "percent", "pct", "percentage", "percents", "pp", "ppt", "ppts", "prozent"})
SURE = word_set("quantities_units", "sure")

MULTIPLIERS = number_map("quantities_units", "multipliers") | {
    f"{word}fold": Fraction(value)
    for word, value in (*UNITS.items(), *TENS.items(), ("hundred", 100), ("thousand", 1000))
    if value
}
NO_MULTIPLIER_AFTER_DOUBLE = word_set("quantities_units", "no_multiplier_after_double")
COMPARED = word_set("quantities_units", "compared")

ENDS_NOUN_PHRASE = word_set("quantities_units", "ends_noun_phrase")
BANKNOTES = {"fiver": 5, "tenner": 10}
"""Pounds that are named by their note."""
VAGUE = frozenset({"few", "several", "many", "couple", "some", "handful"})
