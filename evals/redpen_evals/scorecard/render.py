"""The scorecard as aligned lines, guard sets side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from redpen_evals.scorecard.disguising import DisguiseFigures, DisguiseScore
from redpen_evals.scorecard.score import Figures, Score
from redpen_evals.scorecard.wilson import Rate

_NOT_ACCEPTED = "none"
_NO_ITEMS = ("block", "pass")


def render_scores(scores: Sequence[Score], *, title: str) -> list[str]:
    """Return the tables by family and by disguise, then codes and crashes.

    Args:
        scores: of the guard sets, each over the same texts; one at least.
        title: what the texts are.
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
    for score in scores:
        if score.errors:
            lines += ["", f"{score.guards}: crashed on {len(score.errors)}, first {score.errors[0]}"]
    return lines


def render_disguises(scores: Sequence[DisguiseScore], *, sample: int) -> list[str]:
    """Return the table of what disguises do to what was judged rightly without.

    Args:
        scores: of the guard sets, one at least.
        sample: most texts of either label that a disguise was tried on.
    """
    names = list(dict.fromkeys(name for score in scores for name in score.disguises))
    groups: dict[str, Sequence[DisguiseFigures | None]] = {
        **{name: [score.disguises.get(name) for score in scores] for name in names},
        "all": [score.overall for score in scores],
    }
    columns: dict[str, Callable[[DisguiseFigures], Rate]] = {
        "still caught": lambda figures: figures.kept,
        "new alarms": lambda figures: figures.new_alarms,
    }
    header, rows = ["disguise"], [[name] for name in groups]
    for at, score in enumerate(scores):
        for column, rate in columns.items():
            header.append(f"{score.guards} {column}")
            for row, group in zip(rows, groups.values(), strict=True):
                figures = group[at]
                row.append("" if figures is None else _with_interval(rate(figures)))
    title = (
        "disguises put on what was judged rightly without: on the breach, or on an allowed fact; "
        f"for each guard set and disguise a sample of {sample} of either label"
    )
    return [title, "", *_aligned(header, rows)]


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
    header = [label, *_NO_ITEMS]
    rows = []
    for name, group in groups.items():
        counted = next(figures for figures in group if figures is not None)
        rows.append([name, str(counted.catch.total or ""), str(counted.false_alarms.total or "")])
    for at, score in enumerate(scores):
        for column, text in columns.items():
            header.append(f"{score.guards} {column}")
            for row, group in zip(rows, groups.values(), strict=True):
                figures = group[at]
                row.append("" if figures is None else text(figures))
    return _aligned(header, rows)


def _confusion_table(score: Score) -> list[str]:
    """Return how often which code was given where the label accepts which."""
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
    return _aligned([f"{score.guards}: accepted code", *given_codes], rows)


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines; columns without a value in any row are left out.

    Headers of several words stand on two lines, the first word above.
    """
    held = [at for at in range(len(header)) if at == 0 or any(row[at] for row in rows)]
    heads = [header[at].split(" ", maxsplit=1) if at else [header[at]] for at in held]
    upper = [head[0] if len(head) > 1 else "" for head in heads]
    lower = [head[-1] for head in heads]
    table = [lower, *([row[at] for at in held] for row in rows)]
    if any(upper):
        table.insert(0, _once(upper))
    widths = [max(len(line[at]) for line in table) for at in range(len(held))]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]


def _once(names: Sequence[str]) -> list[str]:
    """Return the names with each that repeats the one before left out."""
    return [name if at == 0 or name != names[at - 1] else "" for at, name in enumerate(names)]


def _with_interval(rate: Rate) -> str:
    if rate.percent is None:
        return ""
    low, high = rate.interval
    return f"{_plain(rate)} [{low:.0f},{high:.0f}]"


def _plain(rate: Rate) -> str:
    return "" if rate.percent is None else f"{float(rate.percent):.1f}"


def _unless_none(rate: Rate) -> str:
    return _plain(rate) if rate.hits else ""
