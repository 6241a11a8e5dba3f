"""The floor: plain phrases of each family of claims, loaded from data and matched in clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from redpen.guards.data import data_path, word_set
from redpen.guards.words import forms_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Family = Literal["resolution", "guarantee", "reassurance", "cause", "commitment", "liability"]
FAMILIES: tuple[Family, ...] = get_args(Family)
Again = Literal["never", "step", "scope", "always"]
_COMMON = word_set("clauses", "function_words") | frozenset("are us was were will shall we you your".split())
_MOST_REPEATED = 4
_ATOM = re.compile(r"\((?P<group>[^()]*(?:\([^()]*\)[^()]*)*)\)(?P<many>[?*]?)|(?P<bare>[^\s()]+)")
_GAP = re.compile(r"\.\.(\d)")
_CLASS = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True)
class Phrase:
    """One row of the floor.

    Attributes:
        family: what it claims.
        say: its words in the notation of ``phrases.yaml``.
        block: a sentence that it blocks.
        passes: one that it lets pass.
        again: whether a known claim may be repeated when the context avoids guarantees: ``never``; ``step``;
            ``scope``, a part of the whole; ``always``.
        own: whether its own words contain a denial or a condition, which then does not count as polarity.
        doubtful: whether it is a concern instead of a violation.
        lacks: words that the clause must not contain.
        stops: words that must not follow; ``$`` is the end of the clause.
    """

    family: Family
    say: str
    block: str
    passes: str
    again: Again = "never"
    own: bool = False
    doubtful: bool = False
    lacks: frozenset[str] = frozenset()
    stops: frozenset[str] = frozenset()
    classes: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as a pattern over the words of a clause, each followed by a space."""
        return re.compile(rf"(?<!\S){_compiled(self.say, self.classes)}")

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The rarest words of which a matching clause contains one."""
        return min(_anchor_sets(self.say, self.classes), key=_commonness, default=frozenset())


class Hit(NamedTuple):
    """A match of a phrase in a clause: its first word and the one after its last."""

    phrase: Phrase
    start: int
    end: int


def _atoms(say: str) -> Iterator[tuple[list[str], str]]:
    """Yield the alternatives at each position of a phrase, and their quantifier (``?``, ``*`` or nothing)."""
    for match in _ATOM.finditer(say):
        if match["group"] is not None:
            yield _alternatives(match["group"]), match["many"]
        else:
            bare = match["bare"]
            many = bare[-1] if bare[-1] in "?*" and len(bare) > 1 else ""
            yield _alternatives(bare.removesuffix(many) if many else bare), many


def _alternatives(text: str) -> list[str]:
    return [item.strip() for item in text.split("|")]


def _spread(item: str, classes: Mapping[str, str]) -> list[str]:
    """Return the wordings of one alternative: the members of a class, the forms of ``~fix``."""
    named = _CLASS.fullmatch(item)
    if named:
        return [wording for each in _alternatives(classes[named[1]]) for wording in _spread(each, classes)]
    if " " not in item and item.startswith("~"):
        return list(forms_of(item[1:]))
    return [item]


def _compiled(say: str, classes: Mapping[str, str]) -> str:
    parts = []
    for items, many in _atoms(say):
        gap = _GAP.fullmatch(items[0])
        if gap:
            parts.append(rf"(?:\S+ ){{0,{gap[1]}}}")
            continue
        wordings = [wording for item in items for wording in _spread(item, classes)]
        sides = sorted({_side(wording, classes) for wording in wordings}, key=lambda side: (-len(side), side))
        times = {"": "", "?": "?", "*": f"{{0,{_MOST_REPEATED}}}"}[many]
        parts.append(rf"(?:{'|'.join(sides)}){times}")
    return "".join(parts)


def _side(wording: str, classes: Mapping[str, str]) -> str:
    if wording in "^$":
        return wording
    if "<" in wording:
        return _compiled(wording, classes)
    return "".join(rf"{re.escape(word)} " for word in wording.split())


def _anchor_sets(say: str, classes: Mapping[str, str]) -> Iterator[frozenset[str]]:
    for items, many in _atoms(say):
        wordings = [wording for item in items for wording in _spread(item, classes)]
        if not many and not any(_GAP.fullmatch(wording) or wording in "^$" for wording in wordings):
            plain = [
                [word for word in wording.split() if word.isalpha() or word == "#"] for wording in wordings
            ]
            if all(plain):
                yield frozenset(min(words, key=_plainness) for words in plain)


def _plainness(word: str) -> tuple[bool, int]:
    """Return the sort key of the words of a wording: content words first, then by length."""
    return word in _COMMON or word == "#", -len(word)


def _commonness(words: frozenset[str]) -> tuple[int, int]:
    """Return the sort key of a set of words: sets with few function words first."""
    return len(words & _COMMON) + ("#" in words), len(words)


class Floor:
    """The rows of the floor, indexed by a word that each of them needs."""

    def __init__(self, rows: tuple[Phrase, ...]) -> None:
        self.rows = rows
        self._by_anchor: dict[str, list[Phrase]] = {}
        for row in rows:
            for word in row.anchors:
                self._by_anchor.setdefault(word, []).append(row)

    def find(self, words: tuple[str, ...]) -> list[Hit]:
        """Return the first match of each phrase in a clause, whatever its polarity."""
        anchored = self._by_anchor
        near = {id(row): row for word in dict.fromkeys(words) for row in anchored.get(word, ())}
        if not near:
            return []
        text = " ".join(words) + " "
        found = []
        for row in near.values():
            match = row.pattern.search(text) if row.lacks.isdisjoint(words) else None
            if match is None:
                continue
            start = text.count(" ", 0, match.start())
            end = start + text.count(" ", match.start(), match.end())
            if (words[end] if end < len(words) else "$") not in row.stops:
                found.append(Hit(row, start, end))
        return found


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data: dict[str, Any] = yaml.load(data_path("phrases.yaml").read_bytes(), Loader=loader)  # noqa: S506
    return data


@lru_cache(maxsize=1)
def floor() -> Floor:
    """Return the shipped floor."""
    return Floor(tuple(_rows(_data())))


@cache
def turn(name: str) -> re.Pattern[str]:
    """Return the shipped turns of one name, as a pattern over words that are each followed by a space."""
    data = _data()
    sides = "|".join(_compiled(say, data["classes"]) for say in data["turns"][name])
    return re.compile(rf"(?<!\S)(?:{sides})")


def _rows(data: Mapping[str, Any]) -> Iterator[Phrase]:
    classes = data["classes"]
    for family in FAMILIES:
        for row in data["families"][family]:
            yield Phrase(
                family=family,
                say=row["say"],
                block=row["block"],
                passes=row["pass"],
                again=cast("Again", row.get("again", "never")),
                own=row.get("own", False),
                doubtful=row.get("doubtful", False),
                lacks=frozenset(row.get("without", "").split("|")) - {""},
                stops=frozenset(row.get("unless_then", "").split("|")) - {""},
                classes=classes,
            )
