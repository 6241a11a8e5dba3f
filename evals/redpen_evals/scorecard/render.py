"""The scorecard as aligned lines, with the guard sets side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from redpen.screen import shown
from redpen_evals.scorecard.score import Rates, Score
from redpen_evals.scorecard.thresholds import Measure
from redpen_evals.scorecard.wilson import Rate
from redpen_evals.tables import filled_columns, table_lines
from redpen_evals.terminal import PLAIN, Screen

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
    """Return the tables by family and by disguise, then codes and crashes, of scores over the same texts."""
    first = scores[0]
    counts = f"{first.overall['catch'].total} block, {first.overall['false_alarms'].total} pass"
    lines = [f"{title}: {counts}; percent with 95 % Wilson intervals", ""]
    lines += _rates_table("family", scores, _groups_of(scores), _LABELLED)
    if first.written_as:
        written = {name: [score.written_as.get(name, {}) for score in scores] for name in first.written_as}
        lines += ["", *_rates_table("written as", scores, written, _LABELLED)]
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


def render_brief(reached: Sequence[Score], *, screen: Screen = PLAIN) -> list[str]:
    """Return the overall figures, one line per guard set, and how to see the rest."""
    rates: dict[str, dict[str, Rate]] = {}
    for figures in reached:
        rates.setdefault(figures.guards, {}).update(figures.overall)
    rows = [
        [name, *(_with_interval(overall[measure]) if measure in overall else "" for measure in _BRIEF)]
        for name, overall in rates.items()
    ]
    right = frozenset(range(1, len(_BRIEF) + 1))
    lines = table_lines(["guards", *_BRIEF.values()], rows, right=right, screen=screen)
    return [*lines, "percent with 95 % Wilson intervals; -v and --report show families, disguises and codes"]


def render_disguises(scores: Sequence[Score], *, sample: int) -> list[str]:
    """Return the table of the scores under disguises."""
    title = (
        "disguises of rightly judged texts, in the breach or in an allowed fact; "
        f"for each guard set and disguise a sample of {sample} texts of either label"
    )
    return [title, "", *_rates_table("disguise", scores, _groups_of(scores), _DISGUISED)]


def _groups_of(scores: Sequence[Score]) -> dict[str, list[Rates]]:
    """Return the rates of all scores by group, and of all texts."""
    names = dict.fromkeys(name for score in scores for name in score.groups)
    groups = {name: [score.groups.get(name, {}) for score in scores] for name in names}
    return {**groups, "all": [score.overall for score in scores]}


def _rates_table(
    corner: str,
    scores: Sequence[Score],
    groups: Mapping[str, Sequence[Rates]],
    columns: Mapping[str, tuple[str, Callable[[Rate], str]]],
) -> list[str]:
    """Return a table with a row per group: the counts of labelled texts, and the columns of each score."""
    header = [corner, *_NO_ITEMS]
    header += [f"{score.guards} {column}" for score in scores for column, _ in columns.values()]
    rows = []
    for name, group in groups.items():
        counted = next(filter(None, group))
        totals = [
            counted[measure].total if measure in columns else 0 for measure in ("catch", "false_alarms")
        ]
        cells = [
            show(rates[measure]) if measure in rates else ""
            for rates in group
            for measure, (_, show) in columns.items()
        ]
        rows.append([name, *(str(total or "") for total in totals), *cells])
    return _table(header, rows)


def _confusion_table(score: Score) -> list[str]:
    """Return the counts of given codes by the codes that the label accepts."""
    accepted = sorted({codes for codes, _ in score.confusion}, key=lambda codes: (not codes, codes))
    totals: Counter[str] = Counter()
    for (_, given), count in score.confusion.items():
        totals[given] += count
    given_codes = sorted(totals, key=lambda code: (-totals[code], code))
    rows = []
    for codes in accepted:
        counts = [str(score.confusion.get((codes, given), "")) for given in given_codes]
        rows.append([" or ".join(codes) or _NOT_ACCEPTED, *counts])
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


_LABELLED: Final[Mapping[str, tuple[str, Callable[[Rate], str]]]] = {
    "catch": ("catch", _with_interval),
    "false_alarms": ("false alarms", _with_interval),
    "right_code": ("code", _plain),
    "concerns": ("concerns", _unless_none),
    "noticed": ("noticed", _unless_none),
    "unread": ("unread", _unless_none),
}
_DISGUISED: Final[Mapping[str, tuple[str, Callable[[Rate], str]]]] = {
    "kept": ("still caught", _with_interval),
    "new_alarms": ("new alarms", _with_interval),
}
"""The column of each measure: its head, and how its rates are shown."""
