"""``redpen sweep``: judge files of texts on all cores or a cluster, and compare two sweeps."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.commands.groups import GroupWithDefault
from redpen_evals.commands.output import print_lines, warn
from redpen_evals.sweep.diff import compare_sweeps
from redpen_evals.sweep.folder import Folder
from redpen_evals.sweep.judges import FIELDS, Judging
from redpen_evals.sweep.policy import SweepPolicy
from redpen_evals.sweep.rendering import difference_lines, summary_lines, write_difference
from redpen_evals.sweep.run import Progress, Sweep, run_sweep
from redpen_evals.sweep.sources import find_sources
from redpen_evals.sweep.tally import Tally
from redpen_evals.terminal import screen_of

_OUT = ".redpen/sweep"
_AGAINST = "against"


@click.group("sweep", cls=GroupWithDefault, default="run")
def sweep() -> None:
    """Judge files of texts: `redpen sweep FILES…`; compare two such sweeps: `redpen sweep diff A B`."""


@sweep.command("run")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--out", metavar="FOLDER", default=_OUT, show_default=True, help="Where the verdicts go; or a URI."
)
@click.option("--resume", is_flag=True, help="Continue a sweep that was stopped.")
@click.option("--guards", metavar="MODULE:NAME", help="Guards of your own, or `regex`; by default Redpen's.")
@click.option(
    "--policy",
    metavar="NAME",
    help="Policy pack for all rows; by default the project's pack for the tenant and role of each row.",
)
@click.option("--map", "columns", metavar="FIELD=COLUMN", multiple=True, help="Read a field from a column.")
@click.option("--context", metavar="NAME", help="Context of the library for rows without one.")
@click.option("--claims", type=click.Choice(["hint", "inherit"]), default="hint", show_default=True)
@click.option(
    "--unread-language", type=click.Choice(["concern", "block"]), default="concern", show_default=True
)
@click.option("--texts/--no-texts", default=True, help="Keep texts and contexts in the verdicts (default).")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes; by default one per core.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
@click.option("--shard-rows", type=click.IntRange(1, 1_000_000), default=5_000, show_default=True)
@click.option(
    "--against",
    metavar="redpen@PYTHON",
    help="Also judge with the Redpen of another interpreter, and show the differences.",
)
@click.pass_context
def run(  # noqa: PLR0913 - one parameter an option
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    out: str,
    resume: bool,
    guards: str | None,
    policy: str | None,
    columns: tuple[str, ...],
    context: str | None,
    claims: Literal["hint", "inherit"],
    unread_language: Literal["concern", "block"],
    texts: bool,
    workers: int | None,
    engine: Literal["local", "ray"],
    shard_rows: int,
    against: str | None,
) -> None:
    """Judge every row of FILES: JSON lines (.gz, .zst too), Parquet, folders, patterns, URIs.

    A row is an object with `revised` or `text`, and optionally `original`, `context` (object or name) or
    `context_id`, and `id`; other columns are copied. Verdicts go to FOLDER in shards, with manifest.json and
    summary.json; a row that cannot be judged gets a line with `error`. The project's policy packs
    (redpen_policy) apply too: `pack` names the pack, `rule` of a finding the rule that it breaks.

    Exit code: 0 all judged, 1 some rows could not be judged, 2 usage.
    """
    policy_rules = _sweep_policy(ctx, policy, against)
    judging = Judging(
        layout=ctx.obj.layout,
        columns=_pairs_of(columns),
        context=context,
        claims=claims,
        unread_language=unread_language,
        keep_texts=texts,
        guards=guards,
        paths=ctx.obj.project.own_agents.paths if guards else (),
        policy=policy_rules,
    )
    sweeps = [
        Sweep(
            judging=judging,
            out=Folder(path=out),
            sources=find_sources(files, without=out),
            workers=workers or os.cpu_count() or 1,
            engine=engine,
            shard_rows=shard_rows,
        )
    ]
    if against is not None:
        other = replace(judging, guards=None, paths=(), policy=None, interpreter=_interpreter_of(against))
        folder = Folder(path=f"{out.rstrip('/')}/{_AGAINST}")
        sweeps.insert(0, replace(sweeps[0], judging=other, out=folder))
    _print_policy(policy_rules)
    tallies = [_run(sweep, resume=resume) for sweep in sweeps]
    if against is not None:
        _show_difference(sweeps[0].out.path, sweeps[1].out.path, sample=0, seed=0, outputs=())
    raise SystemExit(int(any(tally.errored for tally in tallies)))


@sweep.command("diff")
@click.argument("before")
@click.argument("after")
@click.option("--sample", type=click.IntRange(0, 100_000), default=200, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the sample.")
@click.option(
    "-o",
    "--output",
    "outputs",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    help="Write the changes: .html, .md, or .jsonl for `redpen label` (repeatable).",
)
def diff(before: str, after: str, *, sample: int, seed: int, outputs: tuple[Path, ...]) -> None:
    """Compare two folders of verdicts row by row: which verdicts changed from BEFORE to AFTER, and why.

    Exit code: 0 no verdict changed, 1 some did, 2 usage.
    """
    raise SystemExit(_show_difference(before, after, sample=sample, seed=seed, outputs=outputs))


def _show_difference(before: str, after: str, *, sample: int, seed: int, outputs: tuple[Path, ...]) -> int:
    difference = compare_sweeps(Folder(path=before), Folder(path=after), sample=sample, seed=seed)
    print_lines(difference_lines(difference, screen_of(sys.stdout)))
    for path in outputs:
        write_difference(difference, path, title=f"{before} → {after}")
        click.echo(f"written: {path}")
    return int(bool(difference.changed.total()))


def _run(sweep: Sweep, *, resume: bool) -> Tally:
    try:
        with _progress(sum(source.size for source in sweep.sources)) as show:
            tally = run_sweep(sweep, resume=resume, tell=warn, show=show)
    except KeyboardInterrupt:
        click.echo("\nredpen: stopped; run the command again with --resume to continue", err=True)
        raise click.Abort from None
    print_lines(summary_lines(tally, screen_of(sys.stdout)))
    click.echo(f"verdicts: {sweep.out.path}")
    return tally


def _pairs_of(values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return ``FIELD=COLUMN`` options as pairs."""
    columns: dict[str, str] = {}
    for value in values:
        field, equals, column = value.partition("=")
        if not (equals and column):
            raise ConfigurationError(f"--map {value!r}: write FIELD=COLUMN, such as text=body")
        if field not in FIELDS:
            hint = suggestion(field, FIELDS)
            known = ", ".join(FIELDS)
            raise ConfigurationError(f"--map {value!r}: there is no field {field!r}{hint}: {known}")
        if field in columns:
            raise ConfigurationError(f"--map {value!r}: {field!r} is given twice")
        columns[field] = column
    return tuple(columns.items())


