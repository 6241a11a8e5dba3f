"""What every guard owes, tried on Redpen's guards, or on those that ``--guards`` names."""

from __future__ import annotations

import pytest

from redpen_evals.fuzz.plugin import GuardProperty


@pytest.mark.fuzz
def test_guard(guard_property: GuardProperty) -> None:
    """One property of one guard holds."""
    guard_property.check()
