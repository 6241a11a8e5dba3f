"""The difference of two sweeps as lines, Markdown, an HTML page or rows to label."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redpen.errors import ConfigurationError
from redpen_evals.atomic_write import replace_file
from redpen_evals.comparison.statistics import PairedTable
from redpen_evals.reports.markdown import quoted
from redpen_evals.reports.marking import Mark, marked
from redpen_evals.reports.templating import environment
from redpen_evals.scorecard.wilson import Rate
from redpen_evals.sweep.diff import Change, Difference
from redpen_evals.sweep.tally import Tally
from redpen_evals.tables import table_lines
from redpen_evals.terminal import PLAIN, Screen

_MAX_TEXT_CHARS = 600
_NUMBERS = frozenset((1, 2, 3, 4, 5))
_COLUMNS = ("before", "after", "gone", "new")


def summary_lines(tally: Tally, screen: Screen = PLAIN) -> Iterator[str]:
    """Yield the counts of a sweep: rows by verdict and by code, with the intervals of their shares."""
    rows = [
        ("rows", f"{tally.rows:,}", ""),
        ("blocked", f"{tally.blocked:,}", _share(tally.blocked, tally.judged)),
        ("with concerns alone", f"{tally.concerned:,}", _share(tally.concerned, tally.judged)),
        ("not judged", f"{tally.errored:,}", _share(tally.errored, tally.rows)),
    ]
    yield from table_lines(("", "rows", "95 % interval"), rows, right=frozenset((1,)), screen=screen)
    for title, counts in (
        ("violations", tally.codes),
        ("policy rule", tally.rules),
        ("concerns", tally.concerns),
    ):
        if counts:
            yield ""
            by_code = [(code, f"{n:,}", _share(n, tally.judged)) for code, n in counts.most_common()]
            header = (title, "rows", "95 % interval")
            yield from table_lines(header, by_code, right=frozenset((1,)), screen=screen)


def _share(hits: int, total: int) -> str:
    """Return a share with its interval: ``1.20 % [1.10, 1.31]``; empty for no rows."""
    return Rate(hits=hits, total=total).text(2) if total else ""


def difference_lines(difference: Difference, screen: Screen = PLAIN) -> Iterator[str]:
    """Yield the paired table, its test, and the codes that changed."""
    for header, rows in _tables(difference):
        yield from table_lines(header, rows, right=_NUMBERS, screen=screen)
        yield ""
    yield _conclusion(difference)


def write_difference(difference: Difference, path: Path, *, title: str) -> None:
    """Write the difference with its sample: ``.html``, ``.md``, or ``.jsonl`` for ``redpen label``.

    It raises ConfigurationError for another suffix, and if the file cannot be written.
    """
    match path.suffix:
        case ".html":
            text = _page(difference, title)
        case ".md":
            text = "\n".join(_markdown(difference, title)) + "\n"
        case ".jsonl":
            # As verdict lines without a label.
            rows = ({**each.after, "change": each.side, "label": None} for each in difference.sample)
            text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        case suffix:
            raise ConfigurationError(f"{path}: no report ends in {suffix!r}: .html, .md or .jsonl")
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be written: {error}") from error


def _tables(difference: Difference) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    pairs = difference.pairs
    yield (
        ("", "passes after", "blocked after"),
        [
            ("passed before", f"{pairs[False, False]:,}", f"{pairs[False, True]:,}"),
            ("blocked before", f"{pairs[True, False]:,}", f"{pairs[True, True]:,}"),
        ],
    )
    for title, all_counts in (("code", difference.codes), ("policy rule", difference.rules)):
        changed = [
            (name, *(f"{counts[column]:,}" for column in _COLUMNS), _p_value(counts))
            for name, counts in sorted(all_counts.items())
            if counts["gone"] or counts["new"]
        ]
        if changed:
            yield (title, *_COLUMNS, "McNemar p"), changed


def _p_value(counts: Mapping[str, int]) -> str:
    stayed = counts["before"] - counts["gone"]
    table = PairedTable(both_passed=0, regressed=counts["new"], improved=counts["gone"], both_failed=stayed)
    return f"{table.p_value:.3g}" if table.testable else ""


def _conclusion(difference: Difference) -> str:
    table = difference.table
    text = f"{table.discordant:,} of {table.pairs:,} pairs changed sides"
    if table.testable:
        text += f", McNemar exact p = {table.p_value:.3g}"
    if difference.changed["other codes"]:
        text += f"; blocked for other codes: {difference.changed['other codes']:,} more"
    if difference.unpaired:
        text += f"; left out, without a judged counterpart: {difference.unpaired:,}"
    return text


def _markdown(difference: Difference, title: str) -> Iterator[str]:
    yield from (f"### {quoted(title, 300)}", "", _conclusion(difference))
    for header, rows in _tables(difference):
        yield from ("", f"| {' | '.join(name or ' ' for name in header)} |")
        yield f"|{' --- |' + ' ---: |' * (len(header) - 1)}"
        yield from (f"| {' | '.join((quoted(row[0]), *row[1:]))} |" for row in rows)
    if difference.sample:
        yield from ("", "| row | change | text | findings |", "| --- | --- | --- | --- |")
    for change in difference.sample:
        findings = "<br>".join(quoted(text) for text in _readings(change))
        text = quoted(_text(change.after)[:_MAX_TEXT_CHARS], _MAX_TEXT_CHARS)
        yield f"| {quoted(name_of(change.after))} | {change.side} | {text} | {findings} |"


def _page(difference: Difference, title: str) -> str:
    changes = [
        {
            "name": name_of(change.after),
            "side": change.side,
            "before": _marked(change.before),
            "after": _marked(change.after),
            "original": str(change.after.get("original", "")),
            "findings": _readings(change),
        }
        for change in difference.sample
    ]
    template = environment().get_template("sweep.html")
    return template.render(
        title=title, conclusion=_conclusion(difference), tables=list(_tables(difference)), changes=changes
    )


def name_of(record: Mapping[str, Any]) -> str:
    """Return the name of a row: its id, or its place."""
    return str(record["id"]) if "id" in record else f"{record['file']}:{record['line']}"


def _text(record: Mapping[str, Any]) -> str:
    return str(record.get("revised", ""))


def _readings(change: Change) -> list[str]:
    """Return the findings that only one side has, with the name of the side."""
    sides = (("before", change.before, change.after), ("after", change.after, change.before))
    return [
        f"{side}: {item['code']}: {item.get('reading') or item.get('text') or ''}".rstrip(": ")
        for side, own, other in sides
        for item in own["violations"]
        if item not in other["violations"]
    ]


def _marked(record: Mapping[str, Any]) -> Any:
    text = _text(record)
    marks = [
        Mark(number=number, sort="violation", start=int(item["span"][0]), end=int(item["span"][1]))
        for number, item in enumerate(record["violations"], start=1)
        if item.get("span")
    ]
    return marked(text, marks)
