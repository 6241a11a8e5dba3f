"""What is wrong with what a cassette holds."""

from __future__ import annotations

from collections.abc import Iterator

from redpen_evals.cassettes.secrets import find_secrets
from redpen_evals.maintenance.answers import accident
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Entry


def unreadable(entry: Entry) -> Iterator[Fault]:
    """Yield why a cassette cannot be read."""
    if entry.error and not entry.content:
        yield Fault(path=entry.path, sort="unreadable", problem=entry.error.problem, mend=entry.error.mend)


def secrets(entry: Entry, *, live_key: str | None) -> Iterator[Fault]:
    """Yield where a cassette holds something like a key.

    Args:
        entry: the cassette.
        live_key: the key in use, if any.
    """
    if entry.content and (found := find_secrets(entry.content, live_keys=(live_key,) if live_key else ())):
        yield Fault(
            path=entry.path,
            sort="secret",
            problem=f"holds {', '.join(found)}",
            mend=f"revoke it, take it out of what was sent, then {entry.location.record_command()}",
        )


def accidents(entry: Entry) -> Iterator[Fault]:
    """Yield the calls of a live recording that got no answer; a script goes wrong on purpose."""
    if entry.cassette is None or entry.location.kind != "live":
        return
    total = len(entry.cassette.calls)
    found = [
        f"call {number} of {total} ({call.phase}) {problem}"
        for number, call in enumerate(entry.cassette.calls, start=1)
        if (problem := accident(call.response))
    ]
    if found:
        yield Fault(
            path=entry.path,
            sort="accident",
            problem=f"was recorded with errors: {', '.join(found)}",
            mend=entry.location.record_command(),
        )
