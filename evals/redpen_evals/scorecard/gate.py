"""The gate: comparison of scores with thresholds, and update of the thresholds."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Literal

from redpen_evals.scorecard.score import Rates, Score
from redpen_evals.scorecard.thresholds import (
    CEILINGS,
    GROUP_MEASURES,
    OVERALL_MEASURES,
    GuardThresholds,
    Limits,
    Measure,
    Part,
    Thresholds,
)

Update = Literal["raise", "lower"]
"""``raise`` records only stricter figures than before, ``lower`` any."""

_MAX_NAMED = 5
_PART_NAMES: Mapping[Part, str] = {"families": "family", "disguises": "disguise"}


def breaches(thresholds: Thresholds, reached: Iterable[Score]) -> tuple[str, ...]:
    """Return a line for each figure below its floor or above its ceiling, with the wrongly judged texts."""
    lines: list[str] = []
    for figures in reached:
        table = thresholds.get(figures.guards)
        if table is None:
            continue
        lines += _broken(f"{figures.guards}: overall", table.overall, figures.overall, ())
        for name, limits in sorted(table.groups(figures.part).items()):
            place = f"{figures.guards}: {_PART_NAMES[figures.part]} {name}"
            if name in figures.groups:
                lines += _broken(place, limits, figures.groups[name], figures.wrong.get(name, ()))
            elif figures.part == "families":
                lines.append(f"{place}: figures are recorded, but no item is left")
    return tuple(lines)


def updated(thresholds: Thresholds, reached: Iterable[Score], update: Update) -> dict[str, GuardThresholds]:
    """Return the thresholds updated by the reached figures.

    Floors are rounded down and ceilings up, to a tenth of a percent. Overall thresholds are set by hand: they
    are only written if a guard set has none.
    """
    result = dict(thresholds)
    for figures in reached:
        if not figures.recorded:
            continue
        table = result.get(figures.guards, GuardThresholds())
        overall = table.overall | _limits(figures.overall, OVERALL_MEASURES[figures.part]) | table.overall
        old = table.groups(figures.part)
        measures = GROUP_MEASURES[figures.part]
        new = {name: _limits(rates, measures) for name, rates in figures.groups.items()}
        if update == "raise":
            kept = {name: limits for name, limits in old.items() if name not in new}
            new = {name: _stricter(limits, old.get(name, {})) for name, limits in new.items()} | kept
        result[figures.guards] = table.model_copy(update={"overall": overall, figures.part: new})
    return result


def of_families(thresholds: Thresholds, families: Collection[str]) -> dict[str, GuardThresholds]:
    """Return the thresholds that apply to a selection of families.

    Thresholds on all texts do not apply to a part of them, except those on every single text: a floor of
    100 % or a ceiling of 0 %.
    """
    return {
        name: GuardThresholds(
            overall=_of_every_text(table.overall),
            families={family: limits for family, limits in table.families.items() if family in families},
            disguises={disguise: _of_every_text(limits) for disguise, limits in table.disguises.items()},
        )
        for name, table in thresholds.items()
    }


def without_threshold(thresholds: Thresholds, reached: Iterable[Score]) -> tuple[list[str], list[str]]:
    """Find the figures without thresholds.

    The guard sets without any are returned by name, then a line for each of the others that has families or
    disguises without them.
    """
    unchecked, notes = [], []
    for figures in reached:
        if not figures.recorded:
            continue
        table = thresholds.get(figures.guards, GuardThresholds())
        groups = table.groups(figures.part)
        checks = [(table.overall, figures.overall)]
        checks += [(limits, figures.groups.get(name, {})) for name, limits in groups.items()]
        if not any(_measurable(limits, rates) for limits, rates in checks):
            unchecked.append(figures.guards)
        elif missing := sorted(name for name in figures.groups if not groups.get(name)):
            notes.append(f"{figures.guards}: {figures.part} without thresholds: {', '.join(missing)}")
    return unchecked, notes


def _of_every_text(limits: Limits) -> Limits:
    return {name: limit for name, limit in limits.items() if limit == (0 if name in CEILINGS else 100)}


def _measurable(limits: Limits, rates: Rates) -> bool:
    return any(name in rates and rates[name].percent is not None for name in limits)


def _limits(rates: Rates, measures: Iterable[Measure]) -> Limits:
    return {
        name: (math.ceil(percent * 10) if name in CEILINGS else math.floor(percent * 10)) / 10
        for name in measures
        if name in rates and (percent := rates[name].percent) is not None
    }


def _stricter(new: Limits, old: Limits) -> Limits:
    both = {
        name: (min if name in CEILINGS else max)(value, old.get(name, value)) for name, value in new.items()
    }
    return old | both


def _broken(place: str, limits: Limits, rates: Rates, wrong: tuple[str, ...]) -> list[str]:
    lines = []
    for name, limit in limits.items():
        rate = rates.get(name)
        percent = None if rate is None else rate.percent
        if rate is None or percent is None:
            continue
        # By its decimal digits in the file: 99.9 has no exact binary form.
        bound = Fraction(str(limit))
        ceiling = name in CEILINGS
        if percent > bound if ceiling else percent < bound:
            word = "above" if ceiling else "below"
            lines.append(
                f"{place}: {name.replace('_', ' ')} {float(percent):.1f} % ({rate.hits} of {rate.total}), "
                f"{word} {limit:g} %"
            )
    if lines and wrong:
        more = f" and {len(wrong) - _MAX_NAMED} more" if len(wrong) > _MAX_NAMED else ""
        lines.append(f"  judged wrongly: {', '.join(wrong[:_MAX_NAMED])}{more}")
    return lines
