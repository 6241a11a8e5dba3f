"""Models of the training data files and of ``phrases.yaml``, their JSON Schemas, and a check of the phrases.

Errors are reported as ``file:line: field: problem``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from redpen.guards.data import data_path
from redpen.training.edits import Base, Edit, TrainingDataError

_Words = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S+(?: \S+)*$")]
Location = tuple[str | int, ...]
_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Row(_Model):
    """One phrase; the notation is described at the top of ``phrases.yaml``."""

    say: _Words = Field(description="The phrase, in the notation of the file.")
    block: _Words = Field(description="A sentence that it blocks.")
    passes: _Words = Field(alias="pass", description="A sentence that it lets pass.")
    again: Literal["scope", "always"] | None = Field(
        None,
        description="Whether it may be told again: `scope` with the hint too, as a part of the whole.",
    )
    own: bool = Field(False, description="Denies or leaves open in its own words.")
    doubtful: bool = Field(False, description="A concern, and no violation.")
    lacks: _Words | None = Field(None, alias="without", description="Words of which the clause holds none.")
    unless_then: _Words | None = Field(
        None, description="Words that must not come next; `$`: the end of the clause."
    )


class Families(_Model):
    """The rows of each family of claims."""

    resolution: tuple[Row, ...] = Field(strict=False)
    guarantee: tuple[Row, ...] = Field(strict=False)
    reassurance: tuple[Row, ...] = Field(strict=False)
    cause: tuple[Row, ...] = Field(strict=False)
    commitment: tuple[Row, ...] = Field(strict=False)
    liability: tuple[Row, ...] = Field(strict=False)


class Turns(_Model):
    """Expressions around a phrase that decide whether its clause affirms it."""

    harmless: tuple[_Words, ...] = Field(
        strict=False, description="Seem to deny or to leave open what comes after, and do not."
    )
    leaving_open: tuple[_Words, ...] = Field(strict=False, description="Before a phrase: leave it open.")
    surely_open: tuple[_Words, ...] = Field(
        strict=False, description="Before a phrase: leave it open beyond doubt."
    )
    taking_back: tuple[_Words, ...] = Field(strict=False, description="Right after a phrase: take it back.")
    contradicting: tuple[_Words, ...] = Field(
        strict=False, description="A clause after that of a phrase begins with one: it takes it back."
    )


class Phrases(_Model):
    """The content of ``phrases.yaml``."""

    classes: dict[str, _Words] = Field(description="Words that rows call by one name: `<done>`.")
    turns: Turns
    families: Families


SCHEMAS: dict[str, type[BaseModel]] = {"phrases": Phrases, "bases": Base, "edits": Edit}
"""The models by file name; ``bases`` and ``edits`` have one object per line."""


def schema_of(name: str) -> str:
    """Return the JSON Schema of a file as text."""
    return json.dumps(_DIALECT | SCHEMAS[name].model_json_schema(by_alias=True), indent=1) + "\n"


def schema_path(name: str, edits: Path) -> Path:
    """Return the path of a file's schema, which is stored beside the file."""
    return (data_path("") if name == "phrases" else edits) / f"{name}.schema.json"


def check_phrases(path: Path) -> None:
    """Validate ``phrases.yaml``.

    Raises:
        TrainingDataError: the file is invalid; the first error is reported.
        OSError: the file cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    try:
        node, value = yaml.compose(text, Loader=yaml.SafeLoader), yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise TrainingDataError(f"{path}:{line}: not valid YAML: {error.problem}") from error
    try:
        Phrases.model_validate(value)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(map(str, fault["loc"])) or "file"
        raise TrainingDataError(f"{path}:{_line(node, fault['loc'])}: {field}: {fault['msg']}") from error
    for place, unknown in _unknown_classes(value):
        at = _line(node, place)
        name = ".".join(map(str, place))
        raise TrainingDataError(f"{path}:{at}: {name}: there is no class <{unknown}>")


def _unknown_classes(value: dict[str, Any]) -> Iterator[tuple[Location, str]]:
    """Yield the location and name of each reference to an undefined class."""
    classes = value["classes"]
    texts: list[tuple[Location, str]] = [(("classes", name), text) for name, text in classes.items()]
    for family, rows in value["families"].items():
        texts += [(("families", family, at, "say"), row["say"]) for at, row in enumerate(rows)]
    for field, text in texts:
        for part in text.split("<")[1:]:
            name = part.partition(">")[0]
            if name not in classes:
                yield field, name


def _line(node: Any, location: Location) -> int:
    """Return the line of a value, or of the nearest enclosing one."""
    line: int = node.start_mark.line + 1 if node is not None else 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, item) for key, item in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = (node.value[part], node.value[part])
        else:
            found = None
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line
