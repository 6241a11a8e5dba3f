"""The scorecard as aligned lines, with the guard sets side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from redpen.screen import shown
from redpen_evals.scorecard.disguising import DisguiseFigures, DisguiseScore
from redpen_evals.scorecard.gate import Measured
from redpen_evals.scorecard.score import Figures, Score
from redpen_evals.scorecard.thresholds import Measure
from redpen_evals.scorecard.wilson import Rate
from redpen_evals.tables import filled_columns, table_lines
from redpen_evals.terminal import PLAIN, Screen

T = TypeVar("T")

_NOT_ACCEPTED = "none"
_NO_ITEMS = ("block", "pass")
_BRIEF: Final[Mapping[Measure, str]] = {
    "catch": "catch",
    "false_alarms": "false alarms",
    "right_code": "right code",
    "concerns": "concerns",
    "kept": "still caught\ndisguised",
    "new_alarms": "new alarms\ndisguised",
}


def render_scores(scores: Sequence[Score], *, title: str) -> list[str]:
    """Return the tables by family and by disguise, then codes and crashes.

    Args:
        scores: of the guard sets, each over the same texts; at least one.
        title: of the texts.
    """
    first = scores[0]
    count = first.overall
    counts = f"{count.catch.total} block, {count.false_alarms.total} pass"
    lines = [f"{title}: {counts}; percent with 95 % Wilson intervals"]
    groups: dict[str, Sequence[Figures | None]] = {
        **{name: [score.families.get(name) for score in scores] for name in first.families},
        "all": [score.overall for score in scores],
    }
    lines += ["", *_figures_table("family", groups, scores)]
    if first.disguises:
        disguised = {name: [score.disguises.get(name) for score in scores] for name in first.disguises}
        lines += ["", *_figures_table("written as", disguised, scores)]
    for score in scores:
        lines += ["", *_confusion_table(score)]
    for crash in crashes(scores):
        lines += ["", crash]
    return lines


def crashes(scores: Sequence[Score]) -> list[str]:
    """Return a line for each guard set that crashed."""
    return [
        shown(f"{score.guards}: crashed on {len(score.errors)}, first {score.errors[0]}")
        for score in scores
        if score.errors
    ]


def render_brief(reached: Sequence[Measured], *, screen: Screen = PLAIN) -> list[str]:
    """Return the overall figures, one line per guard set, and how to see the rest.

    Args:
        reached: the figures of labelled drafts and of disguises.
        screen: where the lines are shown.
    """
    rates: dict[str, dict[Measure, Rate]] = {}
    for figures in reached:
        rates.setdefault(figures.guards, {}).update(figures.overall)
    rows = [
        [name, *(_with_interval(overall[measure]) if measure in overall else "" for measure in _BRIEF)]
        for name, overall in rates.items()
    ]
    return [
        *table_lines(
            ["guards", *_BRIEF.values()],
            rows,
            right=frozenset(range(1, len(_BRIEF) + 1)),
            screen=screen,
        ),
        "percent with 95 % Wilson intervals; -v and --report show families, disguises and codes",
    ]


def render_disguises(scores: Sequence[DisguiseScore], *, sample: int) -> list[str]:
    """Return the table of the scores under disguises.

    Args:
        scores: of the guard sets, at least one.
        sample: maximum number of texts of either label per disguise.
    """
    names = list(dict.fromkeys(name for score in scores for name in score.disguises))
    groups: dict[str, Sequence[DisguiseFigures | None]] = {
        **{name: [score.disguises.get(name) for score in scores] for name in names},
        "all": [score.overall for score in scores],
    }
    columns: dict[str, Callable[[DisguiseFigures], str]] = {
        "still caught": lambda figures: _with_interval(figures.kept),
        "new alarms": lambda figures: _with_interval(figures.new_alarms),
    }
    rows = [[name] for name in groups]
    title = (
        "disguises of rightly judged texts, in the breach or in an allowed fact; "
        f"for each guard set and disguise a sample of {sample} texts of either label"
    )
    guards = [score.guards for score in scores]
    return [title, "", *_side_by_side(["disguise"], rows, groups, guards, columns)]


def _figures_table(
    label: str, groups: Mapping[str, Sequence[Figures | None]], scores: Sequence[Score]
) -> list[str]:
    columns: dict[str, Callable[[Figures], str]] = {
        "catch": lambda figures: _with_interval(figures.catch),
        "false alarms": lambda figures: _with_interval(figures.false_alarms),
        "code": lambda figures: _plain(figures.right_code),
        "concerns": lambda figures: _unless_none(figures.concerns),
        "noticed": lambda figures: _unless_none(figures.noticed),
        "unread": lambda figures: _unless_none(figures.unread),
    }
    rows = []
    for name, group in groups.items():
        counted = next(figures for figures in group if figures is not None)
        rows.append([name, str(counted.catch.total or ""), str(counted.false_alarms.total or "")])
    guards = [score.guards for score in scores]
    return _side_by_side([label, *_NO_ITEMS], rows, groups, guards, columns)


def _side_by_side(
    header: list[str],
    rows: list[list[str]],
    groups: Mapping[str, Sequence[T | None]],
    guards: Sequence[str],
    columns: Mapping[str, Callable[[T], str]],
) -> list[str]:
    """Return a table with a row per group, and the columns of each guard set after the given ones."""
    for at, name in enumerate(guards):
        for column, text in columns.items():
            header.append(f"{name} {column}")
            for row, group in zip(rows, groups.values(), strict=True):
                figures = group[at]
                row.append("" if figures is None else text(figures))
    return _table(header, rows)


def _confusion_table(score: Score) -> list[str]:
    """Return the counts of given codes by the codes that the label accepts."""
    accepted = sorted({codes for codes, _ in score.confusion}, key=lambda codes: (not codes, codes))
    totals: dict[str, int] = {}
    for (_, given), count in score.confusion.items():
        totals[given] = totals.get(given, 0) + count
    given_codes = sorted(totals, key=lambda code: (-totals[code], code))
    rows = [
        [
            " or ".join(codes) or _NOT_ACCEPTED,
            *(str(score.confusion.get((codes, given), "")) for given in given_codes),
        ]
        for codes in accepted
    ]
    return _table([f"{score.guards}: accepted code", *given_codes], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines; headers of several words take two lines, a shared first word above."""
    filled = filled_columns(header, rows)
    heads: list[str] = []
    before = ""
    for at in filled:
        upper, _, lower = header[at].partition(" ") if at else ("", "", header[at])
        heads.append(f"{'' if upper == before else upper}\n{lower}" if lower and at else lower or upper)
        before = upper
    cells = [[row[at] for at in filled] for row in rows]
    return table_lines(heads, cells, right=frozenset(range(1, len(filled))))


def _with_interval(rate: Rate) -> str:
    if rate.percent is None:
        return ""
    low, high = rate.interval
    return f"{_plain(rate)} [{low:.0f},{high:.0f}]"


def _plain(rate: Rate) -> str:
    return "" if rate.percent is None else f"{float(rate.percent):.1f}"


def _unless_none(rate: Rate) -> str:
    return _plain(rate) if rate.hits else ""
