"""``redpen check``: texts judged by the guards."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from redpen_evals.commands.subject import is_file, read_subject
from redpen_evals.commands.usage import pass_layout, usage_errors
from redpen_evals.scenario_library.layout import Layout


@click.command("check")
@click.option(
    "--context", "context_name", metavar="FILE|NAME", help="Incident context: JSON, YAML, or a name."
)
@click.option(
    "--original",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The text before; - is standard input.",
)
@click.option(
    "--revised",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The text after, which is judged; or -.",
)
@click.option(
    "--jsonl",
    type=click.Path(path_type=Path),
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
    help="Claims: as the context's hint says, or those that context or original make are allowed.",
)
@click.option("--max-chars", type=click.IntRange(min=1), metavar="N", help="Longest revised text.")
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Least similarity to the original, from 0 to 1.",
)
@click.option(
    "--unread-language",
    type=click.Choice(["concern", "block"]),
    default="concern",
    show_default=True,
    help="What a sentence is that is not mostly English: no guard judges its words.",
)
@pass_layout
@usage_errors
def check_text(  # noqa: PLR0913 - one parameter an option
    layout: Layout,
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
    and explains each. With --jsonl prints one verdict a line instead.

    Exit code: 0 clean (concerns may be left), 1 violations, 2 usage or a line that cannot be judged.
    """
    from redpen_evals.checking.command import check_lines, check_one
    from redpen_evals.checking.inputs import STDIN, Contexts, rules_from

    rules = rules_from(
        claims=claims, max_chars=max_chars, min_similarity=min_similarity, unread_language=unread_language
    )
    contexts = Contexts(layout=layout)
    if jsonl is not None:
        if context_name is not None or original is not None or revised is not None:
            raise click.UsageError("--jsonl brings context, original and revised text on each line")
        raise SystemExit(check_lines(jsonl, rules=rules, contexts=contexts, keep_texts=texts))
    if context_name is None or original is None or revised is None:
        raise click.UsageError("--context, --original and --revised belong together; or give --jsonl")
    if original == STDIN == revised:
        raise click.UsageError("only one of --original and --revised can be standard input")
    file = Path(context_name)
    context = read_subject(file) if is_file(file) else contexts.named(context_name)
    raise SystemExit(
        check_one(context=context, original=original, revised=revised, rules=rules, as_json=as_json)
    )
