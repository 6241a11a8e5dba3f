"""The file of what a judge reached, which tells a run whether the judge may block."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from redpen.judges.measured import Measured, measured_path, read_measured
from redpen_evals.atomic_write import replace_file


def record_reached(folder: Path, reached: Iterable[Mapping[str, Any]]) -> tuple[Path, ...]:
    """Write what judges reached beside their files, and return the files that changed.

    Args:
        folder: of the project's judges; it is made.
        reached: ``judge``, ``model`` and ``measured`` of each.

    Raises:
        ConfigurationError: a file that is there cannot be read.
        OSError: the disk refused it.
    """
    changed = []
    for one in reached:
        path = measured_path(folder, str(one["judge"]))
        before = read_measured(path)
        models = dict(before.models) | {str(one["model"]): Measured.model_validate(one["measured"])}
        after = before.model_copy(update={"models": dict(sorted(models.items()))})
        if after == before:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(after.model_dump(mode="json"), indent=2, ensure_ascii=False)
        replace_file(path, f"{text}\n".encode())
        changed.append(path)
    return tuple(changed)
