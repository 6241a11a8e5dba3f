"""Fixtures of the installation tests: the wheel, built and installed in a separate environment."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = (Path("agents/redpen"), Path("evals/redpen_evals"))
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"
_PRINT_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"


def _run(*command, cwd, code=0):
    ours = ("PYTHON", "PYTEST_", "OPENAI_", "COVERAGE_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(  # noqa: S603 - what was just installed
        [*map(str, command)], cwd=cwd, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    A tenth of the processor time of all other tests goes into installing and starting programs.
    """
    asked = "installed" in str(config.getoption("-m")) or any(
        "tests/installed" in name for name in config.args
    )
    return None if asked else True


def pytest_itemcollected(item):
    item.add_marker("installed")


@pytest.fixture(scope="session")
def run():
    """Give a function that runs a command without the checkout's paths and without a key.

    It returns standard output and asserts the exit code `code`, by default 0.
    """
    return _run


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Give a folder that the workers of pytest-xdist share, and hold it while it is filled."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder /= "installed"
    folder.mkdir(exist_ok=True)

    @contextmanager
    def held():
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder

    return held


@pytest.fixture(scope="session")
def wheel(shared):
    """Build the wheel from a copy, as building leaves files behind; once for all workers."""
    with shared() as folder:
        if not (folder / "wheel").exists():
            _build(folder / "source", folder / "making")
            (folder / "making").rename(folder / "wheel")
    (built,) = (folder / "wheel").glob("redpen*.whl")
    return built


def _build(source, folder):
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    # The recipes lie beside the packages and must not be in the wheel.
    for package in (*PACKAGES, "agents/examples"):
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    # The build requirements are part of the extra `dev`, so no package index is needed.
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder)
    _run(sys.executable, "-m", "pip", "wheel", *options, source, cwd=source)


@pytest.fixture(scope="session")
def installed(wheel, shared):
    """Install the wheel in an environment that shares only our dependencies; give its folder of programs."""
    with shared() as folder:
        environment = folder / "venv"
        if not (environment / "complete").exists():
            _install(wheel, environment)
            (environment / "complete").touch()
    return environment / PROGRAMS


def _install(wheel, environment):
    venv.create(environment)
    programs = environment / PROGRAMS
    options = ("--quiet", "--no-deps", "--no-index")
    pip = ("-m", "pip", "--python", programs / "python", "install", *options, wheel)
    _run(sys.executable, *pip, cwd=environment)
    packages = Path(_run(programs / "python", "-c", _PRINT_PACKAGES, cwd=environment).strip())
    # A .pth file adds folders, but .pth files inside these (of an editable Redpen) are not read.
    theirs = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (packages / "dependencies.pth").write_text("\n".join(theirs), encoding="utf-8")
