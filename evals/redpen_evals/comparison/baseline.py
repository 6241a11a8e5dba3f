"""The baseline: accepted outcomes in one file per model, laid out for reading in a diff."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out, read_plain_file
from redpen.screen import json_text
from redpen.yaml_files.parsing import field_of
from redpen.yaml_files.source import Location
from redpen_evals.atomic_write import locked_folder, replace_file
from redpen_evals.cassettes.store import model_file_name
from redpen_evals.comparison.changes import Behaviour, Key
from redpen_evals.errors import BaselineError
from redpen_evals.records.model import BASE_VARIANT
from redpen_evals.strict_json import DuplicateKeyError, check_depth, decode, strict_decoder, unique


class UnknownSideError(ConfigurationError):
    """A name is neither a run record nor a baseline, or the variant is not in it."""


BASELINE_VERSION: Final = 1
SUFFIX: Final = ".json"
MAX_BYTES: Final = 32_000_000
"""Maximum size of a file that is read."""

_INDENT: Final = 2
_MAX_DEPTH: Final = 16
_MAX_KEYS: Final = 100
_SHOWN_CHARS: Final = 200
_VERSION_KEY: Final = "redpen_baseline"
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?:\s|$)", re.MULTILINE)
_SENTENCE = re.compile(r".+?(?:[.!?]\s+|\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The accepted outcomes of one model.

    `policies` are the hashes of the policy packs of the accepted runs, by name; None in older files.
    """

    model: str
    accepted: Mapping[Key, Behaviour]
    policies: Mapping[str, str] | None = None


class AcceptedOutcome(BaseModel):
    """One entry of a baseline file; fields at their defaults are left out.

    The answer is in pieces of a sentence each; the other fields are as in ``ScenarioResult``.
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
    """The content of a baseline file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    redpen_baseline: int
    model: str = Field(min_length=1)
    policies: dict[str, str] | None = None
    accepted: list[AcceptedOutcome] = Field(fail_fast=True)


def baseline_path(folder: Path, model: str) -> Path:
    """Return the path of a model's baseline, with special characters of the name percent-escaped."""
    return folder / f"{model_file_name(model)}{SUFFIX}"


def read_baseline(path: Path) -> dict[Key, Behaviour]:
    """Return the accepted outcomes of a file, by scenario, variant and sample; none if there is no file.

    Raises:
        BaselineError: as for ``load_baseline``, or the file's model does not match its name.
    """
    baseline = load_baseline(path, model=unquote(path.stem))
    return {} if baseline is None else dict(baseline.accepted)


def load_baseline(path: Path, *, model: str | None = None) -> Baseline | None:
    """Read a baseline, of any or of an expected model; None if there is no file.

    Raises:
        BaselineError: the file cannot be read, is a link out of its folder, holds merge conflict markers, is
            truncated, of another version, model or shape, or holds two outcomes of one key.
    """
    if leads_out(path, path.parent):
        raise BaselineError(path, f"is a link that leads out of {path.parent}; replace it with the file")
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
        named = repr(content.model)[:_SHOWN_CHARS]
        raise _field_error(path, text, ("model",), f"is {named} in the file of {model!r}; rename it")
    accepted: dict[Key, Behaviour] = {}
    for index, entry in enumerate(content.accepted):
        key = entry.scenario, entry.variant, entry.sample
        if key in accepted:
            raise _field_error(path, text, ("accepted", index, "scenario"), f"{entry.scenario} appears twice")
        accepted[key] = _behaviour(entry)
    return Baseline(model=content.model, accepted=accepted, policies=content.policies)


def save_baseline(path: Path, baseline: Baseline, *, over: Baseline | None = None) -> bool:
    """Write a baseline atomically, unless the file has the same content; returns whether it changed.

    Args:
        path: the file; its folder is created.
        baseline: the content, without stale and errored outcomes.
        over: the expected current content, an empty baseline for no file; None skips the check.

    Raises:
        BaselineError: the file cannot be written, or another process has changed it meanwhile.
    """
    content = dump_baseline(baseline).encode("utf-8")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked_folder(path.parent):
            if over is not None and (load_baseline(path) or Baseline(model=over.model, accepted={})) != over:
                raise BaselineError(path, "another process has changed it; run the command again")
            if path.is_file() and path.read_bytes() == content:
                return False
            replace_file(path, content)
    except OSError as error:
        raise BaselineError(path, f"cannot be written: {error.strerror or error}") from error
    return True


