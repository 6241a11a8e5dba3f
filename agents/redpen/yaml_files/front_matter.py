"""Reads a Markdown file that begins with YAML front matter between two lines ``---``."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from redpen.yaml_files.parsing import validate
from redpen.yaml_files.problem import problem_in
from redpen.yaml_files.source import Source, read_text, source_of

T = TypeVar("T")

_FENCE = "---"


def read_front_matter(
    path: Path, shape: TypeAdapter[T], *, fields: frozenset[str], expected: str
) -> tuple[T, Source, str]:
    """Return the front matter of a file as a model, its lines, and the text below it, trimmed.

    Args:
        path: the file.
        shape: model of the front matter.
        fields: names of its fields, at any depth.
        expected: what the file starts with, for the error if there is no front matter.

    Raises:
        FileError: the file cannot be read, its front matter is missing or invalid, or it has no text.
    """
    lines = read_text(path).splitlines(keepends=True)
    fences = [at for at, line in enumerate(lines) if line.rstrip() == _FENCE]
    if not fences or fences[0] != 0 or len(fences) == 1:
        raise problem_in(path, f"{expected} between two lines {_FENCE}")
    # The first fence, which starts a YAML document, is kept so that line numbers are those of the file.
    source = source_of(path, "".join(lines[: fences[1]]))
    matter = validate(source, shape, fields=fields)
    text = "".join(lines[fences[1] + 1 :]).strip()
    if not text:
        raise problem_in(path, "there is no text below the front matter", line=fences[1] + 1)
    return matter, source, text
