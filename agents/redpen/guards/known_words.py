"""The words that guards know: their tables, and what updates are written in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from redpen.guards import (
    place_names,
    quantifier_words,
    quantities,
    quantities_calendar,
    quantities_numbers,
    quantities_relative,
    quantities_times,
    quantities_units,
    severities,
    subject_classes,
    subjects,
)
from redpen.guards.claims.causes_after import CAUSES_AFTER
from redpen.guards.claims.causes_before import CAUSES_BEFORE
from redpen.guards.claims.lexicon import lexicon
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.phrases import PHRASES
from redpen.guards.claims.word_classes import WORD_CLASSES
from redpen.guards.neutral_words import neutral_words
from redpen.guards.parties import VENDORS
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TABLES: tuple[Iterable[str], ...] = (
    severities.SCHEMES,
    quantifier_words.AMOUNTS,
    quantifier_words.HARDLY,
    quantifier_words.LARGE,
    quantifier_words.PARTS,
    quantifier_words.PEOPLE,
    quantifier_words.THINGS,
    quantifier_words.WHOLES,
    quantities.STARTERS,
    quantities_relative.RELATIVE_DAYS,
    quantities_relative.NAMED_SPANS,
    quantities_times.NAMED_TIMES,
    quantities_numbers.UNITS,
    quantities_numbers.TENS,
    quantities_numbers.SCALES,
    quantities_numbers.PARTS,
    quantities_numbers.ORDINALS,
    quantities_numbers.PLURALS,
    quantities_units.TIME,
    quantities_units.EVERY_ONE,
    quantities_units.CURRENCY_WORDS,
    quantities_units.COINS,
    quantities_units.PERCENT,
    quantities_units.MULTIPLIERS,
    quantities_units.VAGUE,
    subject_classes.CLASSES,
    subjects.GENERIC,
)
_AMBIGUOUS = frozenset("may march mar august sun sat mon wed".split())
"""Months and days that are other words as well."""
_LETTERS = lazy_pattern(r"[a-z]{3,40}")
_PLACE = lazy_pattern(r"(?P<any_form>~?)(?P<word>[a-z]{1,40})")
_SHORTEST_INFLECTED = 4


@lru_cache(maxsize=1)
def prose_words() -> frozenset[str]:
    """Return the words of claims, of quantities and of updates, in their forms and in lower case."""
    found = {word for word in lexicon() if word.isalpha()}
    patterns = (
        *(phrase.pattern for phrase in PHRASES),
        *(row.words for row in (*CAUSES_AFTER, *CAUSES_BEFORE)),
        *WORD_CLASSES.values(),
    )
    for any_form, word in set(_PLACE.findall(" ".join(patterns))):
        found |= {word, *(_forms(word) if any_form else ())}
    for word in neutral_words():
        found |= {word, *(_forms(word) if len(word) >= _SHORTEST_INFLECTED else ())}
    for table in _TABLES:
        found |= set(_LETTERS.findall(" ".join(table)))
    return frozenset(found) - name_words_of_days()


@lru_cache(maxsize=1)
def name_words() -> frozenset[str]:
    """Return the words of the names of places, companies, months and days in lower case."""
    named = (*place_names.REGION_NAMES, *place_names.COUNTRY_NAMES, *place_names.CITY_NAMES, *VENDORS)
    return frozenset(_LETTERS.findall(" ".join(named))) | name_words_of_days()


def name_words_of_days() -> frozenset[str]:
    """Return the names of months and weekdays that are no other words."""
    return frozenset((*quantities_calendar.MONTHS, *quantities_calendar.WEEKDAYS)) - _AMBIGUOUS


def _forms(lemma: str) -> Iterator[str]:
    for word in spellings(lemma):
        forms = inflect(word)
        yield from (forms.base, forms.third, forms.gerund, *forms.past)
