"""``redpen check``: one text judged by the guards and explained, or a stream of verdicts."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, Literal

import click

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules, check_revision
from redpen.screen import json_text, shows_colour
from redpen_evals.checking.explain import explain
from redpen_evals.checking.inputs import STDIN, Contexts, read_judged_text, rules_from
from redpen_evals.checking.lines import judge_lines
from redpen_evals.commands.groups import EXIT_FAULTS, EXIT_OK, EXIT_USAGE
from redpen_evals.commands.options import FILE
from redpen_evals.commands.output import print_json, print_line, warn
from redpen_evals.commands.workspace import Workspace


@click.command("check")
@click.option(
    "--context", "context_name", metavar="FILE|NAME", help="Incident context: JSON, YAML, or a name."
)
@click.option(
    "--original", type=FILE, metavar="FILE", help="The text before the revision; - is standard input."
)
@click.option(
    "--revised", type=FILE, metavar="FILE", help="The text after the revision, which is judged; or -."
)
@click.option(
    "--jsonl",
    type=FILE,
    metavar="FILE",
    help="Judge JSON lines instead: original, revised, context (object or name), id; or -.",
)
@click.option(
    "--texts",
    is_flag=True,
    help="Keep original, revised and context on each verdict line, for `redpen label`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--claims",
    type=click.Choice(["hint", "inherit"]),
    default="hint",
    show_default=True,
    help="Allow claims by the context's hint, or whenever context or original make them.",
)
@click.option(
    "--max-chars", type=click.IntRange(min=1), metavar="N", help="Maximum length of the revised text."
)
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Minimum similarity to the original, from 0 to 1.",
)
@click.option(
    "--unread-language",
    type=click.Choice(["concern", "block"]),
    default="concern",
    show_default=True,
    help="How to report a sentence that is not mostly English, which the guards cannot judge.",
)
@click.pass_obj
def check_text(  # noqa: PLR0913 - one parameter per option
    workspace: Workspace,
    *,
    context_name: str | None,
    original: Path | None,
    revised: Path | None,
    jsonl: Path | None,
    texts: bool,
    as_json: bool,
    claims: Literal["hint", "inherit"],
    max_chars: int | None,
    min_similarity: float | None,
    unread_language: Literal["concern", "block"],
) -> None:
    """Judge a revised text against its original and the facts of an incident.

    Shows the text with its violations as [[…]]{1} and its concerns as ((…)){2}, in colour on a terminal,
    and explains each. With --jsonl it prints one verdict per line instead.

    Exit code: 0 no violations (there may be concerns), 1 violations, 2 usage or a line that cannot be judged.
    """
    rules = rules_from(
        claims=claims, max_chars=max_chars, min_similarity=min_similarity, unread_language=unread_language
    )
    if jsonl is not None:
        if context_name is not None or original is not None or revised is not None:
            raise click.UsageError("--jsonl takes context, original and revised text from each line")
        contexts = Contexts(layout=workspace.layout)
        raise SystemExit(_check_lines(jsonl, rules=rules, contexts=contexts, keep_texts=texts))
    if context_name is None or original is None or revised is None:
        raise click.UsageError("--context, --original and --revised belong together; or give --jsonl")
    if original == STDIN == revised:
        raise click.UsageError("only one of --original and --revised can be standard input")
    context = workspace.context(context_name)
    before, after = read_judged_text(original), read_judged_text(revised)
    report = check_revision(original=before, revised=after, context=context, rules=rules)
    if as_json:
        print_json(report.to_dict())
    else:
        print_line(explain(after, report, colour=shows_colour(sys.stdout)))
    raise SystemExit(EXIT_OK if report.ok else EXIT_FAULTS)


def _check_lines(path: Path, *, rules: RevisionRules, contexts: Contexts, keep_texts: bool) -> int:
    """Judge JSON lines, print each verdict at once, and return the exit code."""
    try:
        source = nullcontext(sys.stdin.buffer) if path == STDIN else path.open("rb")
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror or error}") from error
    name = "standard input" if path == STDIN else str(path)
    line = end = 0
    code = EXIT_OK
    with source as file:
        size = _size(file)
        # On one terminal with it, the verdicts would break its line.
        is_hidden = not size or not sys.stderr.isatty() or sys.stdout.isatty()
        with click.progressbar(length=size or 1, file=sys.stderr, hidden=is_hidden) as bar:
            for verdict in judge_lines(file, rules=rules, contexts=contexts, keep_texts=keep_texts):
                click.echo(json_text(verdict.record, encoding=sys.stdout.encoding))
                if verdict.error:
                    warn(f"{name}:{verdict.line}: {verdict.error}")
                    code = EXIT_USAGE
                elif not verdict.ok:
                    code = max(code, EXIT_FAULTS)
                bar.update(verdict.end - end)
                line, end = verdict.line, verdict.end
    if not line:
        raise InvalidInputError(f"{name}: has no line to judge")
    return code


def _size(file: BinaryIO) -> int:
    """Return the size of a file; 0 for a pipe or a terminal."""
    with suppress(OSError):
        status = os.fstat(file.fileno())
        return status.st_size if stat.S_ISREG(status.st_mode) else 0
    return 0
