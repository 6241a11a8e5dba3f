"""Fitting a detector to a team's edits, gated by held-out drafts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules, check_revision
from redpen.guards.claims.detector import Detector, shipped_detector
from redpen.training.edits import read_edits
from redpen.training.examples import examples_of, is_usable
from redpen.training.fitting import Recipe, fit
from redpen.training.weights import weights_of
from redpen_evals.atomic_write import replace_file
from redpen_evals.scenario_library.drafts import LabelledDraft, load_all_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.wilson import Rate
from redpen_evals.teaching.verdicts import labelled_edits, read_verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The judgements of guards on drafts.

    Attributes:
        blocked: whether each draft was blocked.
        catch: blocked drafts, of those to block.
        false_alarms: blocked drafts, of the others.
    """

    blocked: tuple[bool, ...]
    catch: Rate
    false_alarms: Rate


def score(drafts: list[LabelledDraft], detector: Detector) -> Scores:
    """Judge labelled drafts by the guards with a detector."""
    rules = RevisionRules(detector=detector)
    blocked = tuple(
        not check_revision(
            original=draft.original, revised=draft.item.revised, context=draft.context, rules=rules
        ).ok
        for draft in drafts
    )
    to_block = [hit for hit, draft in zip(blocked, drafts, strict=True) if draft.item.label == "block"]
    to_pass = [hit for hit, draft in zip(blocked, drafts, strict=True) if draft.item.label == "pass"]
    return Scores(
        blocked=blocked,
        catch=Rate(hits=sum(to_block), total=len(to_block)),
        false_alarms=Rate(hits=sum(to_pass), total=len(to_pass)),
    )


def rate_text(rate: Rate) -> str:
    """Return a rate with its interval: ``95.0 % [91.2, 97.4]``."""
    low, high = rate.interval
    return f"{float(rate.percent or 0):.1f} % [{low:.1f}, {high:.1f}]"


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
        raise InvalidInputError(f"{path}: its labels are only on new facts; the detector learns from claims")
    if out is not None and not out.absolute().parent.is_dir():
        raise InvalidInputError(f"--out {out}: there is no folder {out.absolute().parent}")
    examples = examples_of((*read_edits(edits), *own * _TEAM_WEIGHT))
    recipe = Recipe()
    weights = weights_of(fit(examples, recipe, processes=2), recipe)
    drafts = [
        draft
        for draft in load_all_drafts(layout)
        if draft.item.split == "test" and draft.item.disguise == "none"
    ]
    before, after = score(drafts, shipped_detector()), score(drafts, Detector(weights))
    click.echo(f"{len(own)} edits of {path}, {len(examples):,} in all; {len(drafts)} held-out drafts")
    for name, scores in (("before", before), ("after", after)):
        click.echo(
            f"{name:<7} catch {rate_text(scores.catch)}   false alarms {rate_text(scores.false_alarms)}"
        )
    for line in _changes(drafts, before, after):
        click.echo(line)
    if _is_worse(before, after, most_lost):
        click.echo("refused: the held-out drafts are judged worse; look at the labels that changed sides")
        return 1
    if out is not None:
        replace_file(out, weights)
        click.echo(f"written: {out}")
    return 0


def _changes(drafts: list[LabelledDraft], before: Scores, after: Scores) -> list[str]:
    return [
        f"  {'now blocked' if new else 'now passes'}  {draft.id} ({draft.item.label})"
        for draft, old, new in zip(drafts, before.blocked, after.blocked, strict=True)
        if old != new
    ]


def _is_worse(before: Scores, after: Scores, most_lost: float) -> bool:
    lost = float((before.catch.percent or 0) - (after.catch.percent or 0))
    gained = float((after.false_alarms.percent or 0) - (before.false_alarms.percent or 0))
    return lost > most_lost or gained > most_lost
