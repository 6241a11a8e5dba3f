"""The files of a project, without hidden folders, caches, package metadata and virtual environments."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

SOURCES: Final = frozenset(
    ".py .pyi .js .mjs .cjs .ts .tsx .rb .rs .go .java .cs .php .sh .sql .md .txt .html .xml .j2 .jinja "
    ".jinja2 .tmpl .prompt .mustache .yaml .yml .toml .json .cfg .ini".split()
)
"""Suffixes of files that may affect the behaviour of a project's own agent."""

_IGNORED: Final = frozenset({"__pycache__", "node_modules"})


def project_files(
    root: Path, *, excluded: Collection[Path] = (), ignored: Collection[str] = ()
) -> Iterator[Path]:
    """Yield the files below a folder, sorted within each folder; links to folders are not followed.

    Args:
        root: the folder.
        excluded: files and folders to leave out, resolved.
        ignored: names of further folders to leave out.
    """
    for parent, folders, names in os.walk(root):
        here = Path(parent)
        folders[:] = sorted(
            name for name in folders if name not in ignored and _is_included(here / name, excluded)
        )
        for name in sorted(names):
            if (path := here / name).is_file() and not (excluded and path.resolve() in excluded):
                yield path


def _is_included(folder: Path, excluded: Collection[Path]) -> bool:
    if folder.name.startswith(".") or folder.name in _IGNORED or folder.suffix == ".egg-info":
        return False
    return not (folder / "pyvenv.cfg").is_file() and not (excluded and folder.resolve() in excluded)
