"""The JSON Schemas of the library's files and of policy packs, generated from their models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from redpen.policy.pack_file import PACK_FILE
from redpen_evals.atomic_write import replace_file
from redpen_evals.scenario_library.drafts import DRAFTS
from redpen_evals.scenario_library.loading import CONTEXT
from redpen_evals.scenario_library.scenario import PLAN, SCENARIO

_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "scenario.schema.json": SCENARIO,
    "context.schema.json": CONTEXT,
    "plan.schema.json": PLAN,
    "drafts.schema.json": DRAFTS,
    "policy.schema.json": PACK_FILE,
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Return the text of each schema file by its name."""
    values = {name: {"$schema": DIALECT, **adapter.json_schema()} for name, adapter in _ADAPTERS.items()}
    return {name: f"{json.dumps(value, indent=2, ensure_ascii=False)}\n" for name, value in values.items()}


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write the schema files into the scenarios folder and return their paths."""
    files = {folder / name: text for name, text in schemas().items()}
    for path, text in files.items():
        replace_file(path, text.encode("utf-8"))
    return tuple(files)
