"""The gate: comparison of scores with thresholds, and update of the thresholds."""

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
"""``raise`` records only stricter figures than before, ``lower`` any."""

Part = Literal["families", "disguises"]

_MAX_NAMED = 5
_PART_NAMES: Mapping[Part, str] = {"families": "family", "disguises": "disguise"}
_OVERALL: Mapping[Part, tuple[Measure, ...]] = {
    "families": ("catch", "false_alarms", "right_code", "concerns"),
    "disguises": ("kept", "new_alarms"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The figures of one guard set, as the gate compares them.

    Attributes:
        guards: name of the guard set.
        recorded: whether an update records its figures as thresholds.
        part: the kind of its groups.
        overall: its overall rates.
        groups: its rates by family or disguise.
        wrong: ids of the wrongly judged texts, by group.
    """

    guards: str
    recorded: bool
    part: Part
    overall: Mapping[Measure, Rate]
    groups: Mapping[str, Mapping[Measure, Rate]]
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def measured(score: Score, *, recorded: bool) -> Measured:
    """Return the figures of a score for the gate."""
    return Measured(
        guards=score.guards,
        recorded=recorded,
        part="families",
        overall={**_rates(score.overall), "concerns": score.overall.concerns},
        groups={name: _rates(group) for name, group in score.families.items()},
        wrong=score.wrong,
    )


def measured_disguises(score: DisguiseScore, *, recorded: bool) -> Measured:
    """Return the figures of a score under disguises for the gate."""
    return Measured(
        guards=score.guards,
        recorded=recorded,
        part="disguises",
        overall=_disguise_rates(score.overall),
        groups={name: _disguise_rates(group) for name, group in score.disguises.items()},
        wrong=score.wrong,
    )


def breaches(thresholds: Thresholds, reached: Iterable[Measured]) -> tuple[str, ...]:
    """Return a line for each figure below its floor or above its ceiling, with the wrongly judged texts."""
    lines: list[str] = []
    for figures in reached:
        table = thresholds.get(figures.guards)
        if table is None:
            continue
        measures = _OVERALL[figures.part]
        overall: Limits = {key: value for key, value in table.overall.items() if key in measures}
        lines += _broken(f"{figures.guards}: overall", overall, figures.overall, ())
        for name, limits in sorted(_groups(table, figures.part).items()):
            place = f"{figures.guards}: {_PART_NAMES[figures.part]} {name}"
            if name in figures.groups:
                lines += _broken(place, limits, figures.groups[name], figures.wrong.get(name, ()))
            elif figures.part == "families":
                lines.append(f"{place}: figures are recorded, but no item is left")
    return tuple(lines)


def updated(
    thresholds: Thresholds, reached: Iterable[Measured], update: Update
) -> dict[str, GuardThresholds]:
    """Return the thresholds updated by the reached figures.

    Floors are rounded down and ceilings up, to a tenth of a percent. Overall thresholds are set by hand: they
    are only written if a guard set has none.
    """
    result = dict(thresholds)
    for figures in reached:
        if not figures.recorded:
            continue
        table = result.get(figures.guards, GuardThresholds())
        overall = table.overall | {**_limits(figures.overall), **table.overall}
        old = _groups(table, figures.part)
        new = {name: _limits(rates) for name, rates in figures.groups.items()}
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


def without_threshold(thresholds: Thresholds, reached: Iterable[Measured]) -> tuple[list[str], list[str]]:
    """Find the figures without thresholds.

    Returns:
        Names of the guard sets without any threshold; a line for each of the others that has families or
        disguises without thresholds.
    """
    unchecked, notes = [], []
    for figures in reached:
        if not figures.recorded:
            continue
        table = thresholds.get(figures.guards, GuardThresholds())
        groups = _groups(table, figures.part)
        overall = {name: rate for name, rate in figures.overall.items() if name in _OVERALL[figures.part]}
        checks = [(table.overall, overall)]
        checks += [(limits, dict(figures.groups.get(name, {}))) for name, limits in groups.items()]
        if not any(_measurable(limits, rates) for limits, rates in checks):
            unchecked.append(figures.guards)
        elif missing := sorted(name for name in figures.groups if not groups.get(name)):
            notes.append(f"{figures.guards}: {figures.part} without thresholds: {', '.join(missing)}")
    return unchecked, notes


def to_json(figures: Measured) -> dict[str, Any]:
    """Return figures as JSON values, to pass them from a test's process to the one that reports."""
    return {
        "guards": figures.guards,
        "recorded": figures.recorded,
        "part": figures.part,
        "overall": {name: [rate.hits, rate.total] for name, rate in figures.overall.items()},
        "groups": {
            group: {name: [rate.hits, rate.total] for name, rate in rates.items()}
            for group, rates in figures.groups.items()
        },
    }


def from_json(value: Mapping[str, Any]) -> Measured:
    """Return the figures that ``to_json`` wrote, without the ids of texts."""
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
