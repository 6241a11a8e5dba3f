"""``redpen label``: the most doubtful verdicts first, one key each."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from redpen.guards.claims.detector import Detector, shipped_detector
from redpen.guards.claims.finding import weigh_revision
from redpen.guards.known import known_claims, known_context
from redpen.guards.revision import avoids_guarantees
from redpen.guards.text import read
from redpen.screen import shown
from redpen_evals.atomic_write import replace_file
from redpen_evals.teaching.verdicts import VerdictLine, read_verdicts

_ESCAPED = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~]|.)?", re.DOTALL)
"""The escape sequence of an arrow or a function key, whose letters are not typed keys."""
_END = "\x04"
_ENDS = re.compile(f"[{_END}\0]")
"""Control-D, also as a terminal reports one that was typed ahead."""
_READ_BYTES = 64


def keys_of(file: int) -> Iterator[str]:
    """Yield the keys read from a file descriptor, in lower case, until its end or control-D."""
    while True:
        try:
            read = os.read(file, _READ_BYTES)
        except OSError:
            # The terminal was closed.
            return
        typed, *after = _ENDS.split(_ESCAPED.sub("", read.decode("ascii", "ignore")).lower(), maxsplit=1)
        yield from typed
        if after or not read:
            return


@contextmanager
def keyboard() -> Iterator[Iterator[str]]:
    """Provide the keys of standard input; a terminal is unbuffered until the end of the block.

    Keys that were typed ahead count: the one change of mode drops none of them.
    """
    if sys.stdin is None or sys.stdin.closed:
        yield iter(())
        return
    file = sys.stdin.fileno()
    if not os.isatty(file):
        yield keys_of(file)
        return
    if sys.platform == "win32":
        yield iter(click.getchar, _END)
        return
    import termios
    import tty

    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file, termios.TCSADRAIN)
        yield keys_of(file)
    finally:
        # The mode of a closed terminal cannot be restored.
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)


_LABELS = {"b": "block", "p": "pass"}
_MAX_SHOWN = 2_000


def doubt(line: VerdictLine, detector: Detector) -> float:
    """Return the distance of a verdict's likeliest clause from the bound, in log odds; 0 is most doubtful."""
    fields = line.fields
    known = known_claims(
        read(fields["original"]),
        known_context(fields["context"]),
        inherit=not avoids_guarantees(fields["context"]),
    )
    weighed = weigh_revision(
        revised=read(fields["revised"], fields["original"]), known=known, detector=detector
    )
    doubts = (abs(item.log_odds - detector.bounds[item.family][1]) for item in weighed)
    return min(doubts, default=float("inf"))


def label_verdicts(path: Path, keys: Iterable[str]) -> tuple[int, int]:
    """Ask for a label of each verdict without one, and save each in the file at once.

    Args:
        path: verdict lines, see ``read_verdicts``.
        keys: as typed: b block, p pass, s skip, q quit; others are ignored. Their end ends the labelling.

    Returns:
        The number of new labels, and of verdicts still without one.
    """
    lines = read_verdicts(path)
    detector = shipped_detector()
    waiting = sorted(
        (line for line in lines if line.label is None), key=lambda line: (doubt(line, detector), line.number)
    )
    done = 0
    answers = (key for key in keys if key in (*_LABELS, "s", "q"))
    for place, line in enumerate(waiting, start=1):
        _show(line, place, len(waiting))
        key = next(answers, "q")
        if key == "q":
            break
        if key in _LABELS:
            line.fields["label"] = _LABELS[key]
            text = "".join(json.dumps(item.fields, ensure_ascii=False) + "\n" for item in lines)
            replace_file(path, text.encode())
            done += 1
    return done, len(waiting) - done


def _show(line: VerdictLine, place: int, count: int) -> None:
    click.echo(f"\n{place} of {count}, line {line.number}")
    for name in ("original", "revised"):
        click.echo(f"{name}: {shown(line.fields[name][:_MAX_SHOWN])}")
    for finding in (*line.fields.get("violations", ()), *line.fields.get("concerns", ())):
        click.echo(f"  {shown(str(finding.get('reading', '')))}")
    click.echo("b block   p pass   s skip   q quit")
