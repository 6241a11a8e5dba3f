"""How old recordings are, and which older releases made them."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from redpen.types import JsonObject
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Entry

_AT: Final = "at"
_RELEASE: Final = re.compile(r"(\d{1,9})\.(\d{1,9})")
_UNITS: Final = ((365 * 86_400, "y"), (30 * 86_400, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"))
_FROM: Final = 2
"""An age is told in a unit from two of it on: 13 months, not 1 year."""


def recorded_at(recorded: JsonObject) -> datetime.datetime | None:
    """Return when a recording was made, None where it does not say."""
    try:
        at = datetime.datetime.fromisoformat(str(recorded.get(_AT)))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=datetime.UTC)


def age(recorded: JsonObject, now: datetime.datetime) -> str:
    """Return how old a recording is, such as ``3 d``; ``?`` where it does not say, or lies ahead.

    Args:
        recorded: what a cassette says of its recording.
        now: the time, with its zone.
    """
    at = recorded_at(recorded)
    seconds = (now - at).total_seconds() if at else -1.0
    if seconds < 0:
        return "?"
    for size, unit in _UNITS:
        if seconds >= _FROM * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 60)} min"


def versions(recorded: JsonObject) -> dict[str, str]:
    """Return the releases that made a recording, by name of the package."""
    return {name: value for name, value in recorded.items() if name != _AT and isinstance(value, str)}


def old_versions(entries: Sequence[Entry], installed: Mapping[str, str]) -> Iterator[Fault]:
    """Yield a note for every folder and release that is older than the installed one.

    Args:
        entries: all cassettes.
        installed: versions by name of the package; only major and minor number count.
    """
    found: dict[tuple[Path, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        for name, version in versions(entry.cassette.recorded).items() if entry.cassette else ():
            if _is_older(version, installed.get(name, "")):
                found[entry.location.folder, name, version].append(entry)
    for (folder, name, version), old in sorted(found.items()):
        cassettes = "1 cassette was" if len(old) == 1 else f"{len(old):,} cassettes were"
        command = old[0].location.record_command()
        yield Fault(
            path=folder,
            sort="old_version",
            problem=f"{cassettes} recorded with {name} {version}, {installed[name]} is installed",
            mend=command if len(old) == 1 else command.rpartition(" -k ")[0],
        )


def _is_older(version: str, installed: str) -> bool:
    old, new = _RELEASE.match(version), _RELEASE.match(installed)
    # A checkout that is not installed has no number.
    return bool(old and new) and _number(old) < _number(new)


def _number(match: re.Match[str] | None) -> tuple[int, int]:
    return (int(match[1]), int(match[2])) if match else (0, 0)
