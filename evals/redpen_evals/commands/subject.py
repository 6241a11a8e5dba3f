"""The incident context, or request, that a command is given as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redpen_evals.commands.usage import give_up


def read_subject(path: Path) -> dict[str, Any]:
    """Return the object that a JSON or YAML file or pipe holds; ends the command if it holds none."""
    from redpen.text.json_values import parse_json
    from redpen.yaml_files.source import read_source, read_text

    # YAML reads most of JSON, but no escaped surrogate pair, with which JSON writes an emoji.
    if path.suffix == ".json":
        try:
            value: object = parse_json(read_text(path, stream=True))
        except ValueError as error:
            give_up(f"{path}: no JSON: {error}")
    else:
        value = read_source(path, stream=True).value
    if not isinstance(value, dict):
        give_up(f"{path}: has to hold an object")
    return value


def is_file(path: Path) -> bool:
    """Return whether there is a file or pipe of that name."""
    try:
        # No plain file alone: a shell hands over `<(command)` as a pipe.
        return path.exists() and not path.is_dir()
    except OSError:
        return False
