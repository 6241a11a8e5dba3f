"""Imports that a pytest session with Redpen needs, for processes that run many of them."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
from importlib.metadata import entry_points

from _pytest.config import default_plugins

import redpen_evals

_LIBRARIES = (
    *(f"_pytest.{name}" for name in default_plugins),
    "anyio",
    "click.testing",
    "encodings.idna",
    "jinja2",
    "numpy",
    "openai.resources.chat",
    "rich.progress",
    "rich.table",
    "statistics",
    "tenacity",
)


def import_for_sessions() -> None:
    """Import every module of the harness, all pytest plugins, and the libraries that runs load one by one."""
    plugins = (entry_point.module for entry_point in entry_points(group="pytest11"))
    of_harness = (module.name for module in pkgutil.walk_packages(redpen_evals.__path__, "redpen_evals."))
    for name in (*_LIBRARIES, *plugins, *(name for name in of_harness if not name.endswith(".__main__"))):
        # Modules of a missing extra are left to the tests that need it.
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name)
