"""Hostile files in a repository, which must be refused with a message and within limits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from fault_campaigns.bounded import MAX_EXTRA_BYTES, MAX_SECONDS, in_bounds
from fault_campaigns.file_kinds import FILE_KINDS, FileKind, write_project
from fault_campaigns.hostile_places import HOSTILE_PLACES, HostilePlace
from fault_campaigns.hostile_texts import HostileText, hostile_texts
from fault_campaigns.tally import Tally
from redpen.errors import RedpenError

Expected = Literal["read", "refused"] | None

_MAX_MESSAGE_CHARS = 25_000
_READ, _REFUSED, _RAISED = "read", "refused: ", "raised: "


def hostile_files(root: Path, *, kinds: Sequence[FileKind] = FILE_KINDS) -> Tally:
    """Replace a file of every kind by every hostile content, and by everything that is not a regular file.

    Args:
        root: an empty folder.
        kinds: the kinds of file.
    """
    broken: list[str] = []
    tried = 0
    for kind in kinds:
        for name, fault in _faults(root / kind.name, kind):
            tried += 1
            broken += [f"{kind.name}: {name}: {fault}"] * bool(fault)
    return Tally(
        fault="hostile contents, links, pipes, devices and huge files in place of every kind of file",
        claim="refused as `file[:line]: problem` within limits of time and memory, or read if valid",
        tried=tried,
        broken=tuple(broken),
    )


def _faults(root: Path, kind: FileKind) -> Iterator[tuple[str, str]]:
    """Yield the name of each case and its fault; empty for none."""
    project = root / "project"
    write_project(project)
    path = project / kind.place
    cases: list[_Case] = [_Case(name="a valid file", put=lambda: None, must="read")]
    for text in hostile_texts(kind):
        put_text = partial(_put_text, path, text, kind)
        cases.append(_Case(name=text.name, put=put_text, must=_expected_of_text(kind, text)))
    for number, place in enumerate(HOSTILE_PLACES):
        put_place = partial(_put_place, path, place, root / f"outside{number}")
        cases.append(_Case(name=place.name, put=put_place, must=_expected_of_place(kind, place)))
    reported = in_bounds([partial(_try, kind, project, case) for case in cases], note=root / "note")
    for case, output in zip(cases, reported, strict=True):
        yield case.name, _judged(kind, output, must=case.must)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A replacement of a valid file, and the expected result; None for either."""

    name: str
    put: Callable[[], None]
    must: Expected


def _put_text(path: Path, text: HostileText, kind: FileKind) -> None:
    path.write_bytes(text.make(kind))


def _put_place(path: Path, place: HostilePlace, outside: Path) -> None:
    outside.mkdir()
    place.put(path, outside)


def _expected_of_text(kind: FileKind, text: HostileText) -> Expected:
    is_allowed = (
        kind.format in text.readable or text.name in kind.allows or (text.spoils_end and kind.allows_torn_end)
    )
    return None if is_allowed else "refused"


def _expected_of_place(kind: FileKind, place: HostilePlace) -> Expected:
    if place.leads_out:
        return "read" if kind.may_lead_out else "refused"
    return None if place.may_be_nothing else "refused"


def _restore(project: Path, kind: FileKind) -> None:
    path = project / kind.place
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.write_text(kind.valid, encoding="utf-8")


def _try(kind: FileKind, project: Path, case: _Case) -> str:
    _restore(project, kind)
    case.put()
    try:
        kind.read(project)
    except RedpenError as error:
        return f"{_REFUSED}{error}"
    except Exception as error:  # noqa: BLE001 - any other error is what the campaign looks for
        return f"{_RAISED}{type(error).__name__}: {error}"
    return _READ


def _judged(kind: FileKind, result: str | None, *, must: Expected) -> str:
    if result is None:
        return f"killed: over {MAX_SECONDS} s or {MAX_EXTRA_BYTES:,} bytes"
    if result == _READ:
        return "read" if must == "refused" else ""
    if not result.startswith(_REFUSED) or must == "read":
        return result
    output = result.removeprefix(_REFUSED)
    if not re.match(rf".*{re.escape(Path(kind.place).name)}(?::\d+)?: \S", output):
        return f"no file and problem: {output}"
    if len(output) > _MAX_MESSAGE_CHARS:
        return f"has {len(output):,} characters"
    return "" if is_printable(output) else f"controls the terminal: {output!r}"


def is_printable(text: str) -> bool:
    """Return whether a text has no control characters but line breaks."""
    return all(char == "\n" or unicodedata.category(char)[0] != "C" for char in text)
