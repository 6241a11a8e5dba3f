"""``redpen events``: show and prune stored events of runs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import click

from redpen.events.address import find_store
from redpen.events.model import Event, event_schema, specific_fields
from redpen.events.store import Damaged, EventStore, time_text
from redpen.screen import json_text, shortened, shown
from redpen_evals.commands.groups import EXIT_FAULTS, GroupWithDefault, give_up
from redpen_evals.commands.output import counted
from redpen_evals.commands.wanted_events import EventFilter, named_events
from redpen_evals.commands.workspace import Workspace

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
    address, run_ids = named_events(place, workspace.records)
    wanted = EventFilter(
        run_ids=run_ids,
        run_id=run_id or "",
        code=code,
        agent=agent,
        since="" if since is None else time_text(_time(since)),
    )
    store = find_store(address)
    writer = _Spans() if form == "otel" else _Lines(as_json=form == "jsonl")
    try:
        for content in _contents(store, follow=follow):
            writer.write(content, wanted, with_texts=not no_texts)
    except KeyboardInterrupt:
        if not follow:
            raise
    finally:
        store.close()
    if writer.end():
        raise SystemExit(EXIT_FAULTS)


class _Lines:
    """Prints events, and reports entries that are not events."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._faults = 0

    def write(self, content: Event | Damaged, wanted: EventFilter, *, with_texts: bool) -> None:
        """Write one entry of a store."""
        if isinstance(content, Damaged):
            self._faults += 1
            click.echo(f"redpen: {shown(content.place)}: {shown(content.problem)}", err=True)
        elif wanted.matches(content):
            self._write_event(
                content if with_texts else content.model_copy(update={"texts": None, "cut": {}})
            )

    def end(self) -> int:
        """Return the number of errors."""
        return self._faults

    def _write_event(self, event: Event) -> None:
        for line in _lines(event, as_json=self._as_json):
            click.echo(line)


class _Spans(_Lines):
    """Sends events as spans, and reports how many arrived."""

    def __init__(self) -> None:
        from redpen.events.otel import CollectedSpans, OtelEvents

        super().__init__(as_json=False)
        self._collected = CollectedSpans()
        self._sink = OtelEvents(lambda: [self._collected])

    def end(self) -> int:
        """Send the remaining spans, and return the number of errors."""
        self._sink.close()
        sent, failed = self._collected.sent, self._collected.failed
        click.echo(f"sent {counted(sent, 'span')}")
        if failed:
            click.echo(f"redpen: {failed:,} spans were rejected; see OTEL_EXPORTER_OTLP_ENDPOINT", err=True)
        return super().end() + failed

    def _write_event(self, event: Event) -> None:
        self._sink.write(event)


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
    store = find_store(place)
    removed = store.prune(datetime.now(UTC) - timedelta(**{_UNITS[match[2]]: int(match[1])}))
    store.close()
    click.echo(f"removed {counted(removed, 'event')}")


@events.command()
def schema() -> None:
    """Print the JSON Schema of an event.

    Exit code: 0 printed.
    """
    click.echo(json.dumps(event_schema(), indent=2))


def _contents(store: EventStore, *, follow: bool) -> Iterator[Any]:
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
