"""What ``redpen label`` does: the most doubtful verdicts first, one key each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from redpen.errors import InvalidInputError
from redpen.guards.claims.detector import Detector, shipped_detector
from redpen.guards.claims.finding import weigh_revision
from redpen.guards.known import known_claims, known_context
from redpen.guards.revision import avoids_guarantees
from redpen.guards.text import read
from redpen.screen import shown
from redpen_evals.atomic_write import replace_file
from redpen_evals.teaching.verdicts import VerdictLine, read_verdicts

_LABELS = {"b": "block", "p": "pass"}
_MOST_SHOWN = 2_000


def doubt(line: VerdictLine, detector: Detector) -> float:
    """Return how far the likeliest clause of a verdict is from the bound, in log odds; 0 is most doubtful."""
    fields = line.fields
    known = known_claims(
        read(fields["original"]),
        known_context(fields["context"]),
        inherit=not avoids_guarantees(fields["context"]),
    )
    odds = weigh_revision(revised=read(fields["revised"], fields["original"]), known=known, detector=detector)
    return min((abs(odd - detector.block) for odd in odds), default=float("inf"))


def label_verdicts(path: Path, *, ask: Callable[[], str] = click.getchar) -> int:
    """Ask for a label of each verdict that has none, and keep it in the file at once.

    Args:
        path: verdict lines, see ``read_verdicts``.
        ask: returns the next key: b block, p pass, s skip, q quit.

    Returns:
        How many were labelled.
    """
    lines = read_verdicts(path)
    detector = shipped_detector()
    waiting = sorted(
        (line for line in lines if line.label is None), key=lambda line: (doubt(line, detector), line.number)
    )
    done = 0
    for place, line in enumerate(waiting, start=1):
        _show(line, place, len(waiting))
        key = _answer(ask)
        while key not in (*_LABELS, "s", "q"):
            key = _answer(ask)
        if key == "q":
            break
        if key in _LABELS:
            line.fields["label"] = _LABELS[key]
            text = "".join(json.dumps(item.fields, ensure_ascii=False) + "\n" for item in lines)
            replace_file(path, text.encode())
            done += 1
    return done


def _answer(ask: Callable[[], str]) -> str:
    try:
        return ask().lower()
    except OSError as error:
        raise InvalidInputError("labels are asked for at a terminal, and there is none") from error


def _show(line: VerdictLine, place: int, count: int) -> None:
    click.echo(f"\n{place} of {count}, line {line.number}")
    for name in ("original", "revised"):
        click.echo(f"{name}: {shown(line.fields[name][:_MOST_SHOWN])}")
    for finding in (*line.fields.get("violations", ()), *line.fields.get("concerns", ())):
        click.echo(f"  {shown(str(finding.get('reading', '')))}")
    click.echo("b block   p pass   s skip   q quit")
