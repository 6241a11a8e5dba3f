"""Labelled edits: ``bases.jsonl`` and ``edits.jsonl`` of a folder.

A base is an approved original text with its context. An edit is a revision of a base: the whole revised text,
or one sentence that replaces a sentence of the original or is added after or before it.
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

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ENDS = frozenset(".!?\"'”’)…")
"""Last characters of a sentence."""

Label = Literal["block", "pass"]
Topic = Literal[
    "share", "count", "duration", "date", "time", "money", "multiplier", "subject",
    "quantifier", "identifier", "severity", "region", "contact", "party",
    "resolution", "guarantee", "reassurance", "cause", "commitment", "liability",
    "rewrite", "news", "label",
]  # fmt: skip
"""What an edit changes: a kind of fact, a family of claims, or only wording, unrelated news or a heading."""


class TrainingDataError(RedpenError):
    """A file of labelled edits is invalid."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Base(_Model):
    """An approved original text with its context.

    Attributes:
        id: number of the base.
        original: the text.
        context: the incident context, any JSON object.
        writer: short name of the author of the text and its edits.
        style: kind of text (``status page``, ``support mail`` …).
        industry: industry of the company.
        round: number of the data collection round, from 1.
    """

    id: int = Field(ge=1)
    original: str = Field(min_length=1)
    context: dict[str, Any]
    writer: str = "unknown"
    style: str = "unknown"
    industry: str = "unknown"
    round: int = Field(default=1, ge=1)


class Edit(_Model):
    """A labelled revision of a base.

    Attributes:
        base: ``id`` of the base.
        label: ``block`` if it breaks a rule.
        family: what it changes.
        text: the revised text, or one sentence of it.
        replaces: number of the sentence that the text replaces, from 1; 0 if it is added at the end;
            ``top`` if it is added as a first line; null if it is the whole revision.
        claim: the words of the text that break a rule, verbatim; empty if they are not marked.
    """

    base: int
    label: Label
    family: Topic
    text: str = Field(min_length=1)
    replaces: int | Literal["top"] | None = None
    claim: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledEdit:
    """An edit together with its base.

    Attributes:
        original: the approved text.
        revised: the whole revised text.
        context: the incident context.
        label: ``block`` if it breaks a rule.
        family: what it changes.
        writer: author of the edit.
        style: kind of text.
        round: number of the data collection round.
        base: number of its base; 0 if it has none.
        is_added: whether its text is added to the unchanged original.
        claim: the words of ``revised`` that break a rule; empty if they are not marked.
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
    claim: str = ""


def read_edits(folder: Path) -> Iterator[LabelledEdit]:
    """Yield the labelled edits of a folder.

    Args:
        folder: contains ``bases.jsonl`` (``Base``) and ``edits.jsonl`` (``Edit``).

    Raises:
        TrainingDataError: a line is invalid, an edit refers to an unknown base or sentence, or its text does
            not contain its claim.
        OSError: a file cannot be read.
    """
    bases = {base.id: base for _, base in _lines(folder / "bases.jsonl", Base)}
    path = folder / "edits.jsonl"
    for line, edit in _lines(path, Edit):
        base = bases.get(edit.base)
        if base is None:
            raise TrainingDataError(f"{path}:{line}: base: there is no base {edit.base}")
        if edit.claim not in edit.text:
            raise TrainingDataError(f"{path}:{line}: claim: the text does not contain it")
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
            claim=edit.claim,
        )


def _revised(original: str, text: str, replaces: int | str | None) -> str | None:
    """Return the whole revised text; None if the original has no such sentence."""
    if replaces is None:
        return text
    if replaces == "top":
        return f"{text}\n{original}"
    if replaces == 0:
        # After a signature, a sentence begins a line of its own.
        between = " " if original[-1] in _ENDS else "\n"
        return f"{original}{between}{text}"
    ends = [(match.start(), match.end()) for match in SENTENCE_END.finditer(original)]
    starts = [0, *(after for _, after in ends)]
    stops = [*(before for before, _ in ends), len(original)]
    if not isinstance(replaces, int) or not 0 < replaces <= len(starts):
        return None
    return original[: starts[replaces - 1]] + text + original[stops[replaces - 1] :]


_M = TypeVar("_M", bound=_Model)


def _lines(path: Path, shape: type[_M]) -> Iterator[tuple[int, _M]]:
    """Yield each line of a file with its line number."""
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
