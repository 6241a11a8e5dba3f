"""Comparison of two sweeps of the same rows: which verdicts changed, and why."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Literal

from redpen_evals.comparison.statistics import PairedTable
from redpen_evals.sweep.folder import Folder
from redpen_evals.sweep.tally import codes_of, rules_of

Side = Literal["now blocked", "now passes", "other codes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A row that the two sweeps judge differently, with both verdicts as they were written."""

    side: Side
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Difference:
    """The differences of two sweeps.

    Attributes:
        pairs: rows that both judged, by whether they were blocked before and after.
        unpaired: rows that only one sweep has, or could judge.
        codes: number of rows by code, blocked before, after, and only in one of the two.
        rules: the same by rule of a policy pack.
        changed: number of changed rows, by kind.
        sample: a random sample of them with a fixed seed, in the order of the rows.
    """

    pairs: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    unpaired: int = 0
    codes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    rules: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    changed: Counter[Side] = field(default_factory=Counter)
    sample: list[Change] = field(default_factory=list)

    @property
    def table(self) -> PairedTable:
        """The pairs as a table; a blocked row counts as failed."""
        return PairedTable(
            both_passed=self.pairs[False, False],
            regressed=self.pairs[False, True],
            improved=self.pairs[True, False],
            both_failed=self.pairs[True, True],
        )


def compare_sweeps(before: Folder, after: Folder, *, sample: int, seed: int) -> Difference:
    """Compare the verdicts of two sweeps, paired by id, or by file and line without an id.

    Args:
        after: folder of the other; rows in another order are kept in memory until their counterpart comes.

    Raises:
        InvalidInputError: a folder holds no verdicts, or a damaged one.
    """
    difference = Difference()
    rng = random.Random(seed)  # noqa: S311 - not a secret, and the sample has to be reproducible
    kept: list[tuple[int, Change]] = []
    seen = 0
    for old, new in _pairs(before, after, difference):
        change = _compare(old, new, difference)
        if change is None:
            continue
        seen += 1
        if len(kept) < sample:
            kept.append((seen, change))
        elif (place := rng.randrange(seen)) < sample:
            kept[place] = (seen, change)
    difference.sample = [change for _, change in sorted(kept, key=lambda item: item[0])]
    return difference


def _pairs(
    before: Folder, after: Folder, difference: Difference
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    waiting: tuple[dict[Any, deque[dict[str, Any]]], ...] = ({}, {})
    for both in zip_longest(before.verdicts(), after.verdicts()):
        old, new = both
        if old and new and _key(old) == _key(new) and not any(waiting):
            yield old, new
            continue
        for side, record in enumerate(both):
            if record is None:
                continue
            key = _key(record)
            others = waiting[1 - side].get(key)
            if not others:
                waiting[side].setdefault(key, deque()).append(record)
                continue
            other = others.popleft()
            if not others:
                del waiting[1 - side][key]
            yield (record, other) if side == 0 else (other, record)
    difference.unpaired += sum(len(lines) for side in waiting for lines in side.values())


def _key(record: dict[str, Any]) -> Any:
    # An id may be a string or a number, and `1` is not `"1"`.
    return (type(record["id"]).__name__, record["id"]) if "id" in record else (record["file"], record["line"])


def _compare(old: dict[str, Any], new: dict[str, Any], difference: Difference) -> Change | None:
    if "error" in old or "error" in new:
        difference.unpaired += 1
        return None
    blocked = (not old["ok"], not new["ok"])
    difference.pairs[blocked] += 1
    before, after = codes_of(old["violations"]), codes_of(new["violations"])
    rules = (rules_of(old["violations"]), rules_of(new["violations"]))
    _count(difference.codes, before, after)
    _count(difference.rules, *rules)
    match blocked:
        case (False, True):
            side: Side = "now blocked"
        case (True, False):
            side = "now passes"
        case _:
            if before == after and rules[0] == rules[1]:
                return None
            side = "other codes"
    difference.changed[side] += 1
    return Change(side=side, before=old, after=new)


def _count(counts: dict[str, Counter[str]], before: set[str], after: set[str]) -> None:
    for name in before | after:
        counts[name]["before"] += name in before
        counts[name]["after"] += name in after
        counts[name]["gone"] += name not in after
        counts[name]["new"] += name not in before
