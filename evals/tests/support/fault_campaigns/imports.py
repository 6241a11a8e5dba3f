"""Imports that a pytest session with Redpen needs, for processes that run many of them."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil

import redpen_evals

_LIBRARIES = (
    "_pytest.stepwise",
    "anyio",
    "click.testing",
    "jinja2",
    "numpy",
    "openai.resources.chat",
    "rich.progress",
    "rich.table",
    "statistics",
    "tenacity",
)


def import_for_sessions() -> None:
    """Import every module of the harness, and the libraries that its runs load one by one."""
    of_harness = (module.name for module in pkgutil.walk_packages(redpen_evals.__path__, "redpen_evals."))
    for name in (*_LIBRARIES, *(name for name in of_harness if not name.endswith(".__main__"))):
        # Modules of a missing extra are left to the tests that need it.
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