def _interpreter_of(value: str) -> str:
    """Return the interpreter that ``redpen@PYTHON`` names."""
    name, at, path = value.partition("@")
    if name != "redpen" or not at:
        raise ConfigurationError(f"--against {value!r}: write redpen@PYTHON, such as redpen@old/bin/python")
    executable = shutil.which(path)
    if executable is None:
        raise ConfigurationError(f"--against {value!r}: there is no interpreter {path}")
    return executable


def _sweep_policy(ctx: click.Context, policy: str | None, against: str | None) -> SweepPolicy | None:
    if policy is not None and against is not None:
        raise click.UsageError("--against compares only guards: leave out --policy")
    packs = ctx.obj.project.packs
    if policy is None and packs.path is None:
        return None
    if against is not None:
        warn(f"--against compares only guards: {packs.path} is ignored")
        return None
    policy_rules = SweepPolicy(packs=packs, name=policy)
    # `all` resolves the name, so an unknown pack fails before the sweep starts.
    return policy_rules if policy_rules.all else None


def _print_policy(policy_rules: SweepPolicy | None) -> None:
    if policy_rules is None:
        return
    name = policy_rules.name or f"by tenant and role, {policy_rules.packs.path}"
    loosened = f"; loosens {', '.join(policy_rules.loosened)}" if policy_rules.loosened else ""
    click.echo(f"policy: {name} ({policy_rules.hash}){loosened}")


@contextmanager
def _progress(total_bytes: int) -> Iterator[Callable[[Progress], None]]:
    begun = time.monotonic()
    is_hidden = not sys.stderr.isatty()
    with click.progressbar(length=total_bytes or 1, file=sys.stderr, hidden=is_hidden) as bar:

        def show(progress: Progress) -> None:
            tally = progress.tally
            rate = (tally.rows - progress.earlier) / max(time.monotonic() - begun, 0.001)
            blocked = 100 * tally.blocked / tally.judged if tally.judged else 0
            bar.label = f"{tally.rows:,} rows, {rate:,.0f}/s, {blocked:.1f} % blocked"
            bar.update(progress.done_bytes - bar.pos)

        yield show
