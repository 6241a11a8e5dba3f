"""Read the facts of an incident context: values at any depth, with their JSON path and kind."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from redpen.guards.data import number_map
from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Fact, Kind, Reading, Role, fact_in
from redpen.guards.facts.knowledge import Knowledge, Known, words_in
from redpen.guards.facts.places import PLACES
from redpen.guards.facts.reading import read_facts_of_each
from redpen.guards.facts.severities import RATED
from redpen.guards.facts.subjects import subject_stem
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_VALUES = 50_000
"""Maximum number of values of a context that are read; further values allow nothing."""

_LARGEST = 10**15
_LONGEST_NAME = 120

_NO_UNITS = frozenset("m w d quarter quarters second day week month year".split())
"""Words of time that are no unit in a key: ``letters_with_wrong_year``, ``second_failures``."""
_KINDS: dict[str, tuple[Kind, Fraction, str]] = (
    {word: ("share", factor, "") for word, factor in number_map("facts", "key_shares").items()}
    | {word: ("duration", vocab.TIME[word], "") for word in vocab.TIME.keys() - _NO_UNITS}
    | {code: ("money", Fraction(1), code) for code in vocab.codes - {"all", "try"}}
    | {"cents": ("money", Fraction(1, 100), "usd"), "dollars": ("money", Fraction(1), "usd")}
    | {word: ("multiplier", Fraction(1), "") for word in ("multiplier", "factor", "multiple")}
)
"""The kind of a number by a word of its key, with the factor to the base unit and the currency."""

_LEVEL = lazy_pattern(r"(?:level|tier|grade|category|class|stage)[ -]?(\d)")
"""A severity that is given only by its level."""
_NUMBER_TEXT = lazy_pattern(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_CODE = lazy_pattern(r"[A-Za-z]+\d+[A-Za-z\d]*")
_KEY_WORD = lazy_pattern(r"[A-Za-z]+|\d+")
_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_ONE = Fraction(1)


ContextValue = tuple[str, str, str | int | float]
"""JSON path, nearest key and value."""


def build_knowledge(values: Iterable[ContextValue], texts: Sequence[str]) -> Knowledge:
    """Return the facts that a context allows, from the values of ``walk`` and its strings as read."""
    facts: list[Known] = []
    walked = [item for item in values if not isinstance(item[2], bool)]
    following = zip(texts, read_facts_of_each(texts), strict=True)
    for path, name, value in walked:
        key = _read_key(name)
        found = _of_text(*next(following), key) if isinstance(value, str) else _of_number(value, key)
        facts += [Known(fact, path) for fact in found]
        if key.facts:
            facts += [Known(fact, path) for fact in key.facts]
    keys = {name for _, name, _ in walked}
    return Knowledge(facts, lambda: words_in(" ".join((*texts, *map(_spaced, keys)))))


def walk(context: object) -> Iterator[ContextValue]:
    """Yield every string, number and truth value of a context, without recursion; values of no JSON are
    passed over."""
    waiting: list[tuple[str, str, object]] = [("", "", context)]
    seen = 0
    while waiting and seen < MAX_VALUES:
        path, key, value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            items = [
                (f"{path}.{name}" if path else str(name), _key(str(name), key), item)
                for name, item in value.items()
            ]
            waiting.extend(reversed(items[:MAX_VALUES]))
        elif isinstance(value, (list, tuple)):
            listed = [(f"{path}[{place}]", key, item) for place, item in enumerate(value[:MAX_VALUES])]
            waiting.extend(reversed(listed))
        elif isinstance(value, (str, int, float)):
            yield path[:400], key, value


def _key(name: str, parent: str) -> str:
    """Return the key, joined with its parent's if it names no subject itself (``checkout: {pct: 27}``), or
    if only its parent's has a unit (``delay_days: {usual: 2}``)."""
    name, parent = name[:100], parent[:100]
    own = _read_key(name)
    if not own.subject:
        return f"{parent}_{name}"
    return name if own.kind != "count" or _read_key(parent).kind == "count" else f"{name}_{parent}"


class _Key(NamedTuple):
    """The meaning of a key for its value.

    Attributes:
        words: its words.
        kind: the kind of its number, by the last word that implies a kind; a count by default.
        factor: the factor by which a number is converted to the base unit of the kind.
        unit: the currency of a number of money.
        subject: stems of what the value is about.
        head: stem of the noun among them.
        role: whether a duration is a repetition interval or the wait until a recovery.
        facts: the facts that the key itself contains.
    """

    words: tuple[str, ...]
    kind: Kind
    factor: Fraction
    unit: str
    subject: frozenset[str]
    head: str
    role: Role
    facts: tuple[Fact, ...]


