"""The content of the cassettes folder: cassettes, their age, and their faults."""

from __future__ import annotations

import datetime
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

from redpen.errors import ConfigurationError
from redpen.screen import shown
from redpen.text.suggestion import suggestion
from redpen.types import JsonObject
from redpen_evals.atomic_write import is_temporary
from redpen_evals.cassettes import file
from redpen_evals.cassettes.encoding import JsonBody
from redpen_evals.cassettes.file import Call, CallFailure, CallResponse, CassetteFile
from redpen_evals.cassettes.prompts import FOLDER
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation, list_locations, load
from redpen_evals.errors import CassetteError, CassetteProblem
from redpen_evals.folders import Kind, walk
from redpen_evals.model_calls.reading import dialect_of, read_call
from redpen_evals.records.model import display_id

Sort = Literal[
    "orphaned",  # its scenario is gone
    "unknown_test",  # its test is not found, but may exist
    "unused",  # its scenario calls no model
    "redundant",  # a variant with the same calls as its base, which a replay would use instead
    "leftover",  # a temporary file of a recording that was killed
    "copied",  # a live sample that is a copy of another one
    "unplayed",  # its run no longer makes some of its calls
    "unreadable",  # empty, truncated, or of another format
    "edited",  # its calls are not the ones that were recorded
    "unprotected",  # it has no digest, by which an edit of it would be noticed
    "misplaced",  # its path does not match its content
    "secret",  # it holds something like a key
    "accident",  # a live recording of an error, failure or refusal
    "alien",  # not a cassette
    "link",  # a symbolic link, which is not followed
    "same_words",  # live samples with the same answers
    "scripted_sample",  # a sample of a script, which always gives the same answer
    "unknown_variant",  # a variant that no run can have
    "old_version",  # recorded with older releases
]

NOTES: frozenset[Sort] = frozenset(
    {"unknown_test", "unprotected", "same_words", "scripted_sample", "unknown_variant", "old_version"}
)
"""Codes of notes, which are not faults."""

