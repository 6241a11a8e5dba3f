"""Fitting a detector to a team's edits, gated by held-out drafts."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules, check_revision
from redpen.guards.claims.detector import Detector, shipped_detector
from redpen.training.edits import read_edits
from redpen.training.examples import examples_of, is_usable, numbering
from redpen.training.fitting import Recipe, fit
from redpen.training.weights import weights_of
from redpen_evals.atomic_write import replace_file
from redpen_evals.scenario_library.drafts import LabelledDraft, load_all_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import Rates, Scored, judge_all, rates_of
from redpen_evals.teaching.verdicts import labelled_edits, read_verdicts


def _judged(drafts: list[LabelledDraft], detector: Detector) -> tuple[Scored, ...]:
    """Judge labelled drafts by the guards with a detector."""
    guards = partial(check_revision, rules=RevisionRules(detector=detector))
    return judge_all(GuardSet(name="redpen", guards=guards), drafts)


_TEAM_WEIGHT = 4
"""How often each edit of the team counts, relative to one of the library."""


def teach(path: Path, *, out: Path | None, edits: Path, layout: Layout, most_lost: float) -> int:
    """Fit a detector to a team's edits, print the changes, and write it if it passes the gate.

    Args:
        path: labelled verdict lines.
        out: file for the weights; None to write nothing.
        edits: folder of the edits of the shipped weights.
        layout: the library whose held-out drafts are the gate.
        most_lost: maximum loss of catch and gain of false alarms, in percentage points.

    Returns:
        0, or 1 if the gate fails and nothing is written.
    """
    own = labelled_edits(read_verdicts(path))
    if not own:
        raise InvalidInputError(f"{path}: no line has a label: redpen label {path}")
    if not any(map(is_usable, own)):
        raise InvalidInputError(f"{path}: its labels are only on new figures; the detector learns from words")
    if out is not None and not out.absolute().parent.is_dir():
        raise InvalidInputError(f"--out {out}: there is no folder {out.absolute().parent}")
    numbers, recipe = numbering(), Recipe()
    every = (*read_edits(edits), *own * _TEAM_WEIGHT)
    examples = examples_of(every, numbers, processes=os.cpu_count() or 1)
    weights = weights_of(fit(examples, numbers, recipe), recipe)
    drafts = [
        draft
        for draft in load_all_drafts(layout)
        if draft.item.split == "test" and draft.item.disguise == "none"
    ]
    before, after = _judged(drafts, shipped_detector()), _judged(drafts, Detector(weights))
    rates = {"before": rates_of(before), "after": rates_of(after)}
    click.echo(f"{len(own)} edits of {path}, {len(examples):,} in all; {len(drafts)} held-out drafts")
    for name, group in rates.items():
        catch, alarms = group["catch"].text(1), group["false_alarms"].text(1)
        click.echo(f"{name:<7} catch {catch}   false alarms {alarms}")
    for line in _changes(before, after):
        click.echo(line)
    if _is_worse(**rates, most_lost=most_lost):
        click.echo("refused: the held-out drafts are judged worse; look at the labels that changed sides")
        return 1
    if out is not None:
        replace_file(out, weights)
        click.echo(f"written: {out}")
    return 0


def _changes(before: tuple[Scored, ...], after: tuple[Scored, ...]) -> list[str]:
    return [
        f"  {'now blocked' if new.judgement.blocked else 'now passes'}  {new.id} ({new.item.label})"
        for old, new in zip(before, after, strict=True)
        if old.judgement.blocked != new.judgement.blocked
    ]


def _is_worse(before: Rates, after: Rates, most_lost: float) -> bool:
    lost = float((before["catch"].percent or 0) - (after["catch"].percent or 0))
    gained = float((after["false_alarms"].percent or 0) - (before["false_alarms"].percent or 0))
    return lost > most_lost or gained > most_lost
