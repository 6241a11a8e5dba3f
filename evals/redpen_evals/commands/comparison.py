"""``redpen compare`` and ``redpen baseline``: compare runs, and accept their outcomes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

import click

from redpen.screen import counted, shown
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK
from redpen_evals.commands.options import AS_JSON
from redpen_evals.commands.output import print_json, print_line, print_lines, print_table, warn
from redpen_evals.commands.workspace import Workspace
from redpen_evals.comparison import accepting
from redpen_evals.comparison import baseline as stored
from redpen_evals.comparison.accepting import ACCEPTED_CLASSES, Acceptance, AcceptedClass
from redpen_evals.comparison.baseline import Baseline
from redpen_evals.comparison.changes import Behaviour, Change, behaviours
from redpen_evals.comparison.existing import gone_ids
from redpen_evals.comparison.policies import packs_of
from redpen_evals.comparison.report import build_report
from redpen_evals.comparison.rows import ChangeRow, change_rows, row_text
from redpen_evals.comparison.sides import read_sides
from redpen_evals.comparison.writing import as_markdown, as_text
from redpen_evals.exit_codes import OUTCOMES
from redpen_evals.records import read_record
from redpen_evals.records.model import display_id
from redpen_evals.records.places import LAST
from redpen_evals.records.places import SUFFIX as RUN_SUFFIX
from redpen_evals.terminal import screen_of

_LISTED = 20


@click.command()
@click.argument("a")
@click.argument("b")
@AS_JSON
@click.option("--markdown", is_flag=True, help="Print Markdown, for a pull request.")
@click.option("--all", "with_all", is_flag=True, help="List all results, also unchanged ones.")
@click.pass_obj
def compare(workspace: Workspace, a: str, b: str, *, as_json: bool, markdown: bool, with_all: bool) -> None:
    """Compare two runs, variants or models scenario by scenario: what changed from A to B.

    A and B are each a run record (a file, an id, `last`, `last-1` …), `baseline`, or a baseline file.
    @LABEL selects a variant, as in last@critique=v2, and @ alone the base.

    Exit code: 0 nothing regressed, 1 something did, 2 usage error or unusable file.
    """
    if as_json and markdown:
        raise click.UsageError("use --json or --markdown, not both")
    before, after = read_sides(a, b, runs=workspace.records, baselines=workspace.baselines)
    records = [side.record for side in (before, after) if side.record is not None]
    for warning in dict.fromkeys(warning for record in records for warning in record.warnings):
        warn(warning)
    report = build_report(before, after)
    if as_json:
        print_json(report.to_dict(with_same=with_all))
    elif markdown:
        print_line(as_markdown(report, with_all=with_all))
    else:
        print_line(as_text(report, with_all=with_all, screen=screen_of(sys.stdout)))
    raise SystemExit(EXIT_FAULTS if report.comparison.counts["regressed"] else EXIT_OK)


@click.group("baseline", invoke_without_command=True)
@click.pass_context
def accepted_outcomes(context: click.Context) -> None:
    """Count the accepted outcomes that runs are compared with."""
    if context.invoked_subcommand is not None:
        return
    folder = context.obj.baselines
    rows: list[tuple[str, ...]] = []
    for path, baseline in _baselines(folder):
        counts: Counter[tuple[str, str]] = Counter(
            (variant, behaviour.outcome) for (_, variant, _), behaviour in baseline.accepted.items()
        )
        for variant in sorted({variant for variant, _ in counts}) or [""]:
            numbers = [counts[variant, outcome] for outcome in OUTCOMES[:2]]
            texts = (str(number or "") for number in numbers)
            rows.append((baseline.model, variant, str(sum(numbers)), *texts, str(path)))
    if not rows:
        print_line(f"{folder}: no baseline yet; run the suite, then `redpen baseline accept`")
        return
    header = ("model", "variant", "accepted", *OUTCOMES[:2], "file")
    print_table(header, rows, right=frozenset({2, 3, 4}))


@accepted_outcomes.command("accept")
@click.argument("names", metavar="[RUN] [ID]...", nargs=-1)
@click.option(
    "--only",
    type=click.Choice(ACCEPTED_CLASSES),
    multiple=True,
    help="Accept only this class (repeatable); behaviour, wording and cost are the parts of changed.",
)
@click.option("--failing", is_flag=True, help="Accept failed results too.")
@click.option("--prune", is_flag=True, help="Drop outcomes of scenarios and tests that no longer exist.")
@click.option("--all", "with_all", is_flag=True, help="List all ids.")
@click.pass_obj
def accept_outcomes(
    workspace: Workspace,
    names: tuple[str, ...],
    *,
    only: tuple[AcceptedClass, ...],
    failing: bool,
    prune: bool,
    with_all: bool,
) -> None:
    """Accept the outcomes of a run (by default the last), all of them or those of the IDs.

    An ID is a scenario or one of its results, such as 'reflection/escalate [critique=v2]'. Outcomes that the
    run does not cover are kept.
    """
    layout = workspace.layout
    run_name, ids = _run_and_ids(names)
    record = read_record(workspace.records.find(run_name))
    for warning in record.warnings:
        warn(warning)
    model, results = record.start.model, behaviours(record.results)
    path = stored.baseline_path(workspace.baselines, model)
    baseline = stored.load_baseline(path, model=model) or Baseline(model=model, accepted={})
    packs = packs_of(record.results)
    acceptance = accepting.accept(baseline, results, only=only, ids=ids, failing=failing, policies=packs)
    if prune:
        # Without a library nothing could be dropped.
        layout.scenario_ids()
    accepted = acceptance.baseline.accepted
    lacking = record.end.gone if record.end else ()
    accepted_ids = {key[0] for key in accepted}
    missing = gone_ids(accepted_ids, layout=layout, root=workspace.project.root, lacking=lacking)
    gone = [key for key in accepted if key[0] in missing and key not in results]
    if prune:
        acceptance = accepting.drop(acceptance, gone)
    if acceptance.accepted or acceptance.dropped or acceptance.baseline.policies != baseline.policies:
        stored.save_baseline(path, acceptance.baseline, over=baseline)
    print_lines(map(shown, _acceptance_lines(acceptance, limit=None if with_all else _LISTED)))
    if gone and not prune:
        print_line(
            f"{len(gone)} accepted outcomes are of scenarios or tests that are gone; --prune drops them"
        )
    print_line(shown(f"{path}: {counted(len(acceptance.baseline.accepted), 'accepted outcome')} of {model}"))


@accepted_outcomes.command("show")
@click.argument("name", metavar="ID")
@click.pass_obj
def show_outcome(workspace: Workspace, name: str) -> None:
    """Show the accepted outcome of a scenario."""
    baselines = list(_baselines(workspace.baselines))
    accepting.select_keys({key for _, baseline in baselines for key in baseline.accepted}, [name])
    for _, baseline in baselines:
        for key in sorted(baseline.accepted):
            if name in {key[0], display_id(key)}:
                print_line(shown(f"{display_id(key)} ({baseline.model})"))
                print_lines(shown(f"  {line}") for line in _described(baseline.accepted[key]))


def _run_and_ids(names: Sequence[str]) -> tuple[str, Sequence[str]]:
    # An id contains a slash; so may the path of a record, which has a suffix or is a file.
    if names and ("/" not in names[0] or names[0].endswith(RUN_SUFFIX) or Path(names[0]).is_file()):
        return names[0], names[1:]
    return LAST, names


def _baselines(folder: Path) -> Iterator[tuple[Path, Baseline]]:
    for path in sorted(folder.glob(f"*{stored.SUFFIX}")):
        if baseline := stored.load_baseline(path, model=unquote(path.stem)):
            yield path, baseline


def _acceptance_lines(acceptance: Acceptance, *, limit: int | None) -> Iterator[str]:
    groups: dict[str, list[Change]] = {name: [] for name in ACCEPTED_CLASSES}
    for change in acceptance.accepted:
        groups[accepting.class_of(change)].append(change)
    rows = {
        name: [(_title(row), row.count) for row in change_rows(changes, apart=limit is None)]
        for name, changes in groups.items()
    }
    rows["dropped"] = [(display_id(key), 1) for key in acceptance.dropped]
    counts = [f"{sum(count for _, count in group)} {name}" for name, group in rows.items() if group]
    yield f"accepted: {', '.join(counts)}" if counts else "accepted: nothing changed"
    for name, group in rows.items():
        for title, _ in group[:limit]:
            yield f"  {name}  {title}"
        if limit is not None and len(group) > limit:
            omitted = sum(count for _, count in group[limit:])
            yield f"  … and {omitted} more {name}; --all lists them"
    for outcome, count in sorted(acceptance.left_out.items()):
        how = "--failing accepts them" if outcome == "failed" else "they are never accepted"
        yield f"left out: {count} {outcome}; {how}"


def _title(row: ChangeRow) -> str:
    return row.title if row.count == 1 else f"{row.title}: {row_text(row)}"


def _described(behaviour: Behaviour) -> Iterator[str]:
    for name, value in stored.filled_fields(behaviour).items():
        if name == "answer":
            yield "answer:"
            yield from (f"  {line.strip()}" for line in value)
        else:
            yield f"{name}: {' '.join(value) if isinstance(value, list) else value}"
