"""Layout of the source roots `agents` and `evals`."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("root", ["agents", "evals"])
def test_source_root_has_no_init_file(checkout, root):
    # A top-level package `agents` would hide the one that the OpenAI Agents SDK installs, and users of
    # Redpen have both.
    assert (checkout / root).is_dir()
    assert not (checkout / root / "__init__.py").exists()


def test_recipes_have_no_init_file(checkout):
    # A user copies one; and in a package their modules would have longer names than their scenarios say.
    recipes = checkout / "agents" / "examples"
    assert recipes.is_dir()
    assert not list(recipes.rglob("__init__.py"))


def test_source_roots_hold_the_packages(checkout):
    assert (checkout / "agents" / "redpen" / "__init__.py").is_file()
    assert (checkout / "evals" / "redpen_evals" / "__init__.py").is_file()
