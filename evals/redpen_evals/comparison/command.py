"""What ``redpen compare`` and ``redpen baseline`` do and print."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote

import click

from redpen.screen import fit, json_text, shown
from redpen_evals.comparison.accepting import (
    ACCEPTED_CLASSES,
    Acceptance,
    AcceptedClass,
    accept,
    class_of,
    drop,
    gone_from,
    select_keys,
)
from redpen_evals.comparison.alike import Told, said_of, told
from redpen_evals.comparison.baseline import (
    SUFFIX,
    Baseline,
    as_lines,
    baseline_path,
    load_baseline,
    save_baseline,
)
from redpen_evals.comparison.changes import Behaviour, Change, display_id
from redpen_evals.comparison.report import build_report
from redpen_evals.comparison.sides import read_run, read_sides
from redpen_evals.comparison.writing import as_markdown, as_text
from redpen_evals.outcome import OUTCOMES
from redpen_evals.records.places import LAST, RunFolder
from redpen_evals.records.places import SUFFIX as RUN_SUFFIX
from redpen_evals.settings import Settings
from redpen_evals.tables import table_lines
from redpen_evals.terminal import screen_of

EXIT_SOUND, EXIT_REGRESSED = 0, 1
_LISTED = 20


def compare_sides(
    settings: Settings,
    one: str,
    other: str,
    *,
    as_json: bool = False,
    markdown: bool = False,
    with_all: bool = False,
) -> int:
    """Compare two run records, variants or baselines and print what changed.

    Args:
        settings: where they lie.
        one: side A, as ``read_sides`` takes it.
        other: side B, which is judged.
        as_json: whether to print JSON.
        markdown: whether to print Markdown.
        with_all: whether to list the same ones too, and all of the others.

    Returns:
        The exit code: 0 nothing regressed, 1 something did.

    Raises:
        RedpenError: a name means nothing, or a file cannot be used.
    """
    before, after = read_sides(one, other, runs=RunFolder(path=settings.runs), baselines=settings.baseline)
    for warning in dict.fromkeys((*before.warnings, *after.warnings)):
        _warn(warning)
    report = build_report(before, after)
    if as_json:
        click.echo(json_text(report.to_dict(with_same=with_all), encoding=sys.stdout.encoding, indent=2))
    else:
        text = (
            as_markdown(report, with_all=with_all)
            if markdown
            else as_text(report, with_all=with_all, screen=screen_of(sys.stdout))
        )
        click.echo(fit(text, sys.stdout.encoding))
    return EXIT_REGRESSED if report.regressed else EXIT_SOUND


def accept_run(
    settings: Settings,
    names: Sequence[str],
    *,
    only: Collection[AcceptedClass] = (),
    failing: bool = False,
    prune: bool = False,
    with_all: bool = False,
) -> None:
    """Accept the results of a run and print what changed in the baseline.

    Args:
        settings: where run, baseline and library lie.
        names: a run record first, unless it is ``last``; then scenarios or display ids, none for all.
        only: classes to accept; none for all.
        failing: whether failed results are accepted too.
        prune: whether outcomes of scenarios that are gone from the library are dropped.
        with_all: whether to list all ids.

    Raises:
        RedpenError: a name means nothing, or a file cannot be used; the baseline is as it was.
    """
    run_name, ids = _run_and_ids(names)
    run = read_run(RunFolder(path=settings.runs).find(run_name))
    for warning in run.warnings:
        _warn(warning)
    path = baseline_path(settings.baseline, run.model)
    baseline = load_baseline(path, model=run.model) or Baseline(model=run.model, accepted={})
    acceptance = accept(baseline, run.behaviours, only=only, ids=ids, failing=failing)
    # Without its library nothing can be known to be gone; to prune then is an error.
    known = prune or settings.layout.scenarios.is_dir()
    gone = gone_from(acceptance.baseline, settings.layout.scenario_ids()) if known else ()
    if prune:
        acceptance = drop(acceptance, gone)
    if acceptance.accepted or acceptance.dropped:
        save_baseline(path, acceptance.baseline, over=baseline)
    for line in _told(acceptance, limit=None if with_all else _LISTED):
        _print(line)
    if gone and not prune:
        _print(f"{len(gone)} accepted outcomes are of scenarios that are gone; --prune drops them")
    _print(f"{path}: {len(acceptance.baseline.accepted)} accepted outcomes of {run.model}")


def count_accepted(settings: Settings) -> None:
    """Print how many outcomes are accepted, by model and variant.

    Raises:
        BaselineError: a file cannot be used.
    """
    rows: list[tuple[str, ...]] = []
    for path, baseline in _baselines(settings.baseline):
        counts: Counter[tuple[str, str]] = Counter(
            (variant, one.outcome) for (_, variant, _), one in baseline.accepted.items()
        )
        for variant in sorted({variant for variant, _ in counts}) or [""]:
            numbers = [counts[variant, outcome] for outcome in OUTCOMES[:2]]
            shown_numbers = (str(number or "") for number in numbers)
            rows.append((baseline.model, variant, str(sum(numbers)), *shown_numbers, str(path)))
    if not rows:
        _print(f"{settings.baseline}: no baseline yet; run the suite, then `redpen baseline accept`")
        return
    header = ("model", "variant", "accepted", *OUTCOMES[:2], "file")
    for line in table_lines(header, rows, right=frozenset({2, 3, 4}), screen=screen_of(sys.stdout)):
        click.echo(fit(line, sys.stdout.encoding))


def show_accepted(settings: Settings, name: str) -> None:
    """Print the accepted outcomes of a scenario, of every model.

    Args:
        settings: where the baselines lie.
        name: a scenario, or a display id.

    Raises:
        BaselineError: a file cannot be used.
        UnknownSideError: no baseline holds it.
    """
    baselines = list(_baselines(settings.baseline))
    select_keys({key for _, baseline in baselines for key in baseline.accepted}, [name])
    for _, baseline in baselines:
        for key in sorted(baseline.accepted):
            if name in {key[0], display_id(key)}:
                _print(f"{display_id(key)} ({baseline.model})")
                for line in _described(baseline.accepted[key]):
                    _print(f"  {line}")


def _run_and_ids(names: Sequence[str]) -> tuple[str, Sequence[str]]:
    # An id holds a slash; so may the path of a record, which has a suffix or is a file.
    if names and ("/" not in names[0] or names[0].endswith(RUN_SUFFIX) or Path(names[0]).is_file()):
        return names[0], names[1:]
    return LAST, names


def _baselines(folder: Path) -> Iterator[tuple[Path, Baseline]]:
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        baseline = load_baseline(path, model=unquote(path.stem))
        if baseline is not None:
            yield path, baseline


def _told(acceptance: Acceptance, *, limit: int | None) -> Iterator[str]:
    groups: dict[str, list[Change]] = {name: [] for name in ACCEPTED_CLASSES}
    for change in acceptance.accepted:
        groups[class_of(change)].append(change)
    rows = {
        name: [(_title(one), one.count) for one in told(changes, apart=limit is None)]
        for name, changes in groups.items()
    }
    rows["dropped"] = [(display_id(key), 1) for key in acceptance.dropped]
    counts = [f"{sum(count for _, count in group)} {name}" for name, group in rows.items() if group]
    yield f"accepted: {', '.join(counts)}" if counts else "accepted: nothing changed"
    for name, group in rows.items():
        for title, _ in group[:limit]:
            yield f"  {name}  {title}"
        if limit is not None and len(group) > limit:
            left = sum(count for _, count in group[limit:])
            yield f"  … and {left} more {name}; --all lists them"
    for outcome, count in sorted(acceptance.left_out.items()):
        how = "--failing accepts them" if outcome == "failed" else "they are never accepted"
        yield f"left out: {count} {outcome}; {how}"


def _title(one: Told) -> str:
    # One change is named; of several alike, how many and what.
    return one.title if one.count == 1 else f"{one.title}: {said_of(one)}"


def _described(one: Behaviour) -> Iterator[str]:
    for field in fields(one):
        value = getattr(one, field.name)
        if field.name == "answer" and value is not None:
            yield "answer:"
            yield from (f"  {line.strip()}" for line in as_lines(value))
        elif value is not None and value != ():
            yield f"{field.name}: {' '.join(value) if isinstance(value, tuple) else value}"


def _print(line: str) -> None:
    click.echo(fit(shown(line), sys.stdout.encoding))


def _warn(text: str) -> None:
    click.echo(f"redpen: {shown(text)}", err=True)
