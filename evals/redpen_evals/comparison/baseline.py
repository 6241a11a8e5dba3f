"""The baseline: accepted outcomes in one file a model, made to be read in a diff."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.errors import ConfigurationError, RedpenError
from redpen.plain_file import leads_out, read_plain_file
from redpen.screen import json_text
from redpen_evals.atomic_write import locked_folder, replace_file
from redpen_evals.cassettes.store import model_file_name
from redpen_evals.comparison.changes import Behaviour, Key
from redpen_evals.records.model import BASE_VARIANT
from redpen_evals.strict_json import check_depth, decode, strict_decoder


class BaselineError(RedpenError):
    """A baseline file cannot be used; nothing was written.

    Args:
        path: the file.
        problem: what is wrong, in words.
        line: number of the line, from 1; None where the whole file is meant.
        field: of the line, e.g. ``accepted[3].calls``; empty where none is meant.
    """

    def __init__(self, path: Path, problem: str, *, line: int | None = None, field: str = "") -> None:
        self.path = path
        self.problem = problem
        self.line = line
        self.field = field
        place = f"{path}:{line}" if line else str(path)
        super().__init__(": ".join(filter(None, (place, field, problem))))


class UnknownSideError(ConfigurationError):
    """A name means neither a run record nor a baseline, or not one of its variants."""


Location: TypeAlias = tuple[str | int, ...]

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|\n|[^\s"\[\]{}:,]+')


@dataclass(slots=True, kw_only=True)
class _Open:
    """An object or array that is being read; ``part`` is the key or number of what comes next in it."""

    in_object: bool
    part: str | int | None


def json_places(text: str) -> Iterator[tuple[Location, int]]:
    """Yield the place of every value with its line, from 1, in the order of the text.

    A key that appears twice in its object is yielded twice.

    Args:
        text: valid JSON.
    """
    line, opened, wants_key = 1, list[_Open](), False
    for match in _MARK.finditer(text):
        mark = match[0]
        if mark == "\n":
            line += 1
        elif wants_key and mark.startswith('"'):
            opened[-1].part, wants_key = json.loads(mark), False
            yield _location(opened), line
        elif mark in "]}":
            opened.pop()
            wants_key = False
        elif mark == ",":
            wants_key = opened[-1].in_object
            if isinstance(at := opened[-1].part, int):
                opened[-1].part = at + 1
        elif mark != ":":
            # A value; that of a key has been told of with the key.
            if opened and not opened[-1].in_object:
                yield _location(opened), line
            if mark in "[{":
                wants_key = mark == "{"
                opened.append(_Open(in_object=wants_key, part=None if wants_key else 0))


def line_of(text: str, location: Location) -> int:
    """Return the line of a value, or of the nearest one around it.

    Args:
        text: valid JSON.
        location: keys and, from 0, numbers.
    """
    nearest, found = 0, 1
    for place, line in json_places(text):
        if len(place) > nearest and place == location[: len(place)]:
            nearest, found = len(place), line
            if nearest == len(location):
                break
    return found


def repeated_key(text: str) -> tuple[Location, int] | None:
    """Return the place and line of the first key that appears twice in its object, or None."""
    seen = set[Location]()
    for place, line in json_places(text):
        if place in seen:
            return place, line
        seen.add(place)
    return None


def shown_location(location: Location) -> str:
    """Return a location for people: ``accepted[3].calls``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _location(opened: list[_Open]) -> Location:
    return tuple(one.part for one in opened if one.part is not None)


BASELINE_VERSION: Final = 1
SUFFIX: Final = ".json"
MAX_BYTES: Final = 32_000_000
"""Size of the largest file that is read."""

