"""``redpen events``: show and prune stored events of runs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from redpen.databases import is_database
from redpen.events.address import JSONL, find_store
from redpen.events.model import Event, event_schema, specific_fields
from redpen.events.store import Damaged, EventStore, time_text
from redpen.screen import counted, json_text, shortened, shown
from redpen_evals.commands.groups import EXIT_FAULTS, GroupWithDefault, give_up
from redpen_evals.commands.output import warn
from redpen_evals.commands.workspace import Workspace, is_file
from redpen_evals.errors import RecordError
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder
from redpen_evals.records.reading import read_start

if TYPE_CHECKING:
    from redpen.events.otel import CollectedSpans, OtelEvents

_SHOW: Final = "show"
_POLL_S: Final = 0.2
_TEXT_CHARS: Final = 160
_AGE: Final = re.compile(r"([0-9]{1,6})([dhm])")
_UNITS: Final = {"d": "days", "h": "hours", "m": "minutes"}


@click.group("events", cls=GroupWithDefault, default=_SHOW)
def events() -> None:
    """Show the events of runs: `redpen events FILE`, with the options of `redpen events show`.

    Runs store events with `pytest --events jsonl:PATH`, `sqlite:///PATH` or `postgresql://…`, the setting
    redpen_events, or the argument `events=` of an agent.
    """


@events.command(_SHOW)
@click.argument("place", metavar="FILE|URL|RUN")
@click.option("--run", "run_id", metavar="ID", help="Only of this run; a prefix of its id is enough.")
@click.option("--code", metavar="CODE", help="Only with this code; `tool_timeout` covers tool_timeout:NAME.")
@click.option("--agent", metavar="NAME", help="Only of this agent.")
@click.option("--since", metavar="ISO", help="Only from this time on; UTC without a time zone.")
@click.option("--follow", is_flag=True, help="Wait for new events until interrupted.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["jsonl", "otel"]),
    help="jsonl: print one event per line; otel: send them as spans, configured by OTEL_… variables.",
)
@click.option("--no-texts", is_flag=True, help="Leave out the texts.")
@click.pass_obj
def show(
    workspace: Workspace,
    place: str,
    *,
    run_id: str | None,
    code: str | None,
    agent: str | None,
    since: str | None,
    follow: bool,
    form: str | None,
    no_texts: bool,
) -> None:
    """Show the events of a file or database, in the order in which they were stored.

    The argument may also be a run of the suite: its record, its id, `last`, `last-1` … Entries that are not
    events are reported with their line; all others are shown.

    Exit code: 0 shown, 1 an entry is not an event, or OpenTelemetry's exporter rejected one, 2 usage, or no
    events can be read.
    """
    if form == "otel" and follow:
        raise click.UsageError("--follow cannot be used with --to otel")
    address, run_ids = _named_events(place, workspace.records)
    earliest = "" if since is None else time_text(_time(since))

    def is_wanted(event: Event) -> bool:
        of_code = event.code or ""
        return (
            (run_ids is None or event.run_id in run_ids)
            and event.run_id.startswith(run_id or "")
            and (code is None or of_code == code or of_code.startswith(f"{code}:"))
            and (agent is None or event.agent == agent)
            and event.time >= earliest
        )

    store = find_store(address)
    spans = _span_writer() if form == "otel" else None

    def write(event: Event) -> None:
        event = event.model_copy(update={"texts": None, "cut": {}}) if no_texts else event
        if spans is not None:
            spans[0].write(event)
            return
        for line in _lines(event, as_json=form == "jsonl"):
            click.echo(line)

    faults = _write_all(store, is_wanted, write, follow=follow)
    if spans is not None:
        faults += _sent(*spans)
    if faults:
        raise SystemExit(EXIT_FAULTS)


def _named_events(place: str, runs: RunFolder) -> tuple[str, Collection[str] | None]:
    """Return the address of events, and the run ids if the argument names a record."""
    if is_database(place) or place.startswith(JSONL):
        return place, None
    path = Path(place)
    if not is_file(path):
        try:
            path = runs.find(place)
        except RecordError:
            # The store reports the missing file.
            return place, None
    if read_start(path) is None:
        return place, None
    record = read_record(path)
    if not record.start.events:
        raise RecordError(path, "its runs stored no events; run the suite with --events")
    return record.start.events, {result.run_id for result in record.results}


def _write_all(
    store: EventStore, is_wanted: Callable[[Event], bool], write: Callable[[Event], None], *, follow: bool
) -> int:
    """Write the wanted events of a store, and return the number of its entries that are not events."""
    faults = 0
    with closing(store), suppress(*([KeyboardInterrupt] if follow else [])):
        for content in _contents(store, follow=follow):
            if isinstance(content, Damaged):
                faults += 1
                warn(f"{content.place}: {content.problem}")
            elif is_wanted(content):
                write(content)
    return faults


def _span_writer() -> tuple[OtelEvents, CollectedSpans]:
    from redpen.events.otel import CollectedSpans, OtelEvents

    collected = CollectedSpans()
    return OtelEvents(lambda: [collected]), collected


def _sent(sink: OtelEvents, collected: CollectedSpans) -> int:
    """Send the remaining spans, and return the number of rejected ones."""
    sink.close()
    click.echo(f"sent {counted(collected.sent, 'span')}")
    if collected.failed:
        warn(f"{collected.failed:,} spans were rejected; see OTEL_EXPORTER_OTLP_ENDPOINT")
    return collected.failed


@events.command()
@click.argument("place", metavar="FILE|URL")
@click.option("--older-than", "age", required=True, metavar="AGE", help="Such as 90d, 12h or 30m.")
def prune(place: str, *, age: str) -> None:
    """Remove events older than AGE; all other lines are kept.

    Exit code: 0 done, 2 usage, or events cannot be removed.
    """
    match = _AGE.fullmatch(age)
    if match is None:
        raise click.UsageError(f"--older-than {age[:40]!r}: must be a number and d, h or m, such as 90d")
    with closing(find_store(place)) as store:
        removed = store.prune(datetime.now(UTC) - timedelta(**{_UNITS[match[2]]: int(match[1])}))
    click.echo(f"removed {counted(removed, 'event')}")


@events.command()
def schema() -> None:
    """Print the JSON Schema of an event.

    Exit code: 0 printed.
    """
    click.echo(json.dumps(event_schema(), indent=2))


def _contents(store: EventStore, *, follow: bool) -> Iterator[Event | Damaged]:
    position = 0
    while True:
        for entry in store.read(position, growing=follow):
            position = entry.after
            yield entry.content
        if not follow:
            return
        time.sleep(_POLL_S)


def _lines(event: Event, *, as_json: bool) -> Iterator[str]:
    if as_json:
        yield json_text(event.model_dump(mode="json"), encoding="utf-8")
        return
    values = " ".join(f"{name}={value}" for name, value in specific_fields(event).items())
    code = "" if event.code is None else f" [{event.code}]"
    head = f"{event.time} {event.run_id[:8]} {event.seq:>3} {event.agent} {event.kind}"
    yield shown(f"{head}{code} {values}".rstrip())
    for name, value in (event.texts or {}).items():
        if value is None:
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        cut = f" ({event.cut[name]:,} characters were not stored)" if name in event.cut else ""
        start = shortened(text, _TEXT_CHARS).replace("\n", "⏎")
        yield f"      {shown(name)}: {shown(start)}{cut}"


def _time(text: str) -> datetime:
    try:
        time_ = datetime.fromisoformat(text)
    except ValueError:
        give_up(f"--since {text[:40]!r}: must be an ISO 8601 time, such as 2026-03-06 or 2026-03-06T12:00")
    return time_ if time_.tzinfo else time_.replace(tzinfo=UTC)
