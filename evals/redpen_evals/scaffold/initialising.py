"""A project's first scenario, with all that it needs to be recorded and replayed."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import string
import sys
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen_evals.project import Project, find_project
from redpen_evals.scaffold.pytest_settings import add_setting
from redpen_evals.scaffold.writing import (
    FileStep,
    carry_out,
    check_step,
    new_file,
    read_text,
)

_BASELINE: Final = "baseline"
_PACKAGES: Final = ("support", "support_example")
_AGENT: Final = "def write_reply"
_TESTS: Final = ("test_agents.py", "test_redpen.py")
_FIXTURE: Final = "scenario_run"
_TO_ADD: Final = "it has no test of scenarios: add `def test_agent(scenario_run): scenario_run.check()`"
_IGNORED: Final = ".redpen/"
_NEXT: Final = """
next:
  pytest --record=missing   records the scenario from the replies in its file, without a key
  pytest                    replays it: nothing is sent anywhere"""


def init_project(folder: Path) -> Iterator[str]:
    """Write what a project needs for its first scenario, and yield a line for each file.

    Nothing is overwritten. Nothing is written at all where one of the files could not be.

    Args:
        folder: of the project, empty or not.

    Raises:
        ConfigurationError: a file cannot be written, or the pytest settings cannot be read.
    """
    folder = folder.absolute()
    found = find_project(folder)
    project = found
    if found.root != folder:
        project = Project(root=folder, config=None, values={}, invoked_in=folder)
    steps = list(_steps(project))
    for step in steps:
        check_step(step, folder)
    for step in steps:
        carry_out(step, folder)
        yield step.line(folder)
    if found.root != folder and found.config is not None:
        yield f"note: this folder has pytest settings of its own now, in place of those of {found.config}"
    yield from _NEXT.splitlines()


def _steps(project: Project) -> Iterator[FileStep]:
    folder = project.root
    library = folder / project.path("redpen_scenarios")
    package = _agent_package(project)
    scenario, context = library / "support" / "order-status", library / "contexts" / "orders"
    yield _yaml_file(scenario, _template("order-status.yaml", package=package))
    yield _yaml_file(context, _template("orders.yaml"))
    yield new_file(folder / package / "mailer.py", _template("mailer.py.txt"))
    yield new_file(folder / "prompts" / "reply.md", _template("reply.md"))
    yield from _test_files(project)
    yield add_setting(project, "redpen_baseline", _BASELINE)
    workflow = folder / ".github" / "workflows" / "redpen.yml"
    yield new_file(workflow, _template("redpen.yml", install=_install_command(folder)))
    yield _ignore_file(folder)


def _template(name: str, **values: str) -> str:
    source = resources.files(__package__).joinpath("templates", name)
    return string.Template(source.read_text(encoding="utf-8")).substitute(values)


def _yaml_file(stem: Path, content: str) -> FileStep:
    other = stem.with_suffix(".yml")
    return new_file(other if os.path.lexists(other) else stem.with_suffix(".yaml"), content)


def _agent_package(project: Project) -> str:
    """Return the package for the example agent: one that has it, or may have it."""
    for name in _PACKAGES:
        path = project.root / name / "mailer.py"
        if path.is_file():
            if _AGENT in read_text(path, project.root):
                return name
        elif not _is_taken(name, project):
            return name
    raise ConfigurationError(
        f"the example agent has no place: {' and '.join(_PACKAGES)} are modules of something else"
    )


def _is_taken(name: str, project: Project) -> bool:
    """Return whether the import of a package would lead elsewhere than into the project's folder."""
    paths = [str(project.root), *map(str, project.folders("pythonpath")), *filter(None, sys.path)]
    found = [importlib.machinery.PathFinder.find_spec(name, paths)]
    try:
        found.append(importlib.util.find_spec(name))
    except (ImportError, ValueError):
        # It is half imported, so there is one.
        return True
    mine = project.root / name / "__init__.py"
    # Without an origin it is a folder without __init__.py, and those of several places are one package.
    return any(spec.origin is not None and Path(spec.origin) != mine for spec in found if spec)


def _test_files(project: Project) -> Iterator[FileStep]:
    folder = _test_folder(project)
    kept: list[FileStep] = []
    for name in _TESTS:
        step = new_file(folder / name, _template("test_agents.py.txt"))
        if step.what == "written" or _FIXTURE in read_text(step.path, project.root):
            yield from kept
            yield step
            return
        kept.append(step)
    yield FileStep(path=kept[0].path, what="kept", note=_TO_ADD)


def _test_folder(project: Project) -> Path:
    for named in project.folders("testpaths"):
        # It may be a pattern, or a file.
        if not set("*?[") & set(str(named)) and not named.is_file() and named.is_relative_to(project.root):
            return named
    tests = project.root / "tests"
    return tests if tests.is_dir() else project.root


def _install_command(folder: Path) -> str:
    pyproject = folder / "pyproject.toml"
    if pyproject.is_file() and "project" in tomllib.loads(read_text(pyproject, folder)):
        return "pip install -e . redpen-evals"
    if (folder / "requirements.txt").is_file():
        return "pip install -r requirements.txt redpen-evals"
    return "pip install redpen-evals"


def _ignore_file(folder: Path) -> FileStep:
    path = folder / ".gitignore"
    if not os.path.lexists(path):
        return FileStep(path=path, what="written", content=f"{_IGNORED}\n")
    text = read_text(path, folder)
    if any(line.strip().strip("/") == _IGNORED.strip("/") for line in text.splitlines()):
        return FileStep(path=path, what="kept")
    if path.is_symlink():
        return FileStep(path=path, what="kept", note=f"add to it: {_IGNORED}")
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text or text.endswith("\n") else end
    return FileStep(path=path, what="changed", content=f"{text}{gap}{_IGNORED}{end}", note=_IGNORED)
