"""A project's modules imported anew for one run, since many read the environment when they are imported."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_OF_TESTS: Final = ("conftest", "test_", "__main__")
_OURS: Final = frozenset({"redpen", "redpen_evals"})
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


@contextlib.contextmanager
def fresh_modules(paths: tuple[Path, ...]) -> Iterator[None]:
    """Have what is below some folders imported anew for as long; afterwards it is as before.

    What is installed, and the modules of tests, stay as they are.

    Args:
        paths: folders of the project.
    """
    folders = tuple(path.resolve() for path in paths)
    before = {name: sys.modules[name] for name in _names_below(folders)}
    for name in before:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _names_below(folders):
            del sys.modules[name]
        sys.modules.update(before)


def _names_below(folders: tuple[Path, ...]) -> list[str]:
    return [
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in _OURS
        and not name.rpartition(".")[2].startswith(_OF_TESTS)
        and any(_is_below(place, folders) for place in _places(module))
    ]


def _places(module: object) -> list[str]:
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return [file]
    try:
        return [str(place) for place in getattr(module, "__path__", None) or ()]
    except Exception:  # noqa: BLE001 - somebody's module may say anything
        return []


def _is_below(place: str, folders: tuple[Path, ...]) -> bool:
    path = Path(place)
    return not _INSTALLED & set(path.parts) and any(path.is_relative_to(folder) for folder in folders)
