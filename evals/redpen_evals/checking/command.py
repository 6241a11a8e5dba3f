"""The two forms of ``redpen check``: one text explained, or a stream of verdicts."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import click

from redpen.errors import InvalidInputError
from redpen.guards import RevisionRules, check_revision
from redpen.screen import fit, json_text, shown, shows_colour
from redpen_evals.checking.explain import explain
from redpen_evals.checking.inputs import STDIN, Contexts, read_judged_text
from redpen_evals.checking.lines import judge_lines
from redpen_evals.checking.progress import Progress

EXIT_CLEAN, EXIT_VIOLATIONS, EXIT_BAD_INPUT = 0, 1, 2


def check_one(
    *, context: Mapping[str, Any], original: Path, revised: Path, rules: RevisionRules, as_json: bool
) -> int:
    """Judge one text and print what was found.

    Args:
        context: the incident context.
        original: file of the text before, or ``-``.
        revised: file of the text after, or ``-``; not both.
        rules: what the revision is held to.
        as_json: whether to print the report as JSON instead of explaining it.

    Returns:
        The exit code: 0 clean, 1 violations.

    Raises:
        InvalidInputError: a text cannot be read.
    """
    before, after = read_judged_text(original), read_judged_text(revised)
    report = check_revision(original=before, revised=after, context=context, rules=rules)
    out = sys.stdout
    colour = shows_colour(out)
    if as_json:
        click.echo(json_text(report.to_dict(), encoding=out.encoding, indent=2))
    else:
        click.echo(fit(explain(after, report, colour=colour), out.encoding), color=colour)
    return EXIT_CLEAN if report.ok else EXIT_VIOLATIONS


def check_lines(path: Path, *, rules: RevisionRules, contexts: Contexts, keep_texts: bool = False) -> int:
    """Judge JSON lines and print one verdict a line, as they come.

    Args:
        path: the file, or ``-`` for standard input.
        rules: what the revisions are held to.
        contexts: where a named context is found.
        keep_texts: whether a verdict holds original, revised text and context as well.

    Returns:
        The exit code: 0 all clean, 1 violations, 2 a line could not be judged.

    Raises:
        InvalidInputError: the file cannot be read, or holds no line to judge.
    """
    if path == STDIN:
        stdin = sys.stdin.buffer
        return _stream(stdin, "standard input", rules=rules, contexts=contexts, keep_texts=keep_texts)
    try:
        file = path.open("rb")
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot be read: {error.strerror or error}") from error
    with file:
        return _stream(file, str(path), rules=rules, contexts=contexts, keep_texts=keep_texts)


def _stream(file: BinaryIO, name: str, *, rules: RevisionRules, contexts: Contexts, keep_texts: bool) -> int:
    progress = Progress(out=sys.stderr, total_bytes=_size(file))
    out = sys.stdout
    line = end = 0
    code = EXIT_CLEAN
    for verdict in judge_lines(file, rules=rules, contexts=contexts, keep_texts=keep_texts):
        line, end = verdict.line, verdict.end
        progress.make_way()
        click.echo(json_text(verdict.record, encoding=out.encoding))
        if verdict.error:
            click.echo(f"redpen: {shown(f'{name}:{line}: {verdict.error}')}", err=True)
            code = EXIT_BAD_INPUT
        elif not verdict.ok:
            code = max(code, EXIT_VIOLATIONS)
        progress.show(line=line, done_bytes=end)
    progress.finish(line=line, done_bytes=end)
    if not line:
        raise InvalidInputError(f"{name}: holds no line to judge")
    return code


def _size(file: BinaryIO) -> int | None:
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
