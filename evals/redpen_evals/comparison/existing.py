"""Which scenarios and tests of accepted outcomes no longer exist."""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path

from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.listing import test_files


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


def _may_be_test(name: str, root: Path) -> bool:
    try:
        return any(test_files(root, name))
    except OSError:
        # What cannot be read may hold the test.
        return True
