"""The gate: whether the scores hold what the thresholds say, and what the thresholds become."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from redpen_evals.scorecard.disguising import DisguiseFigures, DisguiseScore
from redpen_evals.scorecard.score import Figures, Score
from redpen_evals.scorecard.thresholds import CEILINGS, GuardThresholds, Limits, Measure, Thresholds
from redpen_evals.scorecard.wilson import Rate

Update = Literal["raise", "lower"]
"""``raise`` records only what is stricter than before, ``lower`` whatever is."""

Part = Literal["families", "disguises"]

_SHOWN = 5
_PART_NAMES: Mapping[Part, str] = {"families": "family", "disguises": "disguise"}
_OVERALL: Mapping[Part, tuple[Measure, ...]] = {
    "families": ("catch", "false_alarms", "right_code", "concerns"),
    "disguises": ("kept", "new_alarms"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one guard set reached, as the gate compares it.

    Attributes:
        guards: name of the guard set.
        recorded: whether its figures go into the thresholds when they are updated.
        part: what the groups are.
        overall: its rates over everything.
        groups: its rates by family or disguise.
        wrong: ids of the texts judged wrongly, by group.
    """

    guards: str
    recorded: bool
    part: Part
    overall: Mapping[Measure, Rate]
    groups: Mapping[str, Mapping[Measure, Rate]]
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def measured(score: Score, *, recorded: bool) -> Measured:
    """Return what the gate compares of a score."""
    return Measured(
        guards=score.guards,
        recorded=recorded,
        part="families",
        overall={**_rates(score.overall), "concerns": score.overall.concerns},
        groups={name: _rates(group) for name, group in score.families.items()},
        wrong=score.wrong,
    )


def measured_disguises(score: DisguiseScore, *, recorded: bool) -> Measured:
    """Return what the gate compares of a score under disguises."""
    return Measured(
        guards=score.guards,
        recorded=recorded,
        part="disguises",
        overall=_disguise_rates(score.overall),
        groups={name: _disguise_rates(group) for name, group in score.disguises.items()},
        wrong=score.wrong,
    )


def breaches(thresholds: Thresholds, reached: Iterable[Measured]) -> tuple[str, ...]:
    """Return what is below its floor or above its ceiling, a line each, with the texts at fault."""
    lines: list[str] = []
    for one in reached:
        table = thresholds.get(one.guards)
        if table is None:
            continue
        held: Limits = {key: value for key, value in table.overall.items() if key in _OVERALL[one.part]}
        lines += _broken(f"{one.guards}: overall", held, one.overall, ())
        for name, limits in sorted(_groups(table, one.part).items()):
            place = f"{one.guards}: {_PART_NAMES[one.part]} {name}"
            if name in one.groups:
                lines += _broken(place, limits, one.groups[name], one.wrong.get(name, ()))
            elif one.part == "families":
                lines.append(f"{place}: figures are recorded, but no item is left")
    return tuple(lines)


def updated(
    thresholds: Thresholds, reached: Iterable[Measured], update: Update
) -> dict[str, GuardThresholds]:
    """Return the thresholds with what was reached.

    Floors are rounded down and ceilings up, to a tenth of a percent. Overall thresholds are written where
    a guard set has none yet, and are left alone otherwise: they are set by hand.
    """
    result = dict(thresholds)
    for one in reached:
        if not one.recorded:
            continue
        table = result.get(one.guards, GuardThresholds())
        overall = table.overall | {**_limits(one.overall), **table.overall}
        old, new = _groups(table, one.part), {name: _limits(rates) for name, rates in one.groups.items()}
        if update == "raise":
            kept = {name: limits for name, limits in old.items() if name not in new}
            new = {name: _stricter(limits, old.get(name, {})) for name, limits in new.items()} | kept
        result[one.guards] = table.model_copy(update={"overall": overall, one.part: new})
    return result


def of_families(thresholds: Thresholds, families: Collection[str]) -> dict[str, GuardThresholds]:
    """Return the thresholds that hold for some families alone.

    What is asked of all texts together says nothing of a part of them, but for what is asked of every
    single one: a floor of 100 % or a ceiling of 0 %.
    """
    return {
        name: GuardThresholds(
            overall=_of_every_text(table.overall),
            families={family: limits for family, limits in table.families.items() if family in families},
            disguises={disguise: _of_every_text(limits) for disguise, limits in table.disguises.items()},
        )
        for name, table in thresholds.items()
    }


