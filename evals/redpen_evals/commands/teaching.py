"""``redpen teach`` and ``redpen label``: retrain the claims detector with labelled edits."""

from __future__ import annotations

from pathlib import Path

import click

from redpen_evals.commands.options import FILE
from redpen_evals.commands.workspace import Workspace
from redpen_evals.teaching.fitting import teach
from redpen_evals.teaching.labelling import keyboard, label_verdicts


@click.command("teach")
@click.argument("verdicts", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--out", type=FILE, metavar="FILE", help="File to write the weights to.")
@click.option(
    "--edits", type=FILE, help="Training edits of the shipped weights; default: SCENARIOS/training."
)
@click.option(
    "--most-lost",
    type=click.FloatRange(0, 100),
    default=0.5,
    show_default=True,
    help="Maximum loss of catch rate, or gain of false alarms, on held-out drafts, in points.",
)
@click.pass_obj
def teach_detector(
    workspace: Workspace, *, verdicts: Path, out: Path | None, edits: Path | None, most_lost: float
) -> None:
    """Retrain the claims detector with labelled verdicts, and show what changes.

    VERDICTS is the output of `redpen check --jsonl FILE --texts` with `label` (block or pass) filled in, by
    hand or by `redpen label`. Without --out nothing is written. It takes a few minutes.

    Exit code: 0 done, 1 refused because held-out drafts are judged worse, 2 usage.
    """
    layout = workspace.layout
    folder = edits or layout.scenarios / "training"
    raise SystemExit(teach(verdicts, out=out, edits=folder, layout=layout, most_lost=most_lost))


@click.command("label")
@click.argument("verdicts", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def label(verdicts: Path) -> None:
    """Label verdicts by keyboard, the least certain first; each answer is saved at once.

    VERDICTS is the output of `redpen check --jsonl FILE --texts`. Control-D quits as q does; the next call
    continues where this one stopped.
    """
    with keyboard() as keys:
        labelled, unlabelled = label_verdicts(verdicts, keys)
    click.echo(f"{labelled} labelled, {unlabelled} without a label")
