"""The wheel is whole: installed elsewhere it does the day's work in a project that knows no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from redpen_evals.reliability.small_library import SCENARIOS, write_library
from redpen_evals.scenario_library.layout import Layout

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"redpen": ROOT / "agents" / "redpen", "redpen_evals": ROOT / "evals" / "redpen_evals"}
SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"
TESTS = "def test_agent(scenario_run):\n    scenario_run.check()\n"


def _run(*command, cwd):
    """Run a command as in a shell that knows neither the checkout nor a key; it has to succeed."""
    ours = ("PYTHON", "PYTEST_", "OPENAI_", "COVERAGE_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(  # noqa: S603 - what was just installed
        [*map(str, command)], cwd=cwd, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, as building leaves files behind."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    # The recipes stand beside the packages, and have to stay out.
    for package in (*PACKAGES.values(), ROOT / "agents" / "examples"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, source / package.relative_to(ROOT), ignore=ignored)
    # The build's own requirements are part of the extra `dev`, so that no index is asked here.
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder)
    _run(sys.executable, "-m", "pip", "wheel", *options, source, cwd=source)
    (built,) = folder.glob("redpen-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel where only the dependencies are ours; give the folder of the programs."""
    environment = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(environment)
    programs = environment / SCRIPTS
    options = ("--quiet", "--no-deps", "--no-index")
    pip = ("-m", "pip", "--python", programs / "python", "install", *options, wheel)
    _run(sys.executable, *pip, cwd=environment)
    packages = Path(_run(programs / "python", "-c", _PRINT_PACKAGES, cwd=environment).strip())
    # Plain lines of a .pth add folders; the .pth of an editable Redpen in them is not read.
    theirs = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (packages / "dependencies.pth").write_text("\n".join(theirs), encoding="utf-8")
    return programs


_PRINT_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"
_PRINT_ORIGINS = "import redpen, redpen_evals; print(redpen.__file__, redpen_evals.__file__, sep='\\n')"


@pytest.fixture
def project(tmp_path):
    """Give a project of somebody else's: a library, a test, and nothing that names the plugin."""
    write_library(Layout(scenarios=tmp_path / "scenarios", cassettes=tmp_path / "cassettes"), goal="Tell.")
    (tmp_path / "pytest.ini").write_text("[pytest]\nredpen_baseline = accepted\n", encoding="utf-8")
    (tmp_path / "test_agents.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def test_every_file_of_the_packages_is_in_it_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for name, folder in PACKAGES.items()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert names == expected
    for needed in ("redpen/py.typed", "redpen_evals/py.typed", "redpen/prompts/critique.md"):
        assert needed in names
    assert any(name.startswith("redpen_evals/reports/templates/") for name in names)


def test_what_is_installed_is_the_wheel(installed):
    for origin in _run(installed / "python", "-c", _PRINT_ORIGINS, cwd=installed).split():
        assert Path(origin).is_relative_to(installed.parent)


def test_a_days_work_in_another_project(installed, project):
    pytest_ = (installed / "python", "-m", "pytest", "-p", "no:cacheprovider")
    redpen = (installed / "redpen", "--baseline", "accepted")

    _run(*redpen, "scenarios", "check", cwd=project)
    listed = _run(*redpen, "scenarios", cwd=project)
    assert all(scenario in listed for scenario in SCENARIOS)
    assert "3 passed" in _run(*pytest_, "--record=missing", cwd=project)
    found = {
        path.relative_to(project / "cassettes").as_posix() for path in project.rglob("cassettes/**/*.json")
    }
    assert found == {f"scripted/{scenario}.json" for scenario in SCENARIOS}

    assert "3 passed" in _run(*pytest_, cwd=project)
    _run(*redpen, "compare", "last-1", "last", cwd=project)
    _run(*redpen, "baseline", "accept", cwd=project)
    assert (project / "accepted" / "scripted.json").is_file()

    _run(*redpen, "report", "last", "-o", "report.html", "-o", "report.md", cwd=project)
    page = (project / "report.html").read_text(encoding="utf-8")
    assert all(scenario in page for scenario in SCENARIOS)
    assert "compared with the baseline" in _run(*pytest_, cwd=project)
