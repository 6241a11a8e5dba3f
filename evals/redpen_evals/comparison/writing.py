"""A comparison as text for a terminal, or as Markdown for a pull request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from redpen.policy.pack_file import DEFAULT
from redpen.screen import shown
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.comparison.changes import Change
from redpen_evals.comparison.report import ComparisonReport
from redpen_evals.comparison.rows import COLUMNS, LABELS, ChangeRow, by_weight, change_rows, counts_text
from redpen_evals.comparison.samples import SampleSummary, broken_text, total_samples
from redpen_evals.comparison.sides import Side
from redpen_evals.comparison.statistics import MIN_DIFFERING, MIN_PAIRS, MeanDifference
from redpen_evals.records.model import display_id
from redpen_evals.tables import filled_columns, table_lines
from redpen_evals.terminal import PLAIN, Screen

_ONE_SIDED: Final = frozenset({"gone", "new", "not run"})
_GONE: Final = "not in B"
"""Label of results of side A alone: records do not tell whether their scenarios still exist."""

LISTED: Final = 50
"""Maximum number of changes listed per label without ``--all``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a comparison's text; model output in it is not escaped.

    Attributes:
        title: empty for the opening section.
        header: one name per column; empty for no table.
        right: indexes, from 0, of right-aligned columns.
        wordings: word diff of each row's text, or an empty text; empty if no row has one.
        notes: lines after the table.
    """

    title: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: frozenset[int] = frozenset()
    wordings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def sections(report: ComparisonReport, *, with_all: bool = False) -> Iterator[Section]:
    """Yield the sections of a comparison, in order, without empty ones.

    With `with_all`, unchanged results are listed too, and every label without a limit.
    """
    yield _opening(report)
    if report.prompts:
        yield _prompts(report)
    if report.statistics.table.pairs:
        yield _pairs(report)
        yield _numbers(report)
    if report.samples is not None:
        yield from _samples(*report.samples)
    listed = by_weight(report.comparison.changes, with_same=with_all)
    if listed:
        yield _changes(listed, limit=None if with_all else LISTED)


def _opening(report: ComparisonReport) -> Section:
    return Section(
        header=("", "name", "run", "started", "model", "variant", "results"),
        rows=(_side("A", report.before), _side("B", report.after)),
        right=frozenset({6}),
        notes=(counts_text(report.comparison, gone=_GONE), *_policies(report), *_not_comparable(report)),
    )


def _policies(report: ComparisonReport) -> Iterator[str]:
    """Yield the policy packs of both sides if either used another pack than the built-in one."""
    sides = {"A": report.before.policies, "B": report.after.policies}
    if set(sides.values()) <= {(), (DEFAULT,)}:
        return
    for letter, packs in sides.items():
        yield f"policy of {letter}: {'; '.join(packs) or 'unknown, a baseline does not record it'}"


def _not_comparable(report: ComparisonReport) -> Iterator[str]:
    """Yield what cannot be compared between a scripted and a live side."""
    before, after = report.before, report.after
    if (before.model == SCRIPTED_MODEL) == (after.model == SCRIPTED_MODEL):
        return
    one_sided = [change for change in report.comparison.changes if change.kind in _ONE_SIDED]
    both = len(report.comparison.changes) - len(one_sided)
    yield (
        f"not comparable: {before.model} and {after.model}. A scripted run is checked against the scenario's "
        f"expectation, a live model against its `live:` section. For the {both} results on both sides, an "
        "outcome says whether the model met its expectation, not whether a change made it worse; stop "
        "reasons, calls, tokens and answers come from different authors."
    )
    if one_sided:
        yield (
            f"not comparable: {len(one_sided)} on one side only; scenarios about transport faults or "
            "malformed replies (`live: no`) are not run with a live model."
        )


def _side(letter: str, side: Side) -> tuple[str, ...]:
    start = side.record.start if side.record else None
    return (
        letter,
        side.name,
        start.id if start else str(side.path),
        start.started if start else "",
        side.model,
        "" if side.variant is None else side.variant or "base",
        str(len(side.behaviours)),
    )


def _prompts(report: ComparisonReport) -> Section:
    return Section(
        title="prompts that differ",
        header=("prompt", "variant", "version"),
        rows=tuple(
            (prompt.name, prompt.variant, f"{prompt.before or '-'} → {prompt.after or '-'}")
            for prompt in report.prompts
        ),
        wordings=tuple(prompt.diff for prompt in report.prompts),
    )


def _pairs(report: ComparisonReport) -> Section:
    table, results = report.statistics.table, report.statistics.results
    notes = [
        f"McNemar's exact test: {table.conclusion}"
        + (f" (p = {table.p_value:.2g})" if table.testable else "")
    ]
    if results > table.pairs:
        notes.append(f"a scenario passes if all its paired results pass ({results} in total)")
    return Section(
        title=f"{table.pairs} scenarios judged on both sides",
        header=("", "B passed", "B failed"),
        rows=(
            ("A passed", str(table.both_passed), str(table.regressed)),
            ("A failed", str(table.improved), str(table.both_failed)),
        ),
        right=frozenset({1, 2}),
        notes=tuple(notes),
    )


def _numbers(report: ComparisonReport) -> Section:
    numbers = report.statistics.numbers
    return Section(
        title="mean per scenario",
        header=("", "scenarios", "A", "B", "difference", "95 % interval", "conclusion"),
        rows=tuple(_number(name, mean) for name, mean in numbers.items() if mean.pairs),
        right=frozenset({1, 2, 3, 4, 5}),
    )


def _number(name: str, mean: MeanDifference) -> tuple[str, ...]:
    relative = "" if mean.relative is None else f" ({100 * mean.relative:+.1f} %)"
    return (
        name,
        str(mean.pairs),
        "" if mean.before is None else f"{mean.before:.1f}",
        "" if mean.after is None else f"{mean.after:.1f}",
        "" if mean.effect is None else f"{mean.effect:+.1f}{relative}",
        "" if mean.interval is None else f"{mean.interval[0]:+.1f} to {mean.interval[1]:+.1f}",
        _conclusion(mean),
    )


def _conclusion(mean: MeanDifference) -> str:
    match mean.conclusion:
        case "none":
            return "none differs"
        case "too_few":
            if mean.pairs < MIN_PAIRS:
                return f"too few to tell: under {MIN_PAIRS} scenarios"
            return f"too few to tell: {mean.differing} differ, under {MIN_DIFFERING}"
        case "unclear":
            return "may be chance"
        case "lower":
            return "lower in B"
        case "higher":
            return "higher in B"
        case _:
            assert_never(mean.conclusion)


def _samples(before: Sequence[SampleSummary], after: Sequence[SampleSummary]) -> Iterator[Section]:
    totals = [(letter, total_samples(summaries)) for letter, summaries in (("A", before), ("B", after))]
    yield Section(
        title="samples",
        header=tuple(",scenarios,always pass,flaky,never pass,mean pass rate,sd,k,pass@k,pass^k".split(",")),
        rows=tuple(
            (
                letter,
                str(total.scenarios),
                str(total.steady),
                str(total.flaky),
                str(total.failing),
                f"{total.pass_rate:.3f}",
                "" if total.rate_sd is None else f"{total.rate_sd:.3f}",
                str(total.k),
                f"{total.pass_at[-1]:.3f}",
                f"{total.pass_all[-1]:.3f}",
            )
            for letter, total in totals
            if total is not None
        ),
        right=frozenset(range(1, 10)),
    )
    rows = tuple(_rates(before, after))
    if rows:
        yield Section(
            title="scenarios whose samples do not all pass",
            header=("scenario", "A passed", "B passed", "broken in A", "broken in B"),
            rows=rows[:LISTED],
            right=frozenset({1, 2}),
            notes=(f"… and {len(rows) - LISTED} more",) if len(rows) > LISTED else (),
        )


def _rates(before: Sequence[SampleSummary], after: Sequence[SampleSummary]) -> Iterator[tuple[str, ...]]:
    sides = [{(item.scenario, item.variant): item for item in summaries} for summaries in (before, after)]
    for key in sorted(sides[0].keys() | sides[1].keys()):
        pair = [side.get(key) for side in sides]
        if any(summary is not None and summary.passed < summary.samples for summary in pair):
            yield (
                display_id((*key, 1)),
                *("" if item is None else f"{item.passed}/{item.samples}" for item in pair),
                *("" if item is None else broken_text(item.broken) for item in pair),
            )


def _changes(changes: Sequence[Change], *, limit: int | None) -> Section:
    listed: list[ChangeRow] = []
    rows: Counter[str] = Counter()
    omitted: Counter[str] = Counter()
    for row in change_rows(changes, apart=limit is None):
        rows[row.label] += 1
        if limit is None or rows[row.label] <= limit:
            listed.append(row)
        else:
            omitted[row.label] += row.count
    return Section(
        title="changes",
        header=("class", "scenario", *COLUMNS.values()),
        rows=tuple(
            (_label(row.label), row.title, *(row.cells.get(name, "") for name in COLUMNS)) for row in listed
        ),
        wordings=tuple(row.wording for row in listed),
        notes=tuple(
            f"… and {omitted[label]} more {_label(label)}; --all lists them"
            for label in LABELS
            if omitted[label]
        ),
    )


def _label(label: str) -> str:
    return _GONE if label == "gone" else label


_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&#])")
_WORDING = "in words"
_STYLES: Final = {"regressed": "red", "improved": "green", "undecided": "yellow"}


def as_text(report: ComparisonReport, *, with_all: bool = False, screen: Screen = PLAIN) -> str:
    """Return a comparison as aligned lines, escaped for a terminal, with text diffs below their rows."""
    return "\n\n".join("\n".join(_text(section, screen)) for section in sections(report, with_all=with_all))


def as_markdown(report: ComparisonReport, *, with_all: bool = False) -> str:
    """Return a comparison as Markdown with escaped content."""
    return "\n\n".join("\n".join(_markdown(section)) for section in sections(report, with_all=with_all))


def _text(section: Section, screen: Screen) -> Iterator[str]:
    if section.title:
        yield shown(section.title)
    if section.rows:
        yield from table_lines(
            section.header,
            section.rows,
            right=section.right,
            screen=screen,
            styles=_STYLES,
            below=section.wordings,
        )
    yield from map(shown, section.notes)


def _markdown(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {_escaped(section.title)}"
        yield ""
    if section.rows:
        yield from _markdown_table(section)
    if section.notes:
        yield ""
        yield from (f"{_escaped(note)}  " for note in section.notes)


def _markdown_table(section: Section) -> Iterator[str]:
    wordings = section.wordings or ("",) * len(section.rows)
    header = (*section.header, _WORDING)
    rows = [(*row, wording) for row, wording in zip(section.rows, wordings, strict=True)]
    columns = filled_columns(header, rows)
    yield _line([header[column] for column in columns])
    yield f"|{'|'.join('--:' if column in section.right else '---' for column in columns)}|"
    for row in rows:
        yield _line([row[column] for column in columns])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", shown(text))