PRUNE = "redpen cassettes prune"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault or note on a file, or a note on a folder; `mend` is the command or step that fixes it."""

    path: Path
    sort: Sort
    problem: str
    mend: str

    @property
    def is_note(self) -> bool:
        """Whether it is a note, not a fault."""
        return self.sort in NOTES

    @property
    def line(self) -> str:
        """The fault on one line, escaped for a terminal."""
        note = "note: " if self.is_note else ""
        return f"{shown(str(self.path))}: {note}{shown(self.problem)}; {shown(self.mend)}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**asdict(self), "path": str(self.path), "level": "note" if self.is_note else "fault"}


EXPECTED: Final = frozenset({".gitkeep", ".gitignore", ".gitattributes", "README.md"})
"""Other files that are allowed in the folder."""

_ELSEWHERE: Final[frozenset[CassetteProblem]] = frozenset({"kind", "model", "scenario"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One cassette.

    `content` is None if it cannot be read; `error` says why it cannot be loaded, unreadable or misplaced.
    """

    location: CassetteLocation
    size_bytes: int
    content: CassetteFile | None = None
    error: CassetteError | None = None

    @property
    def cassette(self) -> CassetteFile | None:
        """The recording that a replay would use; None if there is an error."""
        return None if self.error else self.content

    @property
    def path(self) -> Path:
        """The file."""
        return self.location.path

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that a replay would use."""
        return self.cassette.calls if self.cassette else ()

    def fault(self, sort: Sort, problem: str, mend: str = "") -> Fault:
        """Return a fault of the file, by default to be fixed by recording it again."""
        return Fault(self.path, sort, problem, mend or self.location.record_command())


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """A cassettes folder.

    Attributes:
        entries: files whose path is that of a cassette, sorted.
        temporary: temporary files of recordings, killed or still running.
        links: symbolic links to files or folders, which are not followed.
        others: files that are not allowed there, and unreadable folders.
        folders: all folders below the root, parents first.
        prompts: prompt files of cassettes.
    """

    root: Path
    entries: tuple[Entry, ...]
    temporary: tuple[Path, ...]
    links: tuple[Path, ...]
    others: tuple[Path, ...]
    folders: tuple[Path, ...]
    prompts: tuple[Path, ...]


def read_inventory(root: Path) -> Inventory:
    """Read all cassettes, and list other files in the folder, which need not exist."""
    paths: dict[Kind, list[Path]] = {"file": [], "link": [], "folder": [], "closed": []}
    for path, kind in walk(root):
        paths[kind].append(path)
    files = paths["file"]
    not_linked = set(files)
    locations = [location for location in list_locations(root) if location.path in not_linked]
    known = {location.path for location in locations}
    temporary = [path for path in files if is_temporary(path)]
    prompts = [path for path in files if path.parent.name == FOLDER and path.parent.parent.parent == root]
    known |= set(prompts)
    others = [path for path in files if path not in known and not is_temporary(path)] + paths["closed"]
    return Inventory(
        root=root,
        entries=tuple(map(read_entry, locations)),
        temporary=tuple(temporary),
        links=tuple(paths["link"]),
        others=tuple(path for path in others if path.name not in EXPECTED),
        folders=tuple(paths["folder"]),
        prompts=tuple(path for path in prompts if not is_temporary(path)),
    )


def read_entry(location: CassetteLocation) -> Entry:
    """Read the cassette of a location, even if it is faulty."""
    try:
        size_bytes = location.path.stat().st_size
    except OSError:
        size_bytes = 0
    try:
        return Entry(location=location, size_bytes=size_bytes, content=load(location))
    except CassetteError as error:
        content = read_content(location.path) if error.kind in _ELSEWHERE else None
        return Entry(location=location, size_bytes=size_bytes, content=content, error=error)


def read_entries(
    root: Path,
    *,
    model: str | None = None,
    agent: str | None = None,
    agents: Mapping[str, str] | None = None,
) -> tuple[Entry, ...]:
    """Read the cassettes of a folder, or those of one model or agent, sorted by path.

    `agents` are those of the library's own scenarios, by id.
    """
    return tuple(
        read_entry(location)
        for location in list_locations(root)
        if model in {None, location.model} and agent in {None, agent_of(location, agents or {})}
    )


def name_of(location: CassetteLocation) -> str:
    """Return the display name of a cassette, e.g. ``reflection/approve-direct [critique=v2] #2``."""
    return display_id((location.scenario, location.variant, location.sample))


def agent_of(location: CassetteLocation, agents: Mapping[str, str]) -> str:
    """Return the agent of a cassette, by its scenario, or by its folder if the scenario is gone."""
    return agents.get(location.scenario, location.scenario.split("/", maxsplit=1)[0])


def read_content(path: Path) -> CassetteFile | None:
    """Read a cassette at any path, without its prompts; None if it cannot be read."""
    try:
        return file.read(path, without_prompts=True)
    except CassetteError:
        return None


_FILTERED: Final = "content_filter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer of the model: its text, or None, its refusal and finish reason, and its tool calls."""

    content: str | None
    refusal: str
    finish_reason: str
    tool_calls: tuple[Any, ...] = ()


def choices_of(response: CallResponse) -> tuple[Choice, ...]:
    """Return the answers of a chat completion; empty for any other response."""
    value = response.body.value if isinstance(response.body, JsonBody) else None
    choices = value.get("choices") if isinstance(value, dict) else None
    return tuple(_choice(item) for item in choices) if isinstance(choices, list) else ()


def accident(call: Call) -> str:
    """Return why a model call has no answer; empty if it has one, and for calls of tools."""
    result = call.response
    if dialect_of(call.request.url) is None:
        return ""
    if isinstance(result, CallFailure):
        return f"failed: {result.failure}"
    if result.status != HTTPStatus.OK:
        return f"got {status_text(result.status)}"
    choices = choices_of(result)
    if not choices and not (answer := read_call(call)).text and not answer.tool_calls:
        return "got no answer"
    if any(choice.refusal for choice in choices):
        return "was refused"
    return "was filtered" if any(choice.finish_reason == _FILTERED for choice in choices) else ""


