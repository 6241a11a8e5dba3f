"""The labelled edits that weights are fitted on: ``bases.jsonl`` and ``edits.jsonl`` of a folder.

A base is an approved original in its context. An edit is what somebody made of it: the whole revised text,
or one sentence that takes the place of one of the original or is added to it. Items of the draft library that
are not held out count as edits too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.types import JsonObject
from redpen_evals.scenario_library.drafts import Family, Label, read_drafts
from redpen_evals.scenario_library.errors import problem_in
from redpen_evals.scenario_library.fields import JsonMapping
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.strict_json import parse_json

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Base(_Model):
    """An approved original in its context."""

    id: int = Field(ge=1)
    original: str = Field(min_length=1)
    context: JsonMapping


class Edit(_Model):
    """What somebody made of a base.

    Attributes:
        base: the ``id`` of the base.
        label: ``block`` where it breaks a rule.
        family: what it turns on.
        text: the revised text, or one sentence of it.
        replaces: which sentence of the original, from 1, the text stands for; 0 where it is added at the
            end; null where it is the whole revision.
    """

    base: int
    label: Label
    family: Family
    text: str = Field(min_length=1)
    replaces: int | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledEdit:
    """An edit with all that is needed to judge it.

    Attributes:
        original: the approved text.
        revised: the whole revised text.
        context: the incident context.
        label: ``block`` where it breaks a rule.
        family: what it turns on.
    """

    original: str
    revised: str
    context: JsonObject
    label: Label
    family: Family


def read_edits(folder: Path) -> Iterator[LabelledEdit]:
    """Yield the labelled edits of a folder.

    Args:
        folder: holds ``bases.jsonl`` and ``edits.jsonl``, see ``Base`` and ``Edit``.

    Raises:
        LibraryError: for the first line with a fault, or for an edit of no base.
        OSError: a file cannot be read.
    """
    bases = {base.id: base for _, base in _lines(folder / "bases.jsonl", Base)}
    path = folder / "edits.jsonl"
    for line, edit in _lines(path, Edit):
        if (base := bases.get(edit.base)) is None:
            raise problem_in(path, f"there is no base {edit.base}", line=line, field="base")
        revised = edit.text
        if edit.replaces is not None:
            sentences = _SENTENCE_END.split(base.original.strip())
            if edit.replaces > len(sentences):
                told = f"the original has {len(sentences)} sentences"
                raise problem_in(path, told, line=line, field="replaces")
            place = edit.replaces or len(sentences) + 1
            sentences[place - 1 : place] = [edit.text]
            revised = " ".join(sentences)
        yield LabelledEdit(
            original=base.original,
            revised=revised,
            context=base.context,
            label=edit.label,
            family=edit.family,
        )


def library_edits(layout: Layout) -> Iterator[LabelledEdit]:
    """Yield the undisguised items of the draft library that are not held out."""
    for draft in read_drafts(layout).drafts:
        if draft.item.split == "dev" and draft.item.disguise == "none":
            yield LabelledEdit(
                original=draft.original,
                revised=draft.item.revised,
                context=draft.context,
                label=draft.item.label,
                family=draft.item.family,
            )


_M = TypeVar("_M", bound=_Model)


def _lines(path: Path, shape: type[_M]) -> Iterator[tuple[int, _M]]:
    """Yield the lines of a file, each with its number."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, shape.model_validate(parse_json(line))
            except ValidationError as error:
                fault = error.errors()[0]
                field = ".".join(map(str, fault["loc"]))
                raise problem_in(path, fault["msg"], line=number, field=field) from error
            except ValueError as error:
                raise problem_in(path, str(error), line=number) from error