def without_threshold(thresholds: Thresholds, reached: Iterable[Measured]) -> tuple[list[str], list[str]]:
    """Return what nothing is asked of.

    Returns:
        Names of the guard sets that are held to nothing; a line for each that is held to something but for
        some of its families or disguises.
    """
    unheld, notes = [], []
    for one in reached:
        if not one.recorded:
            continue
        table = thresholds.get(one.guards, GuardThresholds())
        groups = _groups(table, one.part)
        if not any(_measurable(limits, one.groups.get(name, {})) for name, limits in groups.items()) and not (
            _measurable(
                table.overall, {name: one.overall[name] for name in _OVERALL[one.part] if name in one.overall}
            )
        ):
            unheld.append(one.guards)
        elif left := sorted(name for name in one.groups if not groups.get(name)):
            notes.append(f"{one.guards}: {one.part} without thresholds: {', '.join(left)}")
    return unheld, notes


def to_json(one: Measured) -> dict[str, Any]:
    """Return it as JSON values, for the way from a test's process to the one that reports."""
    return {
        "guards": one.guards,
        "recorded": one.recorded,
        "part": one.part,
        "overall": {name: [rate.hits, rate.total] for name, rate in one.overall.items()},
        "groups": {
            group: {name: [rate.hits, rate.total] for name, rate in rates.items()}
            for group, rates in one.groups.items()
        },
    }


def from_json(value: Mapping[str, Any]) -> Measured:
    """Return what ``to_json`` wrote, without the texts at fault."""
    return Measured(
        guards=value["guards"],
        recorded=value["recorded"],
        part=value["part"],
        overall={name: Rate(hits=pair[0], total=pair[1]) for name, pair in value["overall"].items()},
        groups={
            group: {name: Rate(hits=pair[0], total=pair[1]) for name, pair in rates.items()}
            for group, rates in value["groups"].items()
        },
    )


def _of_every_text(limits: Limits) -> Limits:
    return {name: limit for name, limit in limits.items() if limit == (0 if name in CEILINGS else 100)}


def _measurable(limits: Limits, rates: Mapping[Measure, Rate]) -> bool:
    return any(name in rates and rates[name].percent is not None for name in limits)


def _groups(table: GuardThresholds, part: Part) -> Mapping[str, Limits]:
    return table.families if part == "families" else table.disguises


def _rates(figures: Figures) -> dict[Measure, Rate]:
    return {
        "catch": figures.catch,
        "false_alarms": figures.false_alarms,
        "right_code": figures.right_code,
    }


def _disguise_rates(figures: DisguiseFigures) -> dict[Measure, Rate]:
    return {"kept": figures.kept, "new_alarms": figures.new_alarms}


def _limits(rates: Mapping[Measure, Rate]) -> Limits:
    return {
        name: (math.ceil(percent * 10) if name in CEILINGS else math.floor(percent * 10)) / 10
        for name, rate in rates.items()
        if (percent := rate.percent) is not None
    }


def _stricter(new: Limits, old: Limits) -> Limits:
    both = {
        name: (min if name in CEILINGS else max)(value, old.get(name, value)) for name, value in new.items()
    }
    return old | both


def _broken(place: str, limits: Limits, rates: Mapping[Measure, Rate], wrong: tuple[str, ...]) -> list[str]:
    lines = []
    for name, limit in limits.items():
        rate = rates.get(name)
        percent = None if rate is None else rate.percent
        if rate is None or percent is None:
            continue
        # As it is written in the file: 99.9 is no binary fraction.
        bound = Fraction(str(limit))
        ceiling = name in CEILINGS
        if percent > bound if ceiling else percent < bound:
            word = "above" if ceiling else "below"
            lines.append(
                f"{place}: {name.replace('_', ' ')} {float(percent):.1f} % ({rate.hits} of {rate.total}), "
                f"{word} {limit:g} %"
            )
    if lines and wrong:
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        lines.append(f"  judged wrongly: {', '.join(wrong[:_SHOWN])}{more}")
    return lines