@lru_cache(maxsize=1024)
def _read_key(key: str) -> _Key:
    words = _words_of_key(key)
    kind, factor, unit = _kind_of(words)
    subject: list[str] = []
    head = ""
    joined = False
    for word in words:
        named = "" if word in _KINDS else subject_stem(word)
        if named:
            # "Texts to wrong family" are texts: the noun stands before the preposition.
            joined = joined or (bool(subject) and word in vocab.joints)
            if not joined and named not in vocab.generic:
                head = named
            subject.append(named)
    role: Role = "" if vocab.update_keys.isdisjoint(words) else "every"
    role = role if vocab.wait_keys.isdisjoint(words) else "until"
    codes = tuple(_named("residue", word.lower(), word) for word in _CODE.findall(key[:200]))
    return _Key(words, kind, factor, unit, frozenset(subject), head, role, codes)


def _words_of_key(key: str) -> tuple[str, ...]:
    """Cut a key into its words: ``affectedCheckout_pct`` is affected, checkout, pct."""
    return tuple(map(str.lower, _KEY_WORD.findall(_spaced(key))))


def _spaced(key: str) -> str:
    return _CAMEL.sub(" ", key[:200]).replace("_", " ")


def _kind_of(words: tuple[str, ...]) -> tuple[Kind, Fraction, str]:
    """Return the kind that a key implies by its last word that implies any; a count by default."""
    for place, word in reversed(tuple(enumerate(words))):
        # "Hours of business" are no hours, "minutes remaining" are minutes.
        is_unit = word not in vocab.TIME or words[-1] in vocab.after_unit or place == len(words) - 1
        before = words[max(0, place - 1)]
        is_rate = before == "per" or (word == "s" and before in vocab.per_second)
        if word in _KINDS and is_unit and not is_rate:
            return _KINDS[word]
    return "count", _ONE, ""


def _of_number(value: int | float | str, key: _Key) -> Iterator[Fact]:
    number = _exact(value)
    if number is None:
        return
    kind, factor, text = key.kind, key.factor, str(value)
    last = key.words[-1] if key.words else ""
    if kind == "share" and factor == 1 and number > 1:
        factor = Fraction(1, 100)
    reading = Reading(kind=kind, value=number if factor is _ONE else number * factor, unit=key.unit)
    if kind == "share" and factor == 1:
        percent = number * 100
        yield Fact(readings=(reading,), start=0, end=len(text), text=text, raw=percent, subject=key.subject)
    if last in vocab.severity_keys:
        yield from (_named("severity", f"{scheme}{number}", text) for scheme in ("p", "sev"))
    if last in ("id", "number", "ticket", "code"):
        yield _named("identifier", text, text)
    yield Fact(
        readings=(reading,),
        start=0,
        end=len(text),
        text=text,
        raw=number,
        head=key.head if kind in ("share", "count") else "",
        subject=key.subject,
        role=key.role if kind == "duration" else "",
    )


def _exact(value: int | float | str) -> Fraction | None:
    """Return the absolute value of a number; None if it is too large or not a number."""
    if not isinstance(value, str) and not abs(value) < _LARGEST:
        return None
    return Fraction(abs(value)) if isinstance(value, int) else abs(Fraction(str(value)))


def _named(kind: Kind, value: str, text: str) -> Fact:
    return fact_in(text, 0, len(text), kind, value)


def _of_text(text: str, facts: Iterable[Fact], key: _Key) -> Iterator[Fact]:
    bare = text.strip()
    if _NUMBER_TEXT.fullmatch(bare):
        yield from _of_number(bare, key)
    yield from _as_name(bare, key.words[-1] if key.words else "")
    for fact in facts:
        if fact.kind == "duration" and not fact.role and key.role == "until":
            yield replace(fact, role="until")
        elif fact.kind in ("count", "share") and not fact.subject:
            yield replace(fact, subject=key.subject)
        else:
            yield fact


def _as_name(bare: str, key: str) -> Iterator[Fact]:
    """Yield the facts that a string states as a whole name: a region, a severity, an identifier."""
    low = bare.lower()
    if key in vocab.region_keys:
        spaced = tuple(low.replace("-", " ").split())
        found = (canonical for words, canonical in PLACES.get("".join(spaced[:1]), ()) if words == spaced)
        yield from (_named("region", name, bare) for name in (*found, low))
    if key in vocab.severity_keys:
        level = _LEVEL.fullmatch(low)
        if level is not None:
            yield from (_named("severity", f"{scheme}{level[1]}", bare) for scheme in ("p", "sev"))
        elif bare.isalpha():
            yield _named("severity", f"{low}{RATED}", bare)
    if len(bare) <= _LONGEST_NAME and len(bare.split()) == 1:
        yield _named("identifier", low.replace("-", "_"), bare)
        if any(map(str.isdigit, bare)):
            yield _named("residue", low, bare)
