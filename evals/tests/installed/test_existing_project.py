"""The installed wheel in an existing project: set up, record and replay."""

from __future__ import annotations

import pytest

OTHER_SETTINGS = """\
[project]
name = "shop"
version = "1.0"

[tool.pytest.ini_options]  # those of the shop
minversion = "8.4"
addopts = ["--strict-config", "--strict-markers"]
testpaths = ["checks"]
filterwarnings = ["error"]
xfail_strict = true

[tool.other]
key = "value"
"""


@pytest.fixture
def pytest_(installed):
    """Give the command `pytest` of the environment that the wheel is installed in."""
    # The environment has no `pytest` program, as the dependencies are not installed in it.
    return (installed / "python", "-m", "pytest", "-p", "no:cacheprovider")


@pytest.fixture
def redpen(installed):
    """Give the command `redpen` of that environment."""
    return installed / "redpen"


def test_init_new_and_pytest_work_in_existing_project(pytest_, redpen, run, tmp_path):
    (tmp_path / "pyproject.toml").write_text(OTHER_SETTINGS, encoding="utf-8")
    for package in ("shop", "support"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "test_shop.py").write_text("def test_shop():\n    pass\n", encoding="utf-8")

    lines = run(redpen, "init", cwd=tmp_path).splitlines()
    assert "written  checks/test_agents.py" in lines
    assert "written  redpen.toml" in lines
    # A second scenario, made from one run of the agent.
    (tmp_path / "replies.yaml").write_text("- content: Your order 81 is on its way.\n", encoding="utf-8")
    asked = ("--agent", "support.mailer:write_reply", "--context", "orders", "--input", "ticket=Where is it?")
    run(redpen, "new", "support/on-its-way", *asked, "--replies", "replies.yaml", cwd=tmp_path)
    assert "3 passed" in run(*pytest_, "--record=missing", cwd=tmp_path)
    assert "3 passed" in run(*pytest_, cwd=tmp_path)
    run(redpen, "scenarios", "check", cwd=tmp_path)
    command = ("run", "support.mailer:write_reply", "--scenario", "support/on-its-way")
    output = run(redpen, *command, cwd=tmp_path)
    assert '"answer": "Your order 81 is on its way."' in output
