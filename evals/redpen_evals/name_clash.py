"""Detection of another package named ``redpen``, before an import of a module that it lacks fails."""

from __future__ import annotations

import sys

import redpen

DISTRIBUTION = "redpen-evals"


def check_import_name() -> None:
    """Refuse a package ``redpen`` of another project, or a folder of that name.

    Raises:
        ImportError: ``redpen`` is not ours; under pytest a usage error, without a traceback.
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
