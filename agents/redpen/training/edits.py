"""Labelled edits: ``bases.jsonl`` and ``edits.jsonl`` of a folder.

A base is an approved original in its context. An edit is what somebody made of it: the whole revised text,
or a
sentence that takes the place of one of the original, is added to it or is put before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.errors import RedpenError

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

Label = Literal["block", "pass"]
Topic = Literal[
    "share", "count", "duration", "date", "time", "money", "multiplier", "subject",
    "quantifier", "identifier", "severity", "region", "contact", "party",
    "resolution", "guarantee", "reassurance", "cause", "commitment", "liability",
    "rewrite", "news", "label",
]  # fmt: skip
"""What an edit turns on: a kind of fact, a family of claims, or no more than a new wording, news or a
heading."""


class TrainingDataError(RedpenError):
    """A file of labelled edits has a fault."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Base(_Model):
    """An approved original in its context.

    Attributes:
        id: its number.
        original: the text.
        context: the incident context, any JSON object.
        writer: who wrote it and its edits; a short name.
        style: how it is written (``status page``, ``support mail`` …).
        industry: what trade it comes from.
        round: which collection of edits it belongs to, from 1.
    """

    id: int = Field(ge=1)
    original: str = Field(min_length=1)
    context: dict[str, Any]
    writer: str = "unknown"
    style: str = "unknown"
    industry: str = "unknown"
    round: int = Field(default=1, ge=1)


class Edit(_Model):
    """What somebody made of a base.

    Attributes:
        base: the ``id`` of the base.
        label: ``block`` where it breaks a rule.
        family: what it turns on.
        text: the revised text, or one sentence of it.
        replaces: which sentence of the original, from 1, the text stands for; 0 where it is added at the end;
            ``top`` where it is a first line of its own; null where it is the whole revision.
    """

    base: int
    label: Label
    family: Topic
    text: str = Field(min_length=1)
    replaces: int | Literal["top"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledEdit:
    """An edit with all that is needed to judge it.

    Attributes:
        original: the approved text.
        revised: the whole revised text.
        context: the incident context.
        label: ``block`` where it breaks a rule.
        family: what it turns on.
        writer: who wrote it.
        style: how it is written.
        round: which collection it belongs to.
        base: the number of its base; 0 where it has none.
        is_added: whether its text stands beside the original, whole.
    """

    original: str
    revised: str
    context: dict[str, Any]
    label: Label
    family: Topic
    writer: str = "unknown"
    style: str = "unknown"
    round: int = 1
    base: int = 0
    is_added: bool = False


def read_edits(folder: Path) -> Iterator[LabelledEdit]:
    """Yield the labelled edits of a folder.

    Args:
        folder: holds ``bases.jsonl`` and ``edits.jsonl``, see ``Base`` and ``Edit``.

    Raises:
        TrainingDataError: for the first line with a fault, or for an edit of no base.
        OSError: a file cannot be read.
    """
    bases = {base.id: base for _, base in _lines(folder / "bases.jsonl", Base)}
    path = folder / "edits.jsonl"
    for line, edit in _lines(path, Edit):
        base = bases.get(edit.base)
        if base is None:
            raise TrainingDataError(f"{path}:{line}: base: there is no base {edit.base}")
        revised = _revised(base.original.strip(), edit.text, edit.replaces)
        if revised is None:
            raise TrainingDataError(f"{path}:{line}: replaces: the original has no sentence {edit.replaces}")
        yield LabelledEdit(
            original=base.original,
            revised=revised,
            context=base.context,
            label=edit.label,
            family=edit.family,
            writer=base.writer,
            style=base.style,
            round=base.round,
            base=base.id,
            is_added=edit.replaces in (0, "top"),
        )


def _revised(original: str, text: str, replaces: int | str | None) -> str | None:
    """Return the whole revised text; None where there is no such sentence."""
    if replaces is None:
        return text
    if replaces == "top":
        return f"{text}\n{original}"
    if replaces == 0:
        return f"{original} {text}"
    ends = [(match.start(), match.end()) for match in _SENTENCE_END.finditer(original)]
    starts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(original)]
    if not isinstance(replaces, int) or not 0 < replaces <= len(starts):
        return None
    return original[: starts[replaces - 1]] + text + original[stops[replaces - 1] :]


_M = TypeVar("_M", bound=_Model)


def _lines(path: Path, shape: type[_M]) -> Iterator[tuple[int, _M]]:
    """Yield the lines of a file, each with its number."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, shape.model_validate(json.loads(line))
            except ValidationError as error:
                fault = error.errors()[0]
                field = ".".join(map(str, fault["loc"]))
                raise TrainingDataError(f"{path}:{number}: {field}: {fault['msg']}") from error
            except ValueError as error:
                raise TrainingDataError(f"{path}:{number}: {error}") from error
