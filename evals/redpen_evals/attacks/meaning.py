"""Distortions: changes of the meaning of a text."""

from __future__ import annotations

import re
from random import Random

_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?![\w.,:/-]*\w)")
_UNITS = (
    (re.compile(r"\bminutes\b"), ("hours", "seconds", "days")),
    (re.compile(r"\bminute\b"), ("hour", "second", "day")),
    (re.compile(r"\bhours\b"), ("minutes", "days", "weeks")),
    (re.compile(r"\bhour\b"), ("minute", "day", "week")),
    (re.compile(r"\bseconds\b"), ("minutes", "hours", "days")),
    (re.compile(r"\bdays\b"), ("hours", "minutes", "weeks")),
    (re.compile(r" ?%| per ?cent\b"), (" customers", " minutes", " orders")),
    (re.compile(r"\$(?=\d)"), ("€", "£", "¥")),
)
_QUANTITIES = (
    re.compile(r"(?<![\w.,])\d{1,6}(?:\.\d{1,4})?(?: ?%| percent\b| per cent\b)"),
    re.compile(r"(?<![\w.,])\d{1,6} (?:minutes|hours|seconds|days)\b"),
    re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3}){0,3}(?= [a-z])"),
)
_NEGATIONS = (
    (re.compile(r"\b(?:has|have) not(?: yet)? been\b"), ("has been",)),
    (re.compile(r"\b(is|are|was|were|has|have|had|do|does|did|will|would|could|should) not(?: yet)? "), ()),
    (re.compile(r"\b(is|are|was|were|has|have|had|do|does|did|would|could|should)n['\u2019]t(?: yet)? "), ()),
    (re.compile(r"\bcan(?:not|['\u2019]t) "), ("can ",)),
    (re.compile(r"\bwon['\u2019]t "), ("will ",)),
    (re.compile(r"\bnot yet "), ("",)),
    (re.compile(r"\bnever "), ("",)),
    (re.compile(r"\bwithout "), ("with ",)),
)
_TENSES = (
    (
        re.compile(r"\b(?:will|should|may|might|can) be (?=\w{3,20}(?:ed|red|xed)\b)"),
        ("have been ", "has been "),
    ),
    (re.compile(r"\b(?:is|are) being (?=\w{3,20}ed\b)"), ("has been ", "was ")),
    (re.compile(r"\b(?:is|are) (?:still )?(?:working|trying|aiming) to restore\b"), ("have restored",)),
    (re.compile(r"\b(?:is|are) (?:still )?(?:working|trying|aiming) to resolve\b"), ("have resolved",)),
    (re.compile(r"\b(?:is|are) (?:still )?(?:working|trying|aiming) to fix\b"), ("have fixed",)),
    (re.compile(r"\bis in progress\b"), ("is complete", "has finished")),
    (re.compile(r"\b(?:is|remains) (?:degraded|slow|down|unavailable)\b"), ("was degraded",)),
)
_FOREIGN_FACTS = (
    "Roughly 61.7% of sign-ins in Canada failed as well.",
    "The incident is now tracked as inc_unrelated_20190417.",
    "Our engineers expect another 317 minutes of disruption.",
    "The severity was raised to P0 for the Nordic countries.",
    "The outage was caused by a faulty switch at our vendor Wexford Systems.",
    "Everyone affected receives a refund of $73.",
    "Write to desk@unrelated.example for details.",
    "We guarantee that no data was lost.",
)


def number_swap(text: str, rng: Random) -> str:
    """Replace one number in digits with a value that the text does not contain."""
    matches = list(_NUMBER.finditer(text))
    if not matches:
        return text
    match = rng.choice(matches)
    taken = {int(other.group()) for other in matches}
    value = int(match.group())
    choices = [value + step for step in (1, 2, 3, 5, 8, 13, 21) if value + step not in taken]
    return text[: match.start()] + str(rng.choice(choices)) + text[match.end() :]


def unit_swap(text: str, rng: Random) -> str:
    """Replace one unit with another one."""
    return _replace_one(text, rng, _UNITS)


def subject_swap(text: str, rng: Random) -> str:
    """Swap two quantities of the same kind, so that each describes the other's subject."""
    pairs = [
        (first, second)
        for pattern in _QUANTITIES
        for matches in [list(pattern.finditer(text))]
        for index, first in enumerate(matches)
        for second in matches[index + 1 :]
        if first.group() != second.group()
    ]
    if not pairs:
        return text
    first, second = rng.choice(pairs)
    between = text[first.end() : second.start()]
    return text[: first.start()] + second.group() + between + first.group() + text[second.end() :]


def negation_removal(text: str, rng: Random) -> str:
    """Remove one negation."""
    return _replace_one(text, rng, _NEGATIONS)


def tense_change(text: str, rng: Random) -> str:
    """State something ongoing or future as completed."""
    return _replace_one(text, rng, _TENSES)


def fact_import(text: str, rng: Random) -> str:
    """Add a sentence with a fact or claim of another incident."""
    gap = "" if not text or text[-1].isspace() else " "
    return f"{text}{gap}{rng.choice(_FOREIGN_FACTS)}"


def _replace_one(text: str, rng: Random, rows: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]) -> str:
    """Replace one match of one row; a row without replacements keeps its first group and a space."""
    matches = [(match, options) for pattern, options in rows for match in pattern.finditer(text)]
    if not matches:
        return text
    match, options = rng.choice(matches)
    new = rng.choice(options) if options else f"{match.group(1)} "
    return text[: match.start()] + new + text[match.end() :]
