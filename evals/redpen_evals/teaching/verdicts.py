"""Verdict lines labelled by a team: the output of ``redpen check --jsonl --texts``, with ``label``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from redpen.errors import InvalidInputError
from redpen.training.edits import Label, LabelledEdit, Topic


@dataclass(slots=True, kw_only=True)
class VerdictLine:
    """One line of a file of verdicts.

    Attributes:
        number: in the file, from 1.
        fields: its JSON object.
    """

    number: int
    fields: dict[str, Any]

    @property
    def label(self) -> Label | None:
        """A person's label, if there is one."""
        label = self.fields.get("label")
        return cast("Label", label) if label in get_args(Label) else None


def read_verdicts(path: Path) -> list[VerdictLine]:
    """Return the lines of a file of verdicts.

    Raises:
        InvalidInputError: the file cannot be read, or a line lacks a text; the message names the place.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{path}: {error}") from error
    return [
        VerdictLine(number=number, fields=_fields(path, number, line))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]


def _fields(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise InvalidInputError(f"{path}:{number}: is not valid JSON: {error}") from error
    if not isinstance(fields, dict):
        raise InvalidInputError(f"{path}:{number}: has to be an object")
    for key in ("original", "revised"):
        if not isinstance(fields.get(key), str):
            raise InvalidInputError(
                f"{path}:{number}: {key}: has to be a string; `redpen check --jsonl FILE --texts` keeps it"
            )
    if not isinstance(fields.get("context"), dict):
        raise InvalidInputError(f"{path}:{number}: context: has to be an object")
    if fields.get("label") not in (None, *get_args(Label)):
        raise InvalidInputError(f"{path}:{number}: label: has to be `block` or `pass`")
    return fields


def labelled_edits(lines: list[VerdictLine]) -> list[LabelledEdit]:
    """Return the labelled lines as edits; the others are left out."""
    return [
        LabelledEdit(
            original=line.fields["original"],
            revised=line.fields["revised"],
            context=line.fields["context"],
            label=line.label,
            family=_family(line),
            writer="team",
        )
        for line in lines
        if line.label is not None
    ]


def _family(line: VerdictLine) -> Topic:
    """Return the topic of a line: its own, or the family of its claim, else of its new fact.

    A claim that the guards missed has no finding, and counts as `resolution`.
    """
    violations, concerns = line.fields.get("violations") or (), line.fields.get("concerns") or ()
    claims = [item for item in violations if item.get("code") == "restricted_claims"]
    families = (item.get("family") for item in (*claims, *violations, *concerns))
    own = line.fields.get("family")
    return next((item for item in (own, *families) if item in get_args(Topic)), "resolution")
