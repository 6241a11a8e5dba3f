"""Samples that are no independent answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from redpen_evals.cassettes.file import Call, CallFailure
from redpen_evals.maintenance.answers import choices_of
from redpen_evals.maintenance.faults import Fault
from redpen_evals.maintenance.stock import Entry

_Words = tuple[tuple[str | None, ...], ...]


def dependent_samples(entries: Sequence[Entry]) -> Iterator[Fault]:
    """Yield live samples that are copies, and a note a folder on samples that only say the same.

    Args:
        entries: all cassettes, sorted by path.
    """
    same: dict[Path, list[Entry]] = defaultdict(list)
    of_scripts: dict[Path, list[Entry]] = defaultdict(list)
    for group in _groups(entries):
        for at, entry in enumerate(group[1:], start=1):
            earlier = group[:at]
            if entry.location.kind == "scripted":
                of_scripts[entry.location.folder].append(entry)
            elif source := next((one for one in earlier if _calls(one) == _calls(entry)), None):
                yield Fault(
                    path=entry.path,
                    sort="copied",
                    problem=f"holds the very calls of {source.path}, so it is no answer of its own",
                    mend=entry.location.record_command(),
                )
            elif any(_words(one) == _words(entry) for one in earlier):
                same[entry.location.folder].append(entry)
    for folder, found in same.items():
        yield Fault(
            path=folder,
            sort="same_words",
            problem=(
                f"{_samples(found)} word for word like another one of the scenario: no further evidence, "
                "whether a cache answered or the temperature is too low"
            ),
            mend="record with --variants temperature=0.7, or with fewer --samples",
        )
    for folder, found in of_scripts.items():
        yield Fault(
            path=folder,
            sort="scripted_sample",
            problem=f"{_samples(found)} like the script, which has one answer only",
            mend="take samples of a live model",
        )


def _groups(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    groups: dict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.cassette and entry.cassette.calls:
            location = entry.location
            groups[location.model, location.variant, location.scenario].append(entry)
    for group in groups.values():
        yield sorted(group, key=lambda entry: entry.location.sample)


def _calls(entry: Entry) -> tuple[Call, ...]:
    return entry.cassette.calls if entry.cassette else ()


def _words(entry: Entry) -> _Words:
    return tuple(
        ()
        if isinstance(call.response, CallFailure)
        else tuple(choice.content for choice in choices_of(call.response))
        for call in _calls(entry)
    )


def _samples(entries: Sequence[Entry]) -> str:
    return "1 sample answers" if len(entries) == 1 else f"{len(entries):,} samples answer"
