"""``redpen init``: a project's first scenario, with all files that it needs."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import string
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen_evals.project import Project, find_project
from redpen_evals.scaffold.writing import FileStep, carry_out, check_step, new_file, read_text
from redpen_evals.settings import KNOWN
from redpen_evals.settings import NAME as REDPEN_TOML

_BASELINE: Final = "baseline"
_BASELINE_SETTING: Final = "redpen_baseline"
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
    """Write the files of a project's first scenario, and yield a line for each.

    Nothing is overwritten, and nothing is written at all if any of the files cannot be.

    Args:
        folder: folder of the project, empty or not.

    Raises:
        ConfigurationError: a file cannot be written, or the pytest settings cannot be read.
    """
    folder = folder.absolute()
    enclosing = project = find_project(folder)
    if enclosing.root != folder:
        project = Project(root=folder, invoked_in=folder)
    steps = list(_steps(project))
    for step in steps:
        check_step(step, folder)
    for step in steps:
        carry_out(step, folder)
        yield step.line(folder)
    if enclosing.root != folder and (file := enclosing.settings_file) is not None:
        yield f"note: this folder now has its own pytest settings, instead of those of {file}"
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
    yield _settings_file(project)
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
    """Return the package of the example agent: one that has it, or that is free."""
    for name in _PACKAGES:
        path = project.root / name / "mailer.py"
        if path.is_file():
            if _AGENT in read_text(path, project.root):
                return name
        elif not _is_taken(name, project):
            return name
    raise ConfigurationError(
        f"there is no free package for the example agent: {' and '.join(_PACKAGES)} are other modules"
    )


def _is_taken(name: str, project: Project) -> bool:
    """Return whether a package would be imported from outside of the project's folder."""
    paths = [str(project.root), *map(str, project.folders("pythonpath")), *filter(None, sys.path)]
    specs = [importlib.machinery.PathFinder.find_spec(name, paths)]
    try:
        specs.append(importlib.util.find_spec(name))
    except (ImportError, ValueError):
        # A module of that name is in the middle of its import.
        return True
    mine = project.root / name / "__init__.py"
    # A spec without an origin is a namespace package, which may have folders in several places.
    return any(spec.origin is not None and Path(spec.origin) != mine for spec in specs if spec)


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
        # `testpaths` may hold patterns and files.
        if not set("*?[") & set(str(named)) and not named.is_file() and named.is_relative_to(project.root):
            return named
    tests = project.root / "tests"
    return tests if tests.is_dir() else project.root


def _settings_file(project: Project) -> FileStep:
    """Return the step that sets the baseline; a file with other pytest settings is never changed."""
    if project.settings_file is None:
        return new_file(project.root / "pytest.ini", f"[pytest]\n{_BASELINE_SETTING} = {_BASELINE}\n")
    path = project.root / REDPEN_TOML
    if _BASELINE_SETTING in project.values:
        return FileStep(path=path if os.path.lexists(path) else project.settings_file, what="kept")
    line = f'{KNOWN[_BASELINE_SETTING].key} = "{_BASELINE}"'
    step = new_file(path, f"{line}\n")
    return step if step.what == "written" else replace(step, note=f"add to it: {line}")


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
