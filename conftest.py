"""A checkout works uninstalled: this loads the plugin, unless its entry point has done so.

``pytester`` is for the plugin's own tests; pytest takes it from no conftest but this one.
"""

import gc

import pytest

pytest_plugins = ["redpen_evals.plugin", "pytester"]

_ALLOCATIONS = 50_000


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect garbage seldom: looking at what is imported and stays took a tenth of a session's time."""
    gc.disable()
    try:
        return (yield)
    finally:
        # No gc.freeze(): Hypothesis asks gc for the referrers of an object, and gc leaves out frozen ones.
        gc.set_threshold(_ALLOCATIONS)
        gc.enable()
