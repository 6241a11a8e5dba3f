"""The properties are left alone by `-m "not fuzz"`."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files of nothing but properties where none is wanted: to load them takes a second."""
    is_wanted = config.getoption("-m") != "not fuzz"
    return None if is_wanted or not collection_path.name.startswith("test_properties_") else True
