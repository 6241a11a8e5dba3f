"""Which scenarios and tests of accepted outcomes no longer exist."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Final

from redpen_evals.scenario_library.layout import Layout

_HASHED: Final = re.compile(r"(?:^|-)[0-9a-f]{8}$")
"""A part of an id that does not have the name of its folder, file or class."""


def gone_ids(
    ids: Iterable[str], *, layout: Layout, root: Path, lacking: Container[str] = ()
) -> frozenset[str]:
    """Return the ids that name neither a scenario of the library nor a test.

    Args:
        ids: of scenarios, or of runs of the fixture ``redpen``.
        layout: the library; without its folder only the ids in ``lacking`` are gone.
        root: pytest's root folder, from which the paths in ids of tests start.
        lacking: ids of tests that their test files do not have.

    Raises:
        ConfigurationError: the library cannot be read.
    """
    has_library = layout.scenarios.is_dir()
    known = frozenset(layout.scenario_ids()) if has_library else frozenset()
    return frozenset(
        name
        for name in ids
        if name not in known and (name in lacking or (has_library and not _may_be_test(name, root)))
    )


def test_file(name: str, root: Path) -> str | None:
    """Return the test file of a run's id, relative to pytest's root folder; None if there is no such file."""
    parts = name.split("/")
    files = ("/".join(parts[:end]) + ".py" for end in range(len(parts) - 1, 0, -1))
    return next((file for file in files if _is_file(root / file)), None)


def _may_be_test(name: str, root: Path) -> bool:
    return test_file(name, root) is not None or any(map(_HASHED.search, name.split("/")[:-1]))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # The name is too long for the file system.
        return False
