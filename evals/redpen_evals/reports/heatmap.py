"""The guard scorecard as tables of shaded cells, every rate with its interval."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen_evals.records import ScorecardResult
from redpen_evals.scorecard.score import Rates, Score
from redpen_evals.scorecard.thresholds import CEILINGS, Part
from redpen_evals.scorecard.wilson import Rate

OVERALL: Final = "all"

MEASURES: Mapping[str, str] = {
    "catch": "catch",
    "false_alarms": "false alarms",
    "right_code": "right code",
    "concerns": "concerns",
    "kept": "still caught",
    "new_alarms": "new alarms",
}

# Largest distance from perfect, in percentage points, of each shade; the rest has the last shade.
_SHADES = (0, 2, 5, 10, 20, 40)
_TITLES: Mapping[Part, tuple[str, str]] = {
    "families": ("Labelled drafts by family", "family"),
    "disguises": ("Rightly judged drafts, judged again in disguise", "disguise"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One rate with its 95 % interval in percent; `shade` is 0 for perfect to 6 for the worst."""

    rate: Rate
    low: float
    high: float
    shade: int

    @property
    def text(self) -> str:
        """The rate with its interval in brackets."""
        return f"{float(self.rate.percent or 0):.1f} [{self.low:.0f}–{self.high:.0f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """One scorecard: guard sets side by side.

    Attributes:
        title: of the judged items.
        corner: heading of the row names.
        guards: name of each guard set and the names of its columns.
        rows: name and cells, None without a rate; the last is the total.
        rest: rates that only the total has: guard set, measure, cell.
    """

    card: ScorecardResult
    title: str
    corner: str = ""
    guards: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...] = ()
    rest: tuple[tuple[str, str, Cell], ...] = ()


def heat_maps(card: ScorecardResult) -> tuple[HeatMap, ...]:
    """Return a scorecard as heat maps, one per part; one without rows if its figures cannot be read."""
    try:
        measured = [Score.from_json(value) for value in card.measured]
        parts: dict[Part, list[Score]] = {}
        for figures in measured:
            parts.setdefault(figures.part, []).append(figures)
        return tuple(_heat_map(card, part, group) for part, group in parts.items())
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        # The figures of a record are not validated; its text is shown instead.
        return (HeatMap(card=card, title=card.name),)


def _heat_map(card: ScorecardResult, part: Part, group: Sequence[Score]) -> HeatMap:
    title, corner = _TITLES[part]
    columns = {figures.guards: _columns(figures) for figures in group}
    names = dict.fromkeys(name for figures in group for name in figures.groups)
    rows = [
        (
            name,
            tuple(
                _cell(figures.groups.get(name, {}), measure)
                for figures in group
                for measure in columns[figures.guards]
            ),
        )
        for name in names
    ]
    total = tuple(_cell(figures.overall, measure) for figures in group for measure in columns[figures.guards])
    return HeatMap(
        card=card,
        title=title,
        corner=corner,
        guards=tuple((name, tuple(MEASURES[key] for key in keys)) for name, keys in columns.items()),
        rows=(*rows, (OVERALL, total)),
        rest=tuple(
            (figures.guards, MEASURES[measure], cell)
            for figures in group
            for measure in figures.overall
            if measure not in columns[figures.guards]
            and (cell := _cell(figures.overall, measure))
            and cell.rate.hits
        ),
    )


def _columns(figures: Score) -> tuple[str, ...]:
    used = {measure for rates in figures.groups.values() for measure in rates} or set(figures.overall)
    return tuple(measure for measure in MEASURES if measure in used)


def _cell(rates: Rates, measure: str) -> Cell | None:
    rate = rates.get(measure)
    if rate is None or rate.percent is None:
        return None
    low, high = rate.interval
    percent = float(rate.percent)
    distance = percent if measure in CEILINGS else 100 - percent
    return Cell(rate=rate, low=low, high=high, shade=bisect_left(_SHADES, distance))
