"""Writing a counterexample into the draft library, as a labelled draft like any other."""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from redpen.errors import ConfigurationError
from redpen.text.json_values import copy_object
from redpen.types import JsonObject, JsonValue
from redpen.yaml_files.problem import FileError
from redpen_evals.atomic_write import replace_file
from redpen_evals.fuzz.case import Case
from redpen_evals.scenario_library.drafts import LabelledDraft, load_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_any_context, merge_patch

FOLDER = "found"
"""Folder of the draft library that counterexamples go to."""

_HEADER = "# yaml-language-server: $schema=../../drafts.schema.json\n"
_PREFERRED = "payments-us-p1"
_EMPTY = "empty"
"""Name of the context that is written where a library has none."""

_ID_DIGITS = 10
_NOTE = "Found by fuzzing; the label is that of the property. Read it over before it is kept."


def save_counterexample(layout: Layout, case: Case) -> tuple[Path, bool]:
    """Write a case as a file of the draft library, split ``dev``.

    The file is written atomically, and one that is there already is left as it is.

    Args:
        layout: folders of the library; where it holds no context, an empty one is written too.
        case: the counterexample.

    Returns:
        The file, and whether it was written now: the same case has the same name.

    Raises:
        ConfigurationError: the case makes no sound file.
    """
    name, base = _base(layout, case.context)
    item: dict[str, Any] = {"id": "counterexample", "revised": case.revised, "label": case.label}
    if case.codes:
        item["codes"] = list(case.codes)
    item |= {"family": case.family, "disguise": case.disguise, "split": "dev", "note": _NOTE}
    content: dict[str, Any] = {"context": name}
    if changes := patch_between(base, case.context):
        content["context_changes"] = changes
    content |= {"original": case.original, "items": [item]}
    # Unusual characters are escaped: a person has to see what there is.
    text = _HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=False, width=110)
    mark = sha256(text.encode()).hexdigest()[:_ID_DIGITS]
    path = layout.scenarios / "drafts" / FOLDER / f"{case.name}-{mark}.yaml"
    return path, _write_new(layout, path, text, case)


def patch_between(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the JSON merge patch that makes one object of another; null in ``after`` reads as absent."""
    patch: JsonObject = {key: None for key in before if after.get(key) is None}
    for key, value in after.items():
        old: JsonValue = before.get(key)
        if value is None or (old == value and type(old) is type(value)):
            continue
        patch[key] = patch_between(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return copy_object(patch)


def _same(read: LabelledDraft, case: Case) -> bool:
    # Null reads as absent, in a patch as in a context.
    return merge_patch({}, read.context) == merge_patch({}, case.context)


def _base(layout: Layout, context: JsonObject) -> tuple[str, JsonObject]:
    """Return the context that a draft is written against: its own, another, or one that is written now."""
    known = {name: path for name in layout.names("contexts") if (path := layout.context_path(name))}
    read = {name: load_any_context(path) for name, path in known.items()}
    for name, found in read.items():
        if found == context:
            return name, found
    name = _PREFERRED if _PREFERRED in read else next(iter(read), "")
    return (name, read[name]) if name else (_EMPTY, _write_empty(layout))


def _write_empty(layout: Layout) -> JsonObject:
    path = layout.scenarios / "contexts" / f"{_EMPTY}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, b"# Holds nothing: drafts that were found by fuzzing bring their own facts.\n{}\n")
    return {}


def _write_new(layout: Layout, path: Path, text: str, case: Case) -> bool:
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix="new-", suffix=".yaml")
    draft = path.parent / Path(name).name
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        (read,) = load_drafts(layout, draft)
        if (read.original, read.item.revised) != (case.original, case.revised) or not _same(read, case):
            raise ConfigurationError("the counterexample cannot be written down as it is")
        # A link, unlike a rename, never takes the place of a file that another process has just written.
        os.link(draft, path)
    except FileExistsError:
        return False
    except FileError as error:
        raise ConfigurationError(f"the counterexample makes no sound draft: {error}") from error
    finally:
        draft.unlink()
    return True
