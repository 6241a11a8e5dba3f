"""Words and signs of units: time, percent, money, multipliers; and the words that end a noun phrase."""

from __future__ import annotations

from fractions import Fraction

from redpen.guards.data import texts, word_map, word_set
from redpen.guards.facts.quantities.numbers import TENS, UNITS

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

TIME: dict[str, Fraction] = {
    word: Fraction(seconds)
    for seconds, words in (
        (Fraction(1, 1000), "ms msec msecs millisecond milliseconds millis"),
        (1, "s sec secs second seconds"),
        (_MINUTE, "m min mins minute minutes"),
        (_HOUR, "h hr hrs hour hours"),
        (_DAY, "d day days"),
        (7 * _DAY, "w wk wks week weeks"),
        (14 * _DAY, "fortnight fortnights"),
        (30 * _DAY, "mo month months"),
        (90 * _DAY, "quarter quarters"),
        (365 * _DAY, "yr yrs year years"),
        (3650 * _DAY, "decade decades"),
    )
    for word in words.split()
}
GLUED_TIME = frozenset("s m h d w mo".split())
"""Letters that are units only right after digits."""

EVERY_ONE = {
    "minutely": 60,
    "hourly": 3600,
    "daily": _DAY,
    "nightly": _DAY,
    "weekly": 7 * _DAY,
    "biweekly": 14 * _DAY,
    "fortnightly": 14 * _DAY,
    "monthly": 30 * _DAY,
    "quarterly": 90 * _DAY,
    "yearly": 365 * _DAY,
    "annually": 365 * _DAY,
}
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

MULTIPLIERS: dict[str, Fraction] = {
    word: Fraction(value)
    for value, words in (
        (2, "twice double doubled doubles doubling twofold"),
        (3, "thrice triple tripled triples tripling treble trebled threefold"),
        (4, "quadruple quadrupled quadruples quadrupling fourfold"),
        (5, "quintuple quintupled quintupling fivefold"),
        (Fraction(1, 2), "halved halve  halving"),
    )
    for word in words.split()
} | {
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