_MAX_DEPTH: Final = 16
_MAX_KEYS: Final = 100
_SHOWN_CHARS: Final = 200
_VERSION_KEY: Final = "redpen_baseline"
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?:\s|$)", re.MULTILINE)
_SENTENCE = re.compile(r".+?(?:[.!?]\s+|\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The accepted outcomes of one model.

    Attributes:
        model: ``scripted``, or the name of a live model.
        accepted: by scenario, variant and sample.
    """

    model: str
    accepted: Mapping[Key, Behaviour]


class AcceptedOutcome(BaseModel):
    """One entry of a baseline file; what is left out is empty.

    Attributes:
        scenario: id.
        variant: label; left out for the base.
        sample: number of the answer; left out for the first.
        answer: the published text, cut after its sentences; joined they are the text.

    The others are as in ``Behaviour``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    scenario: str = Field(min_length=1)
    variant: str = BASE_VARIANT
    sample: int = Field(default=1, ge=1)
    outcome: Literal["passed", "failed"]
    status: Literal["ok", "stopped"] | None = None
    stop_reason: str | None = None
    phase: str | None = None
    result: str | None = None
    decision: str | None = None
    violations: list[str] = Field(default=[], fail_fast=True)
    broken: list[str] = Field(default=[], fail_fast=True)
    answer: list[str] | None = Field(default=None, fail_fast=True)
    calls: int = Field(default=0, ge=0)
    tokens: int | None = Field(default=None, ge=0)


class BaselineFile(BaseModel):
    """A baseline as it stands in its file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    redpen_baseline: int
    model: str = Field(min_length=1)
    accepted: list[AcceptedOutcome] = Field(fail_fast=True)


def baseline_path(folder: Path, model: str) -> Path:
    """Return the file of a model's baseline; its name is the model's, percent-escaped where it has to be."""
    return folder / f"{model_file_name(model)}{SUFFIX}"


def read_baseline(path: Path) -> dict[Key, Behaviour]:
    """Return the accepted outcomes of a file, by scenario, variant and sample; none if there is no file.

    Args:
        path: as ``baseline_path`` gives it.

    Raises:
        BaselineError: as ``load_baseline``; or the file is of another model than its name says.
    """
    baseline = load_baseline(path, model=unquote(path.stem))
    return {} if baseline is None else dict(baseline.accepted)


def load_baseline(path: Path, *, model: str | None = None) -> Baseline | None:
    """Read a baseline; None if there is no file.

    Args:
        path: the file.
        model: that it has to be of; None for any.

    Raises:
        BaselineError: the file cannot be read, leads out of its folder, holds the marks of a merge conflict,
            is cut off, of another version, model or shape, or accepts two outcomes of one thing.
    """
    if leads_out(path, path.parent):
        raise BaselineError(path, f"leads out of {path.parent} over a link; put the file in its place")
    try:
        text = read_plain_file(path, max_bytes=MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BaselineError(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BaselineError(path, f"is not valid UTF-8 at byte {error.start}; restore the file") from error
    content = _parse(path, text)
    if model is not None and content.model != model:
        found = repr(content.model)[:_SHOWN_CHARS]
        raise _misplaced(path, text, ("model",), f"is {found} in the file of {model!r}; rename it")
    accepted: dict[Key, Behaviour] = {}
    for at, entry in enumerate(content.accepted):
        key = entry.scenario, entry.variant, entry.sample
        if key in accepted:
            raise _misplaced(path, text, ("accepted", at, "scenario"), f"{entry.scenario} appears twice")
        accepted[key] = _behaviour(entry)
    return Baseline(model=content.model, accepted=accepted)


def save_baseline(path: Path, baseline: Baseline, *, over: Baseline | None = None) -> bool:
    """Write a baseline atomically; equal ones give the same bytes.

    Args:
        path: the file; its folder is made.
        baseline: the content; stale and errored outcomes are not to be in it.
        over: what the file has to hold still; an empty one for no file, None for whatever it holds.

    Returns:
        Whether the file changed; one that holds the same already is not touched.

    Raises:
        BaselineError: the disk refused it, or another process has changed the file meanwhile.
    """
    content = dump_baseline(baseline).encode("utf-8")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked_folder(path.parent):
            return _save(path, content, over)
    except OSError as error:
        raise BaselineError(path, f"cannot be written: {error.strerror or error}") from error


def _save(path: Path, content: bytes, over: Baseline | None) -> bool:
    if over is not None and (load_baseline(path) or Baseline(model=over.model, accepted={})) != over:
        raise BaselineError(path, "another process has changed it meanwhile; give the command again")
    if path.is_file() and path.read_bytes() == content:
        return False
    replace_file(path, content)
    return True


def dump_baseline(baseline: Baseline) -> str:
    """Return a baseline as the text of its file: sorted, one field a line, empty ones left out."""
    return (
        json_text(
            {
                _VERSION_KEY: BASELINE_VERSION,
                "model": baseline.model,
                "accepted": [_entry(key, baseline.accepted[key]) for key in sorted(baseline.accepted)],
            },
            encoding="utf-8",
            indent=2,
        )
        + "\n"
    )


def as_lines(answer: str) -> list[str]:
    """Return a text cut after its sentences and line breaks; joined, the pieces are the text."""
    return _SENTENCE.findall(answer)


def _entry(key: Key, one: Behaviour) -> dict[str, Any]:
    scenario, variant, sample = key
    entry: dict[str, Any] = {"scenario": scenario}
    if variant != BASE_VARIANT:
        entry["variant"] = variant
    if sample > 1:
        entry["sample"] = sample
    for field in fields(one):
        value = getattr(one, field.name)
        if field.name == "answer" and value is not None:
            entry["answer"] = as_lines(value)
        elif value is not None and value != ():
            entry[field.name] = list(value) if isinstance(value, tuple) else value
    return entry


def _behaviour(entry: AcceptedOutcome) -> Behaviour:
    values = {field.name: getattr(entry, field.name) for field in fields(Behaviour)}
    values["violations"], values["broken"] = tuple(entry.violations), tuple(entry.broken)
    values["answer"] = None if entry.answer is None else "".join(entry.answer)
    return Behaviour(**values)


def _parse(path: Path, text: str) -> BaselineFile:
    if conflict := _CONFLICT.search(text):
        raise BaselineError(
            path,
            "a merge left its conflict marks here; take one side "
            f"(`git checkout --ours {shlex.quote(str(path))}` or `--theirs`), "
            "run the suite and `redpen baseline accept` again",
            line=text.count("\n", 0, conflict.start()) + 1,
        )
    try:
        value = decode(_DECODER, text)
        check_depth(value, _MAX_DEPTH)
    except json.JSONDecodeError as error:
        problem = f"no JSON ({error.msg}); it is cut off or damaged, restore the file"
        raise BaselineError(path, problem, line=error.lineno) from None
    except _RepeatedKey:
        found = repeated_key(text)
        place, line = found or ((), 1)
        raise BaselineError(path, "the key appears twice", line=line, field=shown_location(place)) from None
    except ValueError as error:
        problem = f"no JSON that can be read: {str(error)[:_SHOWN_CHARS]}"
        raise BaselineError(path, problem) from None
    if not isinstance(value, dict) or _VERSION_KEY not in value:
        raise BaselineError(path, f"is not a baseline: it has no `{_VERSION_KEY}`", line=1)
    if value[_VERSION_KEY] != BASELINE_VERSION:
        raise _misplaced(
            path,
            text,
            (_VERSION_KEY,),
            f"is {str(value[_VERSION_KEY])[:20]}, this Redpen reads version {BASELINE_VERSION}; "
            "remove the file and run `redpen baseline accept`",
        )
    try:
        return BaselineFile.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        raise _misplaced(path, text, first["loc"], first["msg"]) from None


def _misplaced(path: Path, text: str, location: Location, problem: str) -> BaselineError:
    field = shown_location(location)[:_SHOWN_CHARS]
    return BaselineError(path, problem, line=line_of(text, location), field=field)


class _RepeatedKey(ValueError):  # noqa: N818 - never leaves this module
    """An object of the file repeats a key."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _RepeatedKey
    if len(result) > _MAX_KEYS:
        raise ValueError(f"an object of more than {_MAX_KEYS} keys")
    return result


_DECODER: Final = strict_decoder(_object)