def dump_baseline(baseline: Baseline) -> str:
    """Serialize a baseline: sorted, one field per line, empty fields left out."""
    policies = {} if baseline.policies is None else {"policies": dict(sorted(baseline.policies.items()))}
    return (
        json_text(
            {
                _VERSION_KEY: BASELINE_VERSION,
                "model": baseline.model,
                **policies,
                "accepted": [_entry(key, baseline.accepted[key]) for key in sorted(baseline.accepted)],
            },
            encoding="utf-8",
            indent=_INDENT,
        )
        + "\n"
    )


def as_lines(answer: str) -> list[str]:
    """Split a text after sentences and line breaks; the pieces joined are the text."""
    return _SENTENCE.findall(answer)


def filled_fields(behaviour: Behaviour) -> dict[str, Any]:
    """Return the fields of an outcome that are not empty, as a file holds them: the answer in sentences."""
    values = {field.name: getattr(behaviour, field.name) for field in fields(behaviour)}
    if behaviour.answer is not None:
        values["answer"] = as_lines(behaviour.answer)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None and value != ()
    }


def _entry(key: Key, behaviour: Behaviour) -> dict[str, Any]:
    scenario, variant, sample = key
    entry: dict[str, Any] = {"scenario": scenario}
    if variant != BASE_VARIANT:
        entry["variant"] = variant
    if sample > 1:
        entry["sample"] = sample
    return entry | filled_fields(behaviour)


def _behaviour(entry: AcceptedOutcome) -> Behaviour:
    values = {field.name: getattr(entry, field.name) for field in fields(Behaviour)}
    values["violations"], values["broken"] = tuple(entry.violations), tuple(entry.broken)
    values["answer"] = None if entry.answer is None else "".join(entry.answer)
    return Behaviour(**values)


def _parse(path: Path, text: str) -> BaselineFile:
    if conflict := _CONFLICT.search(text):
        raise BaselineError(
            path,
            "the file holds merge conflict markers; take one side "
            f"(`git checkout --ours {shlex.quote(str(path))}` or `--theirs`), "
            "run the suite and `redpen baseline accept` again",
            line=text.count("\n", 0, conflict.start()) + 1,
        )
    try:
        value = decode(_DECODER, text)
        check_depth(value, _MAX_DEPTH)
    except json.JSONDecodeError as error:
        problem = f"invalid JSON ({error.msg}); the file is truncated or damaged, restore it"
        raise BaselineError(path, problem, line=error.lineno) from None
    except DuplicateKeyError as error:
        raise BaselineError(path, str(error), line=_line_of_repeated(text, error.key)) from None
    except ValueError as error:
        problem = f"invalid JSON: {str(error)[:_SHOWN_CHARS]}"
        raise BaselineError(path, problem) from None
    if not isinstance(value, dict) or _VERSION_KEY not in value:
        raise BaselineError(path, f"is not a baseline: it has no `{_VERSION_KEY}`", line=1)
    if value[_VERSION_KEY] != BASELINE_VERSION:
        raise _field_error(
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
        raise _field_error(path, text, first["loc"], first["msg"]) from None


def _field_error(path: Path, text: str, location: Location, problem: str) -> BaselineError:
    field = field_of(location)[:_SHOWN_CHARS]
    return BaselineError(path, problem, line=_line_of(text, location), field=field)


def _line_of(text: str, location: Location) -> int:
    """Return the line of a value, or of the nearest one around it, by the indentation of the file."""
    lines = text.split("\n")
    at = 0
    for part in location:
        indent = _indent(lines[at]) + _INDENT
        after = range(at + 1, len(lines))
        end = next((line for line in after if _indent(lines[line]) < indent), len(lines))
        values = [line for line in range(at + 1, end) if _indent(lines[line]) == indent]
        if isinstance(part, str):
            found = [line for line in values if lines[line].startswith(f'"{part}":', indent)]
        else:
            found = [line for line in values if lines[line][indent] not in "]}"][part : part + 1]
        if not found:
            break
        at = found[0]
    return at + 1


def _line_of_repeated(text: str, key: str) -> int | None:
    """Return the line of the second occurrence of a key in one object; None if it is not on its own line."""
    lines = text.split("\n")
    named = [at for at, line in enumerate(lines) if line.lstrip(" ").startswith(f"{json.dumps(key)}:")]
    for first, second in pairwise(named):
        if min(map(_indent, lines[first:second])) == _indent(lines[first]) == _indent(lines[second]):
            return second + 1
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > _MAX_KEYS:
        raise ValueError(f"an object has more than {_MAX_KEYS} keys")
    return unique(pairs)


_DECODER: Final = strict_decoder(_object)
