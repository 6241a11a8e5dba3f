"""Guards without the harness: an installation with `--no-deps` and few other packages."""

from __future__ import annotations

import sys
import sysconfig
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# What `redpen check` needs with `pip install --no-deps redpen-evals`, as the README says it.
NEEDED = ("click", "numpy", "pydantic", "pyyaml", "rapidfuzz")
HARNESS = ("hypothesis", "openai", "pytest", "vcr")


def _with_dependencies(names):
    """Return the names of distributions and of all their dependencies here."""
    found, waiting = set(), list(map(canonicalize_name, names))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        needed = map(Requirement, metadata.requires(name) or ())
        waiting += [
            canonicalize_name(item.name)
            for item in needed
            if item.marker is None or item.marker.evaluate({"extra": ""})
        ]
    return found


@pytest.fixture(scope="module")
def alone(wheel, run, tmp_path_factory):
    """Install the wheel beside links to only these packages; give the folder of programs."""
    environment = tmp_path_factory.mktemp("alone") / "venv"
    venv.create(environment)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    options = ("--quiet", "--no-deps", "--no-index")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        programs / "python",
        "install",
        *options,
        wheel,
        cwd=environment,
    )
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(programs / "python", "-c", code, cwd=environment).strip())
    for name in _with_dependencies(NEEDED):
        for file in metadata.files(name) or ():
            top = file.parts[0]
            source = Path(sysconfig.get_path("purelib")) / top
            if top not in ("..", "__pycache__") and source.exists() and not (packages / top).exists():
                (packages / top).symlink_to(source)
    return programs


def test_harness_packages_are_not_importable(alone, run, tmp_path):
    code = f"from importlib.util import find_spec; print([name for name in {HARNESS} if find_spec(name)])"
    assert run(alone / "python", "-c", code, cwd=tmp_path).strip() == "[]"


def test_check_works_without_the_harness(alone, run, tmp_path):
    (tmp_path / "facts.yaml").write_text("incident: {eta_minutes: 45}\n", encoding="utf-8")
    (tmp_path / "before.txt").write_text("Payments are slow.", encoding="utf-8")
    (tmp_path / "after.txt").write_text("Payments are slow for 45 minutes.", encoding="utf-8")
    (tmp_path / "worse.txt").write_text("Payments are slow for 90 minutes.", encoding="utf-8")
    command = (alone / "redpen", "check", "--context", "facts.yaml", "--original", "before.txt", "--revised")
    run(*command, "after.txt", cwd=tmp_path)
    assert "90 minutes" in run(*command, "worse.txt", cwd=tmp_path, code=1)
    run(*command, "after.txt", "--min-similarity", "0.1", "--json", cwd=tmp_path)
