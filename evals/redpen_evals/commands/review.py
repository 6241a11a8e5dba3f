"""``redpen review``: the reviews that runs wait for, and their decisions."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any, Final

import click
from pydantic import ValidationError

from redpen import DISTRIBUTION
from redpen.review import (
    BusyRunError,
    Decision,
    NotDecidedError,
    Outcome,
    RefusedDecisionError,
    Review,
    ReviewQueue,
    StaleRunError,
    open_reviews,
    review_schema,
)
from redpen.screen import json_text, shortened, shown
from redpen.text.json_values import printable
from redpen.types import LONGEST_EDIT
from redpen.yaml_files.source import read_text
from redpen_evals.commands.groups import EXIT_FAULTS, give_up
from redpen_evals.commands.output import print_lines, warn
from redpen_evals.commands.workspace import Workspace, read_object
from redpen_evals.exit_codes import EXIT_STALE
from redpen_evals.reviewing.rendering import as_text, finding_lines, review_lines
from redpen_evals.tables import table_lines

_SHORT: Final = 8
_TEXT_CHARS: Final = 60
_HEADER: Final = ("id", "asked", "agent", "status", "by", "code", "shown")
_RUN: Final = {"running": "goes on", "done": "has gone on"}
_STATUSES: Final = ("pending", "approved", "edited", "rejected", "expired", "all")
_BY: Final = click.option("--by", required=True, metavar="NAME", help="Who decides.")
_REASON: Final = click.option("--reason", default="", metavar="TEXT", help="Why.")
_POLICY: Final = click.option(
    "--policy", "pack_name", metavar="NAME", help="Policy pack that the run was started with."
)


def open_queue(workspace: Workspace, address: str | None, *, must_exist: bool = False) -> ReviewQueue:
    """Return the queue of the command line or of the project; raises ConfigurationError."""
    project = workspace.project
    root = project.root if address is None else Path.cwd()
    if address is None:
        address = project.text("redpen_reviews")
        # A relative path keeps messages short.
        root = Path() if root == Path.cwd() else root
    queue = open_reviews(address, root=root, must_exist=must_exist)
    click.get_current_context().call_on_close(queue.close)
    return queue


def with_queue(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--queue`` to a command, which gets the workspace and the open queue, and report its errors.

    Exit code of an error: 1 the run is busy or undecided, 2 as for all commands, 11 the run is stale.
    """

    @click.option(
        "--queue", "address", metavar="URL", help="Review queue; by default the setting redpen_reviews."
    )
    @click.pass_obj
    @wraps(command)
    def wrapped(workspace: Workspace, /, *args: Any, address: str | None, **kwargs: Any) -> Any:
        try:
            return command(workspace, open_queue(workspace, address, must_exist=True), *args, **kwargs)
        except StaleRunError as error:
            give_up(str(error), EXIT_STALE)
        except (BusyRunError, NotDecidedError) as error:
            give_up(str(error), EXIT_FAULTS)

    return wrapped


@click.group("review")
def review() -> None:
    """Decide the reviews that runs wait for; `redpen resume` then resumes them.

    Runs wait in the queue with `review="sqlite:///reviews.db"` of an agent, or `redpen run AGENT --review`.
    """


@review.command("list")
@click.option("--status", type=click.Choice(_STATUSES), default="pending", show_default=True)
@click.option("--agent", metavar="NAME", help="Only of this agent.")
@click.option("--json", "as_json", is_flag=True, help="Print each as a line of JSON.")
@with_queue
def show_list(
    _workspace: Workspace, queue: ReviewQueue, *, status: str, agent: str | None, as_json: bool
) -> None:
    """List reviews, oldest first.

    Exit code: 0 listed, 1 a row of the database is damaged, 2 usage, or there is no queue.
    """
    wanted: Any = None if status == "all" else status
    reviews = queue.reviews(wanted, agent=agent)
    if as_json:
        for item in reviews:
            click.echo(json_text(_printed(item), encoding="utf-8"))
    elif reviews:
        print_lines(table_lines(_HEADER, [_row(item) for item in reviews]))
    else:
        click.echo(f"no review is {status}" if status != "all" else "there is no review")
    damaged = queue.damaged()
    for problem in damaged:
        warn(problem)
    if damaged:
        raise SystemExit(EXIT_FAULTS)


