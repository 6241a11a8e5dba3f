"""What the two source roots may hold."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("root", ["agents", "evals"])
def test_a_source_root_is_no_package(checkout, root):
    # A top-level package `agents` would hide the one that the OpenAI Agents SDK installs, and users of
    # Redpen have both.
    assert (checkout / root).is_dir()
    assert not (checkout / root / "__init__.py").exists()


def test_recipes_are_folders_and_no_packages(checkout):
    # A user copies one; and in a package their modules would have longer names than their scenarios say.
    recipes = checkout / "agents" / "examples"
    assert recipes.is_dir()
    assert not list(recipes.rglob("__init__.py"))


def test_packages_are_found_in_the_source_roots(checkout):
    assert (checkout / "agents" / "redpen" / "__init__.py").is_file()
    assert (checkout / "evals" / "redpen_evals" / "__init__.py").is_file()
