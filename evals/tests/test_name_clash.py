"""A clear error when Python finds another project's package `redpen`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import redpen
from redpen_evals.versions import installed_versions

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def python(tmp_path):
    """Give a function that runs Python where another package `redpen` is first on the path."""
    other = tmp_path / "other" / "redpen"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text('"""Another project."""\n', encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    (work / "test_one.py").write_text("def test_one(): pass\n", encoding="utf-8")
    path = os.pathsep.join(map(str, (other.parent, ROOT / "evals", ROOT / "agents")))
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}

    def run(*arguments):
        return subprocess.run(  # noqa: S603 - this interpreter
            [sys.executable, *arguments],
            cwd=work,
            env={**environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_plugin_reports_name_clash_as_usage_error(python):
    done = python("-m", "pytest", "-p", "redpen_evals.plugin")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout + done.stderr
    assert "the package `redpen` that Python finds is not that of redpen-evals: " in done.stderr
    assert str(Path("other", "redpen", "__init__.py")) in done.stderr
    assert "pip uninstall redpen && pip install --force-reinstall redpen-evals" in done.stderr
    assert "Traceback" not in done.stderr


def test_command_reports_name_clash(python):
    done = python("-m", "redpen_evals", "--version")
    assert done.returncode != 0
    assert "ImportError: the package `redpen` that Python finds is not that of redpen-evals: " in done.stderr


def test_distribution_name_matches_pyproject_and_installed_version():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{redpen.DISTRIBUTION}"\n' in text
    try:
        version = metadata.version(redpen.DISTRIBUTION)
    except metadata.PackageNotFoundError:
        version = "source"
    assert installed_versions()["redpen"] == version