@review.command()
@click.argument("review_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@with_queue
def show(_workspace: Workspace, queue: ReviewQueue, *, review_id: str, as_json: bool) -> None:
    """Show the question and the decision; a unique prefix of the id is enough.

    Exit code: 0 shown, 2 usage, or there is no such review.
    """
    requested = queue.get(review_id)
    if as_json:
        click.echo(json_text(_printed(requested), encoding="utf-8", indent=2))
        return
    print_lines(review_lines(requested))


@review.command()
@click.argument("review_id", metavar="ID")
@_BY
@_REASON
@_POLICY
@with_queue
def approve(
    workspace: Workspace, queue: ReviewQueue, *, review_id: str, by: str, reason: str, pack_name: str | None
) -> None:
    """Approve what is shown: the text is published, or the action or call is executed.

    Exit code: 0 approved (now, or by the same person before), 1 another decision was made, or the run would
    stop anyway, 2 usage, or there is no such review, 11 what the run was started with has changed.
    """
    _decide(workspace, queue, review_id, pack_name, {"kind": "approve", "by": by, "reason": reason})


@review.command()
@click.argument("review_id", metavar="ID")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True))
@_BY
@click.option(
    "--override", "overrides", multiple=True, metavar="CODE", help="Accept findings with this code."
)
@_REASON
@_POLICY
@with_queue
def edit(
    workspace: Workspace,
    queue: ReviewQueue,
    *,
    review_id: str,
    file: Path,
    by: str,
    overrides: tuple[str, ...],
    reason: str,
    pack_name: str | None,
) -> None:
    """Replace what is shown with the content of FILE; `-` is standard input.

    A text is plain; an action, or the data that a tool returned, is an object in JSON or YAML. It is checked
    by the same guards or gate as the model's; --override accepts findings with a code, and needs a --reason,
    which is stored.

    Exit code: 0 accepted (now, or by the same person before), 1 another decision was made, or guards or gate
    reject it, 2 usage, or there is no such review, 11 what the run was started with has changed.
    """
    if overrides and not reason.strip():
        raise click.UsageError("--override needs a --reason, which is stored with it")
    requested = queue.get(review_id)
    content = _content(file, requested)
    accepted = [{"code": code, "reason": reason} for code in dict.fromkeys(overrides)]
    decision = {"kind": "edit", "by": by, "reason": reason, "overrides": accepted, **content}
    _decide(workspace, queue, requested.id, pack_name, decision)


@review.command()
@click.argument("review_id", metavar="ID")
@_BY
@click.option("--reason", required=True, metavar="TEXT", help="Why.")
@with_queue
def reject(workspace: Workspace, queue: ReviewQueue, *, review_id: str, by: str, reason: str) -> None:
    """Reject what is shown: the run ends with review_rejected.

    Exit code: 0 rejected (now, or by the same person before), 1 another decision was made, 2 usage, or there
    is no such review.
    """
    _decide(workspace, queue, review_id, None, {"kind": "reject", "by": by, "reason": reason})


@review.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8077, show_default=True, help="0 for a free one."
)
@_POLICY
@with_queue
def serve(workspace: Workspace, queue: ReviewQueue, *, port: int, pack_name: str | None) -> None:
    """Serve a local page that shows the queue and takes decisions, until Ctrl-C.

    It listens only on 127.0.0.1; its address, which is printed once, holds a secret that every page and form
    needs. Nothing leaves the machine. It needs the extra `review`.

    Exit code: 0 ended, 2 usage, there is no queue, the port is in use, or the extra is missing.
    """
    try:
        from redpen_evals.review_page import serve as serve_page
    except ModuleNotFoundError as error:
        give_up(f"review serve needs {error.name}: pip install '{DISTRIBUTION}[review]'")
    decide = partial(_decided, workspace, pack_name)
    serve_page(queue, port=port, decide=decide, announce=lambda url: click.echo(f"reviews: {url}"))


@review.command()
def schema() -> None:
    """Print the JSON Schema of a review.

    Exit code: 0 printed.
    """
    click.echo(json.dumps(review_schema(), indent=2))


def _decide(
    workspace: Workspace, queue: ReviewQueue, review_id: str, pack_name: str | None, content: dict[str, Any]
) -> None:
    try:
        outcome = _decided(workspace, pack_name, queue, review_id, _decision(content))
    except RefusedDecisionError as error:
        for line in finding_lines(error.findings):
            click.echo(line, err=True)
        give_up(str(error), EXIT_FAULTS)
    click.echo(shown(outcome.message), err=outcome.state == "refused")
    if outcome.state == "refused":
        raise SystemExit(EXIT_FAULTS)


def _decided(
    workspace: Workspace, pack_name: str | None, queue: ReviewQueue, review_id: str, decision: Decision
) -> Outcome:
    """Make a decision with the policy and the tools of the review's run."""
    from redpen.agents.resume import decide_review
    from redpen_evals.reviewing.resources import run_resources

    requested = queue.get(review_id)
    with run_resources(workspace.project, requested, pack_name=pack_name) as resources:
        return decide_review(queue, requested.id, decision, **resources.decision_arguments)


def _decision(content: dict[str, Any]) -> Decision:
    try:
        return Decision.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        give_up(f"{'.'.join(map(str, first['loc'])) or 'decision'}: {first['msg']}")


def _content(file: Path, requested: Review) -> dict[str, Any]:
    source = Path("/dev/stdin") if str(file) == "-" else file
    if requested.kind != "text":
        return {"action" if requested.kind == "action" else "answer": read_object(source)}
    text = read_text(source, stream=True).strip()
    if len(text) > LONGEST_EDIT:
        give_up(f"{file}: has {len(text):,} characters; the limit is {LONGEST_EDIT:,}")
    return {"text": text}


def _printed(requested: Review) -> dict[str, Any]:
    printed: dict[str, Any] = printable(requested.model_dump(mode="json"))
    return printed


def _row(requested: Review) -> tuple[str, ...]:
    text = " ".join(as_text(requested.shown).split())
    return (
        requested.id[:_SHORT],
        requested.created[:16].replace("T", " "),
        requested.agent,
        requested.status + ("" if requested.resumed == "no" else f", run {_RUN[requested.resumed]}"),
        "" if requested.decision is None else requested.decision.by,
        requested.code,
        shortened(text, _TEXT_CHARS),
    )
