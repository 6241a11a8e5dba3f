"""Another package of the name ``redpen``, which is told apart before anything fails for want of a module."""

from __future__ import annotations

import sys

import redpen

DISTRIBUTION = "redpen-evals"


def check_import_name() -> None:
    """Refuse a package ``redpen`` that is another project's, or a folder of the user's own.

    Raises:
        ImportError: it is; under pytest that is a usage error, which pytest tells without a traceback.
    """
    if getattr(redpen, "DISTRIBUTION", None) == DISTRIBUTION:
        return
    place = getattr(redpen, "__file__", None) or ", ".join(getattr(redpen, "__path__", ()))
    problem = (
        f"the package `redpen` that Python finds is not that of {DISTRIBUTION}: {place}\n"
        "Another project on the package index, or a folder of your own, has the same name; the two cannot be "
        "used together.\n"
        f"  pip uninstall redpen && pip install --force-reinstall {DISTRIBUTION}"
    )
    if "pytest" in sys.modules:
        import pytest

        raise pytest.UsageError(problem)
    raise ImportError(problem)
