"""Facts of a context of any shape: the kind of each value, by key and form, and sentences about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, Final

from redpen.types import JsonObject, JsonValue
from redpen_evals.fuzz import renderings
from redpen_evals.fuzz.facts import FORMS, TEMPLATES, FactForm
from redpen_evals.fuzz.incidents import Incident, leaves
from redpen_evals.fuzz.renderings import LARGEST

Typed = tuple[str, Any]
"""The kind of a leaf, and its value as the renderers expect it."""

ReadFact = tuple[FactForm, Any]
"""A kind of fact, and its value."""

_UNITS: Final[Mapping[str, int]] = {
    name: seconds
    for seconds, names in (
        (60, ("minute", "minutes", "min", "mins")),
        (3_600, ("hour", "hours", "hrs")),
        (1, ("second", "seconds", "secs")),
    )
    for name in names
}
_SHARES: Final = frozenset(["pct", "percent", "percentage"])
_RATES: Final = frozenset(["rate", "share", "ratio"])
_CURRENCIES: Final = frozenset(["usd", "dollars"])
_MIN_COUNT: Final = 2
"""The number one is usually not written."""

_TIMES: Final = frozenset(["multiplier", "factor"])
_NAMES: Final = frozenset(["id", "reference", "ticket"])
_TAIL: Final = frozenset(["at", "on", "by", "date", "time"])
_REGION_KEYS: Final = frozenset(["region", "country"])
_SEVERITY_KEYS: Final = frozenset(["severity", "priority"])
_UNSUPPORTED: Final = frozenset(
    ["gb", "mb", "kb", "tb", "ms", "days", "weeks", "months", "years", "max", "length"]
)
"""Last words of keys whose numbers are of no supported kind."""

_WORD: Final = re.compile(r"[a-z]+|\d+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LEVEL: Final = re.compile(r"P[0-5]")
_DATE: Final = re.compile(r"20\d\d-[01]\d-[0-3]\d")
_CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_ADDRESS: Final = re.compile(r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}")
_NAME: Final = re.compile(r"[A-Za-z]{2,20}(?:[_-][A-Za-z0-9]{1,20}){1,4}")
_QUANTITY: Final = re.compile(r"(?P<money>\$)?(?P<number>\d{1,6}(?:\.\d{1,2})?)\s?(?P<unit>%|x|[a-z]{3,7})?")
_NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d{1,4})?")
_STYLE_KEYS: Final = frozenset(["policy_hints", "standing", "severities"])
"""Parts of a context that guide the writing and hold no facts."""

_BY_PATH: Final = {form.path: form for form in FORMS}


def incident_of(context: JsonObject) -> Incident:
    """Return the facts of a context: incident facts by their path, others by key and form."""
    read: dict[str, ReadFact] = {}
    for path, value in leaves(context):
        fact = _fact(path, value)
        if fact is not None and _STYLE_KEYS.isdisjoint(path):
            # The key describes the items of a list; the first one stands for all.
            read.setdefault(fact[0].name, fact)
    return Incident(
        values={name: value for name, (_, value) in read.items()},
        notes={},
        forms=tuple(form for form, _ in read.values()),
        given=context,
        numbers=frozenset(_numbers(context)),
    )


def _fact(path: tuple[str, ...], value: JsonValue) -> ReadFact | None:
    words = _words(path[-1]) if path else []
    read = _typed(words, value)
    if read is None:
        return None
    kind, parsed = read
    incident_fact = _BY_PATH.get(path)
    if incident_fact is not None and incident_fact.kind == kind:
        return incident_fact, parsed
    label = _label(words, path)
    if not label:
        return None
    template = TEMPLATES[kind]
    form = replace(
        template,
        name=".".join(path),
        path=path,
        sentences=_SENTENCES[kind](label) if kind in _SENTENCES else template.sentences,
        moved=tuple(text for text in template.moved if not any(word in text for word in label.split())),
    )
    return form, parsed


def _typed(words: list[str], value: JsonValue) -> Typed | None:
    """Return the kind and value of a leaf."""
    if isinstance(value, str):
        return _from_key(words, value.strip()) or _from_form(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not words:
        return None
    number = Fraction(str(value))
    return _from_number(words, number) if 0 <= number <= LARGEST else None


def _from_number(words: list[str], number: Fraction) -> Typed | None:
    unit = next((_UNITS[word] for word in reversed(words) if word in _UNITS), 0)
    typed: Typed | None = None
    if _SHARES.intersection(words):
        typed = _share(number)
    elif _RATES.intersection(words):
        typed = _share(number * 100 if number <= 1 else number)
    elif unit:
        typed = _duration(number * unit)
    elif not _CURRENCIES.isdisjoint(words):
        typed = _whole("money", number)
    elif not _TIMES.isdisjoint(words):
        typed = _whole("multiplier", number)
    elif words[-1].endswith("s") and _UNSUPPORTED.isdisjoint(words):
        typed = _whole("count", number)
    return typed


def _from_key(words: list[str], text: str) -> Typed | None:
    """Return the kind and value of a text by its key."""
    last = words[-1] if words else ""
    if last in _REGION_KEYS and text.lower() in renderings.REGIONS:
        return "region", text.lower()
    if last in _SEVERITY_KEYS and _LEVEL.fullmatch(text):
        return "severity", int(text[1])
    if last in _NAMES and _NAME.fullmatch(text) and any(map(str.isdigit, text)):
        return "identifier", text
    return None


def _from_form(text: str) -> Typed | None:
    """Return the kind and value of a text by its form."""
    if _DATE.fullmatch(text):
        try:
            return "date", date.fromisoformat(text)
        except ValueError:
            return None
    if clock := _CLOCK.fullmatch(text):
        return "time", int(clock[1]) * 60 + int(clock[2])
    return ("contact", text) if _ADDRESS.fullmatch(text) else _from_quantity(text)


def _from_quantity(text: str) -> Typed | None:
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None
    number, unit = Fraction(match["number"]), match["unit"] or ""
    if match["money"] and not unit:
        return _whole("money", number)
    if unit == "%":
        return _share(number)
    if unit == "x":
        return _whole("multiplier", number)
    return _duration(number * _UNITS[unit]) if unit in _UNITS else None


def _share(percent: Fraction) -> Typed | None:
    return ("share", percent) if 0 < percent < 100 and (percent * 100).denominator == 1 else None


def _duration(seconds: Fraction) -> Typed | None:
    whole = seconds.denominator == 1 and seconds % 60 == 0 and 60 <= seconds < 86_400
    return ("duration", int(seconds)) if whole else None


def _whole(kind: str, number: Fraction) -> Typed | None:
    return (kind, int(number)) if number.denominator == 1 and number >= _MIN_COUNT else None


_SENTENCES: Final[Mapping[str, Callable[[str], tuple[str, ...]]]] = {
    "share": lambda label: (f"The {label} share is {{}}.", f"The {label} share stands at {{}}."),
    "count": lambda label: (f"There are {{}} {label}.", f"We count {{}} {label}."),
    "duration": lambda label: (f"The {label} time is {{}}.", f"The {label} time stands at {{}}."),
    "date": lambda label: (f"The {label} date is {{}}.", f"The {label} date stands at {{}}."),
    "time": lambda label: (f"The {label} time is {{}}.",),
    "money": lambda label: (f"The {label} amount is {{}}.", f"The {label} amount stands at {{}}."),
    "multiplier": lambda label: (f"The {label} is {{}} the usual.",),
    "identifier": lambda label: (f"The {label} is {{}}.", f"Please quote the {label} {{}}."),
}
"""Sentences about a fact by its key; other kinds use the sentences of incidents."""


def _words(key: str) -> list[str]:
    return _WORD.findall(_CAMEL.sub(" ", key).lower())


def _label(words: list[str], path: tuple[str, ...]) -> str:
    units = {*_UNITS, *_SHARES, *_RATES, *_TAIL, "usd", "dollars", "amount"}
    kept = [word for word in words if word not in units]
    if not kept and len(path) > 1:
        kept = [word for word in _words(path[-2]) if word not in units]
    return " ".join(kept)


def _numbers(context: JsonObject) -> Iterator[Fraction]:
    for path, leaf in leaves(context):
        for text in (*path, str(leaf)):
            yield from map(Fraction, _NUMBER.findall(text))