def status_text(status: int) -> str:
    """Return an HTTP status with its phrase, such as ``HTTP 429 Too Many Requests``."""
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"


def _choice(item: object) -> Choice:
    choice = item if isinstance(item, Mapping) else {}
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    content, refusal, tools = message.get("content"), message.get("refusal"), message.get("tool_calls")
    return Choice(
        content=content if isinstance(content, str) else None,
        refusal=refusal if isinstance(refusal, str) else "",
        finish_reason=str(choice.get("finish_reason") or ""),
        tool_calls=tuple(tools) if isinstance(tools, list) else (),
    )


def find_cassette(
    root: Path, scenario: str, *, model: str, variant: str = "", sample: int = 1
) -> CassetteLocation:
    """Return the location of an existing cassette; ConfigurationError lists similar ones."""
    wanted = CassetteLocation(root=root, model=model, scenario=scenario, variant=variant, sample=sample)
    if wanted.path.is_file():
        return wanted
    locations = list_locations(root)
    of_scenario = [location for location in locations if location.scenario == scenario]
    if not of_scenario:
        hint = suggestion(scenario, {location.scenario for location in locations})
        raise ConfigurationError(f"no cassette of {scenario!r}{hint}; `redpen cassettes` lists them")
    commands = "\n".join(map(_command, of_scenario))
    raise ConfigurationError(
        f"{wanted.path}: there is no such cassette; of that scenario there are\n{commands}"
    )


def _command(location: CassetteLocation) -> str:
    words = ["redpen", "cassettes", "show", location.scenario]
    words += ["--model", location.model] if location.model != SCRIPTED_MODEL else []
    words += ["--variant", location.variant] if location.variant else []
    words += ["--sample", str(location.sample)] if location.sample > 1 else []
    return f"  {shlex.join(words)}"


_AT: Final = "at"
_RELEASE: Final = re.compile(r"(\d{1,9})\.(\d{1,9})")
_UNITS: Final = ((365 * 86_400, "y"), (30 * 86_400, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"))
_MIN_UNITS: Final = 2
"""A unit is used from two of it on: 13 months, not 1 year."""


def age(recorded: JsonObject, now: datetime.datetime) -> str:
    """Return the age of a recording, such as ``3 d``; ``?`` if its time is unknown or in the future."""
    try:
        time = datetime.datetime.fromisoformat(str(recorded.get(_AT)))
    except ValueError:
        return "?"
    time = time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
    seconds = (now - time).total_seconds()
    if seconds < 0:
        return "?"
    for size, unit in _UNITS:
        if seconds >= _MIN_UNITS * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 60)} min"


def versions(recorded: JsonObject) -> dict[str, str]:
    """Return the versions that made a recording, by package name."""
    return {name: value for name, value in recorded.items() if name != _AT and isinstance(value, str)}


def old_versions(entries: Sequence[Entry], installed: Mapping[str, str]) -> Iterator[Fault]:
    """Yield a note for every folder and version that is older than the installed one.

    Only major and minor numbers are compared.
    """
    groups: dict[tuple[Path, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        for name, version in versions(entry.cassette.recorded).items() if entry.cassette else ():
            if _is_older(version, installed.get(name, "")):
                groups[entry.location.folder, name, version].append(entry)
    for (folder, name, version), old in sorted(groups.items()):
        cassettes = "1 cassette was" if len(old) == 1 else f"{len(old):,} cassettes were"
        command = old[0].location.record_command()
        problem = f"{cassettes} recorded with {name} {version}, {installed[name]} is installed"
        yield Fault(
            folder, "old_version", problem, command if len(old) == 1 else command.rpartition(" -k ")[0]
        )


def _is_older(version: str, installed: str) -> bool:
    old, new = _RELEASE.match(version), _RELEASE.match(installed)
    # A checkout that is not installed has no version number.
    return old is not None and new is not None and [*map(int, old.groups())] < [*map(int, new.groups())]
