import pytest


@pytest.mark.fuzz
def test_guard(guard_property):
    """Try every property on the guards that `--guards` names: `pytest -m fuzz --guards guards:promises`."""
    guard_property.check()
