"""A comparison written for a terminal, or as Markdown for a pull request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from redpen.policy.pack_file import DEFAULT
from redpen.screen import shown
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.comparison.changes import Change, display_id
from redpen_evals.comparison.report import ComparisonReport
from redpen_evals.comparison.rows import COLUMNS, LABELS, ChangeRow, by_weight, change_rows, counts_text
from redpen_evals.comparison.samples import SampleSummary, broken_text, total_samples
from redpen_evals.comparison.sides import Side
from redpen_evals.comparison.statistics import MIN_DIFFERING, MIN_PAIRS, MeanDifference
from redpen_evals.tables import filled_columns, table_blocks
from redpen_evals.terminal import PLAIN, Screen

LISTED: Final = 50
"""Most changes of one label that are listed unless all are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of a written comparison; what models wrote is in it as it is.

    Attributes:
        title: of it; empty for what opens the whole.
        lines: before the table.
        header: one name a column; empty where there is no table.
        rows: each as long as the header.
        right: numbers of the columns, from 0, that hold numbers.
        wordings: for each row how its text changed, or nothing; empty where no row has one.
        notes: after the table.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: frozenset[int] = frozenset()
    wordings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def sections(report: ComparisonReport, *, with_all: bool = False) -> Iterator[Section]:
    """Yield the parts of a comparison, in order; those with nothing to tell are left out.

    Args:
        report: to tell of.
        with_all: whether the same ones are listed too, and every label in full.
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
        notes=(counts_text(report.comparison), *_policies(report), *_not_comparable(report)),
    )


def _policies(report: ComparisonReport) -> Iterator[str]:
    """Yield which policy packs either side was held to, where one was held to another than the built-in."""
    sides = {"A": report.before.policies, "B": report.after.policies}
    if set(sides.values()) <= {(), (DEFAULT,)}:
        return
    for letter, packs in sides.items():
        yield f"policy of {letter}: {'; '.join(packs) or 'not known, a baseline keeps none'}"


def _not_comparable(report: ComparisonReport) -> Iterator[str]:
    """Yield what two sides cannot be compared by, one of which a script answered and the other a model."""
    before, after = report.before, report.after
    if (before.model == SCRIPTED_MODEL) == (after.model == SCRIPTED_MODEL):
        return
    gone = [change for change in report.comparison.changes if change.kind in {"gone", "new"}]
    both = len(report.comparison.changes) - len(gone)
    yield (
        f"not comparable: {before.model} and {after.model}. A script is held to its scenario's expectation, "
        f"a live model to what the scenario's `live:` asks. So of the {both} on both sides outcomes tell "
        "whether a model did what it owes, not that a change made anything worse; and stop reasons, calls, "
        "tokens and answers are two authors'."
    )
    if gone:
        yield (
            f"not comparable: {len(gone)} on one side alone; what is a fault of the wire or of the model's "
            "form (`live: no`) is not asked of a live model."
        )


def _side(letter: str, side: Side) -> tuple[str, ...]:
    return (
        letter,
        side.name,
        side.run_id or str(side.path),
        side.started or "",
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
        notes.append(f"a scenario passes if all its paired results pass; there are {results} of them")
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
        title="mean a scenario",
        header=("", "scenarios", "A", "B", "difference", "95 % interval", "conclusion"),
        rows=tuple(_number(name, one) for name, one in numbers.items() if one.pairs),
        right=frozenset({1, 2, 3, 4, 5}),
    )


def _number(name: str, one: MeanDifference) -> tuple[str, ...]:
    relative = "" if one.relative is None else f" ({100 * one.relative:+.1f} %)"
    return (
        name,
        str(one.pairs),
        "" if one.before is None else f"{one.before:.1f}",
        "" if one.after is None else f"{one.after:.1f}",
        "" if one.effect is None else f"{one.effect:+.1f}{relative}",
        "" if one.interval is None else f"{one.interval[0]:+.1f} to {one.interval[1]:+.1f}",
        _conclusion(one),
    )


def _conclusion(one: MeanDifference) -> str:
    match one.conclusion:
        case "none":
            return "none differs"
        case "too_few":
            if one.pairs < MIN_PAIRS:
                return f"too few to tell: under {MIN_PAIRS} scenarios"
            return f"too few to tell: {one.differing} differ, under {MIN_DIFFERING}"
        case "unclear":
            return "may be chance"
        case "lower":
            return "lower in B"
        case "higher":
            return "higher in B"
        case _:
            assert_never(one.conclusion)


def _samples(before: Sequence[SampleSummary], after: Sequence[SampleSummary]) -> Iterator[Section]:
    totals = [(letter, total_samples(one)) for letter, one in (("A", before), ("B", after))]
    yield Section(
        title="samples",
        header=(
            "",
            "scenarios",
            "always pass",
            "flaky",
            "never pass",
            "mean pass rate",
            "sd",
            "k",
            "pass@k",
            "pass^k",
        ),
        rows=tuple(
            (
                letter,
                str(one.scenarios),
                str(one.steady),
                str(one.flaky),
                str(one.failing),
                f"{one.pass_rate:.3f}",
                "" if one.rate_sd is None else f"{one.rate_sd:.3f}",
                str(one.k),
                f"{one.pass_at[-1]:.3f}",
                f"{one.pass_all[-1]:.3f}",
            )
            for letter, one in totals
            if one is not None
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
    sides = [{(one.scenario, one.variant): one for one in summaries} for summaries in (before, after)]
    for key in sorted(sides[0].keys() | sides[1].keys()):
        pair = [side.get(key) for side in sides]
        if any(one is not None and one.passed < one.samples for one in pair):
            yield (
                display_id((*key, 1)),
                *("" if one is None else f"{one.passed}/{one.samples}" for one in pair),
                *("" if one is None else broken_text(one.broken) for one in pair),
            )


def _changes(changes: Sequence[Change], *, limit: int | None) -> Section:
    listed: list[ChangeRow] = []
    taken: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for one in change_rows(changes, apart=limit is None):
        taken[one.label] += 1
        if limit is None or taken[one.label] <= limit:
            listed.append(one)
        else:
            left[one.label] += one.count
    return Section(
        title="changes",
        header=("class", "scenario", *COLUMNS.values()),
        rows=tuple((one.label, one.title, *(one.cells.get(name, "") for name in COLUMNS)) for one in listed),
        wordings=tuple(one.wording for one in listed),
        notes=tuple(f"… and {left[label]} more {label}; --all lists them" for label in LABELS if left[label]),
    )


_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&#])")
_WORDING = "in words"
_STYLES: Final = {"regressed": "red", "improved": "green", "undecided": "yellow"}


def as_text(report: ComparisonReport, *, with_all: bool = False, screen: Screen = PLAIN) -> str:
    """Return a comparison as aligned lines, safe to show; changed texts stand under their row.

    Args:
        report: to write.
        with_all: whether to list the same ones too, and all of the others.
        screen: where it is shown.
    """
    return "\n\n".join("\n".join(_text(section, screen)) for section in sections(report, with_all=with_all))


def as_markdown(report: ComparisonReport, *, with_all: bool = False) -> str:
    """Return a comparison as Markdown with tables, all of its content escaped; arguments as ``as_text``."""
    return "\n\n".join("\n".join(_markdown(section)) for section in sections(report, with_all=with_all))


def _text(section: Section, screen: Screen) -> Iterator[str]:
    if section.title:
        yield shown(section.title)
    yield from map(shown, section.lines)
    if section.rows:
        header, *rows = table_blocks(
            section.header, section.rows, right=section.right, screen=screen, styles=_STYLES
        )
        yield from header
        wordings = section.wordings or ("",) * len(rows)
        for row, wording in zip(rows, wordings, strict=True):
            yield from row
            if wording:
                yield f"    {shown(wording)}"
    yield from map(shown, section.notes)


def _markdown(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {_escaped(section.title)}"
        yield ""
    for line in section.lines:
        yield f"{_escaped(line)}  "
    if section.rows:
        yield from _markdown_table(section)
    if section.notes:
        yield ""
        yield from (f"{_escaped(note)}  " for note in section.notes)


def _markdown_table(section: Section) -> Iterator[str]:
    wordings = section.wordings or ("",) * len(section.rows)
    header = (*section.header, _WORDING)
    rows = [(*row, wording) for row, wording in zip(section.rows, wordings, strict=True)]
    held = filled_columns(header, rows)
    yield _line([header[at] for at in held])
    yield f"|{'|'.join('--:' if at in section.right else '---' for at in held)}|"
    for row in rows:
        yield _line([row[at] for at in held])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", shown(text))
